"""The options that commands share, under the names that scripts rely on."""

import argparse
import logging

from mr_reuse import kernel
from mr_reuse.chunks import chunking
from mr_reuse.chunks.hasher import COMPAT, HASHES, Chunker
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.cli.values import Once, natural, positive, rate
from mr_reuse.engine import clusters, conf
from mr_reuse.errors import UsageError
from mr_reuse.pages.filters import RECURSION

PRESETS = {
    'ccr2019': Chunker('sha1', chunking.CCR2019, 'none', 'none'),
}
RUNNERS = ('local', 'inline', 'hadoop', 'emr', 'spark')


def add_inputs(parser: argparse.ArgumentParser, nargs: str = '+') -> None:
    """What is read."""
    group = parser.add_argument_group('input')
    group.add_argument(
        'inputs',
        nargs=nargs,
        metavar='INPUT',
        help='WARC, ARC or WET files, gzipped or not; folders and globs of those; a '
        'folder of HTML files; a text file with such names',
    )
    group.add_argument(
        '--base-url',
        default='',
        metavar='URL',
        help='what is put in front of the names in a list',
    )
    group.add_argument(
        '--limit', type=positive, metavar='N', help='read only the first N inputs'
    )
    group.add_argument(
        '--filter',
        action='append',
        default=[],
        metavar='KIND=VALUE',
        help='only records with this status=, type=, host= or prefix= (may be given '
        'several times; values of one kind are alternatives: status=200,404)',
    )
    group.add_argument(
        '--recursion',
        choices=RECURSION,
        default='length',
        help='leave out the URLs of crawler loops: paths of more than 96 components '
        '(length), or with repeated components. Default: %(default)s',
    )


def add_runner(group: argparse._ActionsContainer) -> None:
    """What runs the jobs."""
    group.add_argument(
        '-r',
        '--runner',
        choices=RUNNERS,
        default='local',
        help='local: all cores of this machine; inline: one process; hadoop: the '
        'cluster that this machine is set up for; emr: one that AWS makes; spark: '
        'Spark, on this machine or where a mrjob.conf says. Default: %(default)s',
    )
    group.add_argument(
        '-c', '--conf', metavar='FILE', help='a mrjob.conf: what a cluster wants'
    )


def add_run(
    parser: argparse.ArgumentParser,
    result: str = 'RUN',
    help_: str = 'the folder for results',
) -> None:
    """Where and how the work is done."""
    parser.add_argument('--version', action='version', version=kernel.version())
    group = parser.add_argument_group('run')
    group.add_argument('-o', '--output', required=True, metavar=result, help=help_)
    add_runner(group)
    group.add_argument(
        '--tasks', type=positive, metavar='N', help='map tasks; changes no result'
    )
    group.add_argument(
        '--no-combine', action='store_true', help='count without combining in tasks'
    )
    group.add_argument(
        '--force',
        action='store_true',
        help=f'take {result} even if other things are in it',
    )
    group.add_argument(
        '--dry-run',
        action='store_true',
        help='only say what would be done, and about what it would take',
    )
    group.add_argument(
        '--prices',
        metavar='FILE',
        help='what machines cost, for --dry-run -r emr: a table as mr_reuse/prices.tsv',
    )
    loud = group.add_mutually_exclusive_group()
    loud.add_argument(
        '-q', '--quiet', action='store_true', help='no progress, no summary'
    )
    loud.add_argument(
        '-v', '--verbose', action='store_true', help='tell what mrjob says as well'
    )


def add_chunker(parser: argparse.ArgumentParser) -> None:
    """How pages are cut and hashed."""
    group = parser.add_argument_group('chunks')
    group.add_argument(
        '--preset',
        choices=sorted(PRESETS),
        help='ccr2019: cut and hash as the paper did, to the byte',
    )
    group.add_argument(
        '--delimiters', metavar='TAGS', help='tags that cut a page. Default: p,div'
    )
    group.add_argument(
        '--hash', choices=sorted(HASHES), help='of chunks and files. Default: sha1'
    )
    group.add_argument(
        '--normalize',
        choices=sorted(NORMALIZERS),
        help='how white space is made alike before a page is cut. Default: none',
    )
    group.add_argument(
        '--compat',
        choices=sorted(COMPAT),
        help="ccr2019-arc: bodies as the paper's ARC reader had them, with a line feed "
        'at their end',
    )


def chunker(given: argparse.Namespace) -> Chunker:
    """The options of a command line, over those of its preset, over the defaults."""
    preset = PRESETS.get(given.preset, Chunker())
    fields = {f: getattr(given, f) for f in Chunker._fields}
    said = {name: value for name, value in fields.items() if value is not None}
    return preset._replace(**said).check()


def add_labels(parser: argparse.ArgumentParser) -> None:
    """What becomes a label."""
    group = parser.add_argument_group('labels')
    group.add_argument(
        '--threshold',
        type=natural,
        metavar='N',
        help='label what has more than N copies. Default: one in 30,000 files, at '
        'least 10',
    )
    group.add_argument(
        '--file-threshold', type=natural, metavar='N', help='the same for whole files'
    )
    add_stops(group)


def add_stops(group: argparse._ArgumentGroup) -> None:
    """What is never a label."""
    group.add_argument(
        '--min-len',
        type=natural,
        default=100,
        metavar='N',
        help='label only chunks longer than N bytes. Default: %(default)s',
    )
    group.add_argument(
        '--stop',
        metavar='FILE',
        help='stop chunks, which are no labels though widely copied: hashes, one a '
        'line, or a label file',
    )
    group.add_argument(
        '--stop-bloom',
        type=rate,
        default=0.0,
        metavar='P',
        help='ask a Bloom filter with this rate of wrong answers before the list',
    )
    group.add_argument(
        '--stop-unchecked',
        action='store_true',
        help='believe the Bloom filter: removes some chunks that are not on the list',
    )


def add_old_run(parser: argparse.ArgumentParser) -> None:
    """What is known already."""
    parser.add_argument(
        '--add',
        action=Once,
        metavar='OLD_RUN',
        help='count the inputs together with those of OLD_RUN',
    )


def check_run(given: argparse.Namespace) -> None:
    """Refuse a configuration that cannot be read; turn on what is to be told."""
    clusters.check(given)
    if given.conf:
        conf.check(given.conf, given.runner)
    if given.verbose:
        logging.getLogger('mrjob').addHandler(logging.StreamHandler())
        logging.getLogger('mrjob').setLevel(logging.INFO)


def check(given: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    check_run(given)
    if given.stop_unchecked and not given.stop_bloom:
        raise UsageError('--stop-unchecked: goes with --stop-bloom only')
    if given.stop_bloom and not given.stop:
        raise UsageError('--stop-bloom: goes with --stop FILE only')
