"""The first words in which two pages differ."""

import difflib
from typing import NamedTuple

import numpy as np

WINDOW = 300  # words in which to look for the end of a difference


class Difference(NamedTuple):
    """Words that differ: behind `start` words that both pages have."""

    start: int
    here: int  # the word after the last one that differs, in one page
    there: int  # the same in the other page


def find_difference(here: np.ndarray, there: np.ndarray) -> Difference | None:
    """Return the first difference of two pages; None if all words are the same.

    A difference of more than WINDOW words is cut. Words are numbers.

    >>> one, other = np.array([1, 2, 3, 4, 5]), np.array([1, 2, 9, 8, 4, 5])
    >>> find_difference(one, other)
    Difference(start=2, here=3, there=4)
    >>> find_difference(one, one[:3])
    Difference(start=3, here=5, there=3)
    >>> find_difference(one, one)
    """
    size = min(len(here), len(there))
    differs = np.flatnonzero(here[:size] != there[:size])
    start = int(differs[0]) if len(differs) else size
    if start == len(here) == len(there):
        return None
    window = slice(start, start + WINDOW)
    parts = here[window].tolist(), there[window].tolist()
    _, _, stop, _, other = difflib.SequenceMatcher(None, *parts, False).get_opcodes()[0]
    return Difference(start, start + stop, start + other)
