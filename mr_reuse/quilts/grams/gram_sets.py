"""Sets of grams: sorted columns of keys and checks."""

import numpy as np

NO_GRAM = -1


def number_grams(
    known: tuple[np.ndarray, np.ndarray], keys: np.ndarray, checks: np.ndarray
) -> np.ndarray:
    """Return the numbers of grams among known ones, NO_GRAM for all others.

    The known ones are distinct, and sorted by key and check.

    >>> known = np.array([3, 7, 7]), np.array([1, 1, 2])
    >>> number_grams(known, np.array([7, 7, 3, 5]), np.array([2, 3, 1, 1])).tolist()
    [2, -1, 0, -1]
    """
    known_keys, known_checks = known
    numbers = np.full(len(keys), NO_GRAM, np.int64)
    rows, at = np.arange(len(keys)), np.searchsorted(known_keys, keys)
    # Two grams with one key are next to each other. They are rare.
    while len(rows):
        inside = at < len(known_keys)
        rows, at = rows[inside], at[inside]
        same = known_keys[at] == keys[rows]
        rows, at = rows[same], at[same]
        is_it = known_checks[at] == checks[rows]
        numbers[rows[is_it]] = at[is_it]
        rows, at = rows[~is_it], at[~is_it] + 1
    return numbers
