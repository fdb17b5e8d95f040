"""What is bad: thresholds over pages and neighborhoods."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.chunks.detect.neighborhoods import DOMAIN, Neighborhood
from mr_reuse.chunks.detect.ratios import ONE, Sums, Threshold
from mr_reuse.shuffle.sorting import descending

OF_FRACTIONS = ('page_threshold', 'neighborhood_threshold', 'sigmas')
RATIOS = ('pooled', 'mean')


class Rule(NamedTuple):
    """What the user asks for, of all that was counted."""

    levels: str = 'all'  # or site, domain, a number
    ratio: str = 'pooled'
    page_threshold: Fraction | None = None
    neighborhood_threshold: Fraction | None = None
    sigmas: Fraction = Fraction(1)
    per_level: bool = False
    rank: str = 'ratio'
    top: int | None = None
    min_bad: int = 0
    min_chunks: int = 1

    def as_dict(self) -> dict[str, Any]:
        """For JSON: fractions as text."""
        fields = self._asdict()
        return {k: str(v) if isinstance(v, Fraction) else v for k, v in fields.items()}

    @classmethod
    def of_dict(cls, told: Mapping[str, Any]) -> 'Rule':
        """A rule from what was written of it.

        >>> rule = Rule(sigmas=Fraction('0.5'), top=3)
        >>> Rule.of_dict(rule.as_dict()) == rule
        True
        """
        return cls(
            **{
                k: Fraction(v) if k in OF_FRACTIONS and v is not None else v
                for k, v in told.items()
            }
        )

    def is_kept(self, level: int) -> bool:
        """Whether neighborhoods of a level are looked at.

        >>> [Rule(levels=one).is_kept(1) for one in ('all', 'site', 'domain', '2')]
        [True, True, False, False]
        """
        if self.levels == 'all':
            return level != DOMAIN
        return level == {'site': 1, 'domain': DOMAIN}.get(self.levels, self.level)

    @property
    def level(self) -> int:
        """The level that is asked for by its number, -1 if none is."""
        return int(self.levels) if self.levels.isdigit() else -1

    @property
    def site_level(self) -> int:
        """The level at which one asks who copied from whom."""
        return {'all': 1, 'site': 1, 'domain': DOMAIN}.get(self.levels, self.level)

    def of(self, one: Neighborhood) -> int | None:
        """The ratio of a neighborhood that has to be above the threshold."""
        return one.pooled if self.ratio == 'pooled' else one.mean

    def is_bad(self, one: Neighborhood, above: Threshold) -> bool:
        """Whether a neighborhood is above a threshold, with chunks enough."""
        ratio = self.of(one)
        return ratio is not None and above.is_above(ratio) and one.bad >= self.min_bad

    def sorted_by(self, ratio: int, bad: int) -> bytes:
        """What sorts bad ones, the worst first.

        >>> Rule().sorted_by(ONE, 1) < Rule().sorted_by(0, 9)
        True
        >>> Rule(rank='bad').sorted_by(ONE, 1) < Rule(rank='bad').sorted_by(0, 9)
        False
        """
        keys = [descending(ratio), descending(bad)]
        return b''.join(keys if self.rank == 'ratio' else keys[::-1])


class Spread:
    """How many neighborhoods there are at each level, and the sums of their ratios."""

    def __init__(self, found: Iterable[Neighborhood]):
        held: dict[tuple[str, int], list[int]] = {}
        self.count: Counter[int] = Counter()
        for one in found:
            self.count[one.level] += 1
            for name in RATIOS:
                ratio = getattr(one, name)
                if ratio is not None:
                    sums = held.setdefault((name, one.level), [0, 0, 0])
                    sums[0] += 1
                    sums[1] += ratio
                    sums[2] += ratio * ratio
        self._sums = {key: Sums(*sums) for key, sums in held.items()}

    def sums(self, ratio: str, level: int | None = None) -> Sums:
        """The sums over one level, or over all."""
        found = [
            sums
            for (name, of), sums in self._sums.items()
            if name == ratio and level in (None, of)
        ]
        return Sums(*map(sum, zip(*found, strict=True))) if found else Sums()

    @property
    def levels(self) -> list[int]:
        """The levels that there are."""
        return sorted(self.count)


def thresholds(rule: Rule, spread: Spread) -> Callable[[int], Threshold]:
    """The threshold of each level: one for all, unless the user wants one for each."""
    fixed, sigmas = rule.neighborhood_threshold, rule.sigmas
    if not rule.per_level or fixed is not None:
        for_all = Threshold(fixed, sigmas, spread.sums(rule.ratio))
        return lambda level: for_all
    each = {
        level: Threshold(None, sigmas, spread.sums(rule.ratio, level))
        for level in spread.levels
    }
    return each.__getitem__


def page_threshold(rule: Rule, told: Mapping[str, int]) -> Threshold:
    """The threshold of pages, from the sums over their ratios."""
    sums = Sums(*(told.get(name, 0) for name in Sums._fields))
    return Threshold(rule.page_threshold, rule.sigmas, sums)


def percent(ratio: int) -> int:
    """The whole percents of a ratio."""
    return ratio * 100 // ONE
