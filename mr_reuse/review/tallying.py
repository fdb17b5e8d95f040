"""What was judged, in numbers: the rows of the papers' tables."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mr_reuse.review import intervals
from mr_reuse.review.categories import COUNTS, group_of
from mr_reuse.review.intervals import Estimate, Stratum
from mr_reuse.review.judgements import Judgement


class Row(NamedTuple):
    """A category, or a group of them."""

    name: str
    counts: str
    items: int
    estimate: Estimate  # of its share in the whole
    inner: bool = False  # it belongs to the group above


class Tally:
    """What one judge has called the items of a sample: those with a category."""

    def __init__(self, lines: Iterable[Judgement]):
        self.lines = sorted(
            (line for line in lines if line.names), key=lambda line: line.place
        )
        self.sizes = {line.stratum: line.size for line in self.lines}

    @property
    def passed_over(self) -> int:
        """How many items in front of the last one that was judged were not."""
        return self.lines[-1].place - len(self.lines)

    @property
    def covered(self) -> int:
        """How many items there are in strata of which any was judged."""
        return sum(self.sizes.values())

    def row(self, name: str, counts: str, hit: list[bool], inner: bool = False) -> Row:
        """Of how many items something is true, and what that says of all."""
        strata = [line.stratum for line in self.lines]
        judged = Counter(strata)
        hits = Counter(s for s, is_hit in zip(strata, hit, strict=True) if is_hit)
        parts = [Stratum(hits[s], judged[s], size) for s, size in self.sizes.items()]
        return Row(name, counts, sum(hit), intervals.estimate(parts), inner)

    def categories(self, known: Sequence[tuple[str, str]]) -> list[Row]:
        """A row for each category, by name and what it counts as, and for each group.

        Those that were known come first, unless none of them was used; what was said
        that is not among them, last.
        """
        said = {n: line.counts for line in self.lines for n in line.names}
        counts = dict(known) if said.keys() & dict(known) else {}
        counts |= {n: said[n] for n in sorted(said.keys() - counts)}
        groups: dict[str, list[str]] = {}
        for name in counts:
            groups.setdefault(group_of(name) or name, []).append(name)
        found: list[Row] = []
        for group, names in groups.items():
            if names != [group]:
                hit = [not set(names).isdisjoint(line.names) for line in self.lines]
                found.append(self.row(group, '', hit))
            for name in names:
                hit = [name in line.names for line in self.lines]
                short = name.removeprefix(f'{group}: ')
                found.append(self.row(short, counts[name], hit, short != name))
        return found

    def verdicts(self) -> list[Row]:
        """How many items are bad, unclear, benign."""
        return [
            self.row(what, '', [line.counts == what for line in self.lines])
            for what in reversed(COUNTS)
        ]

    @property
    def mentions(self) -> int:
        """How many categories were given; more than items, if they overlap."""
        return sum(len(line.names) for line in self.lines)
