"""Copies of local input in the run directory, where a cluster can read them."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mr_reuse import storage
from mr_reuse.archives import reader
from mr_reuse.archives.sources import Source
from mr_reuse.engine.display import Display
from mr_reuse.engine.progress import Meter
from mr_reuse.engine.rundir import COPIES, RunDir, digest_of
from mr_reuse.messages import format_count
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote

SPECIAL = re.compile(r'[^\w.-]', re.ASCII)  # characters replaced in names of copies
THREADS = 8  # files that are copied at the same time


def send_inputs(run: RunDir, sources: list[Source], display: Display) -> list[Source]:
    """Copy local sources into a remote run, and return all sources with their paths.

    A file is not copied again unless it has changed, nor if it cannot be read.
    """
    folder = run.join(COPIES)
    sizes = {entry.name: entry.size for entry in storage.list_entries(folder)}
    local = (s for s in sources if is_local(s) and reader.is_readable(s.path))
    copies = {s: naming.join(folder, copy_name(s)) for s in local}
    todo = [s for s, name in copies.items() if sizes.get(name) != _file_size(s)]
    if todo:
        storage.make_dir(folder)
        storage.make_dir(display.folder)
        total = sum(map(_file_size, todo))
        with display.show_step(f'sending {format_count(len(todo), "file")}', total):
            meter = Meter(display.folder)
            for size in _put([(source.path, copies[source]) for source in todo]):
                meter.finish(size)
    return [
        s._replace(path=storage.canonical_name(copies[s])) if s in copies else s
        for s in sources
    ]


def _file_size(source: Source) -> int:
    """Return the size of the file of a source, which may be a slice."""
    return storage.size(source.path) if source.rows else source.size


def is_local(source: Source) -> bool:
    """Return whether a source is a file on this machine."""
    return not is_remote(source.path)


def copy_name(source: Source) -> str:
    """Build the name of a copy. It changes when the file changes."""
    version = digest_of([source.path, storage.stamp(source.path)])
    return f'{version}-{SPECIAL.sub("_", naming.last_component(source.path))[-80:]}'


def _put(pairs: list[tuple[str, str]]) -> Iterator[int]:
    """Copy files from and to these names, and yield the size of each, in order."""

    def put(pair: tuple[str, str]) -> int:
        storage.put(*pair)
        return os.path.getsize(pair[0])

    with ThreadPoolExecutor(THREADS) as pool:
        yield from pool.map(put, pairs)
