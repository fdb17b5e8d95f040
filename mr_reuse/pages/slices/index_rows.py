"""Slices by index: tables whose rows name records of archives, as CSV or Parquet.

The columns are those of the columnar index of Common Crawl. Other columns are ignored.
"""

import csv
from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from mr_reuse import storage
from mr_reuse.archives import slices
from mr_reuse.archives.sources import PACKED_TEXT
from mr_reuse.errors import UserError
from mr_reuse.messages import python_command
from mr_reuse.pages import input_status
from mr_reuse.pages.name_lists import ListedNames
from mr_reuse.storage import Entry, text_files
from mr_reuse.storage.naming import is_remote

# Names of the columns with the archive, the offset and the length.
COLUMNS = (
    ('warc_filename', 'filename'),
    ('warc_record_offset', 'offset'),
    ('warc_record_length', 'length'),
)
PARQUET = b'PAR1'
MAX_ROWS = 1_000_000  # the driver holds all rows
MAX_NUMBER = 1 << 62
IndexRow = tuple[int, str, Any, Any]  # number, archive, offset, length


def is_index(name: str, kind: str) -> bool:
    """Test whether a file of this kind is a table of records, by its first bytes."""
    if kind == 'binary':
        return storage.starts_with(name, PARQUET)
    if kind not in ('text', PACKED_TEXT):
        return False
    first = next(_lines(name), '')
    return find_columns(split_header(first)) is not None


def find_columns(names: list[str]) -> list[int] | None:
    """Return the places of the three columns in a header; None if one is missing.

    >>> find_columns(['url', 'warc_filename', 'warc_record_offset', 'length'])
    [1, 2, 3]
    >>> find_columns(['filename', 'offset'])
    """
    known = {name.strip().lower(): place for place, name in enumerate(names)}
    places = [[known[n] for n in aliases if n in known] for aliases in COLUMNS]
    return [found[0] for found in places] if all(places) else None


def split_header(line: str) -> list[str]:
    """Split a header into the names of columns.

    >>> split_header('"url","offset"')
    ['url', 'offset']
    """
    return line.strip().replace('"', '').split(delimiter_of(line))


def delimiter_of(header: str) -> str:
    r"""Return what separates the columns of a header.

    >>> delimiter_of('filename\toffset'), delimiter_of('filename,offset')
    ('\t', ',')
    """
    return '\t' if '\t' in header else ','


def read_index(name: str, kind: str, base_url: str) -> Iterator[tuple[Entry, str]]:
    """Yield the archives of a table of records, each with its rows as text.

    The size of an archive is that of its rows, and only those on this machine are
    looked up. Archives are in the order of the table.
    """
    rows = _read_parquet(name) if kind == 'binary' else _read_csv(name)
    by_archive = _collect(name, rows, ListedNames(name, base_url, 'row'))
    if not by_archive:
        raise UserError(f'{name}: this table names no records')
    for archive, numbers in by_archive.items():
        text = slices.format_rows(zip(numbers[::2], numbers[1::2], strict=True))
        storage.refuse_special_files(archive)
        [entry] = [None] if is_remote(archive) else input_status.find_status([archive])
        stamp = entry.stamp if entry else ''
        yield Entry(archive, False, slices.size_of(text), stamp), text


def _collect(
    name: str, rows: Iterable[IndexRow], names: ListedNames
) -> dict[str, 'array[int]']:
    """Return the offsets and lengths of all rows, in turn, by the archive's full name.

    Raises UserError for a row that is not valid, and for too many rows.
    """
    by_archive: dict[str, array[int]] = {}
    full: dict[str, str] = {}  # by name in the table
    for number, archive, *place in rows:
        if archive and archive not in full:
            full[archive] = names.complete(archive, number).name
        try:
            numbers = _parse_place(archive, *place)
        except ValueError as error:
            raise UserError(f'{name}, row {number}: {error}') from None
        by_archive.setdefault(full[archive], array('q')).extend(numbers)
        if number > MAX_ROWS:
            raise UserError(
                f'{name}: has more than {MAX_ROWS:,} rows; divide it by archives, and '
                'add the runs with --add'
            )
    return by_archive


def _parse_place(archive: str, *numbers: Any) -> list[int]:
    """Parse an offset and a length. Raise ValueError for a row that is not valid."""
    if not archive:
        raise ValueError('names no archive')
    values = []
    for text, minimum in zip(numbers, (0, 1), strict=True):
        try:
            value = int(text)
        except (TypeError, ValueError, OverflowError):
            value = -1
        if not minimum <= value < MAX_NUMBER:
            raise ValueError(
                f'{str(text)[:50]!r} is no offset or length of a record; correct or '
                'remove the row'
            )
        values.append(value)
    return values


def _read_csv(name: str) -> Iterator[IndexRow]:
    """Yield the rows of a CSV file, numbered from 1."""
    lines = _lines(name)
    header = next(lines)
    places = find_columns(split_header(header))
    number = 0
    try:
        for row in filter(None, csv.reader(lines, delimiter=delimiter_of(header))):
            number += 1
            yield number, *(row[place] for place in places)
    except IndexError:
        raise UserError(f'{name}, row {number}: has too few cells') from None
    except csv.Error as error:
        raise UserError(f'{name}, row {number + 1}: {error}') from None


def _lines(name: str) -> Iterator[str]:
    """Yield the lines of a text file; bytes that are not UTF-8 as `os.fsdecode`."""
    for line in text_files.read_lines(name):
        yield line.decode('utf-8-sig', 'surrogateescape')


def _read_parquet(name: str) -> Iterator[IndexRow]:
    """Yield the rows of a Parquet file, numbered from 1."""
    try:
        from mr_reuse.pages.slices import parquet_rows  # noqa: PLC0415 (pyarrow is slow)
    except ImportError:
        raise UserError(
            f'{name}: Parquet needs pyarrow; {python_command()} -m pip install pyarrow'
        ) from None
    return parquet_rows.read_rows(name, find_columns)
