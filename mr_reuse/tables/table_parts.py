"""Parts of tables that the tasks of a job write, and the table that is made of them.

    RUN/pages.tsv.1f2e3d4c.half/part-00007.tsv   rows of partition 7, with the header
    RUN/pages.tsv/part-00007.tsv                 after `publish`

A task writes each part through `storage`: its name appears when the part is complete,
and a task that runs twice writes the same bytes. Its last line lists its parts. The
driver moves the folder, and needs no row.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.shuffle import ordered_parts
from mr_reuse.shuffle.protocol import Line
from mr_reuse.storage import naming
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import SUFFIX, Table

STATS = 'tables'  # key of the parts in the last line of a task


class Part(NamedTuple):
    """A part of a table, as the task that wrote it describes it."""

    name: str
    rows: int
    bytes: int


class PartWriter:
    """The output of reducers that have the rows of a table in order.

    `folder` is that of the run, and `mark` the middle of the names of the new folders.
    Without a mark the rows go into lines, for the driver (`ordered_parts`).
    """

    def __init__(self, folder: str, mark: str):
        self._folder, self._mark = folder, mark
        self._written: dict[str, list[Part]] = {}

    def add(
        self, table: Table, unit: str, part: int, rows: Iterable[bytes]
    ) -> Iterator[Line]:
        """Write the sorted rows of a partition, or yield their lines."""
        if not self._mark:
            yield from ordered_parts.pack_rows(unit, part, rows)
            return
        first = next(rows := iter(rows), None)
        if first is not None:
            folder = unfinished_name(self._folder, table, self._mark)
            file = f'part-{part:05d}{SUFFIX}'
            path = naming.join(folder, file)
            size = _write_rows(path, table.header, chain([first], rows))
            self._written.setdefault(table.name, []).append(Part(file, *size))

    @property
    def stats(self) -> dict[str, Any]:
        """The parts by table, and the mark, for the last line; empty without parts."""
        written = {STATS: {'mark': self._mark, 'parts': self._written}}
        return written if self._mark else {}


def _write_rows(name: str, header: str, rows: Iterable[bytes]) -> tuple[int, int]:
    """Write a part; return its rows and bytes."""
    count, size = 0, len(header.encode()) + 1
    with storage.write(name) as stream:
        stream.write(header.encode() + b'\n')
        for row in rows:
            size += stream.write(row + b'\n')
            count += 1
    return count, size


def unfinished_name(run: str, table: Table, mark: str) -> str:
    """Return the folder of the parts of a table that is not complete.

    A run removes such names at its next start.
    """
    return naming.join(run, f'{table.file}.{mark}.half')


class MadeTable:
    """A table as the tasks of a finished job describe it."""

    def __init__(self, table: Table, stats: Iterable[Mapping[str, Any]]):
        """`stats` are the last lines of the tasks."""
        self.table = table
        made = [task[STATS] for task in stats if STATS in task]
        self._marks = {task['mark'] for task in made}
        self._parts = sorted(
            Part(*part) for task in made for part in task['parts'].get(table.name, [])
        )
        self.rows = sum(part.rows for part in self._parts)

    def publish(self, run: str, limit: int | None = None) -> bool:
        """Move the parts to their place, or the first rows of them up to a limit.

        Returns False if the parts are missing, and the table is not made of them.
        """
        for mark in self._marks:
            folder = unfinished_name(run, self.table, mark)
            if not self._parts or self._has_parts(folder):
                self._move(folder, naming.join(run, self.table.file), limit)
                return True
        return limit is None and self._is_published(naming.join(run, self.table.file))

    def _has_parts(self, folder: str) -> bool:
        """Test whether a folder has all parts; remove everything else in it.

        Tasks that were killed may have left incomplete files.
        """
        sizes = {part.name: part.bytes for part in self._parts}
        found = {
            naming.last_component(entry.name): entry.size
            for entry in storage.list_entries(folder)
        }
        for name in found.keys() - sizes.keys():
            storage.remove(naming.join(folder, name))
        return sizes.items() <= found.items()

    def _is_published(self, name: str) -> bool:
        sizes = [part.bytes for part in self._parts]
        if self.rows < table_files.MAX_PART_ROWS:
            header = len(self.table.header.encode()) + 1
            sizes = [header + sum(size - header for size in sizes)]
        files = table_files.list_files(name) if storage.exists(name) else []
        return [storage.size(file) for file in files] == sizes

    def _move(self, folder: str, name: str, limit: int | None) -> None:
        rows = self.rows if limit is None else min(limit, self.rows)
        if rows < table_files.MAX_PART_ROWS:
            files = [naming.join(folder, part.name) for part in self._parts]
            lines = table_files.read_files(files)
            firsts = (line.rstrip(b'\n') for line in islice(lines, rows))
            table_files.write_table(name, self.table.header, firsts)
            storage.remove(folder)
            return
        if rows < self.rows:
            self._cut(folder, rows)
        storage.rename(folder, name)

    def _cut(self, folder: str, rows: int) -> None:
        """Remove all rows of a folder but the first ones."""
        for part in self._parts:
            name = naming.join(folder, part.name)
            if rows <= 0:
                storage.remove(name)
            elif rows < part.rows:
                lines = table_files.read_files([name])
                firsts = (line.rstrip(b'\n') for line in islice(lines, rows))
                _write_rows(name, self.table.header, firsts)
            rows -= part.rows
