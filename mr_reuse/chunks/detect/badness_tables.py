"""Write the tables of `detect`, and compute its statistics.

Both depend on the output of jobs only, so changed thresholds need no job.
"""

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from mr_reuse import storage
from mr_reuse.archives.rids import sort_key
from mr_reuse.chunks import ratios
from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_MATCHES,
    NEIGHBORHOODS,
    PAGES,
)
from mr_reuse.chunks.detect import badness
from mr_reuse.chunks.detect.badness import (
    RATIOS,
    Highest,
    LevelSums,
    Rule,
    floor_percent,
)
from mr_reuse.chunks.detect.matching import Match, last_label, read_match
from mr_reuse.chunks.detect.neighborhoods import Neighborhood, read_neighborhood
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.ratios import Sums, Threshold
from mr_reuse.engine.chain import Done
from mr_reuse.engine.record import DetectRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.tables import table_files

Stats = dict[str, Any]
PAGE_COUNTS = ('pages', 'empty', 'few', 'nowhere')  # of `neighborhoods.STATS`


class BadnessTables:
    """The tables of a run, from its matches and the sums of its neighborhoods."""

    def __init__(self, run: RunDir, rule: Rule, matches: Done, sums: Done):
        self._run, self._rule, self._matches, self._sums = run, rule, matches, sums

    def write(self, labels: Labels, before: DetectRecord) -> Stats:
        """Write all tables that may have changed; return the statistics."""
        run, matches = self._run, self._matches
        pages, hoods = run.join(PAGES.file), run.join(NEIGHBORHOODS.file)
        if before.matches != matches.digest or not storage.exists(pages):
            write_file_matches(run.join(FILE_MATCHES.file), matches.parts, labels)
            write_pages(pages, matches.parts)
        source = self._sums.digest, self._rule.levels
        is_same = source == (before.neighborhoods, before.levels)
        if not (is_same and storage.exists(hoods)):
            write_neighborhoods(hoods, self._read_neighborhoods())
        page_stats: Counter[str] = Counter()
        for task in self._sums.stats:
            page_stats.update(task.get('pages', {}))
        return {
            'pages': self._write_bad_pages(pages, page_stats),
            'neighborhoods': self._write_bad_neighborhoods(),
        }

    @functools.cached_property
    def _level_sums(self) -> LevelSums:
        return LevelSums(self._read_neighborhoods())

    @functools.cached_property
    def _threshold_of(self) -> Callable[[int], Threshold]:
        """The function from a level to its threshold."""
        return badness.make_thresholds(self._rule, self._level_sums)

    def _read_neighborhoods(self) -> Iterator[Neighborhood]:
        return read_neighborhoods(self._sums.parts, self._rule)

    def find_bad_prefixes(self, level: int) -> Iterator[str]:
        """Yield the bad prefixes of a level, including those that `--top` omits."""
        # The threshold is asked for late: a level without neighborhoods may have none.
        for hood in self._read_neighborhoods():
            if hood.level == level and self._rule.is_bad(
                hood, self._threshold_of(level)
            ):
                yield hood.prefix

    def read_prefixes(self, level: int) -> Iterator[tuple[bytes, int]]:
        """Yield all prefixes of a level, with the number of chunks without a label."""
        for hood in self._read_neighborhoods():
            if hood.level == level:
                yield to_bytes(hood.prefix), hood.total - hood.bad

    def _write_bad_pages(self, pages: str, stats: Mapping[str, int]) -> Stats:
        threshold = badness.make_page_threshold(self._rule, stats)
        bad = write_bad_pages(
            self._run.join(BAD_PAGES.file), pages, self._rule, threshold
        )
        return {
            **{name: stats.get(name, 0) for name in PAGE_COUNTS},
            **summarize_ratios(threshold.sums),
            'threshold': float(threshold.value),
            **bad,
        }

    def _write_bad_neighborhoods(self) -> Stats:
        rule, level_sums = self._rule, self._level_sums
        shared = badness.make_shared_threshold(rule, level_sums)
        highest: dict[int, Highest] = defaultdict(Highest)
        bad = write_bad_neighborhoods(
            self._run.join(BAD_NEIGHBORHOODS.file),
            self._read_neighborhoods(),
            rule,
            self._threshold_of,
            highest,
        )
        by_level = {
            str(level): {
                'neighborhoods': level_sums.count[level],
                **summarize_ratios(level_sums.sums(rule.ratio, level)),
                'threshold': float(self._threshold_of(level).value),
                'bad': bad['by_level'].get(level, 0),
                'highest': highest[level].as_dicts(),
            }
            for level in level_sums.levels
        }
        return {
            'neighborhoods': sum(level_sums.count.values()),
            'levels': rule.levels,
            'ratio': rule.ratio,
            **{ratio: summarize_ratios(level_sums.sums(ratio)) for ratio in RATIOS},
            'threshold': None if shared is None else float(shared.value),
            **bad,
            'by_level': by_level,
        }


def write_pages(name: str, parts: Iterable[str]) -> int:
    """Write `pages.tsv`, in the order of archives and offsets; return its rows."""
    matches = (read_match(*line) for line in read_parts(parts))
    rows = (
        (sort_key(page.rid), page_row(page))
        for page in matches
        if page.total is not None  # not a file of another type
    )
    return table_files.write_table(name, PAGES.header, sorting.sort_rows(rows))


def page_row(page: Match) -> bytes:
    """Format a page as a row of `pages.tsv`."""
    contains = b''
    if page.total:
        contains = ratios.format_ratio(ratios.divide(page.bad, page.total)).encode()
    numbers = b'%d\t%d\t%b' % (page.bad, page.total, contains)
    return b'\t'.join([page.rid, page.url, numbers])


def write_file_matches(name: str, parts: Iterable[str], labels: Labels) -> int:
    """Write `file_matches.tsv`: the files that are labels as a whole."""
    chunks = len(labels.chunks)

    def rows() -> Iterator[sorting.Keyed]:
        for line in read_parts(parts):
            match = read_match(*line)
            label = -1 if match.is_skipped else last_label(match.labels)
            if label >= chunks:
                hash_ = labels.files[label - chunks].tobytes().hex().encode()
                yield sort_key(match.rid), b'\t'.join([match.rid, match.url, hash_])

    return table_files.write_table(name, FILE_MATCHES.header, sorting.sort_rows(rows()))


def write_bad_pages(name: str, pages: str, rule: Rule, threshold: Threshold) -> Stats:
    """Write the pages above the threshold, worst first.

    Returns their number, the histogram of the ratios of all pages, and the highest of
    the other pages.
    """
    percents: Counter[int] = Counter()
    bad_pages = 0
    highest = Highest()

    def rows() -> Iterator[sorting.Keyed]:
        nonlocal bad_pages
        for number, cells in enumerate(table_files.read_cells(pages)):
            row = PAGES.row(*cells)
            bad, total = int(row.bad), int(row.total)
            if total < max(1, rule.min_chunks):
                continue
            ratio = ratios.divide(bad, total) if bad else 0
            percents[floor_percent(ratio)] += 1
            if threshold.is_above(ratio):
                bad_pages += 1
                # Equal pages stay in the order of `pages.tsv`.
                key = b'%b%020d' % (rule.sort_key(ratio, bad), number)
                yield key, to_bytes('\t'.join(row))
            else:
                highest.add(row.url, ratio, bad, total)

    write_top(name, BAD_PAGES.header, rows(), rule)
    return {
        'bad': bad_pages,
        'histogram': list_percents(percents),
        'highest': highest.as_dicts(),
    }


def write_top(
    name: str, header: str, rows: Iterable[sorting.Keyed], rule: Rule
) -> None:
    """Write rows in the order of their keys, at most `--top` of them."""
    ordered = sorting.sort_rows(rows)
    if rule.top is not None:
        ordered = (row for _, row in zip(range(rule.top), ordered, strict=False))
    table_files.write_table(name, header, ordered)


def read_neighborhoods(parts: Iterable[str], rule: Rule) -> Iterator[Neighborhood]:
    """Yield the neighborhoods of the levels to judge, in no order."""
    for key, value in read_parts(parts):
        if rule.is_judged(int(value.partition(b'\t')[0])):
            yield read_neighborhood(key + b'\t' + value)


def write_neighborhoods(name: str, hoods: Iterable[Neighborhood]) -> None:
    """Write `neighborhoods.tsv`, in the order of the prefixes."""
    rows = (to_bytes(hood.row()) for hood in hoods)
    table_files.write_table(name, NEIGHBORHOODS.header, sorting.sort_lines(rows))


def write_bad_neighborhoods(
    name: str,
    hoods: Iterable[Neighborhood],
    rule: Rule,
    threshold_of: Callable[[int], Threshold],
    highest: Mapping[int, Highest],
) -> Stats:
    """Write the neighborhoods above the threshold of their level, worst first.

    Returns their numbers, and the histogram of the ratios of all neighborhoods. The
    highest of the others are added to `highest`, by level.
    """
    percents: Counter[int] = Counter()
    bad_by_level: Counter[int] = Counter()

    def rows() -> Iterator[sorting.Keyed]:
        for hood in hoods:
            ratio = rule.ratio_of(hood)
            if ratio is None:
                continue
            percents[floor_percent(ratio)] += 1
            if rule.is_bad(hood, threshold_of(hood.level)):
                bad_by_level[hood.level] += 1
                key = rule.sort_key(ratio, hood.bad) + to_bytes(hood.prefix)
                yield key, to_bytes(hood.row())
            else:
                highest[hood.level].add(hood.prefix, ratio, hood.bad, hood.total)

    write_top(name, BAD_NEIGHBORHOODS.header, rows(), rule)
    return {
        'bad': sum(bad_by_level.values()),
        'histogram': list_percents(percents),
        'by_level': bad_by_level,
    }


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
