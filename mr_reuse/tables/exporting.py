"""Copies of tables in formats of other programs."""

import contextlib
import importlib
from collections.abc import Callable, Iterable
from typing import BinaryIO, NamedTuple

from tqdm import tqdm

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.messages import python
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
    """A table, and the name of its copy."""

    table: str
    path: str  # of the table: a file or a folder
    name: str


def writer_of(form: str) -> Writer:
    """The function that writes a format."""
    try:
        module = importlib.import_module(FORMATS[form])
    except ImportError:
        raise UserError(f'{NO_PYARROW}; {python()} -m pip install pyarrow') from None
    return getattr(module, f'write_{form}')


def choose_tables(run: str, names: Iterable[str] | None) -> dict[str, str]:
    """The paths of the tables of a run with these names, or of all, by name."""
    paths = {
        name.removesuffix(SUFFIX): naming.join(run, name)
        for name in storage.listing(run)
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
    """The copies of some tables in a folder; refuse to replace any."""
    copies = [
        Copy(table, path, naming.join(folder, f'{table}.{form}'))
        for table, path in tables.items()
    ]
    for copy in copies:
        if storage.exists(name := copy.name) and not force:
            raise UserError(f'{name}: exists; name another folder, or give --force')
    return copies


def write_copies(copies: list[Copy], write: Writer, quiet: bool) -> list[int]:
    """Write all copies or none; the number of rows of each."""
    hide = quiet or None  # None: unless standard error is a terminal
    size = sum(size_of(copy.path) for copy in copies)
    with (
        tqdm(total=size, unit='B', unit_scale=True, disable=hide) as bar,
        contextlib.ExitStack() as stack,  # renames the files when all are written
    ):
        counts = []
        for name, path, copy in copies:
            table = Table(name, path, columns_of(path), bar.update)
            counts.append(write(stack.enter_context(storage.write(copy)), table))
    return counts


def columns_of(path: str) -> list[str]:
    """The columns of a table."""
    files = table_files.files_of(path)
    if not files:
        raise UserError(f'{path}: an empty folder, not a table')
    for file in files:
        storage.must_not_wait(file)
    with storage.open_read(files[0]) as stream:
        return formats.header_of(stream)


def size_of(path: str) -> int:
    """Bytes in a table."""
    return sum(map(storage.size, table_files.files_of(path)))
