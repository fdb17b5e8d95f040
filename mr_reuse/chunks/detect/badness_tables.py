"""The tables of `detect`, and its statistics.

All of it is made of the sums that the jobs left, so other thresholds take seconds.
"""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from mr_reuse import storage
from mr_reuse.archives.rids import sort_key
from mr_reuse.chunks.detect import badness, ratios
from mr_reuse.chunks.detect.badness import RATIOS, Rule, Spread, percent
from mr_reuse.chunks.detect.matching import Match, last_label, read_match
from mr_reuse.chunks.detect.neighborhoods import Neighborhood, read_neighborhood
from mr_reuse.chunks.detect.ratios import Sums, Threshold
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.engine.chain import Done
from mr_reuse.engine.record import DetectRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.tables import table_files
from mr_reuse.tables.run_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_MATCHES,
    NEIGHBORHOODS,
    PAGES,
)

Told = dict[str, Any]


class Findings:
    """The tables of a run, from the matches and the sums of its neighborhoods."""

    def __init__(self, run: RunDir, rule: Rule, matches: Done, sums: Done):
        self._run, self._rule, self._matches, self._sums = run, rule, matches, sums

    def write(self, labels: Labels, before: DetectRecord) -> Told:
        """Write all tables but those that cannot have changed; the statistics."""
        run, rule, parts = self._run, self._rule, self._sums.parts
        pages, hoods = run.join(PAGES.file), run.join(NEIGHBORHOODS.file)
        if before.matches != self._matches.digest or not storage.exists(pages):
            write_files(run.join(FILE_MATCHES.file), self._matches.parts, labels)
            write_pages(pages, self._matches.parts)
        known = before.neighborhoods, before.levels
        if known != (self._sums.digest, rule.levels) or not storage.exists(hoods):
            write_neighborhoods(hoods, parts, rule)
        told: Counter[str] = Counter()
        for one in self._sums.told:
            told.update(one.get('pages', {}))
        return {
            'pages': self._of_pages(pages, told),
            'neighborhoods': self._of_neighborhoods(parts),
        }

    @functools.cached_property
    def _spread(self) -> Spread:
        return Spread(read_all(self._sums.parts, self._rule))

    def bad_ones(self, level: int) -> Iterator[str]:
        """The prefixes of a level that are above the threshold, listed or not."""
        above = badness.thresholds(self._rule, self._spread)
        for one in read_all(self._sums.parts, self._rule):
            if one.level == level and self._rule.is_bad(one, above(level)):
                yield one.prefix

    def prefixes(self, level: int) -> Iterator[bytes]:
        """All prefixes of a level."""
        for one in read_all(self._sums.parts, self._rule):
            if one.level == level:
                yield to_bytes(one.prefix)

    def _of_pages(self, pages: str, told: Mapping[str, int]) -> Told:
        above = badness.page_threshold(self._rule, told)
        name = self._run.join(BAD_PAGES.file)
        bad = write_bad_pages(name, pages, self._rule, above)
        counts = {
            name: told.get(name, 0) for name in ('pages', 'empty', 'few', 'nowhere')
        }
        return counts | moments(above.sums) | {'threshold': float(above.value)} | bad

    def _of_neighborhoods(self, parts: list[str]) -> Told:
        rule = self._rule
        spread = self._spread
        above = badness.thresholds(rule, spread)
        name = self._run.join(BAD_NEIGHBORHOODS.file)
        bad = write_bad(name, parts, rule, above)
        by_level = {
            str(level): {
                'neighborhoods': spread.count[level],
                **moments(spread.sums(rule.ratio, level)),
                'threshold': float(above(level).value),
                'bad': bad['by_level'].get(level, 0),
            }
            for level in spread.levels
        }
        return {
            'neighborhoods': sum(spread.count.values()),
            'levels': rule.levels,
            'ratio': rule.ratio,
            **{ratio: moments(spread.sums(ratio)) for ratio in RATIOS},
            'threshold': None if rule.per_level else float(above(0).value),
            **bad,
            'by_level': by_level,
        }


def write_pages(name: str, parts: Iterable[str]) -> int:
    """Write `pages.tsv`, in the order of archives and offsets; how many pages."""
    found = (read_match(*line) for line in read_parts(parts))
    rows = (
        (sort_key(page.rid), page_row(page)) for page in found if page.total is not None
    )
    return table_files.write_table(name, PAGES.header, sorting.sort_rows(rows))


def page_row(page: Match) -> bytes:
    """A page as tables have it."""
    contains = b''
    if page.total:
        contains = ratios.shown(ratios.ratio(page.bad, page.total)).encode()
    numbers = b'%d\t%d\t%b' % (page.bad, page.total, contains)
    return b'\t'.join([page.rid, page.url, numbers])


def write_files(name: str, parts: Iterable[str], labels: Any) -> int:
    """Write `file_matches.tsv`: the items that are labeled as whole files."""
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


def write_bad_pages(name: str, pages: str, rule: Rule, above: Threshold) -> Told:
    """Write the pages above the threshold, worst first; how many, and how all are."""
    told: Told = {'bad': 0, 'histogram': Counter()}

    def rows() -> Iterator[sorting.Keyed]:
        for number, cells in enumerate(table_files.read_cells(pages)):
            row = PAGES.row(*cells)
            bad, total = int(row.bad), int(row.total)
            if total < max(1, rule.min_chunks):
                continue
            ratio = ratios.ratio(bad, total) if bad else 0
            told['histogram'][percent(ratio)] += 1
            if above.is_above(ratio):
                told['bad'] += 1
                key = b'%b%020d' % (rule.sorted_by(ratio, bad), number)
                yield key, to_bytes('\t'.join(row))

    write_top(name, BAD_PAGES.header, rows(), rule)
    return told | {'histogram': histogram(told['histogram'])}


def write_top(
    name: str, header: str, rows: Iterable[sorting.Keyed], rule: Rule
) -> None:
    """Write rows in the order of their keys, or only the first of them."""
    found = sorting.sort_rows(rows)
    if rule.top is not None:
        found = (row for _, row in zip(range(rule.top), found, strict=False))
    table_files.write_table(name, header, found)


def read_all(parts: Iterable[str], rule: Rule) -> Iterator[Neighborhood]:
    """The neighborhoods that are looked at, in any order."""
    for key, value in read_parts(parts):
        if rule.is_kept(int(value.partition(b'\t')[0])):
            yield read_neighborhood(key + b'\t' + value)


def write_neighborhoods(name: str, parts: Iterable[str], rule: Rule) -> None:
    """Write `neighborhoods.tsv`, in the order of the prefixes."""
    rows = (to_bytes(one.row()) for one in read_all(parts, rule))
    table_files.write_table(name, NEIGHBORHOODS.header, sorting.sort_lines(rows))


def write_bad(
    name: str, parts: Iterable[str], rule: Rule, above: Callable[[int], Threshold]
) -> Told:
    """Write the neighborhoods above the threshold of their level, worst first."""
    told: Told = {'bad': 0, 'histogram': Counter(), 'by_level': Counter()}

    def rows() -> Iterator[sorting.Keyed]:
        for one in read_all(parts, rule):
            ratio = rule.of(one)
            if ratio is None:
                continue
            told['histogram'][percent(ratio)] += 1
            if rule.is_bad(one, above(one.level)):
                told['bad'] += 1
                told['by_level'][one.level] += 1
                key = rule.sorted_by(ratio, one.bad) + to_bytes(one.prefix)
                yield key, to_bytes(one.row())

    write_top(name, BAD_NEIGHBORHOODS.header, rows(), rule)
    return told | {'histogram': histogram(told['histogram'])}


def histogram(counts: Counter) -> list[int]:
    """How many are in each percent, 0 to 100."""
    return [counts[number] for number in range(101)]


def moments(sums: Sums) -> Told:
    """Count, mean and deviation, for people."""
    return {
        'count': sums.count,
        'mean': float(ratios.shown(sums.mean)),
        'deviation': float(ratios.shown(sums.deviation)),
    }
