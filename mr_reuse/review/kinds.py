"""The kinds of items that can be judged: the rows of five tables.

A kind has its table, its strata, and a function that describes a row. `gathering.py`
reads the pages and labels of the items.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.algorithms import sampling
from mr_reuse.algorithms.sampling import ONLY_STRATUM, Row
from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_LABELS,
    LABELS,
)
from mr_reuse.chunks.detect import nested
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, to_text
from mr_reuse.quilts.quilt_tables import QUILTS
from mr_reuse.storage import naming
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table

DAMAGED = 'damaged, or of another version'  # of a table


class Strata(NamedTuple):
    """The division of the rows of a table into strata."""

    by: str  # the quantity, for people
    column: str
    of: Callable[[bytes], int]  # the number of the stratum of a cell
    name: Callable[[int], str]  # the stratum of a number, for people


Groups = Iterator[list[bytes]]


def single_rows(lines: Iterable[bytes]) -> Groups:
    """Yield each row of a table as a group."""
    return ([line] for line in lines)


def folded_rows(lines: Iterable[bytes]) -> Groups:
    """Group the rows of `bad_neighborhoods.tsv` that have the same pages.

    >>> rest = b'\\t1\\t8\\t5\\t9\\t0.5\\t0.5'
    >>> lines = [b'a/' + rest, b'a/x/' + rest, b'b/' + rest]
    >>> [len(group) for group in folded_rows(lines)]
    [2, 1]
    """

    first, last = (BAD_NEIGHBORHOODS.index(name) for name in ('pages', 'total'))

    def prefix_and_numbers(line: bytes) -> tuple[bytes, list[bytes]]:
        cells = line.split(b'\t', last + 1)
        return cells[0], cells[first : last + 1]

    return nested.group_nested(lines, prefix_and_numbers)


class Kind(NamedTuple):
    """A kind of item that is judged."""

    name: str
    all: str  # noun phrase for all items
    table: Table
    title: str  # the column with the name of an item
    about: Callable[[Any], str]  # describes a row for people
    strata: Strata
    categories: str  # the default file, without its suffix
    top_categories: str  # the same for the first rows of the table
    groups: Callable[[Iterable[bytes]], Groups] = single_rows  # rows of one item

    def name_of(self, stratum: int) -> str:
        """Name a stratum for people; '' if there is only one."""
        if stratum == ONLY_STRATUM:
            return ''
        return f'{self.strata.by} {self.strata.name(stratum - 1)}'


def about_chunk(row: Any) -> str:
    """Describe a row of `labels.tsv`.

    >>> about_chunk(LABELS.row('ff', 128, 4812, 3901, 120, 'http://a/', '<p>'))
    'copies: 4,812; pages: 3,901; hosts: 120; bytes: 128'
    """
    return (
        f'copies: {row.copies:,}; pages: {row.pages:,}; hosts: {row.hosts:,}; '
        f'bytes: {row.length:,}'
    )


def about_file(row: Any) -> str:
    """Describe a row of `file_labels.tsv`.

    >>> about_file(FILE_LABELS.row('ff', 128, 4812, 120, 'http://a/robots.txt'))
    'copies: 4,812; hosts: 120; bytes: 128'
    """
    return f'copies: {row.copies:,}; hosts: {row.hosts:,}; bytes: {row.length:,}'


def about_neighborhood(row: Any) -> str:
    """Describe a row of `bad_neighborhoods.tsv`.

    >>> row = BAD_NEIGHBORHOODS.row('a/', 1, 8, 960, 1024, 0.9375, 0.93)
    >>> about_neighborhood(row)
    '960 of 1,024 chunks are labels (93.8 %); pages: 8'
    """
    return f'{format_share(row.bad, row.total)}; pages: {row.pages:,}'


def about_page(row: Any) -> str:
    """Describe a row of `bad_pages.tsv`.

    >>> about_page(BAD_PAGES.row('a:0', 'http://a/', 3, 4, 0.75))
    '3 of 4 chunks are labels (75.0 %)'
    """
    return format_share(row.bad, row.total)


def about_quilt(row: Any) -> str:
    """Describe a row of `quilts.tsv`.

    >>> about_quilt(QUILTS.row('a:0', 'http://a/', 20, 16, 8, 0.5, 4))
    '8 of 16 grams are patch grams (50.0 %); sources: 4; words: 20'
    """
    grams = format_count(row.grams, 'gram is a patch gram', 'grams are patch grams')
    share = f'{row.patch:,} of {grams} ({100 * row.patch / row.grams:.1f} %)'
    return f'{share}; sources: {row.sources:,}; words: {row.words:,}'


def format_share(bad: int, total: int) -> str:
    """Format the share of chunks that are labels."""
    chunks = format_count(total, 'chunk is a label', 'chunks are labels')
    return f'{bad:,} of {chunks} ({100 * bad / total:.1f} %)'


def by_badness(column: str) -> Strata:
    """Divide a table with ratios in a column into strata by halves."""
    return Strata('badness', column, sampling.halving_of, sampling.halving_name)


CHUNKS = Kind(
    name='chunks',
    all='chunks above the threshold',
    table=LABELS,
    title='hash',
    about=about_chunk,
    strata=Strata('copies', 'copies', sampling.decade_of, sampling.decade_name),
    categories='chunks',
    top_categories='top-chunks',
)
FILES = Kind(
    name='files',
    all='files above the threshold',
    table=FILE_LABELS,
    title='hash',
    about=about_file,
    strata=CHUNKS.strata,
    categories='files',
    top_categories='files',
)
NEIGHBORHOODS = Kind(
    name='neighborhoods',
    all='bad neighborhoods',
    table=BAD_NEIGHBORHOODS,
    title='prefix',
    about=about_neighborhood,
    strata=by_badness('pooled'),
    categories='neighborhoods',
    top_categories='clones',
    groups=folded_rows,
)
PAGES = Kind(
    name='pages',
    all='bad pages',
    table=BAD_PAGES,
    title='url',
    about=about_page,
    strata=by_badness('contains'),
    categories='neighborhoods',
    top_categories='neighborhoods',
)
QUILTED = Kind(
    name='quilts',
    all='quilted pages',
    table=QUILTS,
    title='url',
    about=about_quilt,
    strata=Strata('sources', 'sources', sampling.decade_of, sampling.decade_name),
    categories='quilts',
    top_categories='quilts',
)
KINDS = {kind.name: kind for kind in (CHUNKS, FILES, NEIGHBORHOODS, PAGES, QUILTED)}


def find_table(kind: Kind, run: str) -> str:
    """Return the name of the table of a kind; raise UserError if it is missing."""
    name = naming.join(run, kind.table.file)
    if not storage.exists(name):
        command = kind.table.written_by
        raise UserError(f'{name}: no such table; run {command} on {run} first')
    return name


def rows(kind: Kind, run: str, stratified: bool) -> Iterator[Row]:
    """Yield the items of a kind from the table of a run.

    Raises UserError if the table is missing or damaged.
    """
    name = find_table(kind, run)
    try:
        for group in read_groups(kind, table_files.list_files(name)):
            yield make_row(kind, group, stratified)
    except ValueError:
        raise UserError(f'{name}: {DAMAGED}') from None


def read_groups(kind: Kind, files: Sequence[str]) -> Groups:
    """Yield the rows of each item in files of a table.

    Raises ValueError if any lacks a column.
    """
    tabs = len(kind.table.columns) - 1

    def complete_lines() -> Iterator[bytes]:
        for line in table_files.read_files(files):
            if line.count(b'\t') != tabs:
                raise ValueError
            yield line

    return kind.groups(complete_lines())


def make_row(kind: Kind, group: Sequence[bytes], stratified: bool) -> Row:
    """Make the item of a group of rows; raise ValueError if they are damaged."""
    line = group[0]
    stratum = ONLY_STRATUM
    if stratified:
        column = kind.table.index(kind.strata.column)
        cells = line.split(b'\t', column + 1)
        stratum = 1 + kind.strata.of(cells[column].rstrip(b'\n'))
    # The first row names the item. The last one is the deepest folder in it.
    item, last = (line[: line.index(b'\t')] for line in (line, group[-1]))
    return Row(item, line, stratum, last[len(item) :], len(group) - 1)


def describe_item(kind: Kind, row: Row) -> tuple[str, str]:
    """Return the name and the description of an item.

    Raises UserError if the row is damaged.
    """
    cells = to_text(row.line).rstrip('\n').split('\t')
    inside = to_text(row.inside)
    try:
        item = kind.table.parse(cells)
        about = kind.about(item)
    except (ValueError, ZeroDivisionError):
        raise UserError(f'{kind.table.file}: damaged: {cells[0]}') from None
    title = getattr(item, kind.title)
    return title, f'{about}, all in {inside}' if inside else about
