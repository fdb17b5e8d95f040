"""What the source of a page shares with the sources of others.

A byte is shared if it is in an n-gram that the other source has too: an n-gram of all
bytes, or one of noise. Letters between the signs of a shared n-gram of noise may be
others. Sources are in UTF-8.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.shuffle import ragged
from mr_reuse.text.noise import grams

# What a byte shares: the same bytes with all or some of the others, or the same signs.
NOTHING, SIGNS_OF_SOME, SIGNS_OF_ALL, SAME_IN_SOME, SAME_IN_ALL = range(5)
MAX_LINKS = 20  # of a part
N = 32  # bytes of an n-gram of all bytes
LETTERS = np.zeros(256, bool)
for first, last in (b'09', b'AZ', b'az', b'\x80\xff'):
    LETTERS[first : last + 1] = True


class Grams(NamedTuple):
    """The n-grams of a source: their hashes, their first and their last bytes."""

    hashes: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


class Source(NamedTuple):
    """A source, with its n-grams of all bytes and of noise."""

    text: str
    data: np.ndarray
    same: Grams
    signs: Grams

    def grams_of(self, share: int) -> Grams:
        """Return the n-grams on which a share is based."""
        return self.same if share >= SAME_IN_SOME else self.signs


class Part(NamedTuple):
    """A part of a source, as a text, and as bytes."""

    text: str
    share: int
    start: int
    end: int


def read_source(text: str, n: int) -> Source:
    """Read a source, given the length of the n-grams of noise."""
    data = np.frombuffer(text.encode('utf-8', 'replace'), np.uint8)
    noise = np.flatnonzero(~LETTERS[data])
    return Source(
        text,
        data,
        _find_grams(data, np.arange(len(data)), N),
        _find_grams(data, noise, n),
    )


def _find_grams(data: np.ndarray, places: np.ndarray, n: int) -> Grams:
    """Return the n-grams of the bytes at some places."""
    found = data[places]
    count = max(0, len(found) - n + 1)
    hashes = np.zeros(count, np.uint64)
    for start in range(0, count, grams.AT_ONCE):
        some = found[start : start + grams.AT_ONCE + n - 1]
        hashes[start : start + grams.AT_ONCE] = grams.hash_grams(some, n)
    return Grams(hashes, places[:count], places[n - 1 :])


class Cover(NamedTuple):
    """Whether each byte of a source is in an n-gram that another one has too."""

    same: np.ndarray
    signs: np.ndarray


def find_cover(source: Source, other: Source) -> Cover:
    """Return what a source shares with another one."""
    pairs = zip((source.same, source.signs), (other.same, other.signs), strict=True)
    return Cover(*(_find_covered(len(source.data), *pair) for pair in pairs))


def _find_covered(size: int, mine: Grams, theirs: Grams) -> np.ndarray:
    is_shared = np.isin(mine.hashes, theirs.hashes)
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, mine.starts[is_shared], 1)
    np.add.at(steps, mine.ends[is_shared] + 1, -1)
    return np.cumsum(steps[:-1]) > 0


def find_shares(source: Source, covers: Sequence[Cover]) -> np.ndarray:
    """Return what each byte of a source shares with others.

    >>> pages = [f'<p class="x">{word}</p>' for word in ('one', 'two')]
    >>> one, two = (read_source(page, 6) for page in pages)
    >>> shares = find_shares(one, [find_cover(one, two)])
    >>> shares.tolist() == [SIGNS_OF_ALL] * len(one.text)
    True
    """
    shares = np.zeros(len(source.data), np.int64)
    if covers:
        same, signs = (np.sum(column, axis=0) for column in zip(*covers, strict=True))
        shares[signs > 0] = SIGNS_OF_SOME
        shares[signs == len(covers)] = SIGNS_OF_ALL
        shares[same > 0] = SAME_IN_SOME
        shares[same == len(covers)] = SAME_IN_ALL
    return shares


def divide_source(source: Source, shares: np.ndarray) -> Iterator[Part]:
    """Divide a source into parts of bytes that share the same.

    >>> source = read_source('aéb', 6)
    >>> [part[:2] for part in divide_source(source, np.array([0, 1, 0, 0]))]
    [('a', 0), ('é', 1), ('b', 0)]
    """
    # A character of several bytes is in the part of its first byte.
    firsts = np.flatnonzero(source.data & 0xC0 != 0x80)
    ends = np.append(firsts[1:], len(source.data))
    for where in ragged.runs_of(shares[firsts]):
        start = int(firsts[where.start])
        yield Part(
            source.text[where],
            int(shares[start]),
            start,
            int(ends[where.stop - 1]),
        )


class Linker:
    """Links the parts of a source to each other, and those of others to them.

    A link is the number of the part in which an n-gram occurs first.
    """

    def __init__(self, source: Source, parts: Sequence[Part]):
        starts = np.array([part.start for part in parts], np.int64)
        self._known = {}
        for kind in (SAME_IN_ALL, SIGNS_OF_ALL):
            found = source.grams_of(kind)
            hashes, first = np.unique(found.hashes, return_index=True)
            numbers = np.searchsorted(starts, found.starts[first], 'right') - 1
            self._known[kind] = hashes, numbers

    def find_links(self, source: Source, part: Part) -> tuple[int, ...]:
        """Return the links of a part of the source itself, or of another one.

            >>> one = read_source('<p class="x">', 6)
            >>> shares = find_shares(one, [find_cover(one, one)])
        >>> parts = list(divide_source(one, shares))
            >>> Linker(one, parts).find_links(one, parts[0])
            (0,)
        """
        kind = SAME_IN_ALL if part.share >= SAME_IN_SOME else SIGNS_OF_ALL
        hashes, numbers = self._known[kind]
        found = source.grams_of(part.share)
        first = int(np.searchsorted(found.ends, part.start))
        last = int(np.searchsorted(found.starts, part.end))
        some = found.hashes[first:last]
        some = some[np.isin(some, hashes)]
        links = np.unique(numbers[np.searchsorted(hashes, some)])
        return tuple(links[:MAX_LINKS].tolist())
