"""The rows of the tables of pages: all, bad ones, and whole files that are labels."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mr_reuse.archives.rids import sort_key
from mr_reuse.chunks import ratios
from mr_reuse.chunks.chunk_tables import BAD_PAGES, FILE_MATCHES, PAGES
from mr_reuse.chunks.detect.badness import Highest, Rule, floor_percent
from mr_reuse.chunks.detect.matching import Match, last_label, read_match
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.messages import to_text
from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.tables.row_makers import RowMaker


def page_row(page: Match) -> bytes:
    """Format a page as a row of a table of pages."""
    contains = b''
    if page.total:
        contains = ratios.format_ratio(ratios.divide(page.bad, page.total)).encode()
    numbers = b'%d\t%d\t%b' % (page.bad, page.total, contains)
    return b'\t'.join([page.rid, page.url, numbers])


class PageRows(RowMaker):
    """All pages, in the order of archives and offsets."""

    table = PAGES

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the row of a match, unless it is a file of another type."""
        page = read_match(key, value)
        if page.total is not None:
            yield sort_key(page.rid), page_row(page)


class FileMatchRows(RowMaker):
    """The files that are labels as a whole, in the order of `PageRows`."""

    table = FILE_MATCHES

    def __init__(self, labels: Labels):
        self._chunks, self._files = len(labels.chunks), labels.files

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the row of a match if its file is a label."""
        match = read_match(key, value)
        label = -1 if match.is_skipped else last_label(match.labels)
        if label >= self._chunks:
            hash_ = self._files[label - self._chunks].tobytes().hex().encode()
            yield sort_key(match.rid), b'\t'.join([match.rid, match.url, hash_])


class BadPageRows(RowMaker):
    """The pages above the threshold, worst first; equal ones in the order of pages."""

    table = BAD_PAGES

    def __init__(self, rule: Rule, limit: int):
        """`limit` is the highest ratio that is not bad."""
        self._rule, self._limit = rule, limit
        self._least = max(1, rule.min_chunks)
        self.bad = 0
        self.percents: Counter[int] = Counter()  # of the ratios of all pages
        self.highest = Highest()  # of the other pages

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the row of a match if the page is bad."""
        # Most pages are not bad, so few lines are parsed as a whole.
        _, _, bad_text, total_text, _ = value.split(b'\t')
        total = int(total_text) if total_text.isdigit() else 0
        if total < self._least:
            return
        bad = int(bad_text)
        ratio = ratios.divide(bad, total) if bad else 0
        self.percents[floor_percent(ratio)] += 1
        if ratio > self._limit:
            self.bad += 1
            order = self._rule.sort_key(ratio, bad)
            yield order + sort_key(key), page_row(read_match(key, value))
        elif self.highest.may_have(ratio):
            url = value.partition(b'\t')[0]
            self.highest.add(to_text(url), ratio, bad, total)

    @property
    def stats(self) -> dict[str, Any]:
        return {
            'bad': self.bad,
            'percents': dict(self.percents),
            'highest': self.highest.items,
        }

    def merge(self, stats: dict[str, Any]) -> None:
        self.bad += stats['bad']
        self.percents.update({int(n): count for n, count in stats['percents'].items()})
        self.highest.merge(stats['highest'])
