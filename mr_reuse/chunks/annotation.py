"""Annotate hosts and URLs for the indexes of Common Crawl, from the tables of a run.

    pages and bad_pages, by the key of the URL               → annotation_urls
    annotation_urls, bad_neighborhoods, pairs, places,
    by the key of the host                                   → annotation_hosts

The tables of a run have other orders, so rows are sorted on disk.
"""

import operator
from collections import Counter
from collections.abc import Iterator
from itertools import chain, groupby

from mr_reuse import storage
from mr_reuse.archives.url_keys import host_key, host_of_key, url_key
from mr_reuse.archives.urls import url_host
from mr_reuse.chunks import ratios
from mr_reuse.chunks.annotation_tables import ANNOTATION_HOSTS, ANNOTATION_URLS, TABLES
from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    PAGES,
    PAIRS,
    PLACES,
)
from mr_reuse.chunks.detect.neighborhoods import (
    HOST,
    SUM_COUNT,
    Neighborhood,
    sums_of_page,
)
from mr_reuse.chunks.pairs import sites
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import sorting
from mr_reuse.storage import naming
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table

FORMAT = 'parquet'  # unless the user names another
# Kinds of the rows of a key. They are sorted in this order.
BAD, SUMS, PAIR, LABEL = b'0', b'1', b'2', b'3'


def name_tables(folder: str) -> dict[str, str]:
    """Return the paths that the tables will have in a folder, by name."""
    return {table.name: naming.join(folder, table.file) for table in TABLES}


def write_tables(run: str, record: RunRecord, paths: dict[str, str]) -> None:
    """Write both tables. Raises UserError if `detect` has not written its own."""
    for table in (PAGES, BAD_PAGES, BAD_NEIGHBORHOODS):
        if not storage.exists(naming.join(run, table.file)):
            raise UserError(f'{run}: has no {table.file}; run detect first')
    urls = paths[ANNOTATION_URLS.name]
    table_files.write_table(urls, ANNOTATION_URLS.header, _url_rows(run))
    hosts = _Hosts(run, record).rows(urls)
    table_files.write_table(
        paths[ANNOTATION_HOSTS.name], ANNOTATION_HOSTS.header, hosts
    )


def _url_rows(run: str) -> Iterator[bytes]:
    """Yield the rows of `annotation_urls`, in order."""
    lines = chain(_page_lines(run, BAD_PAGES, BAD), _page_lines(run, PAGES, SUMS))
    bad_page: list[bytes] = []  # URL and rid; the row of the page is the next one
    for key, row in map(sorting.split_key, sorting.sort_lines(lines)):
        url, rid, kind, *numbers = row.split(b'\t')
        if kind == BAD:
            bad_page = [url, rid]
        else:
            mark = b'1' if bad_page == [url, rid] else b'0'
            yield b'\t'.join([key, url, rid, *numbers, mark])


def _page_lines(run: str, table: Table, kind: bytes) -> Iterator[bytes]:
    for page in table_files.read_rows(run, table):
        share = '' if page.contains is None else f'{page.contains:.{ratios.DECIMALS}f}'
        cells = page.url, page.rid, to_text(kind), page.bad, page.total, share
        yield _line(url_key(page.url), to_bytes('\t'.join(map(str, cells))))


def _line(key: str, row: bytes) -> bytes:
    return sorting.add_key(to_bytes(key), row)


class _Hosts:
    """Makes the rows of `annotation_hosts`. A cell is empty if the run lacks a fact."""

    def __init__(self, run: str, record: RunRecord):
        self.run = run
        self.min_chunks = max(1, (record.detect.rule or {}).get('min_chunks', 1))
        self.has_bad = record.detect.level in (None, HOST)
        self.has_pairs = (record.pairs or {}).get('unit') == sites.HOST
        self.has_labels = storage.exists(naming.join(run, PLACES.file))

    def rows(self, urls: str) -> Iterator[bytes]:
        """Yield all rows, in order; `urls` is the path of `annotation_urls`."""
        lines = chain(
            self._sum_pages(urls),
            self._bad_hosts() if self.has_bad else (),
            self._paired_hosts() if self.has_pairs else (),
            self._labeled_hosts() if self.has_labels else (),
        )
        for key, rows in sorting.group_rows(lines):
            counts: Counter[bytes] = Counter()
            sums = b''
            for row, _ in groupby(rows):  # equal rows are neighbors
                counts[row[:1]] += 1
                if row.startswith(SUMS):
                    sums = row[1:]
            if sums:  # else a host without pages, as from the tables of older labels
                yield b'\t'.join([key, sums, *self._cells(counts)])

    def _cells(self, counts: Counter[bytes]) -> list[bytes]:
        known = {BAD: self.has_bad, PAIR: self.has_pairs, LABEL: self.has_labels}
        return [b'%d' % counts[kind] if has else b'' for kind, has in known.items()]

    def _sum_pages(self, urls: str) -> Iterator[bytes]:
        """Sum the pages of each host, which are neighbors in the order of URLs."""
        pages = table_files.read_cells(urls)
        for key, group in groupby(pages, lambda cells: host_of_key(cells[0])):
            sums = [0] * SUM_COUNT
            for _, url, _, bad, total, *_ in group:
                if url_host(url):
                    page = sums_of_page(int(bad), int(total), self.min_chunks)
                    sums = list(map(operator.add, sums, page))
            if sums[0]:
                _, _, row = Neighborhood(key, HOST, *sums).row().split('\t', 2)
                yield _line(key, SUMS + to_bytes(row))

    def _bad_hosts(self) -> Iterator[bytes]:
        for hood in table_files.read_rows(self.run, BAD_NEIGHBORHOODS):
            if hood.level == HOST:
                yield _line(host_key(hood.prefix.rstrip('/')), BAD)

    def _paired_hosts(self) -> Iterator[bytes]:
        for pair in table_files.read_rows(self.run, PAIRS):
            a, b = host_key(pair.a), host_key(pair.b)
            if a != b:
                yield _line(a, PAIR + to_bytes(b))
                yield _line(b, PAIR + to_bytes(a))

    def _labeled_hosts(self) -> Iterator[bytes]:
        for place in table_files.read_rows(self.run, PLACES):
            key = host_of_key(url_key(place.url))
            if key:
                yield _line(key, LABEL + to_bytes(place.hash))
