"""A run as the report reads it: its record, its statistics, the rows of its tables."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import ORIGINS
from mr_reuse.engine.record import load_record
from mr_reuse.errors import UserError
from mr_reuse.pages import moved_archives
from mr_reuse.report import run_statistics
from mr_reuse.storage import naming, text_files
from mr_reuse.tables.schema import Table
from mr_reuse.tables.table_files import read_rows

MAX_ROWS = 1_000_000  # to read of a table that is sorted by importance


class Run:
    """A finished run of one or several systems."""

    def __init__(self, path: str, archives: str | None = None):
        self.path = path
        self.record = moved_archives.find_moved(load_record(path), archives)
        self.is_discovered = self.record.discover is not None
        self.is_detected = self.record.detect.matches is not None
        self.has_chunks = self.is_discovered or self.is_detected
        self.has_quilts = 'quilts' in self.record.systems
        self.has_phrases = 'phrases' in self.record.systems
        self.has_styles = 'styles' in self.record.systems
        name = naming.join(self.path, 'stats.json')
        self.all_stats = text_files.read_json(name)
        self.stats = self.all_stats if self.is_detected else {}
        if self.is_detected:
            run_statistics.check(name, self.stats)
        if self.is_detected and not self.has(ORIGINS):
            name = naming.join(self.path, ORIGINS.file)
            raise UserError(f'{name}: missing; run detect again')

    @property
    def level(self) -> int:
        """The level of neighborhoods that are sites."""
        return self.record.detect.level

    @property
    def site(self) -> str:
        """The noun for a neighborhood of that level."""
        return {0: 'domain', 1: 'site'}.get(self.level, 'folder')

    @property
    def known(self) -> str:
        """The words for a chunk that is a label: of `discover`, or of a list."""
        is_found = self.is_discovered
        if 'label_threshold' in self.stats:
            is_found = self.stats['label_threshold'] is not None
        return 'widely copied' if is_found else 'known'

    def has(self, table: Table) -> bool:
        """Return True if the run has the table."""
        return storage.exists(naming.join(self.path, table.file))

    def rows(self, table: Table) -> Iterator[Any]:
        """Yield the rows of a table."""
        return read_rows(self.path, table)

    def first_rows(self, table: Table) -> Iterator[Any]:
        """Yield the first rows of a table that may have very many."""
        return islice(self.rows(table), MAX_ROWS)
