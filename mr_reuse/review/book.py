"""The book that judges write into: `judgements.tsv` in a run."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timezone
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.algorithms.sampling import Sample
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import to_text
from mr_reuse.review import judgements
from mr_reuse.review.categories import BETWEEN, Category, counts_of
from mr_reuse.review.judgements import JUDGED, UNDONE, Judgement
from mr_reuse.review.kinds import Kind
from mr_reuse.storage import naming
from mr_reuse.tables.run_tables import JUDGEMENTS


def read_all(run: str) -> Iterator[Judgement | None]:
    """All lines, oldest first; None for one that is not whole."""
    name = naming.join(run, JUDGEMENTS.file)
    storage.refuse_special_files(name)
    if not storage.exists(name):
        return
    with storage.open_read(name) as stream:
        head = stream.readline()
        if head != judgements.HEADER:
            raise UserError(f'{name}: not a table of this version of review')
        for line in stream:
            if line.strip():
                yield judgements.read_line(line)


class Task(NamedTuple):
    """What a judge is to judge."""

    run: str
    judge: str
    kind: Kind
    sample: Sample
    stratified: bool
    seed: int
    categories: list[Category]

    @property
    def design(self) -> str:
        """What tells this sample from all others of the run; a larger one is the same.

        Judgements are of one sample if they have this in common.
        """
        # Where nothing was folded, the sample is what it was before that was done.
        folded = f' folded={self.sample.folded}' if self.sample.folded else ''
        return f'{self.how} seed={self.seed}{folded} frame={self.sample.frame}'

    @property
    def how(self) -> str:
        """How the sample is drawn."""
        return 'stratified' if self.stratified else 'uniform'

    @property
    def session(self) -> tuple[str, str, str]:
        """What the lines of this judge on this sample have in common."""
        return self.kind.name, self.design, self.judge


class Book:
    """What one judge says of one sample."""

    def __init__(self, task: Task):
        self._task = task
        self._name = naming.join(task.run, JUDGEMENTS.file)
        self._places = {
            to_text(row.item): place for place, row in enumerate(task.sample.rows, 1)
        }
        storage.refuse_special_files(self._name)
        storage.create(self._name, judgements.HEADER.decode())
        storage.append(self._name, bytes)  # if this cannot be, it is said at once

    def _stack(self) -> list[Judgement]:
        lines = (line for line in read_all(self._task.run) if line)
        return judgements.standing(lines).get(self._task.session, [])

    def state(self) -> dict[str, Any]:
        """What holds now, by the places of items in the sample."""
        found = {
            str(place): {'names': line.names, 'note': line.note}
            for item, line in judgements.holding(self._stack()).items()
            if (place := self._places.get(item))
        }
        judged = sum(bool(one['names']) for one in found.values())
        return {'judged': judged, 'items': found}

    def before(self) -> int:
        """How many items were judged when the same sample had another population."""
        task, found = self._task, 0
        kind, design, judge = task.session
        lines = (line for line in read_all(task.run) if line)
        samples = judgements.samples(lines, kind, judge)
        for (_, sample), judges in samples.items():
            [held] = judges.values()
            one = next(iter(held.values()))
            if sample != design and one.how == (task.how, str(task.seed)):
                found += len(held)
        return found

    def judge(self, place: int, keys: Iterable[str], note: str) -> dict[str, Any]:
        """Write down what an item is called."""
        by_key = {category.key: category for category in self._task.categories}
        unknown = [key for key in keys if key not in by_key]
        if unknown or not 1 <= place <= len(self._task.sample.rows):
            raise UsageError(f'no such category or item: {unknown or place}')
        some = [by_key[key] for key in by_key if key in keys]
        names = BETWEEN.join(category.name for category in some)
        said = names, counts_of(some), judgements.note_of(note)

        def line() -> Judgement | None:
            made = self._line(place, JUDGED, *said)
            before = judgements.holding(self._stack()).get(made.item)
            return made if said != (before[5:8] if before else ('', '', '')) else None

        self._write(line)
        return self.state() | {'place': place}

    def undo(self) -> dict[str, Any]:
        """Take the newest judgement back."""
        line = self._write(self._undone)
        return self.state() | {'place': line.place}

    def _undone(self) -> Judgement:
        stack = self._stack()
        if not stack:
            raise UserError('there is nothing to take back')
        last = stack.pop()
        place = self._places.get(last.item)
        if not place:
            raise UserError(
                f'the newest judgement is of item {last.place}, which is not in '
                f'this sample; start with --sample {last.place} to take it back'
            )
        held = judgements.holding(stack).get(last.item)
        return self._line(place, UNDONE, *(held[5:8] if held else ('', '', '')))

    def _write(self, make: Callable[[], Judgement | None]) -> Judgement | None:
        """Write a line that is made of those before it; no other comes in between."""
        made = None

        def line() -> bytes:
            nonlocal made
            made = make()
            return made.line() if made else b''

        try:
            storage.append(self._name, line)
        except OSError as error:
            raise UserError(f'{self._name}: {error.strerror}') from None
        return made

    def _line(self, place: int, action: str, *said: str) -> Judgement:
        task, row = self._task, self._task.sample.rows[place - 1]
        return Judgement(
            datetime.now(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ'),
            task.judge,
            action,
            task.kind.name,
            to_text(row.item),
            *said,
            place,
            task.kind.name_of(row.stratum),
            task.sample.sizes[row.stratum],
            task.sample.population,
            task.design,
        )
