"""The choice among the captures of a URL: one is kept, the others are skipped.

Captures are sorted as lines: those of a URL are adjacent, the one to keep first.
Therefore neither many URLs nor many captures of a URL need memory. The choice depends
neither on the order of the input nor on its division into partitions.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mr_reuse.archives import dates, rids
from mr_reuse.messages import format_count
from mr_reuse.shuffle import sorting

FIRST, LAST, ALL = KEEP = ('first', 'last', 'all')  # values of --captures

PAGE, OTHER = b'0', b'1'  # pages sort before other files
Sort = Callable[[Iterable[bytes]], Iterator[bytes]]


class Capture(NamedTuple):
    """An item, reduced to what the choice depends on."""

    # As in the url column. It is empty if the record has no URL, or if the item is a
    # file of its own: such items are captures of nothing else.
    url: bytes
    rid: bytes
    date: str  # as the record has it
    is_page: bool


def identify(url: bytes, rid: bytes) -> bytes:
    """Name what an item is a capture of: its URL, or itself if it has none.

    No URL begins with a tab.
    """
    return url or b'\t' + rid


def format_capture(capture: Capture, keep: str) -> bytes:
    """Format a capture as a line. Of captures of a URL, the one to keep sorts first.

    Captures that are pages take precedence over other files. A capture without a date
    counts as the latest. Of captures with the same date, the smaller rid is kept.

    >>> old = Capture(b'http://a/', b'x:7', '20200102030405', True)
    >>> new = old._replace(rid=b'x:9', date='20210102030405')
    >>> [format_capture(old, k) < format_capture(new, k) for k in ('first', 'last')]
    [True, False]
    """
    url, rid, date, is_page = capture
    number = dates.parse_date(date)
    if keep == LAST:
        number = dates.UNKNOWN - number
    kind = PAGE if is_page else OTHER
    order = b'%b%015d%b' % (kind, number, rids.sort_key(rid))
    return b'\t'.join([identify(url, rid), order, rid])


def find_skipped(
    lines: Iterable[bytes], sort: Sort = sorting.sort_lines
) -> Iterator[tuple[bytes, bool]]:
    """Yield the captures that are not kept, ordered by URL: their rids, and is_page.

    `lines` are those of `format_capture`; the lines of a URL have to be complete.

    >>> old = Capture(b'http://a/', b'x:7', '20190102030405', True)
    >>> new = old._replace(rid=b'x:9', date='20200102030405')
    >>> list(find_skipped(format_capture(c, 'first') for c in (new, old)))
    [(b'x:9', True)]
    """
    before = None
    for line in sort(lines):
        of, order, rid = line.rsplit(b'\t', 2)
        if of == before:
            yield rid, order.startswith(PAGE)
        before = of


class Choice(NamedTuple):
    """The captures that a run keeps, and how many there are."""

    keep: str = ALL
    captures: int = 0
    urls: int | None = None  # not counted if all captures are kept
    passed_over: int = 0
    passed_pages: int = 0  # of these, the pages
    folder: str | None = None  # output of the step that chose; None if all are kept


def describe_choice(keep: str, captures: int, urls: int, passed_over: int) -> str:
    """Describe in one line which captures were searched.

    >>> describe_choice('first', 12_000, 1_000, 11_000)
    '12,000 captures of 1,000 URLs; the first capture of each was searched, 11,000 \
later ones only with --captures all'
    >>> describe_choice('last', 3, 2, 1)
    '3 captures of 2 URLs; the last capture of each was searched, 1 earlier one only \
with --captures all'
    """
    of = f'{format_count(captures, "capture")} of {format_count(urls, "URL")}'
    return f'{of}; {describe_searched(keep, passed_over)}'


def describe_searched(keep: str, passed_over: int) -> str:
    """Describe which captures were searched, without the number of all.

    >>> describe_searched('first', 11_000)
    'the first capture of each was searched, 11,000 later ones only with \
--captures all'
    """
    when = 'later' if keep == FIRST else 'earlier'
    others = format_count(passed_over, f'{when} one', f'{when} ones')
    searched = f'the {keep} capture of each was searched'
    return f'{searched}, {others} only with --captures all'
