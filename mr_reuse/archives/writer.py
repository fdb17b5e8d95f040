"""Write pages as response records of gzipped WARC archives."""

import os
import time
import uuid
from typing import NamedTuple

import deflate

SUFFIX = '.warc.gz'
MAX_TIME = 253_402_300_799  # the end of 9999, the last year of a WARC-Date


class Page(NamedTuple):
    """A file to write to an archive."""

    url: str
    content_type: str
    mtime: float
    body: bytes


def format_record(page: Page) -> bytes:
    """Format a page as a response record.

    warcio would hash each body twice, which takes as long as compressing it.

    >>> page = Page('http://a.example/', 'text/html', 0, b'<p>')
    >>> format_record(page).split(b'\\r\\n')[3:5]
    [b'WARC-Date: 1970-01-01T00:00:00Z', b'WARC-Target-URI: http://a.example/']
    """
    length = f'Content-Length: {len(page.body)}\r\n\r\n'
    http = f'HTTP/1.1 200 OK\r\nContent-Type: {page.content_type}\r\n{length}'.encode()
    date = time.gmtime(min(max(page.mtime, 0), MAX_TIME))
    head = (
        'WARC/1.0\r\nWARC-Type: response\r\n'
        f'WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, page.url)}>\r\n'
        f'WARC-Date: {time.strftime("%Y-%m-%dT%H:%M:%SZ", date)}\r\n'
        f'WARC-Target-URI: {page.url}\r\n'
        'Content-Type: application/http; msgtype=response\r\n'
        f'Content-Length: {len(http) + len(page.body)}\r\n\r\n'
    ).encode()
    return b'%b%b%b\r\n\r\n' % (head, http, page.body)


class ArchiveWriter:
    """Writes pages to one archive, or to many of about `split` bytes of payload.

    The archives are written in `folder`; `finish` moves all of them to their names.
    """

    def __init__(self, name: str, split: int | None, folder: str):
        self.stem, self.split, self.folder = name.removesuffix(SUFFIX), split, folder
        self.names: list[str] = []
        self.pages = self.payload = self._in_part = 0
        self._file = None

    def add(self, page: Page) -> None:
        """Append a page as a gzip member of its own."""
        size = len(page.body)
        full = self.split and self._in_part and self._in_part + size > self.split
        if self._file is None or full:
            self._open_next()
        self._file.write(deflate.gzip_compress(format_record(page)))
        self._in_part += size
        self.payload += size
        self.pages += 1

    def _open_next(self) -> None:
        self.close()
        number = f'-{len(self.names):05}' if self.split else ''
        self.names.append(self.stem + number + SUFFIX)
        unfinished = os.path.join(self.folder, os.path.basename(self.names[-1]))
        self._file = open(unfinished, 'wb')  # noqa: SIM115
        self._in_part = 0

    def close(self) -> None:
        """Close the archive that is being written, if any."""
        if self._file:
            self._file.close()

    def finish(self) -> None:
        """Move all archives to their names."""
        self.close()
        for name in self.names:
            os.replace(os.path.join(self.folder, os.path.basename(name)), name)
