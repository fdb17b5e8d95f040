"""Copy the tables of a run into Parquet, JSON Lines or CSV, for other programs."""

import argparse
import contextlib
import importlib
import sys
from collections.abc import Callable
from typing import BinaryIO

from tqdm import tqdm

from mr_reuse import storage
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine import rundir
from mr_reuse.errors import UserError
from mr_reuse.messages import put, python, warn
from mr_reuse.storage import naming
from mr_reuse.tables import formats, table_files
from mr_reuse.tables.formats import Table

# What writes each, and where: loaded when needed, as pyarrow is slow to import.
FORMATS = {
    'parquet': 'mr_reuse.tables.parquet',
    'jsonl': 'mr_reuse.tables.formats',
    'csv': 'mr_reuse.tables.formats',
}
ENDING = '.tsv'
OF_DETECT = {'pages', 'bad_pages', 'neighborhoods', 'bad_neighborhoods', 'origins'}
EXAMPLES = """\
export RUN --format parquet
export RUN --format csv --table labels -o DIR
"""
NO_PYARROW = '--format parquet: pyarrow is not installed'


def parser() -> argparse.ArgumentParser:
    """The command line of export."""
    found = Parser(description=__doc__, example=EXAMPLES)
    found.add_argument('run', metavar='RUN', help='a run of discover or detect')
    found.add_argument(
        '--format', required=True, choices=FORMATS, help='parquet needs pyarrow'
    )
    found.add_argument(
        '-o', '--output', metavar='DIR', help='where the copies go. Default: RUN'
    )
    found.add_argument(
        '--table',
        action='append',
        metavar='NAME',
        help='only this table, such as labels (may be given several times)',
    )
    found.add_argument('--force', action='store_true', help='replace older copies')
    found.add_argument(
        '-q', '--quiet', action='store_true', help='no progress, no list of copies'
    )
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: all tables of a run, or some; all of them or none."""
    given = parser().parse_args(args)
    told = rundir.record(given.run)
    write, found = writer_of(given.format), tables_of(given.run)
    names = chosen(given, found)
    folder = given.output or given.run
    copies = [naming.join(folder, f'{name}.{given.format}') for name in names]
    for copy in copies:
        if storage.exists(copy) and not given.force:
            raise UserError(f'{copy}: exists; name another folder, or give --force')
    if OF_DETECT & set(names) and 'rule' not in told.get('detect', {}):
        warn(f'{given.run}: what detect has left is of other labels; run detect again')
    storage.make_dir(folder)
    hide = given.quiet or None  # None: unless someone looks
    size = sum(size_of(found[name]) for name in names)
    with (
        tqdm(total=size, unit='B', unit_scale=True, disable=hide) as bar,
        contextlib.ExitStack() as stack,  # each gets its name when all are written
    ):
        counts = []
        for name, copy in zip(names, copies, strict=True):
            table = Table(name, found[name], columns_of(found[name]), bar.update)
            counts.append(write(stack.enter_context(storage.write(copy)), table))
    if not given.quiet:
        told = zip(copies, counts, strict=True)
        put(''.join(f'{copy}: {count:,} rows\n' for copy, count in told))


def writer_of(name: str) -> Callable[[BinaryIO, Table], int]:
    """What writes a format."""
    try:
        module = importlib.import_module(FORMATS[name])
    except ImportError:
        raise UserError(f'{NO_PYARROW}; {python()} -m pip install pyarrow') from None
    return getattr(module, f'write_{name}')


def tables_of(run: str) -> dict[str, str]:
    """The tables of a run, and where they are."""
    return {
        name.removesuffix(ENDING): naming.join(run, name)
        for name in storage.listing(run)
        if name.endswith(ENDING)
    }


def chosen(given: argparse.Namespace, found: dict[str, str]) -> list[str]:
    """The tables that are wanted, each once."""
    names = [name.removesuffix(ENDING) for name in given.table or found]
    for name in names:
        if name not in found:
            raise UserError(
                f'{given.run}: has no table {name!r}; it has {", ".join(found)}'
            )
    return list(dict.fromkeys(names))


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


if __name__ == '__main__':
    sys.exit(main())
