"""List all captures of a run with a chunk, or of a file."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import rids
from mr_reuse.archives.dates import parse_date
from mr_reuse.chunks.page_lines import DATE, FILE_HASH, URL, Batch, content_rid
from mr_reuse.engine import step_output
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, to_bytes, to_text
from mr_reuse.shuffle import protocol, sorting

HEADER = 'copies\tdate\turl\trid\n'


class Copy(NamedTuple):
    """A capture of a page with a chunk, or of a file."""

    copies: int
    date: str
    url: str
    rid: str
    is_file: bool  # True if the digest is that of the file
    source: str  # rid of the record with the content, the target of a revisit

    def row(self) -> bytes:
        """Format the copy as a row of a table.

        >>> Copy(2, '2020-01-02', 'http://a/', 'a:9', False, 'a:9').row()
        b'2\\t2020-01-02\\thttp://a/\\ta:9'
        """
        return to_bytes('\t'.join(map(str, self[:4])))


class CopyTable:
    """All captures with a digest as a table, which is written once.

    Both sorts are in bounded memory: by URL to count the URLs, then by date.
    """

    def __init__(self, folders: Sequence[str], digest: bytes):
        self._folders, self._digest = folders, digest
        self.captures = self.urls = 0

    def lines(self) -> Iterator[str]:
        """Yield the header and a line for each capture, the earliest first.

        Raises `UserError` if there are none.
        """
        rows = sorting.sort_rows(map(sort_by_date, self._count(self._read_by_url())))
        first = next(rows, None)
        if first is None:
            raise UserError(f'{self._digest.hex()}: no page of this run has this hash')
        yield f'{HEADER}{to_text(first)}\n'
        for row in rows:
            yield f'{to_text(row)}\n'

    def describe(self, kept: str) -> str:
        """Describe the numbers after all lines; `kept` is the capture that counts."""
        captures = format_count(self.captures, 'capture')
        urls = format_count(self.urls, 'URL')
        return f'{captures} of {urls}; the tables count only the {kept} one of each'

    def _read_by_url(self) -> Iterator[bytes]:
        copies = find_copies(self._folders, self._digest)
        return sorting.sort_rows((to_bytes(copy.url), copy.row()) for copy in copies)

    def _count(self, rows: Iterable[bytes]) -> Iterator[bytes]:
        for _, captures in groupby(rows, lambda row: row.split(b'\t')[2]):
            self.urls += 1
            for row in captures:
                self.captures += 1
                yield row


def sort_by_date(row: bytes) -> sorting.Keyed:
    """Return a row with its sort key: date, then archive and offset.

    A capture without a date comes last.

    >>> date = b'20200102030405'
    >>> rows = [b'1\\t%b\\thttp://a/\\t%b' % row for row in
    ...         ((b'', b'a:1'), (date, b'a:10'), (date, b'a:9'))]
    >>> [row[-4:] for row in sorting.sort_rows(map(sort_by_date, rows))]
    [b'\\ta:9', b'a:10', b'\\ta:1']
    """
    _, date, _, rid = row.split(b'\t')
    return b'%015d%b' % (parse_date(to_text(date)), rids.sort_key(rid)), row


def find_copies(folders: Iterable[str], digest: bytes) -> Iterator[Copy]:
    """Yield all captures that have a digest, in one pass over the page lines."""
    batch = Batch(len(digest))
    for folder in folders:
        for key, value in protocol.read_parts(step_output.list_sound_parts(folder)):
            if batch.add(key, value):
                yield from _find_in_batch(batch, digest)
    yield from _find_in_batch(batch, digest)


def _find_in_batch(batch: Batch, digest: bytes) -> Iterator[Copy]:
    rows, owners, lines = batch.take()
    _, copies = rows.columns
    hit = (rows.keys == np.frombuffer(digest, np.uint8)).all(axis=1)
    counts = np.bincount(owners[hit].astype(np.intp), copies[hit], len(lines))
    file_hash = digest.hex().encode()
    for (key, fields), count in zip(lines, counts.astype(int).tolist(), strict=True):
        is_file = fields[FILE_HASH] == file_hash
        if count or is_file:
            cells = (fields[DATE], fields[URL], rids.rid_of(key))
            date, url, rid = map(to_text, cells)
            source = content_rid(key, fields)
            yield Copy(count or 1, date, url, rid, is_file, source)
