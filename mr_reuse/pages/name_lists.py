"""Lists of the names of inputs: text files with a name on each line.

A list from the web may come from a stranger, so it may not name any file that the user
can read: see `name_from_web`.
"""

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
WEB_SCHEMES = ('http', 'https')
REFUSED = (
    'a list from the web names only files of the web and below --base-url; to use it, '
    'download it and name the copy'
)


class InputName(NamedTuple):
    """A name of an input, typed or from a list."""

    name: str
    line: str = ''  # `LIST, line NUMBER: ` for messages; empty if typed


def is_on_web(name: str) -> bool:
    """Test whether a name is the URL of a file on a web server."""
    return scheme_of(name) in WEB_SCHEMES


def read_list(path: str, base_url: str) -> Iterator[InputName]:
    """Yield the names in a list, as its lines are read."""
    with storage.open_read(path) as stream:
        head = stream.read(HEAD)
    if head.lstrip().startswith(b'{') and COLLECTION in head:
        raise UserError(
            f'{path}: a collection of WACZ files; name the files themselves'
        )
    for number, line in enumerate(text_files.read_lines(path), 1):
        name = os.fsdecode(line.removeprefix(UTF8_MARK).strip())
        if not name or name.startswith('#'):
            continue
        place = f'{path}, line {number}: '
        if not is_on_web(path):
            yield InputName(_name_from_user(name, path, base_url), place)
        elif full := name_from_web(name, path, base_url):
            yield InputName(full, place)
        else:
            raise UserError(f'{place}{name}: {REFUSED}')


def _name_from_user(name: str, path: str, base_url: str) -> str:
    """Return the full name for a name in a list.

    Names are relative to the base URL. Without one they are relative to the current
    folder, or to that of the list if the current one has no such file.
    """
    if base_url and not SCHEME.match(name):
        name = f'{base_url.rstrip("/")}/{name.lstrip("/")}'
    if not SCHEME.match(name) and not storage.find(name):
        beside = naming.join(glob.escape(os.path.dirname(path)), name)
        name = beside if is_remote(beside) or storage.find(beside) else name
    return name


def name_from_web(name: str, path: str, base_url: str) -> str | None:
    """Return the full name for a name in a list from the web; None if it is refused.

    Names are relative to the base URL, or to the list. Full names are those of files on
    the web, or below the base URL.

    >>> name_from_web('a.gz', 'https://h/x/list', '')
    'https://h/x/a.gz'
    >>> name_from_web('a.gz', 'https://h/x/list', 's3://mine')
    's3://mine/a.gz'
    >>> name_from_web('s3://yours/a.gz', 'https://h/x/list', 's3://mine')
    >>> name_from_web('../a.gz', 'https://h/x/list', '/mine')
    """
    folder = path.partition('?')[0].rpartition('/')[0]
    base = f'{(base_url or folder).rstrip("/")}/'
    if name.startswith('/') and not base_url:
        return None
    full = name if SCHEME.match(name) else base + name.lstrip('/')
    is_below = full.startswith(base) and '..' not in full[len(base) :].split('/')
    return full if is_on_web(full) or is_below else None
