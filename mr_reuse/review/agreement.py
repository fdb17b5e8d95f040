"""Whether two judges agree, and by how much more than chance.

J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
Measurement 20 (1960), 37-46.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Agreement(NamedTuple):
    """Of two judges, on what both of them have judged."""

    same: int
    items: int
    kappa: float | None  # None: both put everything into the same category, or nothing


def agreement(pairs: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    """What two judges said of each item.

    >>> agreement([('a', 'a'), ('a', 'b'), ('b', 'b'), ('b', 'b')])
    Agreement(same=3, items=4, kappa=0.5)
    >>> agreement([('a', 'a'), ('a', 'a')]).kappa
    """
    items = len(pairs)
    same = sum(one == other for one, other in pairs)
    first, second = (Counter(pair[i] for pair in pairs) for i in (0, 1))
    # Whole numbers, so that agreement by chance is told from certainty.
    chance = sum(n * second[what] for what, n in first.items())
    left = items * items - chance
    return Agreement(same, items, (items * same - chance) / left if left else None)
