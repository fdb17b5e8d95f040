"""The options of `quilts`: words, grams, and what counts as a quilt."""

import argparse
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.cli.parser import read_options
from mr_reuse.cli.values import parse_positive, parse_ratio, parse_share
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UsageError
from mr_reuse.pages import input_options
from mr_reuse.pages.documents import document, document_options, servers
from mr_reuse.pages.input_options import InputOptions


class GramRecipe(NamedTuple):
    """The options that decide which grams a page has."""

    k: int = 5
    types: str = document.MARKUP
    scripts: str = 'drop'
    words: str = 'unicode'


class QuiltRule(NamedTuple):
    """The options that decide which documents are quilts."""

    m: int = 50
    c: int = 4
    alpha: Fraction = Fraction(1, 2)
    foreign: str = servers.NONE
    delta: Fraction = Fraction(0)


class QuiltOptions(NamedTuple):
    """The options of `quilts`."""

    run: RunOptions
    inputs: InputOptions
    recipe: GramRecipe
    rule: QuiltRule
    captures: str  # to keep of each URL
    recorded: dict[str, Any]  # all options, in the form of `run.json`


def add_quilt_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for documents, words and quilts."""
    document_options.add_document_options(parser, scripts='drop')
    add_rule(parser)


def add_rule(parser: argparse.ArgumentParser) -> None:
    """Add the options of the definition of a quilt."""
    group = parser.add_argument_group('quilts')
    group.add_argument(
        '--k',
        type=parse_positive,
        default=5,
        metavar='N',
        help='words of a gram. Default: %(default)s',
    )
    group.add_argument(
        '--m',
        type=parse_positive,
        default=50,
        metavar='N',
        help='a patch gram is in at most N documents, at least 2. Default: %(default)s',
    )
    group.add_argument(
        '--c',
        type=parse_positive,
        default=4,
        metavar='N',
        help='a quilt has at least N sources. Default: %(default)s',
    )
    group.add_argument(
        '--alpha',
        type=parse_share,
        default=Fraction(1, 2),
        metavar='X',
        help='least share of the grams of a quilt that are patch grams. Default: 0.5',
    )
    group.add_argument(
        '--foreign',
        choices=servers.UNITS,
        default=servers.NONE,
        help='take only sources on another host, domain or IP address. '
        'Default: %(default)s',
    )
    group.add_argument(
        '--delta',
        type=parse_ratio,
        default=Fraction(0),
        metavar='X',
        help='a source adds at least this share of the patch grams. Default: 0',
    )


def read_quilt_options(args: argparse.Namespace) -> QuiltOptions:
    """Return the options of a command line; raise UsageError for values too small."""
    if args.m < 2:
        raise UsageError(f'--m {args.m}: give 2 or more; fewer leave no patch grams')
    return QuiltOptions(
        run_options.read_run_options(args),
        input_options.read_input_options(args),
        read_options(GramRecipe, args),
        read_options(QuiltRule, args),
        args.captures,
        run_options.drop_unset(vars(args)),
    )
