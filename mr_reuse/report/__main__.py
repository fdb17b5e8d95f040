"""Write the results of a run into one HTML file without external resources.

The page has plots, tables and evidence. It loads nothing, and it shows all text from
crawled pages as plain text.
"""

import argparse
import sys

from mr_reuse import storage
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.cli.values import parse_positive
from mr_reuse.errors import UsageError
from mr_reuse.messages import command_line, say, write_stdout
from mr_reuse.pages import archives_options, moved_archives
from mr_reuse.report import page
from mr_reuse.report.run import Run
from mr_reuse.storage import naming

REPORT = 'report.html'
DEFAULT_TOP, MAX_TOP = 100, 10_000  # sites on the page


def parser() -> argparse.ArgumentParser:
    """Build the command line of `report`."""
    line = Parser(
        description=__doc__, example='report RUN', epilog=f'result in RUN: {REPORT}'
    )
    line.add_argument('run', metavar='RUN', help='a run directory')
    line.add_argument(
        '--top',
        type=parse_positive,
        default=DEFAULT_TOP,
        metavar='N',
        help='number of sites with bad neighborhoods on the page. Default: %(default)s',
    )
    archives_options.add_archives(line)
    line.add_argument(
        '-q', '--quiet', action='store_true', help='do not print the name of the page'
    )
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Run the command: write the report of a run."""
    options = parser().parse_args(args)
    if options.top > MAX_TOP:
        raise UsageError(f'--top {options.top}: at most {MAX_TOP:,}; the table has all')
    run = Run(options.run, options.archives)
    text = page.render(run, options.top)
    moved_archives.warn_of_problems(run.record)
    name = naming.join(options.run, REPORT)
    with storage.write(name, 'w') as stream:
        stream.write(text)
    if run.has_chunks and not run.is_detected:
        line = command_line('detect', '-o', options.run)
        say(f'no sites in the report; to add them: {line}')
    if not options.quiet:
        write_stdout(f'{name}\n')


if __name__ == '__main__':
    sys.exit(main())
