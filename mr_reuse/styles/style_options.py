"""The options of `styles`: fingerprints, and which of them are alike."""

import argparse
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.algorithms.agreement import Likeness
from mr_reuse.cli.values import parse_natural, parse_positive, parse_share
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UsageError
from mr_reuse.pages import input_options
from mr_reuse.pages.documents import document_options
from mr_reuse.pages.input_options import InputOptions
from mr_reuse.text.noise import keys
from mr_reuse.text.noise.parameters import (
    DIMENSIONS,
    LONGEST,
    PREPROCESSORS,
    StyleRule,
    format_parameters,
)

MAX_DESCRIBED = 10_000  # styles; a partition of the job that describes them has one
MAX_BUCKET = 1 << 31  # documents of a bucket of which all pairs are compared


class Recipe(NamedTuple):
    """The options that decide the fingerprint of a page."""

    n: int = 32
    m: int = 128
    preprocessor: str = 'noise'
    bits: int = 16  # of a key

    @property
    def rule(self) -> StyleRule:
        """How values are made, of which keys are the first bits."""
        return StyleRule(self.n, self.m, self.preprocessor)

    def format_parameters(self, p: int) -> str:
        """Format all that fixes fingerprints, and the p dimensions that are probed.

        A line has a name and its values.
        """
        return (
            f'{format_parameters(self.rule, p)}'
            f'key-multiplier {int(keys.MULTIPLIER):016x}\n'
            f'key-bits {self.bits}\n'
        )


class ClusterRule(NamedTuple):
    """The options that decide which documents are alike."""

    t: int = 35
    p: int = 20
    normalize_empty: bool = False
    exact: bool = False
    ignore: Fraction | None = None

    @property
    def likeness(self) -> Likeness:
        """When two fingerprints are alike, and which are compared."""
        likeness = Likeness(self.t, self.normalize_empty)
        return likeness._replace(all_pairs=MAX_BUCKET) if self.exact else likeness


class StyleOptions(NamedTuple):
    """The options of `styles`."""

    run: RunOptions
    inputs: InputOptions
    recipe: Recipe
    rule: ClusterRule
    captures: str  # to keep of each URL
    recorded: dict[str, Any]  # all options, in the form of `run.json`
    describe: int = 0  # styles


def parse_up_to(most: int, least: int = 1) -> Callable[[str], int]:
    """Return the type of a whole number within bounds.

    >>> parse_up_to(128)('128')
    128
    """

    def parse(text: str) -> int:
        number = parse_positive(text)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f'{text} is not from {least} to {most}')
        return number

    return parse


def add_style_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for documents, fingerprints and clusters."""
    document_options.add_captures_option(parser.add_argument_group('documents'))
    add_fingerprint_options(parser)
    group = parser.add_argument_group('styles')
    group.add_argument(
        '--t',
        type=parse_up_to(DIMENSIONS),
        default=35,
        metavar='N',
        help='documents are alike if at least N dimensions agree. Default: %(default)s',
    )
    group.add_argument(
        '--normalize-empty',
        action='store_true',
        help='divide by the dimensions that are not empty in both documents, instead '
        'of by all',
    )
    group.add_argument(
        '--ignore',
        type=parse_share,
        metavar='SHARE',
        help='a dimension counts as empty if more than SHARE of all domains have its '
        'value: to find the style rather than the framework',
    )
    group.add_argument(
        '--exact',
        action='store_true',
        help='compare all documents that agree in a probed dimension, even if there '
        'are more than 1,000 of them',
    )
    group.add_argument(
        '--describe',
        type=parse_natural,
        default=20,
        metavar='N',
        help='read some pages of the first N styles and of the N largest ones, to '
        'describe these styles. Default: %(default)s',
    )


def add_fingerprint_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide fingerprints, and which dimensions are probed."""
    group = parser.add_argument_group('fingerprints')
    group.add_argument(
        '--preprocessor',
        choices=PREPROCESSORS,
        default='noise',
        help='what is compared: all bytes but letters and digits (noise), the names '
        'of tags (tags), or all bytes (full). Default: %(default)s',
    )
    group.add_argument(
        '--n',
        type=parse_up_to(LONGEST),
        default=32,
        metavar='N',
        help='bytes of an n-gram. Default: %(default)s',
    )
    group.add_argument(
        '--m',
        type=parse_up_to(DIMENSIONS),
        default=128,
        metavar='N',
        help='dimensions of a fingerprint. Default: %(default)s',
    )
    group.add_argument(
        '--p',
        type=parse_up_to(DIMENSIONS),
        default=20,
        metavar='N',
        help='dimensions that are probed: only documents that agree in one of them '
        'are compared. Default: %(default)s',
    )
    group.add_argument(
        '--key-bits',
        type=parse_up_to(keys.MOST_BITS, keys.LEAST_BITS),
        default=16,
        metavar='N',
        help='bits of each dimension that are kept. Default: %(default)s',
    )


def read_recipe(args: argparse.Namespace) -> Recipe:
    """Return the options of fingerprints; refuse to probe more than all dimensions."""
    if args.p > args.m:
        raise UsageError(f'--p {args.p} is more than --m {args.m}; lower it')
    return Recipe(args.n, args.m, args.preprocessor, args.key_bits)


def read_style_options(args: argparse.Namespace) -> StyleOptions:
    """Return the options of a command line."""
    recipe = read_recipe(args)
    if args.t > args.m:
        raise UsageError(f'--t {args.t} is more than --m {args.m}; lower it')
    if args.describe > MAX_DESCRIBED:
        raise UsageError(f'--describe {args.describe}: at most {MAX_DESCRIBED:,}')
    return StyleOptions(
        run_options.read_run_options(args),
        input_options.read_input_options(args),
        recipe,
        ClusterRule(args.t, args.p, args.normalize_empty, args.exact, args.ignore),
        args.captures,
        run_options.drop_unset(vars(args)),
        args.describe,
    )
