"""Lists of the names of inputs: text files with a name on each line.

A list from the web may come from a stranger, so it may not name any file that the user
can read: see `name_from_web`.
"""

import functools
import glob
import os
from collections.abc import Iterator
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.storage import naming, text_files
from mr_reuse.storage.naming import SCHEME, is_remote, scheme_of

UTF8_MARK = b'\xef\xbb\xbf'  # written by some editors before UTF-8
COLLECTION = b'"multi-wacz-package"'  # the profile of JSON that lists WACZ files
HEAD = 64 << 10  # bytes in which the profile is looked for
WEB_SCHEMES = ('http', 'https', 'cc')
COMMON_CRAWL_TOP = 'crawl-data/'  # begins all names of Common Crawl
REFUSED = (
    'a list from the web names only files of the web and below --base-url; to use it, '
    'download it and name the copy'
)


class InputName(NamedTuple):
    """A name of an input, typed or from a list."""

    name: str
    line: str = ''  # `LIST, line NUMBER: ` for messages; empty if typed


def is_on_web(name: str) -> bool:
    """Test whether a name is that of a file on a web server, or of Common Crawl."""
    return scheme_of(name) in WEB_SCHEMES


class ListedNames:
    """Completes the names in a list.

    A list of the user names any file. Its names are relative to the base URL. Without
    one they are relative to the current folder, or to that of the list if the current
    one has no such file. Names of Common Crawl are read from there, unless the current
    folder or that of the list has a copy of its folder.
    """

    def __init__(self, path: str, base_url: str, unit: str = 'line'):
        self._path, self._base_url, self._unit = path, base_url, unit

    def complete(self, name: str, number: int) -> InputName:
        """Return a name in a line or row of the list, in full."""
        place = f'{self._path}, {self._unit} {number}: '
        if not is_on_web(self._path):
            return InputName(self._name_from_user(name), place)
        if full := name_from_web(name, self._path, self._base_url):
            return InputName(full, place)
        raise UserError(f'{place}{name}: {REFUSED}')

    def _name_from_user(self, name: str) -> str:
        if SCHEME.match(name):
            return name
        if self._base_url:
            return _with_slash(self._base_url) + name.lstrip('/')
        if name.startswith(COMMON_CRAWL_TOP) and not self._has_copy:
            return f'cc:{name}'
        if not storage.find(name):
            beside = naming.join(glob.escape(self._folder), name)
            name = beside if is_remote(beside) or storage.find(beside) else name
        return name

    @property
    def _folder(self) -> str:
        return os.path.dirname(self._path)

    @functools.cached_property
    def _has_copy(self) -> bool:
        """Whether there is a folder with the archives of Common Crawl."""
        beside = naming.join(self._folder, COMMON_CRAWL_TOP)
        return storage.is_dir(COMMON_CRAWL_TOP) or storage.is_dir(beside)


def read_list(path: str, base_url: str) -> Iterator[InputName]:
    """Yield the names in a list, as its lines are read."""
    with storage.open_read(path) as stream:
        head = stream.read(HEAD)
    if head.lstrip().startswith(b'{') and COLLECTION in head:
        raise UserError(
            f'{path}: a collection of WACZ files; name the files themselves'
        )
    names = ListedNames(path, base_url)
    for number, line in enumerate(text_files.read_lines(path), 1):
        name = os.fsdecode(line.removeprefix(UTF8_MARK).strip())
        if name and not name.startswith('#'):
            yield names.complete(name, number)


def name_from_web(name: str, path: str, base_url: str) -> str | None:
    """Return the full name for a name in a list from the web; None if it is refused.

    Names are relative to the base URL, or to the list. Full names are those of files on
    the web, or below the base URL. In a list of Common Crawl, or of a copy of it, names
    are relative to the folder that holds `crawl-data`.

    >>> name_from_web('a.gz', 'https://h/x/list', '')
    'https://h/x/a.gz'
    >>> name_from_web('a.gz', 'https://h/x/list', 's3://mine')
    's3://mine/a.gz'
    >>> name_from_web('s3://yours/a.gz', 'https://h/x/list', 's3://mine')
    >>> name_from_web('../a.gz', 'https://h/x/list', '/mine')
    >>> name_from_web('crawl-data/a.gz', 'cc:crawl-data/list', '')
    'cc:crawl-data/a.gz'
    """
    folder = path.partition('?')[0].rpartition('/')[0]
    above, top, _ = f'{folder}/'.partition(COMMON_CRAWL_TOP)
    if top and name.startswith(COMMON_CRAWL_TOP) and not base_url:
        return above + name
    base = _with_slash(base_url or folder)
    if name.startswith('/') and not base_url:
        return None
    full = name if SCHEME.match(name) else base + name.lstrip('/')
    is_below = full.startswith(base) and '..' not in full[len(base) :].split('/')
    return full if is_on_web(full) or is_below else None


def _with_slash(base_url: str) -> str:
    """Return a base URL with the slash that names need; `cc:` needs none."""
    return base_url if base_url == 'cc:' else f'{base_url.rstrip("/")}/'
