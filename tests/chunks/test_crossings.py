"""The way of a page through the mapper of HashChunks crosses few module borders."""

import gzip
import sys
from pathlib import Path

import pytest
from commands import discover
from damaged_reading import make

from mr_reuse import kernel
from mr_reuse.chunks.jobs.hash_chunks import HashChunks

MOST = 12  # a page; the reader of the code has to follow each of them


def write_archive(path: Path, pages: int) -> Path:
    """Write an ordinary archive: each response is a gzip member."""
    with open(path, 'wb') as file:
        for number in range(pages):
            body = make.page(f'{number}') * (1 + number % 5)
            file.write(
                gzip.compress(make.warc(f'{number % 7}/{number}', make.http(body)))
            )
    return path


def crossings(archive: Path, monkeypatch) -> int:
    """Count how often the mapper calls another module of ours than it did before.

    That is Python functions alone; a generator is called each time it is resumed.
    """
    called = ['']
    run_mapper = HashChunks.run_mapper

    def profile(frame, event, _):
        name = frame.f_globals.get('__name__', '')
        if event == 'call' and name.startswith('mr_reuse.') and name != called[-1]:
            called.append(name)

    def run_profiled(*args):
        sys.setprofile(profile)
        try:
            run_mapper(*args)
        finally:
            sys.setprofile(None)

    with monkeypatch.context() as patch:
        patch.setattr(HashChunks, 'run_mapper', run_profiled)
        out = archive.with_suffix('.run')
        assert discover(archive, '-o', out, '-q').code == 0
    return len(called) - 1


@pytest.mark.skipif(not kernel.load(), reason='Python reads headers in more modules')
def test_crossings(tmp_path, monkeypatch):
    few, many = (
        crossings(write_archive(tmp_path / f'{pages}.warc.gz', pages), monkeypatch)
        for pages in (100, 300)
    )
    assert few > 20, 'the mapper was not seen'
    assert 1 < (many - few) / 200 <= MOST
