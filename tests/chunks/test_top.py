"""`discover --top`: the labels are the first rows of all that is copied."""

import pytest
from commands import run
from crawls import crawls, discover, write_crawl, write_warc
from hypothesis import given
from hypothesis import strategies as st
from reference import Options, tables

from examples import few
from mr_reuse.chunks.discover import most_copied


@few(5)
@given(crawls(), st.integers(1, 12), st.sampled_from([0, 100]), st.sampled_from([1, 7]))
def test_random_crawls(tmp_path_factory, crawl, top, min_len, tasks):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder / 'in', crawl)
    wanted = tables(pages, Options(1, min_len))
    for name in ('labels.tsv', 'file_labels.tsv'):
        wanted[name] = b''.join(wanted[name].splitlines(keepends=True)[: top + 1])
    line = [*names, f'--top={top}', f'--min-len={min_len}', f'--tasks={tasks}']
    assert discover(*line, out=folder / 'run') == wanted


def chunk(name: str) -> bytes:
    return f'<p>{name} '.encode() + b'copied ' * 20


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = 'many ' * 9 + 'some ' * 5 + 'also ' * 5 + 'few ' * 2 + 'one'
    body = b''.join(map(chunk, names.split())) + b'<p>short ' * 20
    write_warc(tmp_path / 'a.warc', [('http://a.org/', body)])
    return tmp_path


def labels(folder) -> list[tuple[str, str]]:
    """Name and copies of each label."""
    rows = (folder / 'labels.tsv').read_text().splitlines()[1:]
    cells = [row.split('\t') for row in rows]
    return [(row[6].split()[0], row[2]) for row in cells]


def test_stop_chunks_do_not_count(here):
    """Excluded chunks leave their places to others."""
    assert run('discover', 'a.warc', '-o', 'run', '--top=1').code == 0
    assert labels(here / 'run') == [('<p>many', '9')]
    stop = (here / 'run/labels.tsv').read_text().splitlines()[1].split('\t')[0]
    (here / 'stop.txt').write_text(stop)
    done = run('discover', 'a.warc', '-o', 'run', '--top=1', '--stop=stop.txt')
    [(_, copies)] = labels(here / 'run')
    assert copies == '5'
    said = 'labeled: 1 chunk with more than 4 copies (threshold: the 1 chunk with the '
    assert f'{said}most copies)\n' in done.out
    # Again, no step runs again.
    again = run('discover', 'a.warc', '-o', 'run', '--top=1', '--stop=stop.txt').err
    assert '03-labels: finished before' in again and 'runs again' not in again


def test_fewer_than_wanted(here):
    """A chunk that occurs once is not copied."""
    assert run('discover', 'a.warc', '-o', 'run', '--top=99', '-q').code == 0
    assert sorted(labels(here / 'run')) == [
        ('<p>also', '5'),
        ('<p>few', '2'),
        ('<p>many', '9'),
        ('<p>some', '5'),
    ]


def test_files_have_their_own_threshold(here):
    write_warc(here / 'b.warc', [(f'http://a.org/{n}', b'<p>x') for n in range(3)])
    line = ['b.warc', '-o', 'run', '--top=1', '-q']
    assert run('discover', *line).code == 0
    files = here / 'run/file_labels.tsv'
    assert len(files.read_text().splitlines()) == 2
    assert run('discover', *line, '--file-threshold=3').code == 0
    assert len(files.read_text().splitlines()) == 1


def test_one_of_both(here):
    done = run('discover', 'a.warc', '-o', 'run', '--top=1', '--threshold=2')
    said = 'error: --top: does not go with --threshold; give one of them\n'
    assert done == (2, '', said)


def test_bounded_memory(tmp_path, monkeypatch):
    """Digests are forgotten as soon as there are enough with more copies."""
    monkeypatch.setattr(most_copied, 'SPARE', 3)
    names, pages = write_crawl(
        tmp_path / 'in', [(f'http://a{n}.org/', chunk(f'{n % 7}')) for n in range(40)]
    )
    wanted = tables(pages, Options(1, 100))['labels.tsv'].splitlines()[:4]
    found = discover(*names, '--top=3', out=tmp_path / 'run')['labels.tsv']
    assert found.splitlines() == wanted
