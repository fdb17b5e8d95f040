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
    """The n-grams of a source: their hashes, first and last bytes, and middles."""

    hashes: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    middles: np.ndarray


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
    starts, ends = places[:count], places[n - 1 :]
    return Grams(hashes, starts, ends, (starts + ends) // 2)


class Shared(NamedTuple):
    """Whether another source has each n-gram of a source too."""

    same: np.ndarray
    signs: np.ndarray


def find_shared(source: Source, other: Source) -> Shared:
    """Return what a source shares with another one."""
    same = np.isin(source.same.hashes, other.same.hashes)
    return Shared(same, np.isin(source.signs.hashes, other.signs.hashes))


def find_shares(source: Source, shared: Sequence[Shared]) -> np.ndarray:
    """Return what each byte of a source shares with others.

    >>> pages = [f'<p class="x">{word}</p>' for word in ('one', 'two')]
    >>> one, two = (read_source(page, 6) for page in pages)
    >>> shares = find_shares(one, [find_shared(one, two)])
    >>> shares.tolist() == [SIGNS_OF_ALL] * len(one.text)
    True
    """
    size = len(source.data)
    same, signs = (np.zeros(size, np.int64) for _ in range(2))
    for found in shared:
        same += _cover(size, source.same, found.same)
        signs += _cover(size, source.signs, found.signs)
    shares = np.zeros(size, np.int64)
    shares[signs > 0] = SIGNS_OF_SOME
    shares[(signs == len(shared)) & (signs > 0)] = SIGNS_OF_ALL
    shares[same > 0] = SAME_IN_SOME
    shares[(same == len(shared)) & (same > 0)] = SAME_IN_ALL
    return shares


def _cover(size: int, found: Grams, is_shared: np.ndarray) -> np.ndarray:
    """Return whether each byte is in a shared n-gram."""
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, found.starts[is_shared], 1)
    np.add.at(steps, found.ends[is_shared] + 1, -1)
    return np.cumsum(steps[:-1]) > 0


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


class Link(NamedTuple):
    """What links a part of a source to others: an n-gram near its middle."""

    number: int  # of the first part with this n-gram
    owner: int  # the number of the first other source that has it too, from 1


NO_LINK = Link(-1, 0)


class Linker:
    """Links the parts of a source with those of other sources, by their numbers."""

    def __init__(self, source: Source, parts: Sequence[Part], shared: Sequence[Shared]):
        self._numbers: list[dict[int, int]] = [{}, {}]  # by hashes: of signs, of bytes
        owners = list(map(_first_owners, zip(*shared, strict=True)))
        self.links = [
            self._link(number, part, source.grams_of(part.share), owners)
            for number, part in enumerate(parts)
        ]

    def _link(
        self, number: int, part: Part, found: Grams, owners: list[np.ndarray]
    ) -> Link:
        """Return the link of a part; NO_LINK if it shares nothing."""
        if not part.share:
            return NO_LINK
        is_same = part.share >= SAME_IN_SOME
        first = int(np.searchsorted(found.ends, part.start))
        last = int(np.searchsorted(found.starts, part.end))
        of_grams = owners[0 if is_same else 1][first:last]
        places = first + np.flatnonzero(of_grams)
        middle = (part.start + part.end - 1) // 2
        nearest = np.abs(found.middles[places] - middle).argmin()
        place = int(places[nearest])
        numbers = self._numbers[is_same]
        first_number = numbers.setdefault(int(found.hashes[place]), number)
        return Link(first_number, int(of_grams[place - first]))

    def find_links(self, source: Source, part: Part) -> tuple[int, ...]:
        """Return the numbers to which a part of another source is linked.

        >>> one = read_source('<p class="x">', 6)
        >>> shared = find_shared(one, one)
        >>> parts = list(divide_source(one, find_shares(one, [shared])))
        >>> Linker(one, parts, [shared]).find_links(one, parts[0])
        (0,)
        """
        links: set[int] = set()
        kinds = source.signs, source.same
        for found, numbers in zip(kinds, self._numbers, strict=True):
            bounds = np.searchsorted(found.middles, (part.start, part.end))
            first, last = bounds.tolist()
            keys = found.hashes[first:last].tolist()
            links |= {numbers[key] for key in keys if key in numbers}
        return tuple(sorted(links)[:MAX_LINKS])


def _first_owners(shared: Sequence[np.ndarray]) -> np.ndarray:
    """Return the number, from 1, of the first source that has each n-gram; 0 if none.

    >>> _first_owners([np.array([True, False, False]), np.array([True, True, False])])
    array([1, 2, 0])
    """
    table = np.stack(shared)
    return np.where(table.any(axis=0), table.argmax(axis=0) + 1, 0)
