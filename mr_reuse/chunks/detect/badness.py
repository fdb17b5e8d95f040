"""Badness: the rule and the thresholds for pages and neighborhoods."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.chunks.detect.neighborhoods import DOMAIN, HOST, Neighborhood
from mr_reuse.chunks.ratios import ONE, Sums, Threshold, format_ratio
from mr_reuse.engine.record import RUN_JSON
from mr_reuse.errors import UserError
from mr_reuse.shuffle.sorting import descending

FRACTION_FIELDS = ('page_threshold', 'neighborhood_threshold', 'sigmas')
RATIOS = ('pooled', 'mean')  # of a neighborhood: values of `--ratio`
RANKS = ('ratio', 'bad')  # values of `--rank`
HIGHEST = 3  # pages, or neighborhoods of a level, to name if they are not bad


class Rule(NamedTuple):
    """The options that decide which pages and neighborhoods are bad."""

    levels: str = 'all'  # or 'site', 'domain', the number of a level
    ratio: str = 'pooled'
    page_threshold: Fraction | None = None
    neighborhood_threshold: Fraction | None = None
    sigmas: Fraction = Fraction(1)
    per_level: bool | None = True  # None until `settle`, if no option says it
    rank: str = 'ratio'
    top: int | None = None
    min_bad: int = 0
    min_chunks: int = 1

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for JSON, fractions as text."""
        fields = self._asdict()
        return {
            name: str(value) if isinstance(value, Fraction) else value
            for name, value in fields.items()
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> 'Rule':
        """Make a rule from the result of `as_dict`.

        >>> rule = Rule(sigmas=Fraction('0.5'), top=3)
        >>> Rule.from_dict(rule.as_dict()) == rule
        True
        """
        try:
            return cls(
                **{
                    name: Fraction(value)
                    if name in FRACTION_FIELDS and value is not None
                    else value
                    for name, value in fields.items()
                }
            )
        except (ValueError, TypeError, ZeroDivisionError):
            raise UserError(
                f'{RUN_JSON}: its rule for bad sites is damaged, or of another '
                'version; run detect again'
            ) from None

    def settle(self, preset: str | None) -> 'Rule':
        """Return the rule for pages of a preset, which decides an open `per_level`.

        The paper takes all levels together, so a preset does.

        >>> untyped = Rule(per_level=None)
        >>> untyped.settle(None).per_level, untyped.settle('ccr2019').per_level
        (True, False)
        """
        if self.neighborhood_threshold is not None:
            # It holds for all levels. Equal results have equal rules in their records.
            return self._replace(per_level=False)
        if self.per_level is not None:
            return self
        return self._replace(per_level=preset is None)

    def is_judged(self, level: int) -> bool:
        """Test whether neighborhoods of a level are judged.

        >>> [Rule(levels=name).is_judged(1) for name in ('all', 'site', 'domain', '2')]
        [True, True, False, False]
        """
        # `all` means the levels of folders, and hosts as the first of them.
        return level != DOMAIN if self.levels == 'all' else level == self.site_level

    @property
    def site_level(self) -> int:
        """The level of the neighborhoods that are compared as sites."""
        if self.levels == 'domain':
            return DOMAIN
        return int(self.levels) if self.levels.isdigit() else HOST

    def ratio_of(self, hood: Neighborhood) -> int | None:
        """Return the ratio of a neighborhood to compare with the threshold."""
        return hood.pooled if self.ratio == 'pooled' else hood.mean

    def is_bad(self, hood: Neighborhood, threshold: Threshold) -> bool:
        """Test whether a neighborhood is above a threshold and has enough labels."""
        ratio = self.ratio_of(hood)
        is_above = ratio is not None and threshold.is_above(ratio)
        return is_above and hood.bad >= self.min_bad

    def sort_key(self, ratio: int, bad: int) -> bytes:
        """Return the sort key of a bad page or neighborhood: the worst first.

        >>> Rule().sort_key(ONE, 1) < Rule().sort_key(0, 9)
        True
        >>> Rule(rank='bad').sort_key(ONE, 1) < Rule(rank='bad').sort_key(0, 9)
        False
        """
        by_ratio, by_bad = descending(ratio), descending(bad)
        return by_ratio + by_bad if self.rank == 'ratio' else by_bad + by_ratio


class LevelSums:
    """The number of neighborhoods of each level, and the sums of their ratios."""

    def __init__(self, hoods: Iterable[Neighborhood] = ()):
        self.count: Counter[int] = Counter()  # neighborhoods by level
        self._sums: dict[tuple[str, int], list[int]] = {}
        for hood in hoods:
            self.add(hood)

    def add(self, hood: Neighborhood) -> None:
        """Add a neighborhood."""
        self.count[hood.level] += 1
        for name in RATIOS:
            ratio = getattr(hood, name)
            if ratio is not None:
                sums = self._sums.setdefault((name, hood.level), [0, 0, 0])
                sums[0] += 1
                sums[1] += ratio
                sums[2] += ratio * ratio

    def to_json(self) -> dict[str, Any]:
        """Return all numbers, for `merge`."""
        sums = [[*key, *numbers] for key, numbers in self._sums.items()]
        return {'count': dict(self.count), 'sums': sorted(sums)}

    def merge(self, data: Mapping[str, Any]) -> None:
        """Add the numbers of other neighborhoods, as `to_json` returns them.

        >>> hood = Neighborhood('x.org/', 1, 2, 2, 3, 5, 15 * 10**11)
        >>> level_sums, others = LevelSums(), LevelSums()
        >>> others.add(hood)
        >>> level_sums.add(hood._replace(bad=5))
        >>> level_sums.merge(others.to_json())
        >>> level_sums.count, level_sums.sums('pooled', 1).sum
        (Counter({1: 2}), 1600000000000)
        """
        self.count.update({int(level): n for level, n in data['count'].items()})
        for name, level, *numbers in data['sums']:
            sums = self._sums.setdefault((name, level), [0, 0, 0])
            sums[:] = map(sum, zip(sums, numbers, strict=True))

    def sums(self, ratio: str, level: int | None = None) -> Sums:
        """Return the sums over one level, or over all levels."""
        selected = [
            numbers
            for (name, level_of_sums), numbers in self._sums.items()
            if name == ratio and level in (None, level_of_sums)
        ]
        return Sums(*map(sum, zip(*selected, strict=True))) if selected else Sums()

    @property
    def levels(self) -> list[int]:
        """The levels of the neighborhoods, ascending."""
        return sorted(self.count)


def make_shared_threshold(rule: Rule, level_sums: LevelSums) -> Threshold | None:
    """Return the threshold of all levels, None if they have several."""
    fixed = rule.neighborhood_threshold
    if rule.per_level and fixed is None and len(level_sums.levels) > 1:
        return None
    return Threshold(fixed, rule.sigmas, level_sums.sums(rule.ratio))


def make_thresholds(rule: Rule, level_sums: LevelSums) -> Callable[[int], Threshold]:
    """Return a function from a level to its threshold."""
    shared = make_shared_threshold(rule, level_sums)
    if shared is not None:
        return lambda _: shared
    by_level = {
        level: Threshold(None, rule.sigmas, level_sums.sums(rule.ratio, level))
        for level in level_sums.levels
    }
    return by_level.__getitem__


class Highest:
    """The pages, or neighborhoods of a level, with the highest ratios."""

    def __init__(self) -> None:
        # Sorted, the highest first: ratio and bad, both negative, name and total.
        self.items: list[tuple[int, int, str, int]] = []

    def add(self, name: str, ratio: int, bad: int, total: int) -> None:
        """Add one, unless it has no label."""
        item = -ratio, -bad, name, total
        if bad and (len(self.items) < HIGHEST or item < self.items[-1]):
            self.merge([item])

    def may_have(self, ratio: int) -> bool:
        """Test whether one with this ratio may be among the highest."""
        return len(self.items) < HIGHEST or ratio >= -self.items[-1][0]

    def merge(self, items: Iterable[Iterable[Any]]) -> None:
        """Add the items of others."""
        self.items = sorted([*self.items, *map(tuple, items)])[:HIGHEST]

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return them for JSON.

        >>> highest = Highest()
        >>> for number in range(5):
        ...     highest.add(f'{number}.org/', number * ONE // 8, number, 8)
        >>> [(item['name'], item['ratio']) for item in highest.as_dicts()]
        [('4.org/', 0.5), ('3.org/', 0.375), ('2.org/', 0.25)]
        """
        return [
            {
                'name': name,
                'ratio': float(format_ratio(-ratio)),
                'bad': -bad,
                'total': total,
            }
            for ratio, bad, name, total in self.items
        ]


def make_page_threshold(rule: Rule, stats: Mapping[str, int]) -> Threshold:
    """Return the threshold of pages, from the sums of their ratios."""
    sums = Sums(*(stats.get(name, 0) for name in Sums._fields))
    return Threshold(rule.page_threshold, rule.sigmas, sums)


def floor_percent(ratio: int) -> int:
    """Round a ratio down to whole percents."""
    return ratio * 100 // ONE
