"""Files in a WACZ, read in place. A WACZ is a ZIP of web archives with a list of them.

The name of a file in it is that of the WACZ, a slash, and the path in the WACZ. Files
that are missing, but in the list, have names as well. Opening them fails.
"""

import errno
import functools
from collections.abc import Iterator
from typing import BinaryIO

from mr_reuse.storage.base import Entry, Opened, Store
from mr_reuse.storage.package_content import Content, Packed, read_content
from mr_reuse.storage.package_file import PackageFile
from mr_reuse.storage.read_only import ReadOnlyStore


class PackageStore(ReadOnlyStore):
    """The files in a WACZ."""

    reason = 'lies in a WACZ, which is never changed; name another folder'

    def __init__(self, store: Store, package: Entry):
        """Open a package, a file in another store."""
        self.broken, self.max_skip = store.broken, store.max_skip
        self._file = PackageFile(package, store)

    def status(self, name: str) -> Entry | None:
        content, path = self._content, self._path(name)
        if path in content.entries or path in content.missing:
            return self._file_status(path)
        is_dir = any(other.startswith(f'{path}/') for other in content.entries)
        return Entry(name, True) if is_dir else None

    def _file_status(self, path: str) -> Entry:
        package, entry = self._file.entry, self._content.entries.get(path)
        name, stamp = f'{package.name}/{path}', package.stamp
        if not entry:
            return Entry(name, False, 0, f'{stamp} missing')
        return Entry(name, False, entry.size, f'{stamp} {entry.header}')

    def walk_files(self, name: str) -> Iterator[Entry]:
        top = self._path(f'{name}/')
        for path in sorted(self._content.missing.union(self._content.entries)):
            if path.startswith(top):
                yield self._file_status(path)

    def list_entries(self, name: str) -> list[Entry]:
        entries = set()
        for file in self.walk_files(name):
            end = file.name.find('/', len(name) + 1)
            entries.add(file if end < 0 else Entry(file.name[:end], True))
        return sorted(entries)

    def describe(self, name: str) -> Packed:
        """Return what the package says of a file. Raise OSError if it is unreadable."""
        return self._content.describe(name, self._path(name))

    def open_range(self, name: str, offset: int, limit: int = 0) -> Opened:
        entry, (start, end, _) = self._content.find(name, self._path(name))
        if not entry.is_stored:
            raise OSError(errno.EIO, 'deflated in its ZIP', name)
        return self._file.open_part(start, end, offset, limit)

    def open_read(self, name: str, offset: int = 0, length: int = 0) -> BinaryIO:
        return self._content.open_read(name, self._path(name), offset)

    def canonical_name(self, name: str) -> str:
        store, package = self._file.store, self._file.entry.name
        return f'{store.canonical_name(package)}/{self._path(name)}'

    @functools.cached_property
    def _content(self) -> Content:
        return read_content(self._file)

    def _path(self, name: str) -> str:
        return name[len(self._file.entry.name) + 1 :]
