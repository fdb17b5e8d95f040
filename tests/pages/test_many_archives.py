"""Runs on more archives than `run.json` has the paths of: they are in another file.

The bound is lowered. What a run without that has written is what is expected.
"""

import json
import shutil
from pathlib import Path

import pytest
from commands import discover, leftovers, run
from crawls import sample_crawl, write_crawl
from quilt_runs import documents

from mr_reuse.shuffle import mapped_paths

OPTIONS = ['--threshold=1', '--min-len=0', '-q']


@pytest.fixture(params=[False, True], ids=['few', 'many'])
def is_many(request, monkeypatch) -> bool:
    if request.param:
        monkeypatch.setattr(mapped_paths, 'MAX_IN_MEMORY', 0)
    return request.param


@pytest.fixture
def crawl(tmp_path, monkeypatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    return write_crawl(Path('crawl'), sample_crawl() + documents())[0]


def work(names: list[str], out: str, *more) -> None:
    """All commands that read archives by their names."""
    for line in (
        ['discover', *names, *OPTIONS, *more],
        ['detect', '--sigmas=0', '--places', '-q'],
        ['quilts', '-q'],
    ):
        done = run(*line, '-o', out)
        assert done.code == 0, done.err
    assert run('links', out, '-q').code == 0


def record_of(out: str) -> dict:
    return json.loads(Path(out, 'run.json').read_text())


def tables(out: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(out).glob('*.tsv')}


def shown(out: str, rid: str) -> list:
    chunk = next(iter(Path(out, 'labels.tsv').read_text().splitlines()[1:]))
    return [
        run('show', out, *words)
        for words in ([rid], [f'{rid}9'], [chunk.split('\t')[0]])
    ]


def test_all_commands(crawl, monkeypatch):
    """Tables and answers are the same; `run.json` has no archive in it."""
    work(crawl[1:], 'old')
    work(crawl, 'few')
    monkeypatch.setattr(mapped_paths, 'MAX_IN_MEMORY', 1)
    work(crawl[1:], 'before')
    work(crawl, 'many')
    assert tables('many') == tables('few') and tables('before') == tables('old')
    few, many = map(record_of, ('few', 'many'))
    assert [many[key] for key in ('paths', 'inputs')] == [{}, []]
    assert len(many['archives']) == 64 and 'archives' not in few
    assert not {name for name in crawl if name in json.dumps(many['paths'])}
    assert many.keys() - {'archives'} == few.keys() - {'sizes'}
    rid = Path('few/pages.tsv').read_text().splitlines()[1].split('\t')[0]
    for few_, many_ in zip(shown('few', rid), shown('many', rid), strict=True):
        assert (few_.code, few_.out) == (many_.code, many_.out)
    assert not leftovers(Path('many'))


def test_again(crawl, is_many):
    """The same command runs no step, without INPUT as well."""
    work(crawl, 'run')
    before = record_of('run')
    for words in (crawl, []):
        done = discover(*words, *OPTIONS[:-1], '-o', 'run')
        assert done.code == 0 and done.err.count('finished before\n') == 8, done.err
    assert record_of('run')['paths'] == before['paths']
    assert ('archives' in before) == is_many


def test_added(crawl, is_many):
    work(crawl, 'whole')
    work(crawl[1:], 'old')
    done = discover(*crawl, *OPTIONS, '-o', 'sum', '--add', 'old')
    assert done.code == 0 and 'old has read it, left out' in done.err
    names = ('labels.tsv', 'frequency.tsv', 'file_labels.tsv', 'pairs.tsv')
    for name in names:
        assert Path('sum', name).read_bytes() == Path('whole', name).read_bytes()
    rid = Path('whole/pages.tsv').read_text().splitlines()[1].split('\t')[0]
    assert run('show', 'sum', rid).out == run('show', 'whole', rid).out


def test_copies_and_other_runs(crawl, is_many):
    """A copy, and a run of `detect` on the pages of another, know the archives."""
    work(crawl, 'run')
    assert run('get', 'run', '-o', 'copy', '-q').code == 0
    done = run('detect', 'run', '--labels', 'run/labels.mrl', '-o', 'other', '-q')
    assert done.code == 0, done.err
    rid = Path('run/pages.tsv').read_text().splitlines()[1].split('\t')[0]
    wanted = run('show', 'run', rid).out
    assert wanted
    for name in ('copy', 'other'):
        done = run('show', name, rid)
        assert done.out == wanted, done.err
        assert Path(name, '_archives.txt').exists() == is_many


def test_moved(crawl, is_many):
    work(crawl, 'run')
    rid = Path('run/pages.tsv').read_text().splitlines()[1].split('\t')[0]
    wanted = run('show', 'run', rid).out
    Path('away').mkdir()
    shutil.move('crawl', 'away/crawl')
    assert run('show', 'run', rid).code == 1
    assert run('show', 'run', rid, '--archives', 'away').out == wanted


@pytest.mark.parametrize('damage', ['gone', 'changed'])
def test_damaged(crawl, monkeypatch, damage):
    """Another file of archives, or none, is noticed, and the run can be repaired."""
    monkeypatch.setattr(mapped_paths, 'MAX_IN_MEMORY', 1)
    work(crawl, 'run')
    before, name = tables('run'), Path('run/_archives.txt')
    if damage == 'gone':
        name.unlink()
    else:
        name.write_bytes(name.read_bytes().replace(b'crawl', b'crawk'))
    done = run('show', 'run', crawl[0] + ':0')
    assert (done.code, done.err) == (
        1,
        "error: run: run.json in it has no valid 'archives'; type the command that "
        'made the run again\n',
    )
    work(crawl, 'run')
    assert tables('run') == before
