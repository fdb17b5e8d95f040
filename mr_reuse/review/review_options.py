"""The options of `review`, and the command line of `review summarize`."""

import argparse
from typing import NamedTuple

from mr_reuse.cli.parser import MODULE, Parser
from mr_reuse.review.categories import BUILT_IN
from mr_reuse.review.kinds import KINDS

SUMMARIZE = 'summarize'


class ReviewOptions(NamedTuple):
    """The options of `review`."""

    run: str
    what: str | None
    sample: int  # items
    seed: int
    stratified: bool
    top: int | None  # items
    judge: str | None
    categories: str | None  # a file
    archives: str | None  # a folder
    port: int


def add_categories(line: argparse.ArgumentParser) -> None:
    """Add the option that names a file of categories."""
    line.add_argument(
        '--categories',
        metavar='FILE',
        help='table of categories: key, name, counts (benign, unclear or bad), '
        'description; or one of the lists of the papers: '
        f'{", ".join(BUILT_IN)}. Default: by the kind of items, and --top',
    )


def summary_parser() -> Parser:
    """Build the command line of `review summarize`."""
    line = Parser(
        prog=f'{MODULE}review {SUMMARIZE}',
        description='Print tables of the judgements as in the papers, estimates for '
        'the whole population, and the agreement of judges.',
        example='review summarize RUN',
    )
    line.add_argument('run', metavar='RUN', help='a run with judgements')
    line.add_argument('--what', choices=list(KINDS), help='only items of this kind')
    line.add_argument(
        '--judge', metavar='NAME', help='only the judgements of this judge'
    )
    add_categories(line)
    return line
