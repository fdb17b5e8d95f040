"""The agreement of two judges beyond chance: Cohen's kappa.

J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
Measurement 20 (1960), 37-46.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Agreement(NamedTuple):
    """The agreement of two judges on the items that both have judged."""

    same: int  # items with the same judgement
    items: int
    kappa: float | None  # None if all judgements are the same, or there are none


def agreement(pairs: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    """Compute the agreement from the pair of judgements of each item.

    >>> agreement([('a', 'a'), ('a', 'b'), ('b', 'b'), ('b', 'b')])
    Agreement(same=3, items=4, kappa=0.5)
    >>> agreement([('a', 'a'), ('a', 'a')]).kappa is None
    True
    """
    items = len(pairs)
    same = sum(left == right for left, right in pairs)
    first, second = (Counter(pair[i] for pair in pairs) for i in (0, 1))
    # Integers, times items squared: a difference of 0 is exact, and kappa undefined.
    chance = sum(count * second[name] for name, count in first.items())
    beyond = items * items - chance
    kappa = (items * same - chance) / beyond if beyond else None
    return Agreement(same, items, kappa)
