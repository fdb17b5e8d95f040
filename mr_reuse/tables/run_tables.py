"""The tables of all systems, by their names."""

from mr_reuse import systems

TABLES = {table.name: table for table in systems.declared('TABLES')}


def tables_of_command(command: str) -> list[str]:
    """Return the names of the tables that a command writes.

    >>> tables_of_command('links')
    ['links', 'rings', 'links_unread']
    """
    return [table.name for table in TABLES.values() if table.written_by == command]


def column_type(table: str, column: str) -> type:
    """Return the Python type of a column: text if the schema lacks table or column.

    >>> column_type('labels', 'copies'), column_type('my_table', 'copies')
    (<class 'int'>, <class 'str'>)
    """
    known = TABLES.get(table)
    if known is None or column not in known.names:
        return str
    return known.kind(column).type
