"""Make automatic stop lists: the widely copied chunks of a run that are short."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from mr_reuse.chunks.recipe import Recipe
from mr_reuse.chunks.tables import label_rows
from mr_reuse.engine import step_output
from mr_reuse.engine.record import load_complete
from mr_reuse.errors import UserError
from mr_reuse.shuffle import packing, protocol, sorting
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.partitions import unit_of

HEADER = b'hash\tcopies\tlength\n'


class Counts(NamedTuple):
    """The counts of the chunks of a run of `discover`."""

    recipe: Recipe
    threshold: int
    parts: list[str]

    def read_chunks(self) -> Iterator[Rows]:
        """Yield the counts of all chunks: (digest; copies, pages, length)."""
        for key, value in protocol.read_parts(self.parts):
            if unit_of(key) == 'chunk':
                yield packing.unpack(value)


def find_counts(run: str, threshold: int | None) -> Counts:
    """Find the counts of a run. The default threshold is that of the run."""
    record = load_complete(run)
    if not record.discover:
        raise UserError(
            f'{run}: a run of detect, without counts; name a run of discover'
        )
    threshold = record.discover.threshold if threshold is None else threshold
    parts = step_output.list_sound_parts(record.discover.counts)
    return Counts(Recipe.from_options(record.page_options), threshold, parts)


def write_list(stream: BinaryIO, counts: Counts, max_len: int) -> int:
    """Write the automatic list, most copied first; return the number of hashes."""
    stream.write(HEADER)
    rows = select_short(counts.read_chunks(), max_len, counts.threshold)
    count = 0
    for row in sorting.sort_rows(rows):
        stream.write(row + b'\n')
        count += 1
    return count


def select_short(
    pieces: Iterable[Rows], max_len: int, threshold: int
) -> Iterator[sorting.Keyed]:
    """Yield the rows of the list with their sort keys, from the counts of chunks.

    >>> rows = packing.make_rows(b'aabbcc', 2, [9, 9, 2], [1, 1, 1], [100, 101, 100])
    >>> [row for _, row in select_short([rows], 100, 2)]
    [b'6161\\t9\\t100']
    """
    for rows in pieces:
        copies, _, length = rows.columns
        selected = rows.take((copies > threshold) & (length <= max_len))
        copies, _, length = (column.tolist() for column in selected.columns)
        for number, key in enumerate(selected.keys):
            row = f'{key.tobytes().hex()}\t{copies[number]}\t{length[number]}'
            yield label_rows.key_by_copies(copies[number], row.encode())
