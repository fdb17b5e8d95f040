"""The options of `phrases`: words, what is popular, and which pages are covered."""

import argparse
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.cli.parser import read_options
from mr_reuse.cli.values import parse_natural, parse_positive, parse_share
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.pages import input_options
from mr_reuse.pages.documents import document, document_options
from mr_reuse.pages.input_options import InputOptions


class WordRecipe(NamedTuple):
    """The options that decide which words a page has."""

    types: str = document.MARKUP
    scripts: str = 'keep'
    words: str = 'unicode'


class PhraseRule(NamedTuple):
    """The options that decide what is alike or popular, and which pages are covered."""

    verify: Fraction | None = None
    popular: int = 5
    top: int = 1000
    covers: int = 50
    covers_of: str | None = None
    seed: int = 0


class PhraseOptions(NamedTuple):
    """The options of `phrases`."""

    run: RunOptions
    inputs: InputOptions
    recipe: WordRecipe
    rule: PhraseRule
    captures: str  # to keep of each URL
    recorded: dict[str, Any]  # all options, in the form of `run.json`


def add_phrase_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for documents, words and phrases."""
    document_options.add_document_options(parser, scripts='keep')
    group = parser.add_argument_group('near-duplicates')
    group.add_argument(
        '--verify',
        type=parse_share,
        metavar='X',
        help='compare near-duplicates by all of their phrases; those that have less '
        'than this share of them in common are none',
    )
    group = parser.add_argument_group('phrases')
    group.add_argument(
        '--popular',
        type=parse_positive,
        default=5,
        metavar='N',
        help='a shingle is popular if at least N documents have it at the same '
        'position. Default: %(default)s',
    )
    group.add_argument(
        '--top',
        type=parse_natural,
        default=1000,
        metavar='N',
        help='popular phrases to list, those in most documents. Default: %(default)s',
    )
    group = parser.add_argument_group('covering sets')
    group.add_argument(
        '--covers',
        type=parse_natural,
        default=50,
        metavar='N',
        help='documents to cover, for each number of popular shingles from 30 on. '
        'Default: %(default)s',
    )
    group.add_argument(
        '--covers-of',
        metavar='HOST',
        help='cover all documents of this host that have popular shingles, instead '
        'of a sample',
    )
    group.add_argument(
        '--seed',
        type=int,
        default=0,
        metavar='N',
        help='decides which documents are in the sample. Default: %(default)s',
    )


def read_phrase_options(args: argparse.Namespace) -> PhraseOptions:
    """Return the options of a command line."""
    return PhraseOptions(
        run_options.read_run_options(args),
        input_options.read_input_options(args),
        read_options(WordRecipe, args),
        read_options(PhraseRule, args),
        args.captures,
        run_options.drop_unset(vars(args)),
    )
