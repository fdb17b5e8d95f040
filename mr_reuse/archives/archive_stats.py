"""Statistics of an archive: numbers of records read, and of losses by cause.

Readers count every loss here. A task reports the statistics in the last line of its
output, and the driver prints them as a table.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from mr_reuse.archives import causes, sniff, urls

MAX_DEPTH = 1000  # path components; deeper URLs count as this deep, to bound `depths`

# In place of the name of an archive: the statistics of several are summed.
PAGE_FILES, FURTHER = SUMS = ('pages in files of their own', 'further archives')
OF_ALL = 'all archives'
PARTS = ('counts', 'types', 'skipped', 'notes', 'damage', 'depths')  # that are summed

# Causes whose bytes are those of a range of the archive, also if it is compressed.
OF_RANGES = (
    causes.CRC,
    causes.BROKEN,
    causes.BETWEEN,
    causes.NO_ARCHIVE,
    causes.CONTAINER,
)


class ArchiveStats:
    """The counts of one archive.

    >>> stats = ArchiveStats('a.warc.gz')
    >>> stats.lose('bad gzip member', records=1, size=120)
    >>> stats.note('content encoding not as declared')
    >>> stats.damaged
    True
    >>> stats.as_dict()['damage']
    {'bad gzip member': [1, 120]}
    """

    def __init__(self, archive: str):
        self.archive = archive
        self.counts: Counter[str] = Counter()  # files, pages, bytes …
        self.types: Counter[str] = Counter()  # pages by media type
        self.skipped: Counter[str] = Counter()  # records left out on purpose
        self.notes: Counter[str] = Counter()  # oddities by kind; nothing was lost
        self.depths: Counter[int] = Counter()  # URLs by path components, loops included
        self.damage: dict[str, list[int]] = {}  # cause: [records, bytes]
        # Bytes of the archive, and those of them in ranges that were skipped. What is
        # lost in a member that inflates is counted in inflated bytes, so not here.
        self._size = self._unread = 0
        self._is_packed = False

    def count_pages(self, pages: Collection[tuple[str, str, int]]) -> None:
        """Count pages by URL, media type ('' if empty) and bytes of the body.

        >>> stats = ArchiveStats('a.warc.gz')
        >>> stats.count_pages([('http://a/b/c', 'text/html', 9), ('http://a/', '', 0)])
        >>> stats.counts['files'], stats.counts['pages'], stats.types, stats.depths
        (2, 1, Counter({'text/html': 1, 'empty': 1}), Counter({2: 1, 0: 1}))
        """
        if not pages:
            return
        names, medias, sizes = zip(*pages, strict=True)
        texts = sum(map(sniff.is_text, medias))
        self.counts.update(files=len(pages), pages=texts, bytes=sum(sizes))
        self.types.update([media or 'empty' for media in medias])
        self.count_depths(names)

    def count_depths(self, names: Iterable[str]) -> None:
        """Count URLs by their number of path components."""
        depths = map(len, map(urls.path_components, names))
        self.depths.update([min(depth, MAX_DEPTH) for depth in depths])

    def lose(self, cause: str, records: int = 0, size: int = 0) -> None:
        """Count records and bytes that could not be read."""
        lost = self.damage.setdefault(cause, [0, 0])
        lost[0] += records
        lost[1] += size
        if not self._is_packed or cause in OF_RANGES:
            self._unread += size

    def begin_members(self) -> None:
        """Note that the archive consists of gzip members."""
        self._is_packed = True

    def finish_archive(self, size: int) -> None:
        """Note the bytes of an archive that was read to its end."""
        self._size = size

    def note(self, cause: str) -> None:
        """Count an oddity that lost nothing."""
        self.notes[cause] += 1

    def add(self, other: 'ArchiveStats') -> None:
        """Add the counts of other statistics, without their damage.

        Damage belongs to an archive, so it cannot be added to that of another.
        """
        for name in ('counts', 'types', 'skipped', 'notes', 'depths'):
            getattr(self, name).update(getattr(other, name))

    @property
    def damaged(self) -> bool:
        return bool(self.damage)

    def as_dict(self) -> dict[str, Any]:
        """Return the non-empty attributes, for JSON.

        Those of a damaged archive include its bytes, as far as they were read.

        >>> stats = ArchiveStats('a.warc')
        >>> stats.finish_archive(100)
        >>> stats.lose('not an archive', 0, 100)
        >>> stats.as_dict()['bytes']
        {'read': 0, 'unread': 100}
        """
        public = {name: v for name, v in vars(self).items() if name[0] != '_'}
        filled = {name: value for name, value in public.items() if value}
        if self.damage and self._size:
            unread = min(self._unread, self._size)
            filled['bytes'] = {'read': self._size - unread, 'unread': unread}
        return {k: v if isinstance(v, str) else dict(v) for k, v in filled.items()}


def is_unread(stats: dict[str, Any]) -> bool:
    """Test whether nothing of a damaged archive could be read.

    >>> is_unread({'archive': 'a', 'damage': {'not an archive': [0, 999]}})
    True
    >>> is_unread({'archive': 'a', 'counts': {'pages': 1}, 'damage': {'cut': [1, 9]}})
    False
    """
    return bool(stats.get('damage')) and not {'counts', 'types', 'skipped'} & set(stats)


def is_refused(stats: dict[str, Any]) -> bool:
    """Test whether opening an archive failed, or its server was busy.

    >>> is_refused({'archive': 'a', 'damage': {'cannot be read: no right': [0, 0]}})
    True
    >>> is_refused({'archive': 'a', 'counts': {'pages': 1}, 'damage': {'cut': [1, 9]}})
    False
    """
    damage = list(stats.get('damage', ()))
    if any(cause.startswith(causes.BUSY) for cause in damage):
        return True
    return is_unread(stats) and any(c.startswith(causes.REFUSED) for c in damage)


def sum_stats(all_stats: Iterable[Mapping[str, Any]], part: str) -> dict[str, Any]:
    """Sum one attribute of the statistics of many archives.

    >>> sum_stats([{'counts': {'pages': 2}}, {'counts': {'pages': 1}}, {}], 'counts')
    {'pages': 3}
    >>> sum_stats([{'damage': {'cut': [1, 5]}}, {'damage': {'cut': [1, 7]}}], 'damage')
    {'cut': [2, 12]}
    """
    sums: dict[str, Any] = {}
    for stats in all_stats:
        for name, value in stats.get(part, {}).items():
            if isinstance(value, list):
                previous = sums.get(name, [0] * len(value))
                sums[name] = [a + b for a, b in zip(previous, value, strict=True)]
            else:
                sums[name] = sums.get(name, 0) + value
    return sums


def sum_all(all_stats: Collection[Mapping[str, Any]], name: str) -> dict[str, Any]:
    """Sum the statistics of archives to one with a name.

    >>> sum_all([{'archive': 'a', 'counts': {'pages': 2}}, {'archive': 'b'}], 'both')
    {'archive': 'both', 'counts': {'pages': 2}}
    """
    sums = {part: sum_stats(all_stats, part) for part in PARTS}
    return {
        'archive': name,
        **{part: of_all for part, of_all in sums.items() if of_all},
    }
