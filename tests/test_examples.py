"""The examples, run as their README says."""

import json
import subprocess
import sys

import mrl
import pytest
from commands import run
from crawls import ROOT, write_warc

BODIES = [b'<p>one<p>two', b'<p>one', b'plain words', b'%PDF-1.4', b'']


def example(name: str, *args) -> list[str]:
    line = [sys.executable, ROOT / 'examples' / name, *args]
    env = {'PYTHONPATH': str(ROOT), 'PATH': ''}
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=env)
    return done.stdout.splitlines()


@pytest.mark.apart
def test_media_types(tmp_path):
    documents = [(f'http://a.org/{n}', body) for n, body in enumerate(BODIES)]
    documents.append(('http://a.org/long', b'<p>x' * 20_000))
    write_warc(tmp_path / 'a.warc.gz', documents)
    assert (
        run('discover', tmp_path / 'a.warc.gz', '-o', tmp_path / 'run', '-q').code == 0
    )
    parts = (tmp_path / 'run/01-pages').glob('*/part-*')
    lines = [line.split('\t') for line in example('media_types.py', *parts)]
    assert {json.loads(name): json.loads(counts) for name, counts in lines} == {
        'text/html': [3, 12 + 6 + 80_000],
        'text/plain': [1, 11],
        'application/pdf': [1, 8],
    }


@pytest.mark.apart
def test_check_page(tmp_path):
    labels = mrl.write(tmp_path / 'x.mrl', [mrl.sha1('<p>one')], min_len=0)
    (tmp_path / 'a.html').write_bytes(BODIES[0])
    name = tmp_path / 'a.html'
    assert example('check_page.py', labels, name) == [
        f'1 of 2 chunks are labels: {name}'
    ]
