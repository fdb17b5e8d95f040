"""Record ids: `ARCHIVE:OFFSET`, or `ARCHIVE:OFFSET+INNER` inside a gzip member."""


def offsets_of(place: str) -> tuple[int, int]:
    """Where a place is in an archive, as numbers.

    >>> offsets_of('7+12'), offsets_of('7')
    ((7, 12), (7, 0))
    """
    member, _, inside = place.partition('+')
    return int(member), int(inside or 0)


class Rid(str):
    """A rid that sorts by its archive, then by its offsets as numbers.

    >>> Rid('a:9') < Rid('a:10') < Rid('a:10+7') < Rid('b:0')
    True
    """

    __slots__ = ()

    def place(self) -> tuple[str, int, int]:
        """The archive, and where in it: the member, and the record in that."""
        archive, _, place = self.rpartition(':')
        member, _, inside = place.partition('+')
        return archive, int(member), int(inside or 0)

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
    archive, _, place = key.rpartition(b':')
    return archive + b':' + place.partition(b'#')[0]


def sort_key(rid: bytes, row: bytes) -> bytes:
    """A row with what sorts it by its rid: the archive, then the offset as a number.

    >>> sort_key(b'a:9', b'x') < sort_key(b'a:10', b'x') < sort_key(b'b:1', b'x')
    True
    """
    archive, _, place = rid.rpartition(b':')
    member, _, inside = place.partition(b'+')
    return b'%b\1%020d%020d\0%b' % (archive, int(member), int(inside or 0), row)
