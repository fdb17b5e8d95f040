"""Look up the copies of a few chunks in the counts of a run."""

import bisect
import itertools
from collections.abc import Collection, Iterable, Iterator

from mr_reuse import storage
from mr_reuse.chunks.discover import label_counts
from mr_reuse.chunks.discover.label_counts import Place
from mr_reuse.shuffle import packing


def read_copies(parts: Iterable[str], digests: Collection[bytes]) -> dict[bytes, int]:
    """Return the copies of chunks, by digest, from the part files of counts."""
    names = list(parts)
    copies: dict[bytes, int] = {}
    for place, of_line in find_lines(label_counts.sort_index(names), digests, names):
        with storage.open_read(place.part, place.offset) as stream:
            _, value = stream.readline().rstrip().split(b'\t')
        rows = packing.unpack(value)
        keys = rows.keys.tobytes()
        width = rows.keys.shape[1]
        by_digest = {
            keys[n : n + width]: n // width for n in range(0, len(keys), width)
        }
        for digest in of_line:
            if digest in by_digest:
                copies[digest] = int(rows.columns[0][by_digest[digest]])
    return copies


def find_lines(
    index: Iterable[bytes], digests: Collection[bytes], parts: list[str]
) -> Iterator[tuple[Place, list[bytes]]]:
    r"""Yield the lines of chunks in which digests may be, with these digests.

    >>> index = [b'chunk/0000 10 0 0', b'chunk/0001 50 0 70', b'file/0000 00 1 0']
    >>> for place, found in find_lines(index, [b'\x60', b'\x05', b'\x50'], ['a', 'b']):
    ...     print(place.offset, found)
    70 [b'P', b'`']
    """
    ordered, start = sorted(digests), 0
    lines = (line for line in index if line.startswith(b'chunk/'))
    for line, following in itertools.pairwise(itertools.chain(lines, [None])):
        # The line of a digest is the last one that does not begin after it.
        end = len(ordered)
        if following:
            end = bisect.bisect_left(ordered, label_counts.first_digest(following))
        start = max(start, bisect.bisect_left(ordered, label_counts.first_digest(line)))
        if start < end:
            yield label_counts.parse_place(line, parts), ordered[start:end]
        start = end
