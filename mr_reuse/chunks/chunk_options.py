"""Options that say how pages are cut and hashed, and what becomes a label."""

import argparse

from mr_reuse.chunks import chunking
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.chunks.recipe import COMPAT, HASHES, Recipe
from mr_reuse.cli.values import Once, natural, rate
from mr_reuse.engine.run_options import check_run
from mr_reuse.errors import UsageError

PRESETS = {
    'ccr2019': Recipe('sha1', chunking.CCR2019, 'none', 'none'),
}


def add_recipe(parser: argparse.ArgumentParser) -> None:
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


def recipe_of(given: argparse.Namespace) -> Recipe:
    """The options of a command line, over those of its preset, over the defaults."""
    preset = PRESETS.get(given.preset, Recipe())
    fields = {f: getattr(given, f) for f in Recipe._fields}
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


def check(given: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    check_run(given)
    if given.stop_unchecked and not given.stop_bloom:
        raise UsageError('--stop-unchecked: goes with --stop-bloom only')
    if given.stop_bloom and not given.stop:
        raise UsageError('--stop-bloom: goes with --stop FILE only')
