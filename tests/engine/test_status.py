"""What a task says to Hadoop of how far it is: while something moves, and only then."""

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import threading
import time

import pytest
from crawls import ROOT, write_warc
from hadoop import patiently
from webserver import Page, serving

from mr_reuse.archives.sources import Source

pytestmark = pytest.mark.apart
MEGABYTE = 1 << 20
SAID = re.compile(r'reporter:status:(.+): read to byte ([\d,]+)')


def no_pages(path, size):
    """An archive of a large record that is no page, and does not get small."""
    write_warc(path, [('http://a.org/', random.Random(1).randbytes(size))], 'metadata')
    return path


def task(job, lines, patience, *args):
    """A mapper, begun as Hadoop begins it, which says how long it waits (ms)."""
    known = {} if patience is None else {'mapreduce_task_timeout': str(patience)}
    process = subprocess.Popen(
        [
            sys.executable,
            '-m',
            f'mr_reuse.chunks.jobs.{job}',
            '--step-num=0',
            '--mapper',
            *args,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, 'PYTHONPATH': str(ROOT), **known},
    )
    process.stdin.write(lines)
    process.stdin.close()
    process.stdin = None
    return process


def source(path):
    name = str(path)
    return json.dumps([Source('archive', name, name)]) + '\n'


def said(err):
    """The statuses: archive and place."""
    return [(name, int(at.replace(',', ''))) for name, at in SAID.findall(err)]


def test_records_that_are_no_pages(tmp_path):
    path = no_pages(tmp_path / 'a b.warc.gz', 20 * MEGABYTE)
    out, err = task('hash_chunks', source(path), 1).communicate(timeout=60)
    found = said(err)
    assert {name for name, _ in found} == {str(path)}
    places = sorted({place for _, place in found})
    assert len(places) >= 10
    assert places[-1] > 15 * MEGABYTE
    assert out.count('\n') == 1  # the account, and no page
    assert out.startswith('@\t')


def test_a_page_of_few_bytes_that_inflates(tmp_path):
    path = tmp_path / 'a.warc.gz'
    [page] = write_warc(path, [('http://a.org/', b'copy ' * (6 * MEGABYTE))])
    assert path.stat().st_size < MEGABYTE
    _, err = task('hash_chunks', source(path), 1).communicate(timeout=60)
    assert said(err).count((str(path), page.offset)) >= 10


def test_pages_that_are_read_again(tmp_path):
    path, bad = tmp_path / 'a.warc', tmp_path / 'bad'
    documents = [(f'http://a.org/{n}', b'no link ' * MEGABYTE) for n in range(6)]
    pages = write_warc(path, documents, 'resource', gzip=False)
    bad.write_bytes(hashlib.blake2b(b'a.org/', digest_size=16).digest())
    lines = ''.join(f'{path}:{page.offset}\t{page.url}\n' for page in pages)
    process = task('site_links', lines, 1, f'--bad={bad}')
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, '')
    assert len({place for _, place in said(err)}) >= 10


def test_not_too_often(tmp_path):
    """Ten times before Hadoop's patience is at its end, or once a minute."""
    path = no_pages(tmp_path / 'a.warc.gz', 20 * MEGABYTE)
    for patience in (600_000, 0, None):
        process = task('hash_chunks', source(path), patience)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, said(err)) == (0, [])


def test_silent_when_nothing_moves(tmp_path):
    """A task that waits for a server that has stopped is one that hangs."""
    data = no_pages(tmp_path / 'a.warc.gz', 20 * MEGABYTE).read_bytes()
    with serving() as site:
        site.pages['/a.warc.gz'] = Page(data, breaks=[5 * MEGABYTE], stalls=True)
        process = task('hash_chunks', source(f'{site.url}/a.warc.gz'), 1)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(process.stderr))
        reader.start()
        patiently(lambda: any(at > 3 * MEGABYTE for _, at in said(''.join(lines))))
        time.sleep(0.5)
        before = len(lines)
        time.sleep(1)
        assert process.poll() is None
        process.kill()
        reader.join()
        process.stdout.close()
    assert len(lines) == before
