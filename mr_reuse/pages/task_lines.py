"""The input lines of page jobs. A line names the archives of a task.

The driver writes a JSON array of sources. People write the name of an archive.
"""

import json
import os

from mr_reuse import storage
from mr_reuse.archives import causes
from mr_reuse.archives.sources import PACKED_TEXT, Source
from mr_reuse.errors import UserError
from mr_reuse.pages import input_status
from mr_reuse.pages.inputs import encode_name
from mr_reuse.storage import naming, text_files

JSON_STARTS = (b'[[', b'[]')  # no archive has such a name
MAX_QUOTED = 100  # characters of a name in a message
PROBLEMS = {  # of files that people name in place of a list
    'archive': 'an archive; name a text file with the name of an archive on each line',
    PACKED_TEXT: 'gzipped; unpack it, as not all runners can',
    'empty': 'empty; write the name of an archive on each line',
}
NO_LIST = 'not a list; name a text file with the name of an archive on each line'


def parse_line(line: bytes, folder: str = '') -> list[Source]:
    """Return the sources that a line names. A local name is relative to `folder`.

    Blank lines and lines that begin with `#` name nothing.

    >>> [source] = parse_line(b'a.warc.gz', '/crawl')
    >>> source.name, source.path
    ('a.warc.gz', '/crawl/a.warc.gz')
    >>> parse_line(b'[["archive", "a", "/crawl/a"]]')[0].path
    '/crawl/a'
    >>> parse_line(b'# crawl of March')
    []
    """
    line = line.strip()
    if line.startswith(JSON_STARTS):
        return [Source(*fields) for fields in json.loads(line)]
    if not line or line.startswith(b'#'):
        return []
    name = os.fsdecode(line)
    return [Source('archive', encode_name(name), naming.join(folder, name))]


def check_list(name: str, folder: str) -> None:
    """Refuse a file that is no list of archives, as far as its first name shows.

    The other names are looked up by the tasks that read them.
    """
    kind = input_status.detect_kind(name)
    if kind != 'text':
        raise UserError(f'{name}: {PROBLEMS.get(kind, NO_LIST)}')
    for number, line in enumerate(text_files.read_lines(name), 1):
        for source in parse_line(line, folder):
            place = f'{name}, line {number}: {source.name[:MAX_QUOTED]}'
            _check_archive(place, source.path)
            return
    raise UserError(f'{name}: this list names nothing')


def _check_archive(place: str, path: str) -> None:
    """Refuse the name of something that is certainly no archive."""
    entry = storage.status(path)
    if not entry:
        problem = 'no such file'
    elif entry.is_dir:
        problem = 'a folder'
    elif input_status.detect_kind(path) not in ('archive', input_status.UNREADABLE):
        problem = causes.NO_ARCHIVE
    else:
        return
    raise UserError(f'{place}: {problem}; a line is the name of an archive')
