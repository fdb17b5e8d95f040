"""The rows of the tables of labels, from the lines of ReadPreviews."""

from collections.abc import Iterator

from mr_reuse.chunks.chunk_tables import LABELS
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.tables.row_makers import RowMaker
from mr_reuse.tables.schema import Table

MAX_HEX = 64  # hexadecimal digits of the longest digest
COPIES = LABELS.index('copies')
TABS = len(LABELS.columns) - 1


def key_by_copies(copies: int, row: bytes) -> Keyed:
    """Return the sort key of a row, and the row: most copies first, then by hash.

    >>> key_by_copies(7, b'ff' + 19 * b'00')[0] < key_by_copies(6, 20 * b'00')[0]
    True
    """
    return sorting.descending(copies) + row[:MAX_HEX], row


class LabelRows(RowMaker):
    """The labels of chunks, most copied first."""

    def __init__(self, table: Table):
        self.table = table

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the row of a line, whose last cells may be empty.

        >>> line = b'ff', b'9\\t7\\t6\\t5\\thttp://a/'
        >>> [row for _, row in LabelRows(LABELS).add(*line)]
        [b'ff\\t9\\t7\\t6\\t5\\thttp://a/\\t']
        """
        row = (key + b'\t' + value).rstrip(b'\t')
        row += b'\t' * (TABS - row.count(b'\t'))
        yield key_by_copies(int(row.split(b'\t', COPIES + 1)[COPIES]), row)
