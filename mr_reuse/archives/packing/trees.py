"""Read the files of a directory tree as pages, for `pack`."""

import gzip
import os
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from mimetypes import MimeTypes
from urllib.parse import quote

from mr_reuse.archives.packing import files
from mr_reuse.archives.packing.files import Unreadable
from mr_reuse.archives.packing.mirrors import mirrored_url
from mr_reuse.archives.packing.writer import Page
from mr_reuse.archives.sniff import is_text, media_type
from mr_reuse.messages import warn

TEXT_TYPES = {
    '.html': 'text/html',
    '.htm': 'text/html',
    '.xml': 'application/xml',
    '.xhtml': 'application/xhtml+xml',
    '.txt': 'text/plain',
}
MIME_TYPES = MimeTypes()  # without /etc/mime.types, which differs between machines
NOT_TEXT = 'not text (see --all)'
NO_HOST = 'not in a folder named like a host'
SPECIAL = 'symlinks and special files'
UNREADABLE = 'unreadable'


def guess_type(name: bytes, take_all: bool = False) -> str | None:
    """Guess the media type of a file from its name; None if it is not to be packed.

    >>> guess_type(b'a/Index.HTM'), guess_type(b'b.txt.gz'), guess_type(b'c')
    ('text/html', 'text/plain', None)
    >>> guess_type(b'a.png', take_all=True), guess_type(b'a.css.gz', take_all=True)
    ('image/png', 'application/octet-stream')
    """
    lower = name.decode('latin-1').lower()
    suffix = os.path.splitext(lower)[1]
    if is_gzipped_text(name):
        suffix = os.path.splitext(lower.removesuffix('.gz'))[1]
    if suffix in TEXT_TYPES or not take_all:
        return TEXT_TYPES.get(suffix)
    return MIME_TYPES.guess_type(f'x{suffix}')[0] or 'application/octet-stream'


def is_gzipped_text(name: bytes) -> bool:
    """Test whether a name is that of a gzipped text, which is unpacked.

    >>> is_gzipped_text(b'a.HTML.gz'), is_gzipped_text(b'a.tar.gz')
    (True, False)
    """
    stem, suffix = os.path.splitext(name.decode('latin-1').lower())
    return suffix == '.gz' and os.path.splitext(stem)[1] in TEXT_TYPES


class Tree:
    """The files of one directory, in the order of their paths.

    With `hosts`, the folders in it are named like the hosts of the pages below them.
    """

    def __init__(self, folder: str, base_url: str, take_all: bool, hosts: bool = False):
        self.top = os.fsencode(folder)
        self.name = os.path.basename(os.path.abspath(self.top))
        self.prefix = base_url + (quote(self.name) + '/' if self.name else '')
        self.take_all, self.hosts = take_all, hosts
        self.counts: Counter[str] = Counter()

    def pages(self) -> Iterator[Page]:
        """Read the files to pack; count the others, and warn of unreadable ones.

        The body of a page is closed when the next page is read.
        """
        # No recursion, as paths may be deeper than Python's stack.
        stack = [b'']
        while stack:
            path = stack.pop()
            try:
                if path.endswith(b'/') or not path:
                    stack += self._listing(path)
                elif page := self._page(path):
                    with page.body:
                        yield page
            except Unreadable as error:
                self.counts[UNREADABLE] += 1
                name = os.fsdecode(self.top + b'/' + path)
                warn(f'{name}: cannot be read, left out: {error}')

    def _listing(self, path: bytes) -> list[bytes]:
        """List a folder in descending order, as on a stack; folders end in a slash."""
        names = []
        with files.reading(), os.scandir(self.top + b'/' + path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    names.append(path + entry.name + b'/')
                elif entry.is_file(follow_symlinks=False):
                    names.append(path + entry.name)
                else:
                    self.counts[SPECIAL] += 1
        return sorted(names, reverse=True)

    def _page(self, path: bytes) -> Page | None:
        url = mirrored_url(path) if self.hosts else self.prefix + quote(path)
        kind = guess_type(path, self.take_all)
        # Names of mirrored files are often without suffix, or end in a query.
        if not url or not (kind or self.hosts):
            self.counts[NOT_TEXT if url else NO_HOST] += 1
            return None
        with files.open_file(self.top + b'/' + path) as file:
            mtime = os.fstat(file.fileno()).st_mtime
            unpacked = gzip.GzipFile(fileobj=file) if is_gzipped_text(path) else file
            blocks = files.read_blocks(unpacked)
            first = next(blocks, b'')
            if self.hosts and is_text(media := media_type(first)):
                kind = media
            if not kind:
                self.counts[NOT_TEXT] += 1
                return None
            body = files.copy_blocks(chain([first], blocks))
        size = body.tell()
        body.seek(0)
        return Page(url, kind, mtime, body, size)
