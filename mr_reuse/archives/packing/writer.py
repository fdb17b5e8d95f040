"""Write pages as response records of gzipped WARC archives."""

import os
import time
import uuid
from typing import IO, NamedTuple

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from mr_reuse import __version__

SUFFIX = '.warc.gz'
MAX_TIME = 253_402_300_799  # the end of 9999, the last year of a WARC-Date
ABOUT = {'software': f'mr_reuse {__version__}', 'format': 'WARC File Format 1.0'}


class Page(NamedTuple):
    """A file to write to an archive."""

    url: str
    content_type: str
    mtime: float
    body: IO[bytes]  # at its beginning; it can be read several times
    size: int


def format_date(mtime: float) -> str:
    """Format a time as the date of a record.

    >>> format_date(10**9 + 0.9), format_date(-1)
    ('2001-09-09T01:46:40Z', '1970-01-01T00:00:00Z')
    """
    date = time.gmtime(min(max(mtime, 0), MAX_TIME))
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', date)


def record_id(*parts: str) -> str:
    """Return the record id for a record that differs from others in these parts.

    >>> record_id('http://python.org/')
    '<urn:uuid:4c565f0d-3f5a-5890-b41b-20cf47701c5e>'
    """
    return f'<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, " ".join(parts))}>'


class ArchiveWriter:
    """Writes pages to one archive, or to many of about `split` bytes of payload.

    The archives are written in `folder`; `finish` moves all of them to their names.
    """

    def __init__(self, name: str, split: int | None, folder: str):
        self.stem, self.split, self.folder = name.removesuffix(SUFFIX), split, folder
        self.names: list[str] = []
        self.pages = self.payload = self._in_part = 0
        self._file: IO[bytes] | None = None

    def add(self, page: Page) -> None:
        """Append a page as a gzip member of its own."""
        full = self.split and self._in_part and self._in_part + page.size > self.split
        is_first = self._file is None or full
        if is_first:
            self._open_next()
        writer = WARCWriter(self._file)
        record = _make_record(writer, page)
        if is_first:
            writer.write_record(_make_warcinfo(writer, record))
        writer.write_record(record)
        self._in_part += page.size
        self.payload += page.size
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


def _make_record(writer: WARCWriter, page: Page) -> ArcWarcRecord:
    """Make the response record of a page. Its id follows from its content."""
    http = StatusAndHeaders(
        '200 OK',
        [('Content-Type', page.content_type), ('Content-Length', str(page.size))],
        protocol='HTTP/1.1',
    )
    date = format_date(page.mtime)
    record = writer.create_warc_record(
        page.url,
        'response',
        payload=page.body,
        length=page.size,
        http_headers=http,
        warc_headers_dict={'WARC-Date': date},
    )
    headers = record.rec_headers
    digest = headers.get_header('WARC-Payload-Digest')
    headers.replace_header('WARC-Record-ID', record_id(page.url, date, digest))
    return record


def _make_warcinfo(writer: WARCWriter, first: ArcWarcRecord) -> ArcWarcRecord:
    """Make the warcinfo of an archive, whose date and id follow from its first record.

    It does not name the file, so that the same files give the same bytes.
    """
    date, first_id = map(first.rec_headers.get_header, ('WARC-Date', 'WARC-Record-ID'))
    record = writer.create_warcinfo_record(None, ABOUT)
    record.rec_headers.replace_header('WARC-Date', date)
    record.rec_headers.replace_header('WARC-Record-ID', record_id('warcinfo', first_id))
    return record
