"""Runs that are added to older ones, whose archives are not read again."""

import json
import os
import shutil

import pytest
from commands import discover, refused, results, run
from crawls import sample_crawl, write_crawl


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    return write_crawl(tmp_path_factory.mktemp('crawl'), sample_crawl())[0]


@pytest.fixture(scope='module')
def whole(crawl, tmp_path_factory):
    """One run over all."""
    out = tmp_path_factory.mktemp('whole') / 'run'
    assert discover(*crawl, '-o', out, '--threshold=1', '-q').code == 0
    return out


@pytest.fixture
def added(crawl, tmp_path, monkeypatch):
    """Three runs, each added to the one before, the first named by a relative path."""
    monkeypatch.chdir(tmp_path)
    line = ['--threshold=1', '-q']
    assert discover(crawl[0], '-o', 'one', *line).code == 0
    assert discover(crawl[1], '-o', 'two', '--add', 'one', *line).code == 0
    (tmp_path / 'x').mkdir()
    monkeypatch.chdir(tmp_path / 'x')
    assert discover(*crawl[2:], '-o', '../three', '--add', '../two', *line).code == 0
    return tmp_path


def test_add(added, crawl, whole):
    assert results(added / 'three') == results(whole)
    line = [*crawl[2:], '-o', added / 'three', '--add', added / 'two', '--threshold=1']
    assert discover(*line).err.count('finished before') == 8
    told = json.loads((added / 'three/run.json').read_text())
    assert told['read'] == json.loads((whole / 'run.json').read_text())['read']
    digest = results(whole)['labels.tsv'].split()[7].decode()
    assert run('show', added / 'three', digest) == run('show', whole, digest)


def test_add_moved(added, crawl):
    (added / 'one').rename(added / 'gone')
    line = [*crawl[2:], '-o', added / 'four', '--add', added / 'two']
    why = refused(*line)
    assert why.startswith(f'{added}/one/01-pages/attempt-')
    assert f': missing, but {added}/two needs it; put it back, or ' in why
    assert not (added / 'four').exists()


def test_add_without_archives(added, crawl, tmp_path):
    """The archives of an older run are only asked for previews."""
    archives = [shutil.copy(name, tmp_path) for name in crawl[:2]]
    line = ['--threshold=1', '-q']
    assert discover(archives[0], '-o', 'old', *line).code == 0
    os.unlink(archives[0])
    assert discover(archives[1], '-o', 'new', '--add', 'old', *line) == (
        0,
        '',
        f'warning: {archives[0]}: missing, so its chunks have no preview\n',
    )
    rows = [
        results(added / 'x/new')['labels.tsv'],
        results(added / 'two')['labels.tsv'],
    ]
    empty, whole = ([row.split(b'\t') for row in table.splitlines()] for table in rows)
    assert [row[:5] for row in empty] == [row[:5] for row in whole]
    assert b'' in [row[-1] for row in empty] and b'' not in [row[-1] for row in whole]


def test_add_same_archive(added, crawl):
    out = added / 'four'
    line = [crawl[1], '-o', out, '--add', added / 'two', '--threshold=1', '-q']
    assert discover(*line) == (
        0,
        '',
        f'warning: {crawl[1]}: two has read it, left out\n',
    )
    assert results(out) == results(added / 'two')


def test_add_refused(added, crawl):
    old, new = added / 'one', added / 'new'
    assert refused(crawl[0], '-o', old, '--add', old) == (
        f'{old}: a run cannot be added to itself; name another with -o'
    )
    assert refused(crawl[0], '-o', new, '--add', old, '--hash=sha256') == (
        f'{old}: made with --hash sha1, this run with --hash sha256; '
        'give the same options to add its counts'
    )
    assert refused(crawl[0], '-o', new, '--add', old, '--filter=status=200') == (
        f'{old}: made with no --filter, this run with --filter status=200; '
        'give the same options to add its counts'
    )
    twice = discover(crawl[0], '-o', new, '--add', old, '--add', old)
    assert twice.code == 2 and twice.err.endswith('--add: given twice; give it once\n')
    (old / 'run.json').unlink()
    assert refused(crawl[0], '-o', new, '--add', old) == (
        f'{old}: no finished run of discover or detect; type the command that '
        'began it again to resume'
    )
    assert not new.exists()


def test_add_to_damaged(crawl, tmp_path):
    """What the older run could not read is not forgotten."""
    cut = tmp_path / 'cut.warc.gz'
    with open(crawl[0], 'rb') as archive:
        cut.write_bytes(archive.read()[:-9])
    old, new, both = tmp_path / 'old', tmp_path / 'new', tmp_path / 'both'
    assert discover(cut, '-o', old, '--threshold=1', '-q').code == 3
    added = discover(crawl[1], '-o', new, '--add', old, '--threshold=1', '-q')
    whole = discover(cut, crawl[1], '-o', both, '--threshold=1', '-q')
    assert added == whole and whole.code == 3
    assert results(new) == results(both)
