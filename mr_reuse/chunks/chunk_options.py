"""Options that say how pages are cut and hashed, and what becomes a label."""

import argparse
from typing import Any, NamedTuple

from mr_reuse.chunks import chunking
from mr_reuse.chunks.normalize import NORMALIZERS
from mr_reuse.chunks.recipe import COMPAT, HASHES, Recipe
from mr_reuse.cli.values import options_of, parse_natural, parse_rate
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UsageError
from mr_reuse.pages import input_options
from mr_reuse.pages.input_options import InputOptions

PRESETS = {
    'ccr2019': Recipe('sha1', chunking.CCR2019, 'none', 'none'),
}


class LabelOptions(NamedTuple):
    """The options that decide which chunks and files become labels.

    Options with a default are those that `labels build` does not have.
    """

    min_len: int
    stop: str | None  # name of a list of stop chunks
    stop_bloom: float  # rate of wrong answers of a Bloom filter, 0: without one
    stop_unchecked: bool
    threshold: int | None = None
    file_threshold: int | None = None


class DiscoverOptions(NamedTuple):
    """The options of `discover` and of `labels build`."""

    run: RunOptions
    inputs: InputOptions
    labels: LabelOptions
    recipe: Recipe
    recorded: dict[str, Any]  # all of them, as `run.json` has them


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


def recipe_of(args: argparse.Namespace) -> Recipe:
    """The options of a command line, over those of its preset, over the defaults."""
    preset = PRESETS.get(args.preset, Recipe())
    fields = {f: getattr(args, f) for f in Recipe._fields}
    said = {name: value for name, value in fields.items() if value is not None}
    return preset._replace(**said).check()


def add_labels(parser: argparse.ArgumentParser) -> None:
    """What becomes a label."""
    group = parser.add_argument_group('labels')
    group.add_argument(
        '--threshold',
        type=parse_natural,
        metavar='N',
        help='label what has more than N copies. Default: one in 30,000 files, at '
        'least 10',
    )
    group.add_argument(
        '--file-threshold',
        type=parse_natural,
        metavar='N',
        help='the same for whole files',
    )
    add_stops(group)


def add_stops(group: argparse._ArgumentGroup) -> None:
    """What is never a label."""
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
        help='stop chunks, which are no labels though widely copied: hashes, one a '
        'line, or a label file',
    )
    group.add_argument(
        '--stop-bloom',
        type=parse_rate,
        default=0.0,
        metavar='P',
        help='ask a Bloom filter with this rate of wrong answers before the list',
    )
    group.add_argument(
        '--stop-unchecked',
        action='store_true',
        help='believe the Bloom filter: removes some chunks that are not on the list',
    )


def label_options_of(args: argparse.Namespace) -> LabelOptions:
    """The label options of a command line; refuses those that do not go together."""
    options = options_of(LabelOptions, args)
    if options.stop_unchecked and not options.stop_bloom:
        raise UsageError('--stop-unchecked: goes with --stop-bloom only')
    if options.stop_bloom and not options.stop:
        raise UsageError('--stop-bloom: goes with --stop FILE only')
    return options


def discover_options_of(args: argparse.Namespace) -> DiscoverOptions:
    """The options of a command line of `discover` or `labels build`."""
    return DiscoverOptions(
        run_options.read_run_options(args),
        input_options.input_options_of(args),
        label_options_of(args),
        recipe_of(args),
        run_options.drop_unset(vars(args)),
    )
