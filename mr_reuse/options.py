"""The options that commands share, under the names that scripts rely on."""

import argparse
import logging

from mr_reuse import chunking, clusters, conf
from mr_reuse.arguments import Once, levels, natural, positive, rate, ratio
from mr_reuse.errors import UsageError
from mr_reuse.filters import RECURSION
from mr_reuse.hashing import COMPAT, HASHES, Chunker
from mr_reuse.matching import SCOPES
from mr_reuse.normalize import NORMALIZERS

PRESETS = {
    'ccr2019': Chunker('sha1', chunking.CCR2019, 'none', 'none'),
}
RUNNERS = ('local', 'inline', 'hadoop', 'emr', 'spark')
JOINS = ('auto', 'map', 'reduce', 'bloom')


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
        '--base-url', default='', metavar='URL', help='what the names in a list miss'
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
    group.add_argument('-c', '--conf', metavar='FILE', help='a mrjob.conf')


def add_run(
    parser: argparse.ArgumentParser,
    result: str = 'RUN',
    help_: str = 'the folder for results',
) -> None:
    """Where and how the work is done."""
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
        '--dry-run', action='store_true', help='only say what would be done'
    )
    loud = group.add_mutually_exclusive_group()
    loud.add_argument(
        '-q', '--quiet', action='store_true', help='no progress, no summary'
    )
    loud.add_argument('-v', '--verbose', action='store_true', help='tell more')


def add_chunker(parser: argparse.ArgumentParser) -> None:
    """How pages are cut and hashed."""
    group = parser.add_argument_group('chunks')
    group.add_argument(
        '--preset', choices=sorted(PRESETS), help='ccr2019: the paper to the byte'
    )
    group.add_argument(
        '--delimiters', metavar='TAGS', help='tags that cut a page. Default: p,div'
    )
    group.add_argument('--hash', choices=sorted(HASHES), help='Default: sha1')
    group.add_argument(
        '--normalize', choices=sorted(NORMALIZERS), help='of white space. Default: none'
    )
    group.add_argument(
        '--compat', choices=sorted(COMPAT), help="bodies as the paper's ARC reader had"
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
        '--stop', metavar='FILE', help='stop chunks: hashes, one a line, or labels'
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


def add_matching(parser: argparse.ArgumentParser) -> None:
    """What is looked for, and how."""
    group = parser.add_argument_group('labels')
    group.add_argument(
        '-l',
        '--labels',
        metavar='LABELS',
        help='a label file, or a run of discover. Default: those that RUN was searched '
        'for before, or those that it has found',
    )
    group.add_argument(
        '--join',
        choices=JOINS,
        default='auto',
        help='how pages and labels meet: labels in the memory of every task (map), '
        'or a part of them in each reducer (reduce), which is asked only for what a '
        'Bloom filter does not rule out (bloom). Changes no result. '
        'Default: what fits',
    )
    group.add_argument(
        '--task-memory',
        type=positive,
        default=400,
        metavar='MB',
        help='what a task may use: --join auto goes by it. Default: %(default)s',
    )
    group.add_argument(
        '--stop-scope',
        choices=SCOPES,
        default='both',
        help='where the stop chunks and short chunks of the label file are left out: '
        'of labels and pages (both), of labels only, or nowhere (none). '
        'Default: %(default)s',
    )
    group.add_argument(
        '--distinct',
        action='store_true',
        help='count a chunk once a page, however often the page has it',
    )
    group.add_argument(
        '--min-chunks',
        type=positive,
        default=1,
        metavar='N',
        help='leave pages with fewer chunks out of all ratios',
    )


def add_thresholds(parser: argparse.ArgumentParser) -> None:
    """What is bad; given anew on a finished run, only the tables are made anew."""
    group = parser.add_argument_group('what is bad (takes seconds on a finished run)')
    group.add_argument(
        '--levels',
        type=levels,
        default='all',
        metavar='all|N|site|domain',
        help='which neighborhoods: of all levels, of level N, whole hosts (site), or '
        'registered domains. Default: %(default)s',
    )
    group.add_argument(
        '--ratio',
        choices=('pooled', 'mean'),
        default='pooled',
        help='the share of the chunks of a neighborhood that are labels (pooled), or '
        'the mean of that share over its pages. Default: %(default)s',
    )
    for name in ('page', 'neighborhood'):
        group.add_argument(
            f'--{name}-threshold',
            type=ratio,
            metavar='X',
            help=f'a {name} is bad if its ratio is above X. Default: mean + K standard '
            'deviations',
        )
    group.add_argument(
        '--sigmas', type=ratio, metavar='K', help='see above. Default: 1'
    )
    group.add_argument(
        '--per-level',
        action='store_true',
        help='mean and deviation for each level of neighborhoods, not over all',
    )
    group.add_argument(
        '--rank',
        choices=('ratio', 'bad'),
        default='ratio',
        help='worst first by ratio, or by number of labeled chunks. '
        'Default: %(default)s',
    )
    group.add_argument(
        '--top', type=positive, metavar='N', help='list only the first N bad ones'
    )
    group.add_argument(
        '--min-bad',
        type=natural,
        default=0,
        metavar='N',
        help='list only neighborhoods with at least N labeled chunks; with --rank bad '
        'and without a threshold this alone decides',
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
