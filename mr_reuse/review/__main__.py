"""Judge a random sample of what a run has found, on a local web page.

`review RUN` shows it; `review summarize RUN` prints the papers' tables of it.
"""

import argparse
import sys

from mr_reuse.cli import values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import MODULE, Parser
from mr_reuse.engine.rundir import finished
from mr_reuse.messages import put, say
from mr_reuse.review import showcase, summary, tasks
from mr_reuse.review.book import TABLE, Book
from mr_reuse.review.gathering import Gatherer
from mr_reuse.review.kinds import KINDS
from mr_reuse.review.page_reader import Reader
from mr_reuse.review.server import Server, answers
from mr_reuse.review.tasks import ReviewOptions
from mr_reuse.storage import naming

SUMMARIZE = 'summarize'
EXAMPLES = """\
review RUN
review RUN --what chunks --stratified --judge ann
"""


def parser() -> Parser:
    """The command line of review."""
    made = Parser(
        description='Judge a random sample of what a run has found, on a local web '
        'page. What is said is added to RUN/judgements.tsv at once, so the same '
        'command goes on where it was. `review summarize RUN` prints tables of it; '
        '`review summarize --help` says how.',
        example=EXAMPLES,
    )
    made.add_argument('run', metavar='RUN', help='a run of discover or detect')
    made.add_argument(
        '--what',
        choices=list(KINDS),
        help='what is judged. Default: neighborhoods if detect has run, else chunks',
    )
    made.add_argument(
        '--sample',
        type=values.positive,
        default=100,
        metavar='N',
        help='how many are drawn. Default: %(default)s; a larger sample begins with '
        'the smaller one',
    )
    made.add_argument(
        '--seed',
        type=values.natural,
        default=1,
        metavar='N',
        help='another seed, another sample. Default: %(default)s',
    )
    made.add_argument(
        '--stratified',
        action='store_true',
        help='as many of each order of magnitude: of copies, or of badness by halves',
    )
    made.add_argument(
        '--judge', metavar='NAME', help='who judges. Default: the name of the user'
    )
    add_categories(made)
    made.add_argument(
        '--port',
        type=values.natural,
        default=0,
        metavar='N',
        help='of the page, which is on 127.0.0.1. Default: any that is free',
    )
    made.others[SUMMARIZE] = parser_of_summary()
    return made


def add_categories(made: argparse.ArgumentParser) -> None:
    """The option that names a file of categories."""
    made.add_argument(
        '--categories',
        metavar='FILE',
        help='a table: key, name, counts (benign, unclear or bad), description. '
        "Default: the papers'",
    )


def parser_of_summary() -> Parser:
    """The command line of review summarize."""
    made = Parser(
        prog=f'{MODULE}review {SUMMARIZE}',
        description="Print the papers' tables of what was judged, what they say of "
        'the whole, and whether judges agree.',
        example='review summarize RUN',
    )
    made.add_argument('run', metavar='RUN', help='a run that was reviewed')
    made.add_argument('--what', choices=list(KINDS), help='only these')
    made.add_argument('--judge', metavar='NAME', help='only what this one has judged')
    add_categories(made)
    return made


@command
def main(args: list[str] | None = None) -> None:
    """The command: judge, or summarize what was judged."""
    args = sys.argv[1:] if args is None else args
    made = parser()
    if args[:1] == [SUMMARIZE]:
        given = made.others[SUMMARIZE].parse_args(args[1:])
        put(summary.summarize(given.run, given.what, given.judge, given.categories))
        return
    given = made.parse_args(args)
    options = ReviewOptions(*(getattr(given, name) for name in ReviewOptions._fields))
    tasks.check(options)
    record = finished(options.run)
    task = tasks.draw_task(options)
    book = Book(task)
    for line in tasks.describe_reading(options.run, record):
        say(line)
    shown = showcase.Showcase(task, Gatherer(options.run, record), Reader(record))
    about = showcase.describe_task(task)
    server = Server(answers(about, book, shown), options.port)
    for line in tasks.describe(task, book):
        say(line)
    put(f'{server.url}\n')
    server.run()
    judged, name = book.state()['judged'], naming.join(options.run, TABLE)
    raise KeyboardInterrupt(
        f'stopped; {judged:,} of {len(task.sample.rows):,} are judged, in {name}'
    )


if __name__ == '__main__':
    sys.exit(main())
