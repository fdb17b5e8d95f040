"""The kinds of items that can be judged, and the items of their tables."""

from collections.abc import Iterator, Sequence

from mr_reuse import storage
from mr_reuse.algorithms.sampling import ONLY_STRATUM, Row
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.review.chunk_kinds import CHUNKS, FILES, NEIGHBORHOODS, PAGES
from mr_reuse.review.document_kinds import HOSTS, NEAR, PHRASED, QUILTED, STYLED
from mr_reuse.review.kind import Groups, Kind
from mr_reuse.storage import naming
from mr_reuse.tables import table_files

DAMAGED = 'damaged, or of another version'  # of a table
OF_CHUNKS = CHUNKS, FILES, NEIGHBORHOODS, PAGES
OF_DOCUMENTS = QUILTED, NEAR, PHRASED, HOSTS, STYLED
KINDS = {kind.name: kind for kind in (*OF_CHUNKS, *OF_DOCUMENTS)}


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
    if stratified and kind.strata:
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
