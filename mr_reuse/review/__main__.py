"""Judge a random sample of what a run has found, on a local web page.

`review RUN` shows it; `review summarize RUN` prints the papers' tables of it.
"""

import argparse
import getpass
import os
import sys
from typing import Any

from mr_reuse import storage
from mr_reuse.algorithms import sampling
from mr_reuse.cli import values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import MODULE, Parser
from mr_reuse.engine.rundir import finished
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import put, say, typed, warn
from mr_reuse.review import categories, judgements, kinds, summary_tables
from mr_reuse.review.book import TABLE, Book, Task, read_all
from mr_reuse.review.categories import Category
from mr_reuse.review.gathering import Gatherer
from mr_reuse.review.kinds import KINDS, NEIGHBORHOODS
from mr_reuse.review.page_reader import Reader
from mr_reuse.review.server import Server, answers
from mr_reuse.review.showcase import Showcase
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote

OURS = os.path.join(os.path.dirname(__file__), 'categories')
SUMMARIZE = 'summarize'
EXAMPLES = """\
review RUN
review RUN --what chunks --stratified --judge ann
"""
MOST = 1_000_000  # items of a sample
LAST_PORT = 65535
LONG = 500_000_000  # bytes of matches, which take a minute


def parser() -> Parser:
    """The command line of review."""
    found = Parser(
        description='Judge a random sample of what a run has found, on a local web '
        'page. What is said is added to RUN/judgements.tsv at once, so the same '
        'command goes on where it was. `review summarize RUN` prints tables of it; '
        '`review summarize --help` says how.',
        example=EXAMPLES,
    )
    found.add_argument('run', metavar='RUN', help='a run of discover or detect')
    found.add_argument(
        '--what',
        choices=list(KINDS),
        help='what is judged. Default: neighborhoods if detect has run, else chunks',
    )
    found.add_argument(
        '--sample',
        type=values.positive,
        default=100,
        metavar='N',
        help='how many are drawn. Default: %(default)s; a larger sample begins with '
        'the smaller one',
    )
    found.add_argument(
        '--seed',
        type=values.natural,
        default=1,
        metavar='N',
        help='another seed, another sample. Default: %(default)s',
    )
    found.add_argument(
        '--stratified',
        action='store_true',
        help='as many of each order of magnitude: of copies, or of badness by halves',
    )
    found.add_argument(
        '--judge', metavar='NAME', help='who judges. Default: the name of the user'
    )
    add_categories(found)
    found.add_argument(
        '--port',
        type=values.natural,
        default=0,
        metavar='N',
        help='of the page, which is on 127.0.0.1. Default: any that is free',
    )
    found.others[SUMMARIZE] = summarize_parser()
    return found


def add_categories(found: argparse.ArgumentParser) -> None:
    """The option that names a file of categories."""
    found.add_argument(
        '--categories',
        metavar='FILE',
        help='a table: key, name, counts (benign, unclear or bad), description. '
        "Default: the papers'",
    )


def summarize_parser() -> Parser:
    """The command line of review summarize."""
    found = Parser(
        prog=f'{MODULE}review {SUMMARIZE}',
        description="Print the papers' tables of what was judged, what they say of "
        'the whole, and whether judges agree.',
        example='review summarize RUN',
    )
    found.add_argument('run', metavar='RUN', help='a run that was reviewed')
    found.add_argument('--what', choices=list(KINDS), help='only these')
    found.add_argument('--judge', metavar='NAME', help='only what this one has judged')
    add_categories(found)
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: judge, or summarize what was judged."""
    args = sys.argv[1:] if args is None else args
    found = parser()
    if args[:1] == [SUMMARIZE]:
        given = found.others[SUMMARIZE].parse_args(args[1:])
        put(summary(given))
        return
    given = found.parse_args(args)
    told = prepare(given)
    task = task_of(given)
    book = Book(task)
    tell_if_long(given.run, told)
    showcase = Showcase(task, Gatherer(given.run, told), Reader(told))
    server = Server(answers(about(task), book, showcase), given.port)
    tell(task, book)
    put(f'{server.url}\n')
    server.run()
    judged = book.state()['judged']
    name = naming.join(given.run, TABLE)
    raise KeyboardInterrupt(
        f'stopped; {judged:,} of {len(task.sample.rows):,} are judged, in {name}'
    )


def prepare(given: argparse.Namespace) -> dict[str, Any]:
    """Look at what can be looked at before anything is read."""
    if is_remote(given.run):
        why = 'judgements are kept on a local disk; copy the run with get first'
        raise UserError(f'{given.run}: {why}')
    if given.sample > MOST:
        raise UsageError(f'--sample {given.sample}: at most {MOST:,} can be drawn')
    if given.port > LAST_PORT:
        raise UsageError(f'--port {given.port}: the last one is {LAST_PORT}')
    told = finished(given.run)
    given.judge = judge_of(given.judge)
    if not given.what:
        bad = naming.join(given.run, NEIGHBORHOODS.table.file)
        given.what = NEIGHBORHOODS.name if storage.exists(bad) else 'chunks'
    return told


def judge_of(name: str | None) -> str:
    """Who judges."""
    try:
        name = getpass.getuser() if name is None else name
    except (KeyError, OSError):
        raise UsageError('this user has no name here; give one with --judge') from None
    if not (judgements.NAME.fullmatch(name) and name.isprintable()):
        raise UsageError(f'--judge {name!r}: a name has 1 to 64 letters, in one line')
    return name


def task_of(given: argparse.Namespace) -> Task:
    """Draw the sample."""
    kind = KINDS[given.what]
    rows = kinds.rows(kind, given.run, given.stratified)
    sample = sampling.draw(rows, given.sample, given.seed)
    if not sample.rows:
        raise UserError(
            f'{naming.join(given.run, kind.table.file)}: there is nothing in it'
        )
    for row in sample.rows:
        kinds.told_of(kind, row)  # what is odd is said now
    return Task(
        given.run,
        given.judge,
        kind,
        sample,
        given.stratified,
        given.seed,
        categories_of(given.categories, kind.categories),
    )


def categories_of(name: str | None, ours: str) -> list[Category]:
    """The categories of a file, else those that come with the program."""
    if name is not None:
        storage.must_not_wait(name)
    name = name or naming.join(OURS, ours)
    return categories.parse(name, storage.read_text(name))


def about(task: Task) -> dict[str, Any]:
    """What the page has to know of a task."""
    return {
        'what': task.kind.name,
        'all': task.kind.all,
        'run': task.run,
        'judge': task.judge,
        'drawn': len(task.sample.rows),
        'population': task.sample.population,
        'folded': summary_tables.FOLDED if task.sample.folded else '',
        'categories': [category._asdict() for category in task.categories],
    }


def tell_if_long(run: str, told: dict[str, Any]) -> None:
    """Say what is done if it takes a minute or more."""
    matches = told.get('detect', {}).get('matches')
    if matches:
        parts = storage.parts(naming.join(run, matches))
        size = sum(part.size for part in parts)
        if size > LONG:
            say(f'reading {size / 1e9:.1f} GB of matches for what belongs to them')


def population_of(task: Task) -> str:
    """What the sample was drawn from."""
    sample = task.sample
    return summary_tables.population(task.kind.all, sample.population, sample.folded)


def tell(task: Task, book: Book) -> None:
    """Say what is judged, and how to stop."""
    drawn, judged = len(task.sample.rows), book.state()['judged']
    how = f'{task.how} by {task.kind.strata.by}' if task.stratified else task.how
    say(
        f'{drawn:,} of {population_of(task)} ({how}, seed {task.seed}); '
        f'{task.judge} has judged {judged:,} of them'
    )
    if before := book.before():
        line = typed('review', SUMMARIZE, task.run)
        say(
            f'{before:,} were judged when the population was another one; they are '
            f'kept, and {line} shows them'
        )
    say('open this address in a browser; Ctrl-C here stops it')


def summary(given: argparse.Namespace) -> str:
    """Tables of all that was judged, sample by sample."""
    if not storage.is_dir(given.run):
        raise UserError(f'{given.run}: no such folder')
    name = naming.join(given.run, TABLE)
    lines = list(read_all(given.run))
    if damaged := lines.count(None):
        warn(f'{name}: {damaged:,} lines are not whole and were left out')
    samples = judgements.samples(filter(None, lines), given.what, given.judge)
    if not samples:
        raise UserError(f'{name}: nothing was judged yet')
    titles = {kind.name: kind.all for kind in KINDS.values()}
    known = {
        kind.name: [
            (category.name, category.counts)
            for category in categories_of(given.categories, kind.categories)
        ]
        for kind in KINDS.values()
    }
    return summary_tables.summary(samples, titles, known)


if __name__ == '__main__':
    sys.exit(main())
