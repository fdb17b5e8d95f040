"""Draw the sample of a table. The parts of a large one are read by several processes.

A sample is a sum over all rows, so a part can be drawn from alone. Only an item whose
rows begin in one part and go on in the next needs both.
"""

import os
import pickle
from collections.abc import Iterable, Iterator
from functools import partial
from typing import IO, Any, NamedTuple

from mr_reuse import storage
from mr_reuse.algorithms import sampling
from mr_reuse.algorithms.sampling import Draw, Sample
from mr_reuse.engine import forks
from mr_reuse.errors import UserError
from mr_reuse.review import kinds
from mr_reuse.review.kinds import Kind
from mr_reuse.tables import table_files

SMALL = 64 << 20  # bytes of a table; for less, starting processes takes longer
BATCH = 64  # parts to read before their draws are merged


class Drawing(NamedTuple):
    """What to draw from a table."""

    kind: Kind
    stratified: bool
    size: int
    seed: int


class PartDraw(NamedTuple):
    """The draw of the items of a part, without the first and the last one."""

    first: list[bytes]  # rows; none in a part without rows
    inner: Draw
    last: list[bytes]  # none if the part has one item


def draw(drawing: Drawing, run: str) -> Sample:
    """Draw the sample of a kind. Raises UserError for a damaged table."""
    name = kinds.find_table(drawing.kind, run)
    files = table_files.list_files(name)
    if len(files) == 1 or sum(map(storage.size, files)) < SMALL:
        rows = kinds.rows(drawing.kind, run, drawing.stratified)
        return sampling.draw_sample(rows, drawing.size, drawing.seed)
    try:
        return merge(drawing, _draw_parts(drawing, files)).finish()
    except ValueError:
        raise UserError(f'{name}: {kinds.DAMAGED}') from None


def draw_part(drawing: Drawing, file: str) -> PartDraw:
    """Draw from the rows of a part. Raises ValueError for a damaged one."""
    inner = Draw(drawing.size, drawing.seed)
    groups = kinds.read_groups(drawing.kind, [file])
    first, last = next(groups, []), []
    for group in groups:
        if last:
            inner.add(kinds.make_row(drawing.kind, last, drawing.stratified))
        last = group
    return PartDraw(first, inner, last)


def merge(drawing: Drawing, parts: Iterable[PartDraw]) -> Draw:
    """Merge the draws of all parts, in their order."""
    total = Draw(drawing.size, drawing.seed)
    kind = drawing.kind

    def add(group: list[bytes]) -> None:
        if group:
            total.add(kinds.make_row(kind, group, drawing.stratified))

    waiting: list[bytes] = []  # rows of an item that the next part may continue
    for first, inner, last in parts:
        together = list(kind.groups([*waiting, *first]))
        for group in together[:-1]:
            add(group)
        waiting = together[-1] if together else []
        total.merge(inner)
        if last:
            add(waiting)
            waiting = last
    add(waiting)
    return total


def _draw_parts(drawing: Drawing, files: list[str]) -> Iterator[PartDraw]:
    """Draw from each part, in several processes at a time."""
    for start in range(0, len(files), BATCH):
        batch = files[start : start + BATCH]
        streams = [storage.open_scratch() for _ in batch]
        tasks = [
            partial(_write_draw, drawing, file, stream)
            for file, stream in zip(batch, streams, strict=True)
        ]
        forks.run_all(tasks, os.cpu_count() or 1)
        for stream in streams:
            with stream:
                stream.seek(0)
                found: Any = pickle.load(stream)
            if isinstance(found, ValueError):
                raise found
            yield found


def _write_draw(drawing: Drawing, file: str, stream: IO[bytes]) -> None:
    """Write the draw of a part, or the error if it is damaged."""
    try:
        found: Any = draw_part(drawing, file)
    except ValueError as error:
        found = error
    pickle.dump(found, stream)
    stream.flush()
