"""Neighborhoods: sums over all pages below a URL prefix.

A neighborhood is a line `prefix level pages nonempty bad total ratios`. Its level is
the number of components of the prefix, host included. A registered domain has level 0.
`ratios` is the sum of the ratios of the pages (`ratios.py`), from which their mean is
computed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mr_reuse.archives import domains, urls
from mr_reuse.chunks import ratios
from mr_reuse.chunks.ratios import Sums
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import partitions, sorting
from mr_reuse.shuffle.protocol import Line

BOUND = 32 << 20  # bytes of neighborhoods in memory: with their sums about 100 MB
SUMS_BYTES = 250  # of the sums of a neighborhood, about
SUM_COUNT = 5  # numbers of a neighborhood: pages, nonempty, bad, total, ratios
DOMAIN, HOST = 0, 1  # levels of registered domains and of hosts
# Statistics of pages: all, without chunks, with too few chunks, without a host; sums.
STATS = ('pages', 'empty', 'few', 'nowhere', *Sums._fields)


class Neighborhood(NamedTuple):
    """The sums of all pages below a prefix."""

    prefix: str
    level: int
    pages: int
    nonempty: int  # pages with at least `--min-chunks` chunks
    bad: int
    total: int
    ratios: int

    @property
    def pooled(self) -> int | None:
        """The share of all chunks that are labels, None without chunks.

        >>> Neighborhood('x.org/a/', 2, 2, 2, 3, 5, 15 * 10**11).pooled
        600000000000
        """
        return ratios.divide(self.bad, self.total) if self.total else None

    @property
    def mean(self) -> int | None:
        """The mean of the ratios of pages, None without pages with chunks.

        >>> Neighborhood('x.org/a/', 2, 2, 2, 3, 5, 15 * 10**11).mean
        750000000000
        """
        if not self.nonempty:
            return None
        return ratios.divide(self.ratios, self.nonempty * ratios.ONE)

    def row(self) -> str:
        """Format the neighborhood as a row of a table."""
        shares = [
            '' if ratio is None else ratios.format_ratio(ratio)
            for ratio in (self.pooled, self.mean)
        ]
        prefix, level, pages, _, bad, total, _ = self
        return '\t'.join(map(str, [prefix, level, pages, bad, total, *shares]))


def read_neighborhood(line: bytes) -> Neighborhood:
    """Parse a neighborhood from its line."""
    prefix, *numbers = to_text(line).rstrip().split('\t')
    return Neighborhood(prefix, *map(int, numbers))


def sums_of_page(bad: int, total: int, min_chunks: int) -> tuple[int, ...]:
    """Return the numbers that a page adds to its neighborhoods.

    >>> sums_of_page(1, 4, min_chunks=4), sums_of_page(3, 3, min_chunks=4)
    ((1, 1, 1, 4, 250000000000), (1, 0, 0, 0, 0))
    """
    if total < min_chunks:
        return 1, 0, 0, 0, 0
    return 1, 1, bad, total, ratios.divide(bad, total) if bad else 0


class PageCollector:
    """A `Collector` of pages: sums them by their smallest neighborhood."""

    def __init__(self, min_chunks: int, bits: int):
        self._min_chunks, self._bits = max(1, min_chunks), bits
        self._sums: dict[str, list[int]] = {}
        self._size = 0
        self.stats = dict.fromkeys(STATS, 0)

    def add(self, url: str, bad: int, total: int) -> Iterator[Line]:
        """Count a page."""
        stats = self.stats
        stats['pages'] += 1
        page = sums_of_page(bad, total, self._min_chunks)
        _, is_judged, _, _, ratio = page
        if is_judged:
            stats['count'] += 1
            stats['sum'] += ratio
            stats['squares'] += ratio * ratio
        else:
            stats['few' if total else 'empty'] += 1
        prefix = urls.neighborhood_of(url)
        if not prefix:
            stats['nowhere'] += 1
            return
        if prefix not in self._sums:
            if self._size > BOUND:
                yield from self.finish()
            self._size += _estimate_size(prefix)
            self._sums[prefix] = [0] * SUM_COUNT
        _add(self._sums[prefix], page)

    def finish(self) -> Iterator[Line]:
        """Yield the neighborhoods of the pages so far, many in a line; forget them."""
        yield from partitions.lines_by_name('in', self._texts(), self._bits)
        self._sums, self._size = {}, 0

    def _texts(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield prefix and text of each neighborhood."""
        for (prefix, level), sums in self._all_levels().items():
            name, numbers = to_bytes(prefix), ' '.join(map(str, sums)).encode()
            yield name, sorting.add_key(b'%b\1%d' % (name, level), numbers)

    def _all_levels(self) -> dict[tuple[str, int], list[int]]:
        """Distribute the sums of the smallest neighborhoods over all levels."""
        totals: dict[tuple[str, int], list[int]] = {}
        for smallest, sums in self._sums.items():
            enclosing = urls.enclosing_neighborhoods(smallest)
            domain = domains.registered_domain(enclosing[0][:-1]) + '/'
            levels = [(prefix, level) for level, prefix in enumerate(enclosing, 1)]
            for key in [(domain, DOMAIN), *levels]:
                _add(totals.setdefault(key, [0] * SUM_COUNT), sums)
        return totals


def _add(sums: list[int], numbers: Sequence[int]) -> None:
    for index, number in enumerate(numbers):
        sums[index] += number


def _estimate_size(prefix: str) -> int:
    """Estimate the bytes of a prefix and of all its levels, which `finish` makes."""
    levels = prefix.count('/') + 1
    return levels * (SUMS_BYTES + len(prefix) // 2)


def sum_neighborhoods(values: Iterable[bytes]) -> Iterator[Line]:
    """Sum the neighborhoods of a partition; yield them in the order of prefixes.

    >>> list(sum_neighborhoods([b'a/\\x011\\x001 1 2 3 4', b'a/\\x011\\x001 0 0 0 0']))
    [(b'a/', b'1\\t2\\t1\\t2\\t3\\t4')]
    """
    for name, texts in sorting.group_rows(partitions.split_texts(values)):
        sums = [0] * SUM_COUNT
        for text in texts:
            _add(sums, list(map(int, text.split())))
        prefix, level = name.rsplit(b'\1', 1)
        yield prefix, b'\t'.join([level, *(b'%d' % number for number in sums)])
