"""Find the chunks that two sites share, in two passes over their page lines.

The first pass finds the chunks and their first captures, the second one an example page
on each site. Only the lines of the two sites are unpacked.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import domains, rids, urls
from mr_reuse.archives.dates import UNKNOWN, parse_date
from mr_reuse.chunks.detect.origins import MIN
from mr_reuse.chunks.labels.stop_chunks import StopChunks
from mr_reuse.chunks.page_lines import DATE, URL, Batch, SplitLine
from mr_reuse.engine import step_output
from mr_reuse.errors import UsageError
from mr_reuse.messages import to_text
from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, SUM, Rows
from mr_reuse.shuffle.spilling import MergeTable

# Length; copies on either site; date of the first capture on either site.
COLUMNS = (MAX, SUM, SUM, MIN, MIN)
BY_DOMAIN = 'domain'  # the unit of pairs that is no prefix

FindSide = Callable[[str], int]  # from a URL: 0 or 1, -1 for any other site
Example = tuple[int, int, str, str]  # date, length of the URL, URL, rid


class SharedChunk(NamedTuple):
    """A chunk that two sites share; the pairs of values are of the two sites."""

    digest: bytes
    length: int
    copies: tuple[int, int]
    first: tuple[int, int]  # dates, as numbers


class Shared(NamedTuple):
    """Numbers of chunks that two sites share, and the longest of these chunks."""

    chunks: int
    bytes: int
    totals: tuple[int, int]  # chunks of each site
    first: tuple[int, int]  # shared chunks that were captured on this site first
    longest: list[SharedChunk]


def side_finder(one: str, other: str, unit: str) -> FindSide:
    """Return the function that finds the site of a URL among two.

    A site is a host or a folder without its last slash, or a registered domain.

    >>> find = side_finder('a.org', 'b.org/x', 'host')
    >>> [find(f'http://{name}/1') for name in ('a.org/x', 'b.org/x/y', 'b.org', 'c')]
    [0, 1, -1, -1]
    >>> side_finder('a.org', 'b.org', 'domain')('http://www.b.org/')
    1
    """
    if f'{one}/'.startswith(f'{other}/') or f'{other}/'.startswith(f'{one}/'):
        raise UsageError(f'{one}, {other}: one contains the other; give two sites')
    has_folder = '/' in one + other

    def find(url: str) -> int:
        host = urls.url_host(url)
        if unit == BY_DOMAIN and host:
            host = domains.registered_domain(host)
        name = f'{host}/'
        if has_folder and unit != BY_DOMAIN:
            name = urls.neighborhood_of(url)
        for side, site in enumerate((one, other)):
            if name.startswith(f'{site}/'):
                return side
        return -1

    return find


def keep_all(_: bytes) -> bool:
    """Skip no capture."""
    return False


class PageLines:
    """The page lines of two sites.

    `is_skipped` finds the captures that are not kept, by the keys of their lines. They
    count only for the date of the first capture of a chunk.
    """

    def __init__(
        self,
        folders: Iterable[str],
        width: int,
        find_side: FindSide,
        is_skipped: Callable[[bytes], bool] = keep_all,
    ):
        self._folders, self._width = folders, width
        self._find_side, self.is_skipped = find_side, is_skipped

    def batches(self) -> Iterator[tuple[Rows, np.ndarray, list[SplitLine]]]:
        """Yield batches: rows of (digest; length, copies), their lines, the lines."""
        batch, rid, date = Batch(self._width), b'', b''
        for folder in self._folders:
            for key, value in protocol.read_parts(step_output.list_sound_parts(folder)):
                if self.side(value.partition(b'\t')[0]) < 0:
                    continue
                is_full = batch.add(key, value)
                # Only the first line of a long page has its date.
                _, fields = batch.lines[-1]
                if rids.rid_of(key) == rid:
                    fields[DATE] = date
                rid, date = rids.rid_of(key), fields[DATE]
                if is_full:
                    yield batch.take()
        yield batch.take()

    def side(self, url: bytes) -> int:
        """Return the site of a URL: 0 or 1, -1 for any other."""
        return self._find_side(to_text(url))


def find_shared(lines: PageLines, stop: StopChunks, most: int) -> Shared | None:
    """Find what two sites share, with the `most` longest chunks; None without pages."""
    table, has_pages = MergeTable(COLUMNS, storage.open_scratch), [False, False]
    for rows, owners, split_lines in lines.batches():
        sides = np.array([lines.side(fields[URL]) for _, fields in split_lines], int)
        dates = [parse_date(to_text(fields[DATE])) for _, fields in split_lines]
        has_pages = [known or side in sides for side, known in enumerate(has_pages)]
        kept = np.array([not lines.is_skipped(key) for key, _ in split_lines], bool)
        at = owners.astype(np.intp)
        length, copies = rows.columns[0], rows.columns[1] * kept[at]
        captured = np.array(dates, np.uint64)[at]
        counts, first = [], []
        for side in (0, 1):
            is_here = sides[at] == side
            counts.append(np.where(is_here, copies, 0).astype(np.uint64))
            first.append(np.where(is_here, captured, UNKNOWN).astype(np.uint64))
        table.add(Rows(rows.keys, (length, *counts, *first)))
    return _sum_shared(table, stop, most) if all(has_pages) else None


def _sum_shared(table: MergeTable, stop: StopChunks, most: int) -> Shared:
    chunks = size = 0
    totals, earlier = [0, 0], [0, 0]
    longest: list[SharedChunk] = []
    for rows in table.drain():
        counted = rows.take(stop.masks(rows)[1])
        on = [counted.columns[1] > 0, counted.columns[2] > 0]
        totals = [
            total + int(here.sum()) for total, here in zip(totals, on, strict=True)
        ]
        shared = counted.take(on[0] & on[1])
        length, _, _, *dates = shared.columns
        chunks, size = chunks + len(shared.keys), size + int(length.sum())
        is_dated = (dates[0] < UNKNOWN) & (dates[1] < UNKNOWN)
        earlier[0] += int((is_dated & (dates[0] < dates[1])).sum())
        earlier[1] += int((is_dated & (dates[1] < dates[0])).sum())
        # Rows are in the order of digests, and the sort is stable.
        first = np.argsort(-length.astype(np.int64), kind='stable')[:most]
        longest += _read_chunks(shared.take(first))
        longest = sorted(longest, key=lambda chunk: (-chunk.length, chunk.digest))[
            :most
        ]
    return Shared(chunks, size, tuple(totals), tuple(earlier), longest)


def _read_chunks(rows: Rows) -> Iterator[SharedChunk]:
    columns = (column.tolist() for column in rows.columns)
    for key, length, *rest in zip(rows.keys, *columns, strict=True):
        yield SharedChunk(key.tobytes(), length, tuple(rest[:2]), tuple(rest[2:]))


def find_examples(
    lines: PageLines, digests: Sequence[bytes], width: int
) -> dict[tuple[int, bytes], Example]:
    """Find a page for each site and digest: the first capture of the chunk there.

    Of several, the page with the shortest URL, then by URL and rid.
    """
    keys = sorted(digests)
    index = DigestIndex(packing.make_rows(b''.join(keys), width).keys)
    best: dict[tuple[int, bytes], Example] = {}
    for rows, owners, split_lines in lines.batches() if keys else ():
        numbers = index.find(rows.keys)
        found = numbers >= 0
        examples = [make_example(*line) for line in split_lines]
        by_rank = sorted(range(len(examples)), key=examples.__getitem__)
        ranks = np.empty(len(examples), np.uint64)
        ranks[by_rank] = np.arange(len(examples), dtype=np.uint64)
        sides = np.array([lines.side(fields[URL]) for _, fields in split_lines], int)
        at = owners[found].astype(np.intp)
        chunks = (2 * numbers[found] + sides[at]).astype(np.uint64)
        # Sorted pairs of chunk and rank: the first pair of a chunk is its best page.
        pairs = packing.join_halves(chunks, ranks[at])
        pairs.sort()
        chunks, order = packing.split_halves(pairs)
        for start in packing.group_starts(chunks).tolist():
            number, side = divmod(int(chunks[start]), 2)
            example = examples[by_rank[int(order[start])]]
            place = side, keys[number]
            best[place] = min(example, best.get(place, example))
    return best


def make_example(key: bytes, fields: Sequence[bytes]) -> Example:
    """Make an example of a page line; the smallest is the best."""
    url = to_text(fields[URL])
    date = parse_date(to_text(fields[DATE]))
    return date, len(url), url, to_text(rids.rid_of(key))
