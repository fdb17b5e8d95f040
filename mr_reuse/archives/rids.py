"""Record ids: `ARCHIVE:OFFSET`, or `ARCHIVE:OFFSET+INNER` inside a gzip member.

A page line whose page has several has `RID#NUMBER` as its key. What is behind the last
colon is the place of the record in its archive.
"""

import re
from typing import AnyStr

PLACE = re.compile(r'\d{1,18}(\+\d{1,18})?')


def split_rid(rid: AnyStr) -> tuple[AnyStr, AnyStr]:
    """Split a rid into its archive, whose name may have colons, and its place.

    >>> split_rid('s3://a:b/c.gz:7+12'), split_rid(b'a:9')
    (('s3://a:b/c.gz', '7+12'), (b'a', b'9'))
    """
    archive, _, place = rid.rpartition(':' if isinstance(rid, str) else b':')
    return archive, place


def is_rid(text: str) -> bool:
    """Tell a rid from other text.

    >>> [is_rid(text) for text in ('a:7', 'a:7+12', 'a', '7', 'a:b', 'a:7+')]
    [True, True, False, False, False, False]
    """
    return ':' in text and bool(PLACE.fullmatch(split_rid(text)[1]))


def offsets_of(place: AnyStr) -> tuple[int, int]:
    """Read a place: the offset in the archive, and that inside of its gzip member.

    >>> offsets_of('7+12'), offsets_of(b'7')
    ((7, 12), (7, 0))
    """
    member, _, inside = place.partition('+' if isinstance(place, str) else b'+')
    return int(member), int(inside or 0)


class Rid(str):
    """A rid that sorts by its archive, then by its offsets as numbers.

    >>> Rid('a:9') < Rid('a:10') < Rid('a:10+7') < Rid('b:0')
    True
    """

    __slots__ = ()

    def place(self) -> tuple[str, int, int]:
        """The archive, and where in it: the member, and the record in that."""
        archive, place = split_rid(self)
        return archive, *offsets_of(place)

    def __lt__(self, other: 'Rid') -> bool:
        return self.place() < other.place()

    def __gt__(self, other: 'Rid') -> bool:
        return other < self


def rid_of(key: bytes) -> bytes:
    """The rid of a page, from the key of any of its lines.

    >>> rid_of(b'a#b:7#1'), rid_of(b'a#b:7')
    (b'a#b:7', b'a#b:7')
    """
    if b'#' not in key:
        return key
    archive, place = split_rid(key)
    return archive + b':' + place.partition(b'#')[0]


def sort_key(rid: bytes) -> bytes:
    """Make the key that sorts rids by their archives, then by offsets as numbers.

    >>> sort_key(b'a:9') < sort_key(b'a:10') < sort_key(b'a:10+7') < sort_key(b'b:1')
    True
    """
    archive, place = split_rid(rid)
    return b'%b\1%020d%020d' % (archive, *offsets_of(place))
