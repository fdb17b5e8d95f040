"""More damaged archives than a record keeps: the worst are kept, all are counted."""

import json
from pathlib import Path

import pytest
from commands import discover, run
from crawls import write_warc

from mr_reuse.pages import damage

SIZES = {'e': 400, 'a': 100, 'c': 300, 'b': 200, 'd': 300}  # bytes of no archives
OPTIONS = ['--threshold=1', '--min-len=0', '-q']


@pytest.fixture
def crawl(tmp_path, monkeypatch) -> list[str]:
    """A sound archive, and files of random bytes with the names of archives."""
    monkeypatch.chdir(tmp_path)
    write_warc(Path('sound.warc.gz'), [('http://a.org/', b'<p>one<p>two')])
    for name, size in SIZES.items():
        Path(f'{name}.warc.gz').write_bytes(b'\x9c' * size)
    return ['sound.warc.gz', *(f'{name}.warc.gz' for name in SIZES)]


def record_of(out: str) -> dict:
    return json.loads(Path(out, 'run.json').read_text())


def names_of(record: dict) -> list[str]:
    return [account['archive'][0] for account in record['damaged']]


def test_all_are_kept(crawl):
    done = discover(*crawl, *OPTIONS, '-o', 'run')
    assert done.code == 3 and 'more' not in done.err
    record = record_of('run')
    assert names_of(record) == sorted(SIZES) and 'damage_counts' not in record


@pytest.mark.parametrize('tasks', [1, 3])
def test_worst_are_kept(crawl, monkeypatch, tasks):
    monkeypatch.setattr(damage, 'MAX_ARCHIVES', 3)
    done = discover(*crawl, *OPTIONS, f'--tasks={tasks}', '-o', 'run')
    assert done.code == 3
    lines = done.err.splitlines()
    assert [line.split()[1] for line in lines[2:5]] == ['300', '300', '400']
    assert lines[5].endswith('and 2 more, see run.json; totals by cause:')
    assert lines[6].split()[:2] == ['0', f'{sum(SIZES.values()):,}']
    record = record_of('run')
    assert names_of(record) == ['c', 'd', 'e']
    assert record['damage_counts'] == {'archives': 5, 'causes': 5, 'unread': 5}
    told = json.loads(Path('run/01-pages/_step.json').read_text())['told']
    assert [len(task['accounts']) for task in told] == [1]
    again = discover(*crawl, *OPTIONS[:-1], '-o', 'run')
    assert '01-pages: finished before\n' in again.err
    assert 'could not be read at all: 5 of 6 inputs\n' in again.out
    assert record_of('run') | {'options': {}} == record | {'options': {}}


def test_added(crawl, monkeypatch):
    """The numbers of both runs are added up."""
    monkeypatch.setattr(damage, 'MAX_ARCHIVES', 1)
    assert discover(*crawl[:3], *OPTIONS, '-o', 'old').code == 3
    done = discover(*crawl, *OPTIONS, '-o', 'sum', '--add', 'old')
    assert done.code == 3 and 'and 4 more, see run.json' in done.err
    record = record_of('sum')
    assert names_of(record) == ['e']
    assert record['damage_counts'] == {'archives': 5, 'causes': 5, 'unread': 5}
    assert [lost for lost in record['read']['damage'].values()] == [[0, 1300]]


def test_report(crawl, monkeypatch):
    monkeypatch.setattr(damage, 'MAX_ARCHIVES', 2)
    assert discover(*crawl, *OPTIONS, '-o', 'run').code == 3
    assert run('detect', '-o', 'run', '-q').code == 0
    assert run('report', 'run', '-q').code == 0
    page = Path('run/report.html').read_text()
    assert 'in 5 damaged archives' in page and 'has the worst 2 of them' in page
    assert 'the worst 2' in page and '5 of 6 inputs could not be read at all' in page
