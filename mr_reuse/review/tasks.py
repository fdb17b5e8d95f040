"""From the options of `review` to the task of a judge, and lines that describe it."""

import getpass

from mr_reuse import storage
from mr_reuse.algorithms import sampling
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import command_line
from mr_reuse.review import categories, judgements, kinds, summary_tables
from mr_reuse.review.book import Book, Task
from mr_reuse.review.kinds import CHUNKS, KINDS, NEIGHBORHOODS, Kind
from mr_reuse.review.review_options import SUMMARIZE, ReviewOptions
from mr_reuse.storage import naming

MAX_SAMPLE = 1_000_000  # items
MAX_PORT = 65535
LONG = 500_000_000  # bytes of matches, which take a minute


def check(options: ReviewOptions) -> None:
    """Refuse what can be refused before anything is read."""
    if naming.is_remote(options.run):
        why = 'judgements are kept on a local disk; copy the run with get first'
        raise UserError(f'{options.run}: {why}')
    if options.sample > MAX_SAMPLE:
        size = options.sample
        raise UsageError(f'--sample {size}: at most {MAX_SAMPLE:,} can be drawn')
    if options.port > MAX_PORT:
        raise UsageError(f'--port {options.port}: the last one is {MAX_PORT}')


def draw_task(options: ReviewOptions) -> Task:
    """Draw the sample that a judge is to judge."""
    run, judge = options.run, name_judge(options.judge)
    kind = KINDS[options.what] if options.what else default_kind(run)
    rows = kinds.rows(kind, run, options.stratified)
    sample = sampling.draw_sample(rows, options.sample, options.seed)
    if not sample.rows:
        name = naming.join(run, kind.table.file)
        raise UserError(f'{name}: there is nothing in it')
    for row in sample.rows:
        kinds.told_of(kind, row)  # raises UserError for a damaged row
    return Task(
        run,
        judge,
        kind,
        sample,
        options.stratified,
        options.seed,
        categories.load(options.categories, kind.categories),
    )


def name_judge(name: str | None) -> str:
    """Check the name of a judge; without one, take that of the user."""
    try:
        name = getpass.getuser() if name is None else name
    except (KeyError, OSError):
        raise UsageError('this user has no name here; give one with --judge') from None
    if not (judgements.NAME.fullmatch(name) and name.isprintable()):
        raise UsageError(f'--judge {name!r}: a name has 1 to 64 letters, in one line')
    return name


def default_kind(run: str) -> Kind:
    """Neighborhoods where `detect` has run, else chunks."""
    name = naming.join(run, NEIGHBORHOODS.table.file)
    return NEIGHBORHOODS if storage.exists(name) else CHUNKS


def describe_reading(record: RunRecord) -> list[str]:
    """A line about the matches of a run if reading them takes a minute or more."""
    matches = record.detect.matches
    parts = storage.list_parts(matches) if matches else []
    size = sum(part.size for part in parts)
    if size <= LONG:
        return []
    return [f'reading {size / 1e9:.1f} GB of matches for what belongs to them']


def describe(task: Task, book: Book) -> list[str]:
    """Lines about the sample, the earlier judgements, and the end of the program."""
    sample, judged = task.sample, book.state()['judged']
    population = summary_tables.population(
        task.kind.all, sample.population, sample.folded
    )
    how = f'{task.how} by {task.kind.strata.by}' if task.stratified else task.how
    lines = [
        f'{len(sample.rows):,} of {population} ({how}, seed {task.seed}); '
        f'{task.judge} has judged {judged:,} of them'
    ]
    if before := book.before():
        command = command_line('review', SUMMARIZE, task.run)
        lines.append(
            f'{before:,} were judged when the population was another one; they are '
            f'kept, and {command} shows them'
        )
    return [*lines, 'open this address in a browser; Ctrl-C here stops it']
