"""Make automatic stop lists: the widely copied chunks of a run that are short."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.recipe import Recipe
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

    def chunks(self) -> Iterator[Rows]:
        """Yield the counts of all chunks: (digest; copies, pages, length)."""
        for key, value in protocol.read_parts(self.parts):
            if unit_of(key) == 'chunk':
                yield packing.unpack(value)


def counts_of(run: str, threshold: int | None) -> Counts:
    """Find the counts of a run. The default threshold is that of the run."""
    record = load_complete(run)
    if not record.discover:
        raise UserError(
            f'{run}: a run of detect, without counts; name a run of discover'
        )
    threshold = record.discover.threshold if threshold is None else threshold
    parts = storage.list_part_names(record.discover.counts)
    return Counts(Recipe.from_options(record.page_options), threshold, parts)


def write_list(stream: BinaryIO, counts: Counts, longest: int) -> int:
    """Write the automatic list, most copied first; return the number of hashes."""
    stream.write(HEADER)
    rows = short_chunks(counts.chunks(), longest, counts.threshold)
    count = 0
    for row in sorting.sort_rows(rows):
        stream.write(row + b'\n')
        count += 1
    return count


def short_chunks(
    pieces: Iterable[Rows], longest: int, threshold: int
) -> Iterator[sorting.Keyed]:
    """Yield the rows of the list with their sort keys.

    >>> rows = packing.make_rows(b'aabbcc', 2, [9, 9, 2], [1, 1, 1], [100, 101, 100])
    >>> [row for _, row in short_chunks([rows], 100, 2)]
    [b'6161\\t9\\t100']
    """
    for rows in pieces:
        copies, _, length = rows.columns
        keys, (copies, _, length) = rows.take(
            (copies > threshold) & (length <= longest)
        )
        for key, n, size in zip(keys, copies.tolist(), length.tolist(), strict=True):
            row = f'{key.tobytes().hex()}\t{n}\t{size}'
            yield label_tables.key_by_copies(n, row.encode())
