"""The command line of `discover roc`."""

from typing import NamedTuple

from mr_reuse.cli.parser import MODULE, Parser

ROC = 'roc'  # the subcommand; a file of this name is `./roc`


class RocOptions(NamedTuple):
    """The options of `discover roc`."""

    judged: str
    run: str | None


def roc_parser() -> Parser:
    """Return the parser of `discover roc`."""
    line = Parser(
        prog=f'{MODULE}discover {ROC}',
        description='Print which judged chunks each threshold would label, as a table '
        'with a row for each threshold that changes them: the numbers of bad and of '
        'benign chunks with more copies, and their shares of all judged bad and '
        'benign chunks.',
        example=f'discover {ROC} judged.txt RUN\ndiscover {ROC} RUN',
    )
    line.add_argument(
        'judged',
        metavar='JUDGED',
        help='a run with judgements of `review --what chunks`, or a text file: in each '
        'line a hash, and benign or bad',
    )
    line.add_argument(
        'run',
        metavar='RUN',
        nargs='?',
        help='the run of discover that has counted the chunks. Default: JUDGED',
    )
    return line
