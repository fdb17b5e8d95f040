"""Read the files of a directory tree as pages, for `pack`."""

import gzip
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from mimetypes import MimeTypes
from urllib.parse import quote

from mr_reuse.archives.writer import Page
from mr_reuse.messages import warn

TEXT_TYPES = {
    '.html': 'text/html',
    '.htm': 'text/html',
    '.xml': 'application/xml',
    '.xhtml': 'application/xhtml+xml',
    '.txt': 'text/plain',
}
GZIPPED_SUFFIXES = ('.html.gz', '.htm.gz')
MAX_BODY = 1 << 30  # bytes, as bodies are in memory and a small file may inflate much
MIME_TYPES = MimeTypes()  # without /etc/mime.types, which differs between machines


def guess_type(name: bytes, take_all: bool = False) -> str | None:
    """Guess the media type of a file from its name; None if it is not to be packed.

    >>> guess_type(b'a/Index.HTM'), guess_type(b'b.html.gz'), guess_type(b'c')
    ('text/html', 'text/html', None)
    >>> guess_type(b'a.png', take_all=True), guess_type(b'a.css.gz', take_all=True)
    ('image/png', 'application/octet-stream')
    """
    lower = name.decode('latin-1').lower()
    suffix = os.path.splitext(lower)[1]
    if lower.endswith(GZIPPED_SUFFIXES):
        return 'text/html'
    if suffix in TEXT_TYPES or not take_all:
        return TEXT_TYPES.get(suffix)
    return MIME_TYPES.guess_type(f'x{suffix}')[0] or 'application/octet-stream'


class Tree:
    """The files of one directory, in the order of their paths."""

    def __init__(self, folder: str, base_url: str, take_all: bool):
        self.top = os.fsencode(folder)
        self.name = os.path.basename(os.path.abspath(self.top))
        self.prefix = base_url + (quote(self.name) + '/' if self.name else '')
        self.take_all = take_all
        self.counts: Counter[str] = Counter()

    def pages(self) -> Iterator[Page]:
        """Read the files to pack; count the others, and warn of unreadable ones."""
        # No recursion, as paths may be deeper than Python's stack.
        stack = [b'']
        while stack:
            path = stack.pop()
            try:
                if path.endswith(b'/') or not path:
                    stack += self._listing(path)
                elif page := self._page(path):
                    yield page
            except (OSError, EOFError, zlib.error) as error:
                self.counts['unreadable'] += 1
                name = os.fsdecode(self.top + b'/' + path)
                reason = getattr(error, 'strerror', None) or error
                warn(f'{name}: cannot be read, left out: {reason}')

    def _listing(self, path: bytes) -> list[bytes]:
        """List a folder in descending order, as on a stack; folders end in a slash."""
        names = []
        with os.scandir(self.top + b'/' + path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    names.append(path + entry.name + b'/')
                elif entry.is_file(follow_symlinks=False):
                    names.append(path + entry.name)
                else:
                    self.counts['symlinks and special files'] += 1
        return sorted(names, reverse=True)

    def _page(self, path: bytes) -> Page | None:
        if not (kind := guess_type(path, self.take_all)):
            self.counts['not text (see --all)'] += 1
            return None
        gzipped = os.fsdecode(path).lower().endswith(GZIPPED_SUFFIXES)
        with (gzip.open if gzipped else open)(self.top + b'/' + path, 'rb') as file:
            mtime = os.fstat(file.fileno()).st_mtime
            body = file.read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise OSError(f'larger than {MAX_BODY} bytes')
        return Page(self.prefix + quote(path), kind, mtime, body)
