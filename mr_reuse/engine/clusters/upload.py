"""Copies of local input in the run directory, where a cluster can read them."""

import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from mr_reuse import storage
from mr_reuse.archives import reader
from mr_reuse.archives.sources import Source
from mr_reuse.engine.display import Display
from mr_reuse.engine.progress import Meter
from mr_reuse.engine.rundir import COPIES, RunDir
from mr_reuse.engine.step_record import digest_of
from mr_reuse.messages import format_count
from mr_reuse.storage import naming, packed
from mr_reuse.storage.naming import is_remote

SPECIAL = re.compile(r'[^\w.-]', re.ASCII)  # characters replaced in names of copies
THREADS = 8  # files that are copied at the same time


def send_inputs(
    run: RunDir, sources: Sequence[Source], display: Display
) -> Iterator[Source]:
    """Copy local sources into a remote run; return all sources with their paths.

    A file is not copied again unless it has changed, nor if it cannot be read. A WACZ
    is copied as a whole.
    """
    folder = run.join(COPIES)
    sent = {entry.name: entry.size for entry in storage.list_entries(folder)}
    places = {s: packed.split_name(s.path) for s in sources if is_local(s)}
    files = filter(reader.is_readable, dict(places.values()))
    copies = {file: naming.join(folder, copy_name(file)) for file in files}
    sizes = {file: storage.size(file) for file in copies}
    todo = [file for file, name in copies.items() if sent.get(name) != sizes[file]]
    if todo:
        storage.make_dir(folder)
        storage.make_dir(display.folder)
        total = sum(sizes[file] for file in todo)
        with display.show_step(f'sending {format_count(len(todo), "file")}', total):
            meter = Meter(display.folder)
            for size in _put([(file, copies[file]) for file in todo]):
                meter.finish(size)
    return (_at_copy(s, *places.get(s, ('', '')), copies) for s in sources)


def _at_copy(source: Source, file: str, inner: str, copies: dict[str, str]) -> Source:
    """Return a source with the path of its copy, if there is one."""
    if file not in copies:
        return source
    return source._replace(path=storage.canonical_name(copies[file]) + inner)


def is_local(source: Source) -> bool:
    """Return whether a source is a file on this machine."""
    return not is_remote(source.path)


def copy_name(file: str) -> str:
    """Build the name of a copy. It changes when the file changes."""
    version = digest_of([file, storage.stamp(file)])
    return f'{version}-{SPECIAL.sub("_", naming.last_component(file))[-80:]}'


def _put(pairs: list[tuple[str, str]]) -> Iterator[int]:
    """Copy files from and to these names, and yield the size of each, in order."""

    def put(pair: tuple[str, str]) -> int:
        storage.put(*pair)
        return os.path.getsize(pair[0])

    with ThreadPoolExecutor(THREADS) as pool:
        yield from pool.map(put, pairs)
