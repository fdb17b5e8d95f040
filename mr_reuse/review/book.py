"""The book of a judge: reads and appends the lines of `judgements.tsv` in a run."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timezone
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.algorithms.sampling import Sample
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import to_text
from mr_reuse.review import JUDGEMENTS, judgements
from mr_reuse.review.categories import SEPARATOR, Category, counts_of
from mr_reuse.review.judgements import JUDGED, TOP, UNDONE, Judgement
from mr_reuse.review.kinds import Kind
from mr_reuse.storage import naming


def read_all(run: str) -> Iterator[Judgement | None]:
    """Yield the judgements, oldest first; None for a damaged line."""
    name = naming.join(run, JUDGEMENTS.file)
    storage.refuse_special_files(name)
    if not storage.exists(name):
        return
    with storage.open_read(name) as stream:
        if stream.readline() != judgements.HEADER:
            raise UserError(f'{name}: not a table of this version of review')
        for line in stream:
            if line.strip():
                yield judgements.read_line(line)


class Task(NamedTuple):
    """The task of a judge: a sample of items of a kind, and the categories."""

    run: str
    judge: str
    kind: Kind
    sample: Sample
    stratified: bool
    seed: int
    categories: list[Category]
    is_top: bool = False  # the first items of the table

    @property
    def design(self) -> str:
        """The identity of the sample in its run, without its size.

        Judgements with the same design are of the same sample.
        """
        # Versions before folding wrote no `folded`. Without it, the sample is the same.
        folded = f' folded={self.sample.folded}' if self.sample.folded else ''
        return f'{self.how} seed={self.seed}{folded} frame={self.sample.frame}'

    @property
    def how(self) -> str:
        """The method of drawing: uniform, stratified or top."""
        if self.is_top:
            return TOP
        return 'stratified' if self.stratified else 'uniform'

    @property
    def session(self) -> tuple[str, str, str]:
        """The key of the lines of this judge on this sample."""
        return self.kind.name, self.design, self.judge


class Book:
    """The judgements of one judge on one sample."""

    def __init__(self, task: Task):
        self._task = task
        self._name = naming.join(task.run, JUDGEMENTS.file)
        self._positions = {
            to_text(row.item): position
            for position, row in enumerate(task.sample.rows, 1)
        }
        storage.refuse_special_files(self._name)
        storage.create(self._name, judgements.HEADER.decode())
        storage.append(
            self._name, bytes
        )  # fails now rather than at the first judgement

    def _stack(self) -> list[Judgement]:
        lines = (line for line in read_all(self._task.run) if line)
        return judgements.stacks(lines).get(self._task.session, [])

    def state(self) -> dict[str, Any]:
        """Return the current judgements by position in the sample, and their number."""
        items = {
            str(position): {'names': line.names, 'note': line.note}
            for item, line in judgements.latest(self._stack()).items()
            if (position := self._positions.get(item))
        }
        judged = sum(bool(item['names']) for item in items.values())
        return {'judged': judged, 'items': items}

    def count_earlier(self) -> int:
        """Count the items that were judged when the population was another."""
        task, count = self._task, 0
        kind, design, judge = task.session
        lines = (line for line in read_all(task.run) if line)
        samples = judgements.samples(lines, kind, judge)
        for (_, sample), judges in samples.items():
            [items] = judges.values()
            first = next(iter(items.values()))
            if sample != design and first.how == (task.how, str(task.seed)):
                count += len(items)
        return count

    def judge(self, position: int, keys: Iterable[str], note: str) -> dict[str, Any]:
        """Record the categories and the note of an item; returns the new state."""
        by_key = {category.key: category for category in self._task.categories}
        unknown = [key for key in keys if key not in by_key]
        if unknown or not 1 <= position <= len(self._task.sample.rows):
            raise UsageError(f'no such category or item: {unknown or position}')
        chosen = [by_key[key] for key in by_key if key in keys]
        names = SEPARATOR.join(category.name for category in chosen)
        cells = names, counts_of(chosen), judgements.clean_note(note)

        def line() -> Judgement | None:
            new = self._line(position, JUDGED, *cells)
            old = judgements.latest(self._stack()).get(new.item)
            # A repeated judgement adds no line, which an undo would have to remove.
            return new if cells != (old[5:8] if old else ('', '', '')) else None

        self._write(line)
        return self.state() | {'place': position}

    def undo(self) -> dict[str, Any]:
        """Undo the newest judgement; returns the new state."""
        line = self._write(self._undone)
        return self.state() | {'place': line.place}

    def _undone(self) -> Judgement:
        stack = self._stack()
        if not stack:
            raise UserError('there is no judgement to undo')
        last = stack.pop()
        position = self._positions.get(last.item)
        if not position:
            raise UserError(
                f'the newest judgement is of item {last.place}, which is not in '
                f'this sample; start with --sample {last.place} to undo it'
            )
        old = judgements.latest(stack).get(last.item)
        return self._line(position, UNDONE, *(old[5:8] if old else ('', '', '')))

    def _write(self, make: Callable[[], Judgement | None]) -> Judgement | None:
        """Append the line that `make` computes from the table, under a lock."""
        judgement = None

        # storage.append calls this while it holds the lock. So no line of another
        # process comes between reading the table and writing.
        def line() -> bytes:
            nonlocal judgement
            judgement = make()
            return judgement.line() if judgement else b''

        try:
            storage.append(self._name, line)
        except OSError as error:
            raise UserError(f'{self._name}: {error.strerror}') from None
        return judgement

    def _line(self, position: int, action: str, *cells: str) -> Judgement:
        task, row = self._task, self._task.sample.rows[position - 1]
        return Judgement(
            datetime.now(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ'),
            task.judge,
            action,
            task.kind.name,
            to_text(row.item),
            *cells,
            position,
            task.kind.name_of(row.stratum),
            task.sample.sizes[row.stratum],
            task.sample.population,
            task.design,
        )
