"""Copies of runs, made by `get`."""

import hashlib

import pytest
from commands import run
from crawls import write_warc

CHUNK = b'<p>' + b'copied ' * 20


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pages = [(f'http://{host}.org/', CHUNK) for host in 'abc']
    write_warc(tmp_path / 'a.warc.gz', pages)
    line = ('a.warc.gz', '-o', 'top/RUN', '--threshold=2', '-r', 'inline', '-q')
    assert run('discover', *line).code == 0
    return tmp_path


def test_results_are_copied(here):
    done = run('get', 'top/RUN')
    names = ['file_labels.tsv', 'frequency.tsv', 'inputs.txt', 'labels.mrl']
    names += ['labels.tsv', 'pairs.tsv']
    assert done == (0, ''.join(f'RUN/{name}\n' for name in names), '')
    copies = {path.name: path.read_bytes() for path in (here / 'RUN').iterdir()}
    assert copies.keys() == {*names, 'run.json'}
    for name in names:
        assert copies[name] == (here / 'top/RUN' / name).read_bytes()


def test_a_copy_knows_the_rest_of_the_run(here):
    assert run('get', 'top/RUN', '-o', 'copy', '-q') == (0, '', '')
    name = hashlib.sha1(CHUNK).hexdigest()[:8]
    assert run('show', 'copy', name, '-q').out == CHUNK.decode()


def test_a_copy_knows_the_matches_of_the_run(here):
    assert run('detect', '-o', 'top/RUN', '-r', 'inline', '-q').code == 0
    assert run('get', 'top/RUN', '-o', 'copy', '-q') == (0, '', '')
    shown = run('show', 'copy', 'a.org/')
    assert (shown.code, shown.err) == (0, '')
    assert '\n\na.org/: 1 page; 1 of 1 chunk is a label' in shown.out


def test_what_is_refused(here):
    (here / 'full').mkdir()
    (here / 'full/labels.tsv').write_text('old')
    why = 'full: exists; name another folder, or give --force'
    assert run('get', 'top/RUN', '-o', 'full') == (1, '', f'error: {why}\n')
    assert run('get', 'top/RUN', '-o', 'full', '--force', '-q').code == 0
    assert (here / 'full/labels.tsv').read_text().startswith('hash\t')
    why = 'top/RUN: is the run itself; name another folder with -o'
    assert run('get', 'top/RUN', '-o', 'top/RUN', '--force').err == f'error: {why}\n'
