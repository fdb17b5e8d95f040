"""A list of archives on a web server, as Common Crawl publishes it."""

import gzip
import random
from pathlib import Path

import pytest
from commands import discover, results
from crawls import write_warc
from webserver import Page, serving

from mr_reuse import storage
from mr_reuse.pages import input_status

NAME = 'crawl-data/CC-MAIN-2026-01/segments/1/warc/CC-MAIN-{:05}.warc.gz'
LINES = 1000  # the real list has 90,000
ASKED = 20  # before the work begins; more are read
LIMIT = 30
MISSING, BROKEN = 7, 25


@pytest.fixture
def site():
    with serving() as made:
        yield made


@pytest.fixture
def listed(site, tmp_path) -> Path:
    """A list; the first names in it are served, but for one."""
    luck = random.Random(12)
    for number in range(LIMIT):
        path = tmp_path / f'{number:05}.warc.gz'
        own = luck.randbytes(50_000 if number == BROKEN else 9).hex().encode()
        text = b'<p>%s, %d of %d' % (b'copied ' * 20, number % 3, 3)
        write_warc(path, [(f'http://{number}.example/', text + b'<p>' + own)])
        site.pages[f'/{NAME.format(number)}'] = Page(path.read_bytes())
    (tmp_path / f'{MISSING:05}.warc.gz').unlink()
    del site.pages[f'/{NAME.format(MISSING)}']
    broken = site.pages[f'/{NAME.format(BROKEN)}']
    assert len(broken.data) > 50_000
    broken.breaks = [40_000, 1]
    found = tmp_path / 'warc.paths.gz'
    names = map(NAME.format, range(LINES))
    found.write_bytes(gzip.compress('\n'.join(names).encode()))
    return found


def test_first_of_a_long_list(site, listed, tmp_path, monkeypatch):
    """One is missing, one connection breaks: the rest is as from a disk."""
    monkeypatch.setattr(input_status, 'MAX_REMOTE_CHECKS', ASKED)
    monkeypatch.setattr(storage, 'free_bytes', lambda _: 1 << 50)  # not that of here
    given = [listed, '--base-url', f'{site.url}/', '--limit', LIMIT]
    line = ['--threshold', 2, '-q']
    done = discover(*given, *line, '-o', tmp_path / 'web')
    assert done.code == 3, done.err
    [told] = [row for row in done.err.splitlines() if 'CC-MAIN' in row]
    assert NAME.format(MISSING) in told and 'No such file' in told
    archives = sorted(tmp_path.glob('*.warc.gz'))
    assert discover(*archives, *line, '-o', tmp_path / 'disk').code == 0
    assert results(tmp_path / 'web') == results(tmp_path / 'disk')
    # Of 30 pages a third has each text, but one page of the second is missing.
    labels = (tmp_path / 'web/labels.tsv').read_text().splitlines()
    assert [row.split('\t')[2:5] for row in labels[1:]] == [
        [count] * 3 for count in ('10', '10', '9')
    ]
    assert {path for _, path, _ in site.asked} == {
        f'/{NAME.format(number)}' for number in range(LIMIT)
    }
    assert 'bytes=40000-' in site.ranges()


def test_first_few_of_a_long_list(site, listed, tmp_path):
    """What is missing of a few is told before the work begins."""
    line = [listed, '--base-url', site.url, '--limit', MISSING + 1]
    code, out, err = discover(*line, '-o', tmp_path / 'run')
    missing = f'{site.url}/{NAME.format(MISSING)}'
    assert (code, out) == (1, '')
    assert err == f'error: {missing}: no such file or folder\n'
    assert 'GET' not in {method for method, _, _ in site.asked}
