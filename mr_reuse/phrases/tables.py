"""Write the tables of phrases from the output of the jobs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mr_reuse.archives import rids
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.sorted_tables import Sorting
from mr_reuse.messages import to_bytes
from mr_reuse.phrases import phrase_steps
from mr_reuse.phrases.jobs.sort_phrase_tables import SortPhraseTables
from mr_reuse.phrases.page_counts import Row
from mr_reuse.phrases.phrase_tables import (
    COVER_SOURCES,
    COVERS,
    PHRASE_FREQUENCY,
    PHRASES,
)
from mr_reuse.phrases.sources import Cover
from mr_reuse.phrases.table_rows import new_makers
from mr_reuse.phrases.texts import Phrase
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table


def write_page_tables(chain: Chain, pages: Done, hosts: Done) -> None:
    """Write the tables of near-duplicates, of pages and of hosts."""
    how = Sorting(
        phrase_steps.TABLES.folder,
        SortPhraseTables,
        new_makers,
        [pages.output, hosts.output],
        {},
        [pages.digest, hosts.digest],
        {},
    )
    sorted_tables.write_tables(chain, how)


def write_frequency(run: RunDir, frequency: Mapping[str, int]) -> None:
    """Write the table of popular shingles by the number of documents."""
    counts = sorted((int(documents), n) for documents, n in frequency.items())
    rows = (b'%d\t%d' % row for row in counts)
    _write(run, PHRASE_FREQUENCY, rows)


def write_phrases(run: RunDir, phrases: Iterable[Phrase]) -> None:
    """Write the table of phrases."""
    _write(run, PHRASES, (phrase.to_text() for phrase in phrases))


class Covering(NamedTuple):
    """A covering set, with the names of its documents."""

    cover: Cover
    rows: Mapping[int, Row]

    @property
    def page(self) -> Row:
        """The page that is covered."""
        return self.rows[self.cover.number]

    @property
    def key(self) -> bytes:
        """The sort key: most popular shingles first, then the rid."""
        order = rids.sort_key(to_bytes(self.page.rid))
        return sorting.descending(self.cover.popular) + order

    def page_row(self) -> Keyed:
        """Make the row of the table of covers."""
        page, cover = self.page, self.cover
        counts = cover.popular, len(cover.sources), cover.foreign
        return self.key, _join(page.rid, page.url, *counts)

    def source_rows(self) -> Iterator[Keyed]:
        """Yield the rows of the table of sources."""
        for number, source in enumerate(self.cover.sources, 1):
            other = self.rows[source.document]
            cells = number, other.rid, other.url, *source[1:]
            yield b'%b%03d' % (self.key, number), _join(self.page.rid, *cells)


def write_covers(run: RunDir, covers: Iterable[Cover], rows: Mapping[int, Row]) -> None:
    """Write the tables of covering sets."""
    found = [Covering(cover, rows) for cover in covers]
    _write(run, COVERS, sorting.sort_rows(one.page_row() for one in found))
    source_rows = (row for one in found for row in one.source_rows())
    _write(run, COVER_SOURCES, sorting.sort_rows(source_rows))


def _join(*cells: object) -> bytes:
    return to_bytes('\t'.join(map(str, cells)))


def _write(run: RunDir, table: Table, rows: Iterable[bytes]) -> None:
    table_files.write_table(run.join(table.file), table.header, rows)
