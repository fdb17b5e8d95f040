"""Large tables, which jobs sort: folders of parts with the rows of the single file.

The bound from which a table is large is lowered. What a run without that wrote is what
is expected; other tests compare that with references.
"""

import json
from pathlib import Path

import acceptance_crawl
import pytest
from commands import leftovers, run

from mr_reuse.chunks.discover import steps
from mr_reuse.engine import chain
from mr_reuse.pages import planning
from mr_reuse.tables import table_files

BOUND = 6
LARGE = 'pages bad_pages neighborhoods bad_neighborhoods file_matches labels pairs'
LARGE = {f'{name}.tsv' for name in f'{LARGE} label_counts file_labels places'.split()}
OPTIONS = ['--min-len=20', '--threshold=1', '-q']


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    names, _ = acceptance_crawl.write_archives(tmp_path_factory.mktemp('crawl') / 'in')
    return names


def work(crawl, out: Path, *options) -> Path:
    """Both commands, with all tables."""
    for line in (['discover', *crawl, *OPTIONS], ['detect', '--places', '-q']):
        end = run(*line, '-o', out, *options)
        assert end == (0, '', ''), end.err
    return out


@pytest.fixture(scope='module')
def small(crawl, tmp_path_factory):
    """A run whose tables are files."""
    out = work(crawl, tmp_path_factory.mktemp('small') / 'run', '-r', 'inline')
    assert not [path for path in out.glob('*.tsv') if path.is_dir()]
    return out


@pytest.fixture
def forked(monkeypatch):
    """Local tasks are forks however small their input is."""
    monkeypatch.setattr(planning, 'SMALL_ARCHIVES', -1)
    monkeypatch.setattr(steps, 'SMALL_INPUT', -1)
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None, {}))


@pytest.fixture
def bound(monkeypatch):
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', BOUND)


def tables(folder: Path) -> dict[str, bytes]:
    """The bytes of the tables, as if all of them were files."""
    return {path.name: whole(path) for path in folder.glob('*.tsv')}


def whole(path: Path) -> bytes:
    if path.is_file():
        return path.read_bytes()
    parts = [part.read_bytes() for part in sorted(path.iterdir())]
    [header] = {part.partition(b'\n')[0] for part in parts}
    rows = [part.removeprefix(header + b'\n') for part in parts]
    assert all(rows)
    return header + b'\n' + b''.join(rows)


def check(folder: Path, small: Path) -> None:
    """Compare all tables, and their forms."""
    expected = tables(small)
    assert tables(folder) == expected
    counts = {name: table.count(b'\n') - 1 for name, table in expected.items()}
    large = {path.name for path in folder.glob('*.tsv') if path.is_dir()}
    assert large == {name for name, count in counts.items() if count >= BOUND}
    assert large >= LARGE
    assert json.loads((folder / 'stats.json').read_text()) == json.loads(
        (small / 'stats.json').read_text()
    )
    assert leftovers(folder) == []


@pytest.mark.usefixtures('bound')
def test_inline(crawl, small, tmp_path):
    check(work(crawl, tmp_path / 'run', '-r', 'inline'), small)


@pytest.mark.usefixtures('bound', 'forked')
@pytest.mark.parametrize(
    'tasks', [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 16))]
)
def test_forks(crawl, small, tmp_path, tasks):
    check(work(crawl, tmp_path / 'run', '-r', 'local', f'--tasks={tasks}'), small)
