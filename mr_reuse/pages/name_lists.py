"""Lists of the names of inputs: text files with a name on each line."""

import glob
import os
from collections.abc import Iterator
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.storage import naming, text_files
from mr_reuse.storage.naming import SCHEME, is_remote

UTF8_MARK = b'\xef\xbb\xbf'  # written by some editors before UTF-8


class InputName(NamedTuple):
    """A name of an input, typed or from a list."""

    name: str
    line: str = ''  # `LIST, line NUMBER: ` for messages; empty if typed


def read_list(path: str, base_url: str) -> Iterator[InputName]:
    """Yield the names in a list.

    Names are relative to the base URL. Without one they are relative to the current
    folder, or to that of the list if the current one has no such file.
    """
    for number, line in enumerate(text_files.read_lines(path), 1):
        name = os.fsdecode(line.removeprefix(UTF8_MARK).strip())
        if not name or name.startswith('#'):
            continue
        if base_url and not SCHEME.match(name):
            name = f'{base_url.rstrip("/")}/{name.lstrip("/")}'
        if not SCHEME.match(name) and not storage.find(name):
            beside = naming.join(glob.escape(os.path.dirname(path)), name)
            name = beside if is_remote(beside) or storage.find(beside) else name
        yield InputName(name, f'{path}, line {number}: ')
