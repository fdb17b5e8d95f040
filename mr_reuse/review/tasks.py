"""From the options of `review` to the task of a judge, and lines that describe it."""

import getpass

from mr_reuse import storage
from mr_reuse.algorithms import sampling
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import command_line, format_count
from mr_reuse.review import categories, drawing, judgements, kinds, summary_tables
from mr_reuse.review.book import Book, Task
from mr_reuse.review.chunk_kinds import CHUNKS, NEIGHBORHOODS
from mr_reuse.review.document_kinds import NEAR, QUILTED, STYLED
from mr_reuse.review.drawing import Drawing
from mr_reuse.review.kind import Kind
from mr_reuse.review.kinds import KINDS
from mr_reuse.review.review_options import SUMMARIZE, ReviewOptions
from mr_reuse.storage import naming

MAX_SAMPLE = 1_000_000  # items
MAX_PORT = 65535
LARGE_MATCHES = 500_000_000  # bytes; reading takes a minute


def check(options: ReviewOptions) -> None:
    """Check the options that need no look into the run."""
    if naming.is_remote(options.run):
        why = 'judgements are kept on a local disk; copy the run with get first'
        raise UserError(f'{options.run}: {why}')
    for name, size in (('sample', options.sample), ('top', options.top or 1)):
        if size > MAX_SAMPLE:
            raise UsageError(f'--{name} {size}: at most {MAX_SAMPLE:,}')
    if options.top and options.stratified:
        raise UsageError('--top: does not go with --stratified; give one of them')
    if options.port > MAX_PORT:
        raise UsageError(f'--port {options.port}: at most {MAX_PORT}')


def draw_task(options: ReviewOptions) -> Task:
    """Draw the sample of a judge, and load the categories."""
    run, judge = options.run, name_judge(options.judge)
    kind = KINDS[options.what] if options.what else default_kind(run)
    if options.stratified and not kind.strata:
        raise UsageError(f'--stratified: {kind.name} has no strata; leave it out')
    if options.top:
        rows = kinds.rows(kind, run, options.stratified)
        sample = sampling.take_first(rows, options.top)
    else:
        drawn = Drawing(kind, options.stratified, options.sample, options.seed)
        sample = drawing.draw(drawn, run)
    default = kind.top_categories if options.top else kind.categories
    if not sample.rows:
        name = naming.join(run, kind.table.file)
        raise UserError(f'{name}: it has no rows')
    for row in sample.rows:
        kinds.describe_item(kind, row)  # raises UserError for a damaged row
    return Task(
        run,
        judge,
        kind,
        sample,
        options.stratified,
        0 if options.top else options.seed,
        categories.load(options.categories, default),
        bool(options.top),
    )


def name_judge(name: str | None) -> str:
    """Check the name of a judge; the default is the name of the user."""
    try:
        name = getpass.getuser() if name is None else name
    except (KeyError, OSError):
        raise UsageError('the user has no name; set one with --judge') from None
    if not (judgements.NAME.fullmatch(name) and name.isprintable()):
        raise UsageError(f'--judge {name!r}: a name has 1 to 64 printable characters')
    return name


def default_kind(run: str) -> Kind:
    """Return the kind of item to judge: the first one of these that the run has."""
    for kind in (NEIGHBORHOODS, CHUNKS, QUILTED, NEAR, STYLED):
        if storage.exists(naming.join(run, kind.table.file)):
            return kind
    return CHUNKS


def describe_reading(record: RunRecord) -> list[str]:
    """Return a note on the size of the matches if reading them takes long."""
    matches = record.detect.matches
    parts = storage.list_parts(matches) if matches else []
    size = sum(part.size for part in parts)
    if size <= LARGE_MATCHES:
        return []
    return [f'reading {size / 1e9:.1f} GB of matches for pages and labels']


def describe(task: Task, book: Book) -> list[str]:
    """Describe the sample, earlier judgements, and the way to stop the program."""
    sample, judged = task.sample, book.state()['judged']
    population = summary_tables.population(
        task.kind.all, sample.population, sample.folded
    )
    strata = task.kind.strata
    how = f'{task.how} by {strata.by}' if task.stratified and strata else task.how
    drawn = f'{len(sample.rows):,} of {population} ({how}, seed {task.seed})'
    if task.is_top:
        drawn = f'{population}, the first of the table'
    lines = [f'{drawn}; {task.judge} has judged {judged:,} of them']
    if earlier := book.count_earlier():
        command = command_line('review', SUMMARIZE, task.run)
        lines.append(
            f'kept: {format_count(earlier, "judgement")} of an earlier population; '
            f'to print, run {command}'
        )
    return [*lines, 'open this address in a browser; Ctrl-C here stops it']
