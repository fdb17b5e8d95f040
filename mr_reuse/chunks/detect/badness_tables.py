"""Write the tables of `detect`, and compute its statistics.

Both depend on the output of jobs only. Large tables are sorted by jobs as well.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mr_reuse import storage
from mr_reuse.chunks import ratios
from mr_reuse.chunks.chunk_steps import (
    BAD_NEIGHBORHOOD_ROWS,
    BAD_PAGE_ROWS,
    NEIGHBORHOOD_ROWS,
    PAGE_ROWS,
)
from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_MATCHES,
    NEIGHBORHOODS,
    PAGES,
)
from mr_reuse.chunks.detect import badness, steps
from mr_reuse.chunks.detect.badness import RATIOS, LevelSums, Rule
from mr_reuse.chunks.detect.neighborhoods import Neighborhood
from mr_reuse.chunks.detect.steps import KnownLabels
from mr_reuse.chunks.jobs.sort_rows import SortRows
from mr_reuse.chunks.ratios import Sums, Threshold
from mr_reuse.chunks.tables import makers
from mr_reuse.chunks.tables.makers import OF_PAGES, RowOptions
from mr_reuse.chunks.tables.neighborhood_rows import read_judged
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.record import DetectRecord
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.sorted_tables import Sorting
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.tables import table_files
from mr_reuse.tables.row_makers import RowMaker
from mr_reuse.tables.schema import Table

Stats = dict[str, Any]
PAGE_COUNTS = ('pages', 'empty', 'few', 'nowhere')  # of `neighborhoods.STATS`


class Judged:
    """The neighborhoods of a run, and the thresholds of their levels."""

    def __init__(
        self, rule: Rule, parts: Sequence[str], level_sums: LevelSums | None = None
    ):
        """`parts` are the part files of NeighborhoodBadness."""
        self._rule, self._parts, self._known_sums = rule, parts, level_sums

    @functools.cached_property
    def level_sums(self) -> LevelSums:
        """The sums over the neighborhoods of each level."""
        return self._known_sums or LevelSums(self._read())

    @functools.cached_property
    def threshold_of(self) -> Callable[[int], Threshold]:
        """The function from a level to its threshold."""
        return badness.make_thresholds(self._rule, self.level_sums)

    def _read(self) -> Iterator[Neighborhood]:
        return read_neighborhoods(self._parts, self._rule)

    def find_bad_prefixes(self, level: int) -> Iterator[str]:
        """Yield the bad prefixes of a level, including those that `--top` omits."""
        # The threshold is asked for late: a level without neighborhoods may have none.
        for hood in self._read():
            if hood.level == level and self._rule.is_bad(
                hood, self.threshold_of(level)
            ):
                yield hood.prefix

    def read_prefixes(self, level: int) -> Iterator[tuple[bytes, int]]:
        """Yield all prefixes of a level, with the number of chunks without a label."""
        for hood in self._read():
            if hood.level == level:
                yield to_bytes(hood.prefix), hood.total - hood.bad


class BadnessTables:
    """The tables of a run, from its matches and the sums of its neighborhoods."""

    def __init__(
        self, chain: Chain, rule: Rule, known: KnownLabels, matches: Done, sums: Done
    ):
        self._chain, self._rule, self._known = chain, rule, known
        self._matches, self._sums = matches, sums

    def write(self, before: DetectRecord) -> tuple[Stats, Judged]:
        """Write all tables that may have changed; return the statistics."""
        run, matches = self._chain.run, self._matches
        files = [run.join(table.file) for table in (PAGES, FILE_MATCHES)]
        has_pages = all(map(storage.exists, files))
        if before.matches != matches.digest or not has_pages:
            self._write_pages()
        page_stats: Counter[str] = Counter()
        for task in self._sums.stats:
            page_stats.update(task.get('pages', {}))
        source = self._sums.digest, self._rule.levels
        is_same = source == (before.neighborhoods, before.levels)
        has_hoods = is_same and storage.exists(run.join(NEIGHBORHOODS.file))
        level_sums = self._write_neighborhoods(is_needed=not has_hoods)
        judged = Judged(self._rule, self._sums.parts, level_sums)
        stats = {
            'pages': self._write_bad_pages(page_stats),
            'neighborhoods': self._write_bad_neighborhoods(judged),
        }
        return stats, judged

    def _write_pages(self) -> None:
        aliased = {'labels': steps.alias_labels(self._chain, self._known)}
        options = RowOptions(f'{PAGES.name},{FILE_MATCHES.name}')
        depends_on = [self._matches.digest, self._known.digest]
        sorting = self._sort(PAGE_ROWS, options, self._matches, depends_on, aliased)
        sorted_tables.write_tables(self._chain, sorting)

    def _write_neighborhoods(self, is_needed: bool) -> LevelSums:
        options = RowOptions.of_rule(self._rule, [NEIGHBORHOODS], {})
        sorting = self._sort(NEIGHBORHOOD_ROWS, options, self._sums)
        [rows] = sorted_tables.write_tables(self._chain, sorting, is_needed)
        return rows.level_sums

    def _write_bad_pages(self, stats: Mapping[str, int]) -> Stats:
        threshold = badness.make_page_threshold(self._rule, stats)
        limits = {OF_PAGES: threshold.limit}
        rows = self._write_bad(BAD_PAGE_ROWS, BAD_PAGES, limits, self._matches)
        return {
            **{name: stats.get(name, 0) for name in PAGE_COUNTS},
            **summarize_ratios(threshold.sums),
            'threshold': float(threshold.value),
            'bad': rows.bad,
            'histogram': list_percents(rows.percents),
            'highest': rows.highest.as_dicts(),
        }

    def _write_bad_neighborhoods(self, judged: Judged) -> Stats:
        rule, level_sums = self._rule, judged.level_sums
        shared = badness.make_shared_threshold(rule, level_sums)
        thresholds = {level: judged.threshold_of(level) for level in level_sums.levels}
        limits = {level: threshold.limit for level, threshold in thresholds.items()}
        rows = self._write_bad(
            BAD_NEIGHBORHOOD_ROWS, BAD_NEIGHBORHOODS, limits, self._sums
        )
        by_level = {
            str(level): {
                'neighborhoods': level_sums.count[level],
                **summarize_ratios(level_sums.sums(rule.ratio, level)),
                'threshold': float(threshold.value),
                'bad': rows.bad[level],
                'highest': rows.highest[level].as_dicts(),
            }
            for level, threshold in thresholds.items()
        }
        return {
            'neighborhoods': sum(level_sums.count.values()),
            'levels': rule.levels,
            'ratio': rule.ratio,
            **{ratio: summarize_ratios(level_sums.sums(ratio)) for ratio in RATIOS},
            'threshold': None if shared is None else float(shared.value),
            'bad': sum(rows.bad.values()),
            'histogram': list_percents(rows.percents),
            'by_level': by_level,
        }

    def _write_bad(
        self, step: RunStep, table: Table, limits: Mapping[int, int], source: Done
    ) -> Any:
        """Write a table of bad rows; return the maker of its rows."""
        options = RowOptions.of_rule(self._rule, [table], limits)
        sorting = self._sort(step, options, source)
        sorting = sorting._replace(limit=self._rule.top)
        [rows] = sorted_tables.write_tables(self._chain, sorting)
        return rows

    def _sort(
        self,
        step: RunStep,
        options: RowOptions,
        source: Done,
        depends_on: Sequence[str] = (),
        unhashed: Mapping[str, Any] | None = None,
    ) -> Sorting:
        def make_makers() -> list[RowMaker]:
            return makers.make_makers(options, self._known.labels)

        return Sorting(
            step.folder,
            SortRows,
            make_makers,
            [source.output],
            options.as_args(),
            [*depends_on] or [source.digest],
            {**(unhashed or {})},
        )


def read_bad_prefixes(run: RunDir, level: int) -> Iterator[str]:
    """Yield the bad prefixes of a level from the table of a run, which has all."""
    rows = table_files.read_rows(run.path, BAD_NEIGHBORHOODS)
    return (row.prefix for row in rows if row.level == level)


def read_neighborhoods(parts: Iterable[str], rule: Rule) -> Iterator[Neighborhood]:
    """Yield the neighborhoods of the levels to judge, in no order."""
    for key, value in read_parts(parts):
        if hood := read_judged(key, value, rule):
            yield hood


def list_percents(counts: Counter[int]) -> list[int]:
    """Return the counts of the whole percents from 0 to 100."""
    return [counts[percent] for percent in range(101)]


def summarize_ratios(sums: Sums) -> Stats:
    """Return count, mean and deviation for `stats.json`."""
    return {
        'count': sums.count,
        'mean': float(ratios.format_ratio(sums.mean)),
        'deviation': float(ratios.format_ratio(sums.deviation)),
    }
