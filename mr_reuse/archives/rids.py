"""Record ids: `ARCHIVE:OFFSET`, or `ARCHIVE:OFFSET+INNER` inside a gzip member.

OFFSET is the offset of a plain record or of a gzip member. INNER is the offset of a
record in the inflated member; it is absent if the record begins the member. In this
package, `OFFSET+INNER` as text is called an offset.

If a page has several page lines, their keys are `RID#NUMBER`.
"""

import re
from typing import AnyStr

OFFSET = re.compile(r'\d{1,18}(\+\d{1,18})?')


def split_rid(rid: AnyStr) -> tuple[AnyStr, AnyStr]:
    """Split a rid into its archive, whose name may have colons, and its offset.

    >>> split_rid('s3://a:b/c.gz:7+12'), split_rid(b'a:9')
    (('s3://a:b/c.gz', '7+12'), (b'a', b'9'))
    """
    archive, _, offset = rid.rpartition(':' if isinstance(rid, str) else b':')
    return archive, offset


def is_rid(text: str) -> bool:
    """Test whether a text is a rid.

    >>> [is_rid(text) for text in ('a:7', 'a:7+12', 'a', '7', 'a:b', 'a:7+')]
    [True, True, False, False, False, False]
    """
    return ':' in text and bool(OFFSET.fullmatch(split_rid(text)[1]))


def offsets_of(offset: AnyStr) -> tuple[int, int]:
    """Parse an offset: in the archive, and inside the inflated gzip member.

    >>> offsets_of('7+12'), offsets_of(b'7')
    ((7, 12), (7, 0))
    """
    member, _, inner = offset.partition('+' if isinstance(offset, str) else b'+')
    return int(member), int(inner or 0)


class Rid(str):
    """A rid that sorts by its archive, then by its offsets as numbers.

    >>> Rid('a:9') < Rid('a:10') < Rid('a:10+7') < Rid('b:0')
    True
    """

    __slots__ = ()

    def parts(self) -> tuple[str, int, int]:
        """Split into the archive and both offsets."""
        archive, offset = split_rid(self)
        return archive, *offsets_of(offset)

    def __lt__(self, other: 'Rid') -> bool:
        return self.parts() < other.parts()

    def __gt__(self, other: 'Rid') -> bool:
        return other < self


def rid_of(key: bytes) -> bytes:
    """Return the rid of a page, from the key of any of its lines: RID or RID#NUMBER.

    >>> rid_of(b'a#b:7#1'), rid_of(b'a#b:7')
    (b'a#b:7', b'a#b:7')
    """
    if b'#' not in key:
        return key
    archive, offset = split_rid(key)  # the name of the archive may contain `#`
    return archive + b':' + offset.partition(b'#')[0]


def sort_key(rid: bytes) -> bytes:
    """Make a key that sorts rids as text: by archive, then by offsets as numbers.

    >>> sort_key(b'a:9') < sort_key(b'a:10') < sort_key(b'a:10+7') < sort_key(b'b:1')
    True
    """
    archive, offset = split_rid(rid)
    # 20 digits hold any 64-bit number, so that the order of text is that of numbers.
    return b'%b\1%020d%020d' % (archive, *offsets_of(offset))
