"""The makers of the rows of tables, by name, from options that a job can have."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_MATCHES,
    NEIGHBORHOODS,
    PAGES,
)
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.tables.neighborhood_rows import (
    BadNeighborhoodRows,
    NeighborhoodRows,
)
from mr_reuse.chunks.tables.page_rows import BadPageRows, FileMatchRows, PageRows
from mr_reuse.tables.row_makers import RowMaker

OF_PAGES = 0  # the key of the limit of pages


class RowOptions(NamedTuple):
    """The options that decide the rows of tables, as values of a command line."""

    tables: str = PAGES.name
    levels: str = 'all'
    ratio: str = 'pooled'
    rank: str = 'ratio'
    min_bad: int = 0
    min_chunks: int = 1
    limits: str = ''

    @classmethod
    def of_rule(
        cls, rule: Rule, tables: Sequence[Any], limits: Mapping[int, int]
    ) -> 'RowOptions':
        """Return the options of tables, with limits by level.

        >>> RowOptions.of_rule(Rule(min_bad=3), [BAD_PAGES], {1: 5, 2: 6})[:3]
        ('bad_pages', 'all', 'pooled')
        """
        names = ','.join(table.name for table in tables)
        by_level = ','.join(f'{key}:{limit}' for key, limit in sorted(limits.items()))
        numbers = rule.min_bad, rule.min_chunks
        return cls(names, rule.levels, rule.ratio, rule.rank, *numbers, by_level)

    @classmethod
    def from_args(cls, args: Any) -> 'RowOptions':
        """Take the options from parsed arguments."""
        return cls(*(getattr(args, name) for name in cls._fields))

    def as_args(self) -> dict[str, Any]:
        """Return the arguments of a job, without those that are as by default.

        >>> RowOptions(min_chunks=5).as_args()
        {'tables': 'pages', 'min-chunks': 5}
        """
        given = self._asdict().items()
        return {
            name.replace('_', '-'): value
            for name, value in given
            if name == 'tables' or value != self._field_defaults[name]
        }

    @property
    def rule(self) -> Rule:
        """The part of the rule for badness that decides rows."""
        return Rule(
            levels=self.levels,
            ratio=self.ratio,
            rank=self.rank,
            min_bad=self.min_bad,
            min_chunks=self.min_chunks,
        )

    @property
    def limits_by_key(self) -> dict[int, int]:
        """The highest ratios that are not bad, by level.

        >>> RowOptions(limits='1:500,2:7').limits_by_key
        {1: 500, 2: 7}
        """
        pairs = (text.split(':') for text in self.limits.split(',') if text)
        return {int(key): int(limit) for key, limit in pairs}


def make_makers(options: RowOptions, labels: Labels | None = None) -> list[RowMaker]:
    """Make the makers of tables; `labels` are for the matches of files."""
    rule, limits = options.rule, options.limits_by_key
    new = {
        PAGES.name: PageRows,
        FILE_MATCHES.name: lambda: FileMatchRows(labels),
        BAD_PAGES.name: lambda: BadPageRows(rule, limits[OF_PAGES]),
        NEIGHBORHOODS.name: lambda: NeighborhoodRows(rule),
        BAD_NEIGHBORHOODS.name: lambda: BadNeighborhoodRows(rule, limits),
    }
    return [new[name]() for name in options.tables.split(',')]
