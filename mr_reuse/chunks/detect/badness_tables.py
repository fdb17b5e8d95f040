"""Write the tables of `detect`, and compute its statistics.

Both depend on the output of jobs only, so changed thresholds need no job.
"""

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from mr_reuse import storage
from mr_reuse.archives.rids import sort_key
from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_MATCHES,
    NEIGHBORHOODS,
    PAGES,
)
from mr_reuse.chunks.detect import badness, ratios
from mr_reuse.chunks.detect.badness import (
    RATIOS,
    Highest,
    LevelSums,
    Rule,
    whole_percent,
)
from mr_reuse.chunks.detect.matching import Match, last_label, read_match
from mr_reuse.chunks.detect.neighborhoods import Neighborhood, read_neighborhood
from mr_reuse.chunks.detect.ratios import Sums, Threshold
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.engine.chain import Done
from mr_reuse.engine.record import DetectRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.tables import table_files

Stats = dict[str, Any]


class BadnessTables:
    """The tables of a run, from its matches and the sums of its neighborhoods."""

    def __init__(self, run: RunDir, rule: Rule, matches: Done, sums: Done):
        self._run, self._rule, self._matches, self._sums = run, rule, matches, sums

    def write(self, labels: Labels, before: DetectRecord) -> Stats:
        """Write all tables that may have changed; return the statistics."""
        run, rule, parts = self._run, self._rule, self._sums.parts
        pages, hoods = run.join(PAGES.file), run.join(NEIGHBORHOODS.file)
        if before.matches != self._matches.digest or not storage.exists(pages):
            write_files(run.join(FILE_MATCHES.file), self._matches.parts, labels)
            write_pages(pages, self._matches.parts)
        known = before.neighborhoods, before.levels
        if known != (self._sums.digest, rule.levels) or not storage.exists(hoods):
            write_neighborhoods(hoods, parts, rule)
        stats: Counter[str] = Counter()
        for task in self._sums.stats:
            stats.update(task.get('pages', {}))
        return {
            'pages': self._write_bad_pages(pages, stats),
            'neighborhoods': self._write_bad_neighborhoods(parts),
        }

    @functools.cached_property
    def _spread(self) -> LevelSums:
        return LevelSums(read_all(self._sums.parts, self._rule))

    def bad_ones(self, level: int) -> Iterator[str]:
        """Yield the bad prefixes of a level, including those that `--top` omits."""
        threshold_of = badness.make_thresholds(self._rule, self._spread)
        for hood in read_all(self._sums.parts, self._rule):
            if hood.level == level and self._rule.is_bad(hood, threshold_of(level)):
                yield hood.prefix

    def prefixes(self, level: int) -> Iterator[bytes]:
        """Yield all prefixes of a level."""
        for hood in read_all(self._sums.parts, self._rule):
            if hood.level == level:
                yield to_bytes(hood.prefix)

    def _write_bad_pages(self, pages: str, stats: Mapping[str, int]) -> Stats:
        threshold = badness.make_page_threshold(self._rule, stats)
        name = self._run.join(BAD_PAGES.file)
        bad = write_bad_pages(name, pages, self._rule, threshold)
        counts = {
            name: stats.get(name, 0) for name in ('pages', 'empty', 'few', 'nowhere')
        }
        value = {'threshold': float(threshold.value)}
        return counts | moments(threshold.sums) | value | bad

    def _write_bad_neighborhoods(self, parts: list[str]) -> Stats:
        rule = self._rule
        spread = self._spread
        threshold_of = badness.make_thresholds(rule, spread)
        shared = badness.make_shared_threshold(rule, spread)
        name = self._run.join(BAD_NEIGHBORHOODS.file)
        highest: dict[int, Highest] = defaultdict(Highest)
        bad = write_bad(name, parts, rule, threshold_of, highest)
        by_level = {
            str(level): {
                'neighborhoods': spread.count[level],
                **moments(spread.sums(rule.ratio, level)),
                'threshold': float(threshold_of(level).value),
                'bad': bad['by_level'].get(level, 0),
                'highest': highest[level].as_dicts(),
            }
            for level in spread.levels
        }
        return {
            'neighborhoods': sum(spread.count.values()),
            'levels': rule.levels,
            'ratio': rule.ratio,
            **{ratio: moments(spread.sums(ratio)) for ratio in RATIOS},
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


def write_files(name: str, parts: Iterable[str], labels: Any) -> int:
    """Write `file_matches.tsv`: the files that are labels as a whole."""
    chunks = len(labels.chunks)

    def rows() -> Iterator[sorting.Keyed]:
        for line in read_parts(parts):
            page = read_match(*line)
            number = last_label(page.labels)
            if number >= chunks:
                hash_ = labels.files[number - chunks].tobytes().hex().encode()
                row = b'\t'.join([page.rid, page.url, hash_])
                yield sort_key(page.rid), row

    return table_files.write_table(name, FILE_MATCHES.header, sorting.sort_rows(rows()))


def write_bad_pages(name: str, pages: str, rule: Rule, threshold: Threshold) -> Stats:
    """Write the pages above the threshold, worst first.

    Returns their number, the histogram of the ratios of all pages, and the highest of
    the other pages.
    """
    highest = Highest()
    stats: Stats = {'bad': 0, 'histogram': Counter()}

    def rows() -> Iterator[sorting.Keyed]:
        for number, cells in enumerate(table_files.read_cells(pages)):
            row = PAGES.row(*cells)
            bad, total = int(row.bad), int(row.total)
            if total < max(1, rule.min_chunks):
                continue
            ratio = ratios.divide(bad, total) if bad else 0
            stats['histogram'][whole_percent(ratio)] += 1
            if threshold.is_above(ratio):
                stats['bad'] += 1
                # Equal pages stay in the order of `pages.tsv`.
                key = b'%b%020d' % (rule.sorted_by(ratio, bad), number)
                yield key, to_bytes('\t'.join(row))
            else:
                highest.add(row.url, ratio, bad, total)

    write_top(name, BAD_PAGES.header, rows(), rule)
    percents = histogram(stats['histogram'])
    return stats | {'histogram': percents, 'highest': highest.as_dicts()}


def write_top(
    name: str, header: str, rows: Iterable[sorting.Keyed], rule: Rule
) -> None:
    """Write rows in the order of their keys, at most `--top` of them."""
    ordered = sorting.sort_rows(rows)
    if rule.top is not None:
        ordered = (row for _, row in zip(range(rule.top), ordered, strict=False))
    table_files.write_table(name, header, ordered)


def read_all(parts: Iterable[str], rule: Rule) -> Iterator[Neighborhood]:
    """Yield the neighborhoods of the levels to judge, in no order."""
    for key, value in read_parts(parts):
        if rule.is_kept(int(value.partition(b'\t')[0])):
            yield read_neighborhood(key + b'\t' + value)


def write_neighborhoods(name: str, parts: Iterable[str], rule: Rule) -> None:
    """Write `neighborhoods.tsv`, in the order of the prefixes."""
    rows = (to_bytes(hood.row()) for hood in read_all(parts, rule))
    table_files.write_table(name, NEIGHBORHOODS.header, sorting.sort_lines(rows))


def write_bad(
    name: str,
    parts: Iterable[str],
    rule: Rule,
    threshold_of: Callable[[int], Threshold],
    highest: Mapping[int, Highest],
) -> Stats:
    """Write the neighborhoods above the threshold of their level, worst first.

    Returns their numbers, and the histogram of the ratios of all neighborhoods. The
    highest of the others are added to `highest`, by level.
    """
    stats: Stats = {'bad': 0, 'histogram': Counter(), 'by_level': Counter()}

    def rows() -> Iterator[sorting.Keyed]:
        for hood in read_all(parts, rule):
            ratio = rule.of(hood)
            if ratio is None:
                continue
            stats['histogram'][whole_percent(ratio)] += 1
            if rule.is_bad(hood, threshold_of(hood.level)):
                stats['bad'] += 1
                stats['by_level'][hood.level] += 1
                key = rule.sorted_by(ratio, hood.bad) + to_bytes(hood.prefix)
                yield key, to_bytes(hood.row())
            else:
                highest[hood.level].add(hood.prefix, ratio, hood.bad, hood.total)

    write_top(name, BAD_NEIGHBORHOODS.header, rows(), rule)
    return stats | {'histogram': histogram(stats['histogram'])}


def histogram(counts: Counter) -> list[int]:
    """Return the counts of the whole percents from 0 to 100."""
    return [counts[number] for number in range(101)]


def moments(sums: Sums) -> Stats:
    """Return count, mean and deviation for `stats.json`."""
    return {
        'count': sums.count,
        'mean': float(ratios.format_ratio(sums.mean)),
        'deviation': float(ratios.format_ratio(sums.deviation)),
    }
