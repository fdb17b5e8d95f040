"""Input that lies on this machine gets to where a cluster can read it, once."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from mr_reuse import storage
from mr_reuse.archives.sources import Source
from mr_reuse.engine.display import Showing
from mr_reuse.engine.progress import Meter
from mr_reuse.engine.rundir import COPIES, RunDir, digest_of
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote

ODD = re.compile(r'[^\w.-]', re.ASCII)
AT_ONCE = 8


def send(run: RunDir, sources: list[Source], showing: Showing) -> list[Source]:
    """The sources as a cluster can read them; local ones are copied into the run.

    What was copied before, and has not changed since, is not copied again.
    """
    if not is_remote(run.path):
        return sources
    folder = run.join(COPIES)
    there = {entry.name: entry.size for entry in storage.entries(folder)}
    copies = {one: naming.join(folder, name_of(one)) for one in sources if is_here(one)}
    todo = [one for one, name in copies.items() if there.get(name) != one.size]
    if todo:
        storage.make_dir(folder)
        storage.make_dir(showing.folder)
        total = sum(one.size for one in todo)
        with showing.step(f'sending {len(todo):,} files', total):
            meter = Meter(showing.folder)
            for size in _put([(one.path, copies[one]) for one in todo]):
                meter.finish(size)
    return [
        one._replace(path=storage.real(copies[one])) if one in copies else one
        for one in sources
    ]


def is_here(source: Source) -> bool:
    """Whether a source is on this machine only."""
    return not is_remote(source.path)


def name_of(source: Source) -> str:
    """The name of a copy, which is another one if the file changes."""
    told = digest_of([source.path, storage.stamp(source.path)])
    return f'{told}-{ODD.sub("_", naming.last_of(source.path))[-80:]}'


def _put(pairs: list[tuple[str, str]]) -> Iterator[int]:
    """Copy files, several at a time; the size of each that is done."""

    def put(pair: tuple[str, str]) -> int:
        storage.put(*pair)
        return os.path.getsize(pair[0])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(put, pairs)
