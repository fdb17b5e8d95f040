"""Look up the copies of a few chunks in the counts of a run."""

import bisect
from collections.abc import Collection, Iterable

from mr_reuse import storage
from mr_reuse.chunks.discover.label_tables import index_lines
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.partitions import unit_of

Place = tuple[bytes, str, int]  # first digest of a line, part file, offset


def read_copies(parts: Iterable[str], digests: Collection[bytes]) -> dict[bytes, int]:
    """Return the copies of chunks, by digest, from the part files of counts."""
    places = sorted(
        (first, part, offset)
        for key, first, part, offset in index_lines(parts)
        if unit_of(key) == 'chunk'
    )
    wanted: dict[Place, list[bytes]] = {}
    for digest in digests:
        # The line of a digest is the last one that does not begin after it.
        row = bisect.bisect_right(places, digest, key=lambda place: place[0]) - 1
        if row >= 0:
            wanted.setdefault(places[row], []).append(digest)
    copies: dict[bytes, int] = {}
    for (_, part, offset), of_line in wanted.items():
        with storage.open_read(part, offset) as stream:
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
