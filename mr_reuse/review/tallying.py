"""The judgements in numbers: the rows of the tables."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mr_reuse.review import intervals
from mr_reuse.review.categories import COUNTS, group_of
from mr_reuse.review.intervals import Estimate, Stratum
from mr_reuse.review.judgements import TOP, Judgement


class Row(NamedTuple):
    """A category, or a group of them."""

    name: str
    counts: str
    items: int
    estimate: Estimate  # of the share in the population
    inner: bool = False  # a category of the group above


class Tally:
    """The judgements of one judge on a sample that have a category."""

    def __init__(self, lines: Iterable[Judgement]):
        self.lines = sorted(
            (line for line in lines if line.names), key=lambda line: line.place
        )
        self.sizes = {line.stratum: line.size for line in self.lines}

    @property
    def skipped(self) -> int:
        """The number of items before the last judged one that are not judged."""
        return self.lines[-1].place - len(self.lines)

    @property
    def covered(self) -> int:
        """The number of items in strata with a judged item."""
        return sum(self.sizes.values())

    def row(self, name: str, counts: str, hits: list[bool], inner: bool = False) -> Row:
        """Return a row; `hits` has for each judged item if it belongs to the row."""
        strata = [line.stratum for line in self.lines]
        judged = Counter(strata)
        by_stratum = Counter(s for s, hit in zip(strata, hits, strict=True) if hit)
        parts = [
            Stratum(by_stratum[s], judged[s], size) for s, size in self.sizes.items()
        ]
        return Row(name, counts, sum(hits), intervals.estimate(parts), inner)

    def categories(self, known: Sequence[tuple[str, str]]) -> list[Row]:
        """Return a row for each category and each group.

        The known categories come first, unless no judgement uses any of them. Other
        categories that judgements use follow by name.
        """
        used = {n: line.counts for line in self.lines for n in line.names}
        counts = dict(known) if used.keys() & dict(known) else {}
        counts |= {n: used[n] for n in sorted(used.keys() - counts)}
        groups: dict[str, list[str]] = {}
        for name in counts:
            groups.setdefault(group_of(name) or name, []).append(name)
        rows: list[Row] = []
        for group, names in groups.items():
            if names != [group]:
                hits = [not set(names).isdisjoint(line.names) for line in self.lines]
                rows.append(self.row(group, '', hits))
            for name in names:
                hits = [name in line.names for line in self.lines]
                short = name.removeprefix(f'{group}: ')
                rows.append(self.row(short, counts[name], hits, short != name))
        return rows

    def verdicts(self) -> list[Row]:
        """Return a row for bad, unclear and benign items each."""
        return [
            self.row(counts, '', [line.counts == counts for line in self.lines])
            for counts in reversed(COUNTS)
        ]

    @property
    def is_top(self) -> bool:
        """True if the items are the first of their table, and no random sample."""
        return self.lines[0].how[0] == TOP

    @property
    def mentions(self) -> int:
        """The number of assigned categories; an item may have several."""
        return sum(len(line.names) for line in self.lines)
