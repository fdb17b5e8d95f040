"""Options for cutting and hashing pages, and for choosing labels."""

import argparse
from typing import Any, NamedTuple

from mr_reuse.chunks import chunking
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.chunks.recipe import BODY_TAILS, DIGEST_BYTES, Recipe
from mr_reuse.cli.parser import read_options
from mr_reuse.cli.values import parse_natural, parse_positive, parse_rate, parse_unit
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UsageError
from mr_reuse.messages import warn
from mr_reuse.pages import captures, input_options
from mr_reuse.pages.input_options import InputOptions

PRESETS = {
    'ccr2019': Recipe('sha1', chunking.CCR2019_DELIMITERS, 'none', 'none'),
}


class LabelOptions(NamedTuple):
    """The options that decide which chunks and files become labels.

    `labels build` has no options for the thresholds.
    """

    min_len: int
    stop: str | None  # name of a list of stop chunks
    stop_bloom: float  # false positive rate of the Bloom filter; 0 for no filter
    stop_unchecked: bool
    threshold: int | None = None
    file_threshold: int | None = None
    top: int | None = None
    pairs: str | None = None  # unit of the pairs of sites


class DiscoverOptions(NamedTuple):
    """The options of `discover` and of `labels build`."""

    run: RunOptions
    inputs: InputOptions
    labels: LabelOptions
    recipe: Recipe
    captures: str  # to keep of each URL
    recorded: dict[str, Any]  # all options, in the form of `run.json`


def add_recipe(parser: argparse.ArgumentParser) -> None:
    """Add the options for cutting and hashing pages."""
    group = parser.add_argument_group('chunks')
    group.add_argument(
        '--preset',
        choices=sorted(PRESETS),
        help='ccr2019: cut and hash pages exactly as the CCR 2019 paper',
    )
    group.add_argument(
        '--delimiters', metavar='TAGS', help='tags that begin a chunk. Default: p,div'
    )
    group.add_argument(
        '--hash',
        choices=sorted(DIGEST_BYTES),
        help='digest of chunks and files. Default: sha1',
    )
    group.add_argument(
        '--normalize',
        choices=sorted(NORMALIZERS),
        help='way to normalize white space before a page is cut. Default: none',
    )
    group.add_argument(
        '--compat',
        choices=sorted(BODY_TAILS),
        help="ccr2019-arc: append a line feed to each body, as the paper's ARC reader "
        'did',
    )


def read_recipe(args: argparse.Namespace) -> Recipe:
    """Return the recipe of a command line.

    An option takes precedence over the preset, and the preset over the defaults.
    """
    preset = PRESETS.get(args.preset, Recipe())
    options = {name: getattr(args, name) for name in Recipe._fields}
    present = {name: value for name, value in options.items() if value is not None}
    recipe = preset._replace(**present).check()
    if args.preset and chunking.rule_of(recipe.delimiters) != chunking.rule_of(
        preset.delimiters
    ):
        warn(
            f'--delimiters {args.delimiters}: a line end may follow the name of a tag, '
            f'unlike with --preset {args.preset}; if that is not intended, give '
            f'{recipe.delimiters}/{chunking.rule_of(preset.delimiters)}'
        )
    return recipe


def add_labels(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose labels."""
    group = parser.add_argument_group('labels')
    group.add_argument(
        '--threshold',
        type=parse_natural,
        metavar='N',
        help='label chunks with more than N copies. Default: the number of files '
        'divided by 30,000, or 10 if that is more',
    )
    group.add_argument(
        '--file-threshold',
        type=parse_natural,
        metavar='N',
        help='label whole files with more than N copies. '
        'Default: the value of --threshold',
    )
    group.add_argument(
        '--top',
        type=parse_positive,
        metavar='N',
        help='label the N chunks and the N files with the most copies, in place of '
        'those above a threshold. Of equally many copies, the smaller hash is first',
    )
    add_stops(group)


def add_pairs(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the option for the unit of pairs; `default` is text for its help."""
    group = parser.add_argument_group('pairs')
    group.add_argument(
        '--pairs',
        type=parse_unit,
        metavar='host|domain|N',
        help=f'sites to pair in {PAIRS.file}: hosts, registered domains, or the URL '
        f'prefixes of exactly level N. Default: {default}',
    )


def add_stops(group: argparse._ArgumentGroup) -> None:
    """Add the options that exclude chunks from the labels."""
    group.add_argument(
        '--min-len',
        type=parse_natural,
        default=100,
        metavar='N',
        help='label only chunks longer than N bytes. Default: %(default)s',
    )
    group.add_argument(
        '--stop',
        metavar='FILE',
        help='chunks that never become labels: a file with one hash per line, or '
        'a label file',
    )
    group.add_argument(
        '--stop-bloom',
        type=parse_rate,
        default=0.0,
        metavar='P',
        help='look up chunks first in a Bloom filter with the false positive rate '
        'P, then in the list of --stop',
    )
    group.add_argument(
        '--stop-unchecked',
        action='store_true',
        help='look up chunks only in the Bloom filter; its false positives are '
        'not labeled',
    )


def read_label_options(args: argparse.Namespace) -> LabelOptions:
    """Return the label options of a command line.

    Raises `UsageError` for options that cannot be combined.
    """
    options = read_options(LabelOptions, args)
    if options.stop_unchecked and not options.stop_bloom:
        raise UsageError('--stop-unchecked: goes with --stop-bloom only')
    if options.top and options.threshold is not None:
        raise UsageError('--top: does not go with --threshold; give one of them')
    if options.stop_bloom and not options.stop:
        raise UsageError('--stop-bloom: goes with --stop FILE only')
    return options


def read_discover_options(args: argparse.Namespace) -> DiscoverOptions:
    """Return the options of a command line of `discover` or `labels build`."""
    kept = read_captures(args)
    return DiscoverOptions(
        run_options.read_run_options(args),
        input_options.read_input_options(args),
        read_label_options(args),
        read_recipe(args),
        kept,
        run_options.drop_unset(vars(args)) | {'captures': kept},
    )


def add_captures(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the option that chooses among the captures of a URL."""
    parser.add_argument(
        '--captures',
        choices=captures.KEEP,
        help='captures of a URL to search: the first, the last, or all of them. '
        f'Default: {default}',
    )


def read_captures(args: argparse.Namespace) -> str:
    """Return the captures to keep, as the options or the preset say.

    `labels build` has no such option, and reads all captures.
    """
    default = captures.ALL if getattr(args, 'preset', None) else captures.FIRST
    return getattr(args, 'captures', captures.ALL) or default
