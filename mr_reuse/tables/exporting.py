"""Export of tables: copies in formats of other programs."""

import contextlib
import importlib
from collections.abc import Callable, Iterable
from typing import BinaryIO, NamedTuple

from tqdm import tqdm

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.messages import python_command
from mr_reuse.storage import naming
from mr_reuse.tables import formats, table_files
from mr_reuse.tables.formats import Table
from mr_reuse.tables.schema import EXPORTS, SUFFIX

# The modules of the writers, imported when needed: pyarrow is slow to import.
FORMATS = dict.fromkeys(EXPORTS, 'mr_reuse.tables.formats') | {
    'parquet': 'mr_reuse.tables.parquet'
}
NO_PYARROW = '--format parquet: pyarrow is not installed'
Writer = Callable[[BinaryIO, Table], int]


class Copy(NamedTuple):
    """A table to be copied, and the name of its copy."""

    table: str
    path: str  # of the table: a file or a folder
    name: str  # of the copy


def import_writer(form: str) -> Writer:
    """Import the function that writes a format."""
    try:
        module = importlib.import_module(FORMATS[form])
    except ImportError:
        raise UserError(
            f'{NO_PYARROW}; {python_command()} -m pip install pyarrow'
        ) from None
    return getattr(module, f'write_{form}')


def choose_tables(run: str, names: Iterable[str] | None) -> dict[str, str]:
    """Return the paths of the tables with these names, by name. None means all tables.

    Raises UserError if the run has no table of a name.
    """
    paths = {
        name.removesuffix(SUFFIX): naming.join(run, name)
        for name in storage.list_names(run)
        if name.endswith(SUFFIX)
    }
    chosen = {}
    for name in (name.removesuffix(SUFFIX) for name in names or paths):
        if name not in paths:
            raise UserError(f'{run}: has no table {name!r}; it has {", ".join(paths)}')
        chosen[name] = paths[name]
    return chosen


def name_copies(
    tables: dict[str, str], folder: str, form: str, force: bool
) -> list[Copy]:
    """Name the copies of tables in a folder. Without `force`, refuse existing names."""
    copies = [
        Copy(table, path, naming.join(folder, f'{table}.{form}'))
        for table, path in tables.items()
    ]
    for copy in copies:
        if storage.exists(name := copy.name) and not force:
            raise UserError(f'{name}: exists; name another folder, or give --force')
    return copies


def write_copies(copies: list[Copy], write: Writer, quiet: bool) -> list[int]:
    """Write all copies, or none if one fails. Return the number of rows of each."""
    hide = quiet or None  # None: hide the bar unless standard error is a terminal
    size = sum(table_size(copy.path) for copy in copies)
    with (
        tqdm(total=size, unit='B', unit_scale=True, disable=hide) as bar,
        contextlib.ExitStack() as stack,  # gives all files their names at the end
    ):
        counts = []
        for name, path, copy in copies:
            table = Table(name, path, read_columns(path), bar.update)
            counts.append(write(stack.enter_context(storage.write(copy)), table))
    return counts


def read_columns(path: str) -> list[str]:
    """Read the names of the columns of a table."""
    files = table_files.list_files(path)
    if not files:
        raise UserError(f'{path}: an empty folder, not a table')
    for file in files:
        storage.refuse_special_files(file)  # a pipe would block
    with storage.open_read(files[0]) as stream:
        return formats.read_header(stream)


def table_size(path: str) -> int:
    """Return the size of a table in bytes."""
    return sum(map(storage.size, table_files.list_files(path)))
