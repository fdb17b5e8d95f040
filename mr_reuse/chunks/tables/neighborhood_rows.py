"""The rows of the tables of neighborhoods: all, and bad ones."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from mr_reuse.chunks.chunk_tables import BAD_NEIGHBORHOODS, NEIGHBORHOODS
from mr_reuse.chunks.detect.badness import Highest, LevelSums, Rule, floor_percent
from mr_reuse.chunks.detect.neighborhoods import Neighborhood, read_neighborhood
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.tables.row_makers import RowMaker


def read_judged(key: bytes, value: bytes, rule: Rule) -> Neighborhood | None:
    """Parse a neighborhood; None if neighborhoods of its level are not judged."""
    if rule.is_judged(int(value.partition(b'\t')[0])):
        return read_neighborhood(key + b'\t' + value)
    return None


class NeighborhoodRows(RowMaker):
    """All neighborhoods of the levels to judge, in the order of their prefixes."""

    table = NEIGHBORHOODS

    def __init__(self, rule: Rule):
        self._rule = rule
        self.level_sums = LevelSums()

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the row of a neighborhood."""
        if hood := read_judged(key, value, self._rule):
            self.level_sums.add(hood)
            yield b'', to_bytes(hood.row())

    @property
    def stats(self) -> dict[str, Any]:
        return self.level_sums.to_json()

    def merge(self, stats: dict[str, Any]) -> None:
        self.level_sums.merge(stats)


class BadNeighborhoodRows(RowMaker):
    """The neighborhoods above the threshold of their level, worst first."""

    table = BAD_NEIGHBORHOODS

    def __init__(self, rule: Rule, limits: Mapping[int, int]):
        """`limits` has the highest ratio of each level that is not bad."""
        self._rule, self._limits = rule, limits
        self.bad: Counter[int] = Counter()  # by level
        self.percents: Counter[int] = Counter()  # of the ratios of all neighborhoods
        self.highest: dict[int, Highest] = defaultdict(Highest)  # of the others

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the row of a neighborhood if it is bad."""
        hood = read_judged(key, value, self._rule)
        ratio = None if hood is None else self._rule.ratio_of(hood)
        if ratio is None:
            return
        self.percents[floor_percent(ratio)] += 1
        if ratio > self._limits[hood.level] and hood.bad >= self._rule.min_bad:
            self.bad[hood.level] += 1
            order = self._rule.sort_key(ratio, hood.bad)
            yield order + to_bytes(hood.prefix), to_bytes(hood.row())
        else:
            self.highest[hood.level].add(hood.prefix, ratio, hood.bad, hood.total)

    @property
    def stats(self) -> dict[str, Any]:
        highest = {level: of_level.items for level, of_level in self.highest.items()}
        return {
            'bad': dict(self.bad),
            'percents': dict(self.percents),
            'highest': highest,
        }

    def merge(self, stats: dict[str, Any]) -> None:
        self.bad.update({int(level): n for level, n in stats['bad'].items()})
        self.percents.update({int(n): count for n, count in stats['percents'].items()})
        for level, items in stats['highest'].items():
            self.highest[int(level)].merge(items)
