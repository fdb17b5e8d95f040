"""The choice among the captures of a URL: one is kept, the others are skipped.

Captures are sorted as lines: those of a URL are adjacent, the one to keep first.
Therefore neither many URLs nor many captures of a URL need memory. The choice depends
neither on the order of the input nor on its division into partitions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mr_reuse.archives import dates, rids
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import name_digest, part_of_digest

KEEP = ('first', 'last', 'all')

Sort = Callable[[Iterable[bytes]], Iterator[bytes]]


class Capture(NamedTuple):
    """An item, reduced to what the choice depends on.

    Two items are captures of one URL if `url` and `folder` are the same bytes.
    """

    url: bytes  # as in the url column; empty if the record has none
    rid: bytes
    date: str  # as the record has it
    is_page: bool
    folder: bytes = b''  # of pages, as typed; empty for a record of an archive


def partition(capture: Capture, bits: int) -> int:
    """Compute the partition, out of 2 ** bits, of all captures of the same URL.

    >>> old = Capture(b'http://a/', b'x:7', '2019', True)
    >>> partition(old, 6) == partition(old._replace(rid=b'y:8', is_page=False), 6)
    True
    """
    return part_of_digest(name_digest(_url_key(capture)), bits)


def find_skipped(
    captures: Iterable[Capture],
    keep: str,
    counts: Counter[str],
    sort: Sort = sorting.sort_lines,
) -> Iterator[bytes]:
    """Yield the rids of captures that are not kept, ordered by URL.

    `keep` selects the first or the last capture of a URL. Captures that are pages take
    precedence over other files. A capture without a date counts as the latest. Of
    captures with the same date, the smaller rid is kept. All captures without a URL are
    kept.

    When the iterator ends, `counts` has `captures`, `urls` (a capture without a URL
    counts as one) and `skipped` added to it. Counts of partitions can be summed.

    >>> pages = [Capture(b'http://a/', b'x:7', '20200102030405', True),
    ...          Capture(b'http://a/', b'x:9', '20190102030405', True)]
    >>> counts = Counter()
    >>> list(find_skipped(pages, 'first', counts)), sorted(counts.items())
    ([b'x:7'], [('captures', 2), ('skipped', 1), ('urls', 1)])
    """
    if keep not in KEEP:
        raise ValueError(f'{keep!r} is none of {", ".join(KEEP)}')
    before = None
    for line in sort(_sort_line(capture, keep) for capture in captures):
        url_key, _, rid = _fields(line)
        counts['captures'] += 1
        if url_key != before or _has_no_url(url_key):
            counts['urls'] += 1
            before = url_key
        elif keep != 'all':
            counts['skipped'] += 1
            yield rid


def _url_key(capture: Capture) -> bytes:
    return b'%b\t%b' % (capture.folder, capture.url)


def _has_no_url(url_key: bytes) -> bool:
    return url_key.endswith(b'\t')


def _sort_line(capture: Capture, keep: str) -> bytes:
    """Format a capture as three fields: URL key, order of preference, rid."""
    date = dates.parse_date(capture.date)
    if keep == 'last':
        date = dates.UNKNOWN - date
    order = b'%d%015d%b' % (not capture.is_page, date, rids.sort_key(capture.rid))
    return b'\t'.join([_url_key(capture), order, capture.rid])


def _fields(line: bytes) -> list[bytes]:
    """Split a line at its last two tabs, as the URL key contains one itself."""
    return line.rsplit(b'\t', 2)
