"""Files derived from tables of a run, which go stale when those tables change.

Files that are quick to rebuild (the report, tables of links) are removed. Exports,
which people may have edited, and tables that took long are kept. `remove_stale` returns
a line for the user in both cases, with the command that rebuilds the files.
"""

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.messages import command_line
from mr_reuse.storage import naming
from mr_reuse.tables.run_tables import EXPORTED, TABLES
from mr_reuse.tables.schema import EXPORTS, Table

REPORT = 'report.html'


class Derived(NamedTuple):
    """Files derived from tables, and the command that rebuilds them."""

    names: list[str]
    is_kept: bool  # when stale; otherwise the files are removed
    command: tuple[str, ...]  # words; '' stands for the name of the run


def remove_stale(run: str, changed: Collection[str]) -> list[str]:
    """Remove files that became stale when these tables of a run changed.

    Returns a line for the user for each group of files that were removed or kept.
    """
    present, lines = set(storage.list_names(run)), []
    for group in derived_from(changed):
        stale = [name for name in group.names if name in present]
        if not stale:
            continue
        for name in stale if not group.is_kept else ():
            storage.remove(naming.join(run, name))
        event = 'kept, though out of date' if group.is_kept else 'removed'
        command, *words = group.command
        rebuild = command_line(command, *(word or run for word in words))
        lines.append(f'{event}: {", ".join(stale)}; rebuild with: {rebuild}')
    return lines


def derived_from(changed: Collection[str]) -> Iterator[Derived]:
    """Yield groups of files derived from tables: the report, other tables, exports.

    >>> groups = list(derived_from(['labels']))
    >>> [(group.names[0], group.is_kept) for group in groups][:3]
    [('report.html', False), ('label_counts.tsv', True), ('places.tsv', False)]
    """
    yield Derived([REPORT], False, ('report', ''))  # it shows all tables
    tables = [
        table
        for table in TABLES.values()
        if {*table.derived_from} & {*changed} and table.name not in changed
    ]
    kept = [table.file for table in tables if not table.is_quick]
    removed = [table for table in tables if table.is_quick]
    if kept:
        yield Derived(kept, True, ('detect', '-o', ''))
    for command, group in groupby(removed, rebuild_command):
        yield Derived([table.file for table in group], False, command)
    # Exports of the tables that are removed here are stale as well.
    exported = [*changed, *(t.name for t in removed if t.name not in changed)]
    made = [t.name for t in EXPORTED.values() if {*t.derived_from} & {*exported}]
    for form in EXPORTS:
        names = [f'{name}.{form}' for name in exported]
        yield Derived(names, True, ('export', '', '--format', form))
        names = [f'{name}.{form}' for name in made]
        yield Derived(names, True, ('export', '', '--annotation', '--format', form))


def rebuild_command(table: Table) -> tuple[str, ...]:
    """Return the words of the command that rebuilds a table that was removed.

    >>> rebuild_command(TABLES['links']), rebuild_command(TABLES['places'])
    (('links', ''), ('export', '', 'places'))
    """
    return table.rebuilt_by or (table.written_by, '')
