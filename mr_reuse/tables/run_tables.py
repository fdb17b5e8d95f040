"""The tables of all systems, by their names."""

from mr_reuse import systems
from mr_reuse.tables.schema import Table

TABLES = {table.name: table for table in systems.declared('TABLES')}
# Tables that are no files of a run: `export` makes them, and writes copies only.
EXPORTED = {table.name: table for table in systems.declared('EXPORTED')}


def tables_of_command(command: str) -> list[str]:
    """Return the names of the tables that a command writes.

    >>> tables_of_command('links')
    ['links', 'rings', 'links_unread']
    """
    return [table.name for table in TABLES.values() if table.written_by == command]


def find_table(name: str) -> Table | None:
    """Return the schema of a table; None if no system declares it."""
    return TABLES.get(name) or EXPORTED.get(name)


def column_type(table: str, column: str) -> type:
    """Return the Python type of a column: text if the schema lacks table or column.

    >>> column_type('labels', 'copies'), column_type('my_table', 'copies')
    (<class 'int'>, <class 'str'>)
    """
    known = find_table(table)
    if known is None or column not in known.names:
        return str
    return known.kind(column).type
