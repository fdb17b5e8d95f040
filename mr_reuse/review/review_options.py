"""The options of `review`, and the command line of `review summarize`."""

import argparse
from typing import NamedTuple

from mr_reuse.cli.parser import MODULE, Parser
from mr_reuse.review.kinds import KINDS

SUMMARIZE = 'summarize'


class ReviewOptions(NamedTuple):
    """The options of `review`."""

    run: str
    what: str | None
    sample: int  # items
    seed: int
    stratified: bool
    judge: str | None
    categories: str | None  # a file
    port: int


def add_categories(line: argparse.ArgumentParser) -> None:
    """The option that names a file of categories."""
    line.add_argument(
        '--categories',
        metavar='FILE',
        help='a table: key, name, counts (benign, unclear or bad), description. '
        "Default: the papers'",
    )


def summary_parser() -> Parser:
    """The command line of review summarize."""
    line = Parser(
        prog=f'{MODULE}review {SUMMARIZE}',
        description="Print the papers' tables of what was judged, what they say of "
        'the whole, and whether judges agree.',
        example='review summarize RUN',
    )
    line.add_argument('run', metavar='RUN', help='a run that was reviewed')
    line.add_argument('--what', choices=list(KINDS), help='only these')
    line.add_argument('--judge', metavar='NAME', help='only what this one has judged')
    add_categories(line)
    return line
