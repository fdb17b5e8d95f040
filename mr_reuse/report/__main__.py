"""Write what a run has found into one HTML file that needs nothing else.

The page has plots, tables and evidence. It loads nothing, and what came out of pages
is inert text in it.
"""

import argparse
import sys

from mr_reuse import storage
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.cli.values import parse_positive
from mr_reuse.errors import UsageError
from mr_reuse.messages import command_line, say, write_stdout
from mr_reuse.report import page
from mr_reuse.report.run import Run
from mr_reuse.storage import naming

REPORT = 'report.html'
TOP, MOST = 100, 10_000


def parser() -> argparse.ArgumentParser:
    """The command line of report."""
    found = Parser(
        description=__doc__, example='report RUN', epilog=f'result in RUN: {REPORT}'
    )
    found.add_argument('run', metavar='RUN', help='a run of discover, detect, or both')
    found.add_argument(
        '--top',
        type=parse_positive,
        default=TOP,
        metavar='N',
        help='how many neighborhoods are in the page. Default: %(default)s',
    )
    found.add_argument(
        '-q', '--quiet', action='store_true', help='do not say where the page is'
    )
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: a page for people."""
    given = parser().parse_args(args)
    if given.top > MOST:
        raise UsageError(f'--top: a page has room for {MOST:,}; the table has all')
    run = Run(given.run)
    text = page.text(run, given.top)
    name = naming.join(given.run, REPORT)
    with storage.write(name, 'w') as stream:
        stream.write(text)
    if not run.is_detected:
        say(f'nothing of sites is in it: {command_line("detect", "-o", given.run)}')
    if not given.quiet:
        write_stdout(f'{name}\n')


if __name__ == '__main__':
    sys.exit(main())
