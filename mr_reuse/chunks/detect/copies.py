"""List all pages of a run with a chunk, or all captures of a file."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import rids
from mr_reuse.chunks.page_lines import DATE, FILE_HASH, URL, Batch
from mr_reuse.engine import step_output
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.shuffle import protocol

HEADER = 'copies\tdate\turl\trid'


class Copy(NamedTuple):
    """A page with a chunk, or a capture of a file."""

    copies: int
    date: str
    url: str
    rid: str
    is_file: bool  # True if the digest is that of the file

    def line(self) -> str:
        """Format the copy as a line of a table.

        >>> Copy(2, '2020-01-02', 'http://a/', 'a:9', False).line()
        '2\\t2020-01-02\\thttp://a/\\ta:9\\n'
        """
        return '\t'.join(map(str, self[:-1])) + '\n'


def find_copies(folders: Iterable[str], digest: bytes) -> Iterator[Copy]:
    """Yield all pages that have a digest, in one pass over the page lines."""
    batch = Batch(len(digest))
    for folder in folders:
        for key, value in protocol.read_parts(step_output.list_sound_parts(folder)):
            if batch.add(key, value):
                yield from _find_in_batch(batch, digest)
    yield from _find_in_batch(batch, digest)


def format_table(folders: Iterable[str], digest: bytes) -> Iterator[str]:
    """Yield the lines of a table of all copies.

    Raises `UserError` if there are none.
    """
    header = f'{HEADER}\n'
    for copy in find_copies(folders, digest):
        yield header + copy.line()
        header = ''
    if header:
        raise UserError(f'{digest.hex()}: no page of this run has this hash')


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
            yield Copy(count or 1, date, url, rid, is_file)
