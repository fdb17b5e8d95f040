"""Passages: pieces of text whose grams are known without counting them.

Each passage has words of its own, the markers, which no other passage has. They are the
first word, the last word, and every fourth word in between. So each gram of five words
contains a marker, and two grams are equal only if they are the same place of the same
passage. A gram across the border of two passages contains the last word of one and the
first word of the other. Two pages share it only if both have the two passages one after
the other.
"""

from dataclasses import dataclass

from mr_reuse.synth.prose import DEEDS, MANNERS, PEOPLE, draw, pick

GRAM = 5  # words
MARKER_EVERY = GRAM - 1  # words
SYLLABLES = [consonant + vowel for consonant in 'bdfgklmnprstvz' for vowel in 'aeiou']
SYLLABLES_OF_MARKER = 4
MARKERS = len(SYLLABLES) ** SYLLABLES_OF_MARKER
# It has no divisor in common with MARKERS, so different numbers have different markers.
STEP = 10_000_019
COMMON = 'a and at by for from in of on or so the to was with'.split() * 4
COMMON += PEOPLE + MANNERS + DEEDS


def marker(seed: int, number: int) -> str:
    """Return the word of a number, from 0 to MARKERS - 1.

    >>> marker(1, 0), marker(1, 1), len({marker(1, number) for number in range(9999)})
    ('semikifa', 'fakamonu', 9999)
    """
    start = int.from_bytes(draw(4, seed, 'markers'), 'big')
    rest, word = (start + number * STEP) % MARKERS, ''
    for _ in range(SYLLABLES_OF_MARKER):
        rest, syllable = divmod(rest, len(SYLLABLES))
        word += SYLLABLES[syllable]
    return word


def is_marked(place: int, length: int) -> bool:
    """Return whether the word at a place of a passage is a marker.

    >>> [place for place in range(7) if is_marked(place, 7)]
    [0, 4, 6]
    """
    return place % MARKER_EVERY == 0 or place == length - 1


@dataclass(slots=True, frozen=True)
class Passage:
    """Words that depend on the seed and on the number of the first marker only."""

    seed: int
    first: int
    length: int

    @property
    def grams(self) -> int:
        """The number of grams within the passage."""
        return max(self.length - GRAM + 1, 0)

    @property
    def markers(self) -> int:
        """The number of markers."""
        return sum(is_marked(place, self.length) for place in range(self.length))

    def words(self) -> list[str]:
        """Return the words.

        >>> Passage(1, 0, 7).words()
        ['semikifa', 'was', 'counted', 'the', 'fakamonu', 'moved', 'nudipuzo']
        """
        bits = draw(self.length, self.seed, 'passage', self.first)
        numbers = iter(range(self.first, self.first + self.markers))
        return [
            marker(self.seed, next(numbers))
            if is_marked(place, self.length)
            else pick(COMMON, bit)
            for place, bit in enumerate(bits)
        ]


@dataclass(slots=True)
class Supply:
    """Passages without a common marker.

    >>> supply = Supply(1, 100)
    >>> supply.passage(7), supply.passage(2)
    (Passage(seed=1, first=100, length=7), Passage(seed=1, first=103, length=2))
    """

    seed: int
    number: int  # of the next marker

    def passage(self, length: int) -> Passage:
        """Return a new passage."""
        passage = Passage(self.seed, self.number, length)
        self.number += passage.markers
        return passage
