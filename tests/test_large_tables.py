"""Large tables, which jobs sort: folders of parts with the rows of the single file.

The bound from which a table is large is lowered. What a run without that wrote is what
is expected; other tests compare that with references.
"""

import json
import random
import shutil
from pathlib import Path

import pytest
from commands import leftovers, run
from crawls import write_warc

from mr_reuse.chunks.discover import examples, steps
from mr_reuse.cli.parser import read_options
from mr_reuse.engine import chain
from mr_reuse.pages import planning
from mr_reuse.review import __main__ as review
from mr_reuse.review import drawing, tasks
from mr_reuse.review.review_options import ReviewOptions
from mr_reuse.tables import table_files
from mr_reuse.tables.table_parts import MadeTable

BOUND = 6
LARGE = (
    'origins pages bad_pages neighborhoods bad_neighborhoods file_matches labels pairs'
)
LARGE = {f'{name}.tsv' for name in f'{LARGE} label_counts file_labels places'.split()}
OTHERS = 'bad_pages neighborhoods bad_neighborhoods file_matches file_labels'.split()
OTHERS += ['origins']
OPTIONS = ['--min-len=20', '--threshold=1', '-q']


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    """Hosts with pages of blocks that others have too, and with copies of pages."""
    folder, dice = tmp_path_factory.mktemp('crawl'), random.Random(7)
    blocks = [b'<p>block %d, ' % n + b'copied ' * (n + 3) for n in range(30)]
    names = []
    for archive in range(3):
        documents = []
        for host in range(9):
            top = f'http://h{archive}{host}.org'
            for page in range(4):
                own = [b'<p>%d %d %d %d ' % (archive, host, page, n) for n in range(9)]
                shared = dice.sample(blocks[: 10 + 5 * host], 4 + 2 * page)
                body = [text + 20 * b'own ' for text in own] + shared[: 8 - host]
                url = f'{top}/{page % 2}/{page}'
                documents.append((url, b''.join(shared if host < 3 else body)))
            for number in range(2 if host < 4 else 0):
                copied = blocks[host + 4 * number : 16 + host]
                documents.append((f'{top}/{number}', b''.join(copied)))
        names.append(str(folder / f'{archive}.warc.gz'))
        write_warc(Path(names[-1]), documents)
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


@pytest.fixture(scope='module')
def large(crawl, tmp_path_factory):
    """The same run whose tables are folders."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_files, 'MAX_PART_ROWS', BOUND)
        return work(crawl, tmp_path_factory.mktemp('large') / 'run', '-r', 'inline')


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


def test_inline(large, small):
    check(large, small)


@pytest.mark.usefixtures('bound', 'forked')
@pytest.mark.parametrize(
    'tasks', [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 16))]
)
def test_forks(crawl, small, tmp_path, tasks):
    check(work(crawl, tmp_path / 'run', '-r', 'local', f'--tasks={tasks}'), small)


@pytest.mark.usefixtures('bound', 'forked')
def test_labels_of_another_run(small, crawl, tmp_path, monkeypatch):
    """Labels are joined in several partitions, also those that `detect` counts."""
    monkeypatch.setattr(examples, 'LABELS_PER_PARTITION', 4)
    out, found = tmp_path / 'run', []
    work(crawl, out, '-r', 'inline')
    for bound in (10**7, BOUND):
        monkeypatch.setattr(table_files, 'MAX_PART_ROWS', bound)
        line = [*crawl, '-l', small / 'labels.mrl', '-o', tmp_path / f'{bound}', '-q']
        assert run('detect', *line, '-r', 'inline') == (0, '', '')
        found.append(tables(tmp_path / f'{bound}')['label_counts.tsv'])
    assert found[0] == found[1] and (tmp_path / f'{BOUND}/label_counts.tsv').is_dir()
    check(out, small)


# Commands that read them


def told(command: str, *args) -> tuple:
    """How a command ends, and what it leaves in the folder, but for steps."""
    before = set(Path().rglob('*'))
    end = run(command, *args)
    assert end.code == 0, end.err
    made = [path for path in set(Path().rglob('*')) - before if path.is_file()]
    made = [path for path in made if '07-links' not in path.parts]
    return end, {str(path): path.read_bytes() for path in made}


LINES = [
    'report run -q',
    'show run {host}',
    'show run {hash}',
    'show run {page}',
    'show run {pair}',
    'export run --format=jsonl -o exported -q',
    'export run --format=csv --annotation -o annotated -q',
    'links run -r inline -q',
    'stop auto run -o list.txt',
    'labels info run',
    'labels export run -o hashes.txt',
]


def name_items(folder: Path) -> dict[str, str]:
    """Things in the tables that `show` can be asked for."""
    first = {
        name: table.split(b'\n')[1].decode().split('\t')
        for name, table in tables(folder).items()
    }
    return {
        'host': first['bad_neighborhoods.tsv'][0],
        'hash': first['labels.tsv'][0],
        'page': first['bad_pages.tsv'][0],
        'pair': ' '.join(first['pairs.tsv'][:2]),
    }


@pytest.mark.parametrize('line', LINES)
def test_same_words(small, large, tmp_path, monkeypatch, line):
    """A command says and writes the same of both."""
    words, found = line.format(**name_items(small)).split(), []
    for folder in (small, large):
        here = tmp_path / folder.parent.name
        shutil.copytree(folder, here / 'run')
        monkeypatch.chdir(here)
        found.append(told(*words))
    assert found[0] == found[1]


def test_compare(small, large):
    expected = run('compare', small, small)
    assert expected.code == 0 and expected.out
    assert run('compare', small, large) == run('compare', large, small) == expected


def test_get(large, tmp_path):
    assert run('get', large, '-o', tmp_path / 'copy', '-q').code == 0
    assert tables(tmp_path / 'copy') == tables(large)


@pytest.mark.parametrize('what', ['chunks', 'files', 'neighborhoods', 'pages'])
@pytest.mark.parametrize('options', [[], ['--stratified'], ['--top=4']])
def test_review_draws_the_same(small, large, monkeypatch, what, options):
    """Several processes draw from the parts of a large table."""
    monkeypatch.setattr(drawing, 'SMALL', 0)
    drawn = []
    for folder in (small, large):
        line = [str(folder), '--what', what, '--sample=9', *options]
        parsed = review.parser().parse_args(line)
        drawn.append(tasks.draw_task(read_options(ReviewOptions, parsed)).sample)
    assert drawn[0] == drawn[1] and drawn[0].rows


# Resuming


@pytest.mark.usefixtures('bound')
def test_again(large, tmp_path):
    """No step runs again, and no table changes."""
    shutil.copytree(large, tmp_path / 'run')
    before = tables(large)
    end = run('detect', '-o', tmp_path / 'run', '--places', '-r', 'inline')
    assert 'runs again' not in end.err and end.code == 0
    assert end.err.count('finished before') >= 5
    assert tables(tmp_path / 'run') == before


@pytest.mark.usefixtures('bound')
@pytest.mark.parametrize(
    'name',
    [
        *('pages.tsv', 'labels.tsv', 'pairs.tsv', 'places.tsv'),
        *(pytest.param(f'{name}.tsv', marks=pytest.mark.slow) for name in OTHERS),
    ],
)
def test_removed_table(crawl, large, tmp_path, name):
    """A table that was removed is made again."""
    shutil.copytree(large, tmp_path / 'run')
    shutil.rmtree(tmp_path / 'run' / name)
    work(crawl, tmp_path / 'run', '-r', 'inline')
    assert tables(tmp_path / 'run') == tables(large)
    assert (tmp_path / 'run' / name).is_dir()


@pytest.mark.usefixtures('bound')
@pytest.mark.parametrize(
    'number',
    [2, 6, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 3, 4, 5, 7))],
)
def test_killed_before_a_table_is_moved(crawl, small, tmp_path, monkeypatch, number):
    """Also a table of another threshold is no table of this one."""
    left = iter(range(number))
    publish = MadeTable.publish

    def kill(*args):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return publish(*args)

    with monkeypatch.context() as patch:
        patch.setattr(MadeTable, 'publish', kill)
        line = ['-o', tmp_path / 'run', '-q', '-r', 'inline']
        codes = [
            run('discover', *crawl, *OPTIONS, *line).code,
            run('detect', '--places', *line).code,
        ]
        assert 130 in codes
    check(work(crawl, tmp_path / 'run', '-r', 'inline'), small)


def test_facts_of_the_user(small, large, tmp_path, monkeypatch):
    """Sources and families are known to the tasks."""
    found, families = [], tmp_path / 'families'
    rows = tables(small)['origins.tsv'].decode().splitlines()
    (_, source), (here, there) = (
        [site.rstrip('/') for site in row.split('\t')[:2]]
        for row in (rows[1], rows[-1])
    )
    families.write_text(f'{here} {there}\n')
    for folder, bound in ((small, 10**7), (large, BOUND)):
        out = tmp_path / f'{bound}'
        shutil.copytree(folder, out)
        monkeypatch.setattr(table_files, 'MAX_PART_ROWS', bound)
        facts = [f'--source={source}', f'--families={families}']
        assert run('detect', '-o', out, '-q', '-r', 'inline', *facts).code == 0
        found.append(tables(out)['origins.tsv'])
    assert found[0] == found[1] != tables(small)['origins.tsv']
    assert b'source there' in found[0] and b'family' in found[0]


@pytest.mark.parametrize(
    'top', [11, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, BOUND))]
)
def test_other_rules(small, large, tmp_path, monkeypatch, top):
    """Only the first bad rows, of other levels and another threshold; and back."""
    expected = []
    for folder, bound in ((small, 10**7), (large, BOUND)):
        out = tmp_path / 'copy'
        shutil.copytree(folder, out)
        monkeypatch.setattr(table_files, 'MAX_PART_ROWS', bound)
        for line in ([f'--top={top}', '--levels=2', '--sigmas=0.5'], [f'--top={top}']):
            assert run('detect', '-o', out, '-q', '-r', 'inline', *line).code == 0
            expected.append((tables(out), (out / 'stats.json').read_text()))
        is_folder = (out / 'bad_pages.tsv').is_dir()
        shutil.rmtree(out)
    assert expected[:2] == expected[2:]
    assert expected[0] != expected[1]
    assert expected[0][0]['bad_pages.tsv'].count(b'\n') - 1 == top
    assert is_folder == (top >= BOUND)
