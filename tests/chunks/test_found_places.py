"""`places.tsv`: every page that has a label, by `detect --places` or `export`."""

import json

import mrl
import pytest
from commands import run
from crawls import DATE, crawls, sample_crawl, write_crawl, write_warc
from hypothesis import given
from hypothesis import strategies as st
from reference import Options, Page, chunks_of, digest
from reference_detect import Known, places_table

from examples import few
from mr_reuse.chunks.detect import joins
from mr_reuse.engine import chain
from mr_reuse.shuffle import ordered_parts
from mr_reuse.tables import table_files

JOINS = ['map', 'reduce', 'bloom']
ONE_JOIN = ['map', *(pytest.param(one, marks=pytest.mark.slow) for one in JOINS[1:])]
HEAD = b'hash\trid\turl\tdate\n'
LONG = b'<p>' + b'copied without end, ' * 6
AGAIN = 'removed: places.tsv; rebuild with: python -m mr_reuse.export '


def places(*args, out, runner='inline') -> bytes:
    done = run('detect', *args, '--places', '-q', '-r', runner, '-o', out)
    assert done.code == 0, done.err
    return (out / 'places.tsv').read_bytes()


def exported(folder, *args) -> bytes:
    done = run('export', folder, 'places', '-q', *args)
    assert done[:2] == (0, ''), done.err
    return (folder / 'places.tsv').read_bytes()


# Against the reference


def some_labels(pages: list[Page], least: int = 0) -> Known:
    """Every second chunk and file as labels, and some stop chunks."""
    chunks = sorted({digest(c) for p in pages for c in chunks_of(p.body, Options())})
    files = sorted({digest(page.body) for page in pages})
    sets = map(frozenset, (chunks[::2], files[::2], chunks[::6]))
    return Known(*sets, least)


def write_labels(path, known: Known):
    return mrl.write(path, known.chunks, known.files, known.stop, min_len=known.min_len)


OPTIONS = ['--distinct', '--stop-scope=labels', '--min-chunks=5', '--levels=site']


@few(4)
@given(
    crawls(),
    st.sampled_from([0, 100]),
    st.sampled_from(JOINS),
    st.lists(st.sampled_from(OPTIONS), unique=True),
)
def test_random_crawls(tmp_path_factory, crawl, least, join, options):
    """No option that judges pages changes which of them have a label."""
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder / 'in', crawl)
    known = some_labels(pages, least)
    labels = write_labels(folder / 'some.mrl', known)
    line = [*names, '-l', labels, f'--join={join}', *options]
    expected = places_table(pages, known, DATE)
    assert places(*line, out=folder / 'run') == expected
    (folder / 'run/places.tsv').unlink()
    assert exported(folder / 'run') == expected


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('crawl')
    names, pages = write_crawl(folder, sample_crawl(99))
    known = some_labels(pages)
    return names, write_labels(folder / 'some.mrl', known), pages, known


@pytest.mark.parametrize(
    ('tasks', 'runner', 'join'),
    [
        *((1, 'inline', join) for join in ('map', 'reduce')),
        (7, 'local', 'reduce'),
        pytest.param(7, 'local', 'map', marks=pytest.mark.slow),
    ],
)
def test_tasks_and_runners(crawl, tmp_path, monkeypatch, join, tasks, runner):  # noqa: PLR0917
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None, {}))
    monkeypatch.setattr(joins, 'FREQUENT', 3)
    names, labels, pages, known = crawl
    line = [*names, '-l', labels, f'--join={join}', f'--tasks={tasks}']
    expected = places_table(pages, known, DATE)
    assert expected.count(b'\n') > 60
    assert places(*line, out=tmp_path / 'run', runner=runner) == expected
    (tmp_path / 'run/places.tsv').unlink()
    assert exported(tmp_path / 'run', '-r', runner) == expected


def test_as_many_as_counted(crawl, tmp_path):
    """A label has as many rows as pages in `label_counts.tsv`."""
    names, *_ = crawl
    out = tmp_path / 'run'
    line = ['--threshold=1', '--min-len=0', '-q', '-r', 'inline', '-o', out]
    assert run('discover', *names, *line).code == 0
    listed = places(out=out).decode().splitlines()[1:]
    rows = [line.split('\t') for line in (out / 'label_counts.tsv').open()][1:]
    counted = {row[0]: int(row[3]) for row in rows}
    found = [row.split('\t')[0] for row in listed]
    assert counted == {name: found.count(name) for name in found}


# Cases made by hand


def test_whole_files(tmp_path):
    """A file that is a label is no chunk; a page that is one chunk may be both."""
    image, page = b'\x89PNG\r\n\x1a\n' + LONG, LONG
    documents = [('http://a.org/i', image), ('http://a.org/', page)]
    written = write_warc(tmp_path / 'a.warc.gz', documents)
    files = [digest(image), digest(page)]
    labels = mrl.write(tmp_path / 'files.mrl', [], files)
    line = [tmp_path / 'a.warc.gz', '-l', labels]
    assert places(*line, out=tmp_path / 'files') == HEAD
    labels = mrl.write(tmp_path / 'both.mrl', [digest(page)], files)
    line = [tmp_path / 'a.warc.gz', '-l', labels]
    found = f'{digest(page)}\t{written[1].archive}:{written[1].offset}'
    found += f'\thttp://a.org/\t{DATE}\n'
    assert places(*line, out=tmp_path / 'both') == HEAD + found.encode()


@pytest.mark.parametrize('join', ONE_JOIN)
def test_long_pages(tmp_path, join):
    """A page of several lines has one row for each label, with its date."""
    body = b''.join(b'<p>%d' % (n % 30_000) for n in range(40_000))
    documents = [('http://a.org/long', body), ('http://a.org/', b'<p>7<p>x')]
    pages = write_warc(tmp_path / 'a.warc.gz', documents)
    known = Known(frozenset(digest(b'<p>%d' % n) for n in range(0, 30_000, 3000)))
    known = Known(known.chunks | {digest(b'<p>7')})
    labels = write_labels(tmp_path / 'some.mrl', known)
    line = [tmp_path / 'a.warc.gz', '-l', labels, f'--join={join}']
    expected = places_table(pages, known, DATE)
    assert expected.count(b'\n') == 13
    assert places(*line, out=tmp_path / 'run') == expected


def test_nothing_found(tmp_path):
    write_warc(tmp_path / 'a.warc.gz', [('http://a.org/', b'own')])
    labels = mrl.write(tmp_path / 'x.mrl', [digest(LONG)])
    line = [tmp_path / 'a.warc.gz', '-l', labels]
    assert places(*line, out=tmp_path / 'run') == HEAD


def test_many_rows(crawl, tmp_path, monkeypatch):
    """A large table is a folder of parts with the same rows."""
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', 20)
    names, labels, pages, known = crawl
    out = tmp_path / 'run'
    line = [*names, '-l', labels, '--places', '-q', '-r', 'inline', '-o', out]
    assert run('detect', *line).code == 0
    parts = sorted((out / 'places.tsv').iterdir())
    rows = b''.join(part.read_bytes().removeprefix(HEAD) for part in parts)
    assert len(parts) > 2 and HEAD + rows == places_table(pages, known, DATE)


# When it is written, and when it is outdated


@pytest.fixture
def done(tmp_path, monkeypatch):
    """A run of `detect --places`, and other labels."""
    monkeypatch.chdir(tmp_path)
    body = b''.join(b'<p>%d ' % n + b'copied ' * 20 for n in range(12))
    hosts = [f'http://h{n}.org/' for n in range(12)]
    write_warc(tmp_path / 'a.warc.gz', [(host, body) for host in hosts])
    line = ['a.warc.gz', '--threshold=10', '-q', '-r', 'inline', '-o', 'RUN']
    assert run('discover', *line).code == 0
    chunks = chunks_of(body, Options())
    mrl.write(tmp_path / 'other.mrl', map(digest, chunks[:3]))
    assert places(out=tmp_path / 'RUN').count(b'\n') == 1 + 12 * 12
    return tmp_path / 'RUN'


def work(*args) -> list[str]:
    ended = run('detect', *args, '-o', 'RUN', '-r', 'inline', '-q')
    assert ended.code == 0, ended.err
    return ended.err.splitlines()


def test_option_is_recorded(done):
    record = json.loads((done / 'run.json').read_text())
    assert record['detect']['options']['places'] is True
    assert '05-places' in record['detect']['steps']


def test_other_thresholds_change_nothing(done, monkeypatch):
    before = (done / 'places.tsv').read_bytes()
    monkeypatch.delattr(ordered_parts, 'read_in_order')  # it is not written again
    assert work('--sigmas=2') == []
    assert work('--sigmas=1', '--places') == []
    assert (done / 'places.tsv').read_bytes() == before


def test_other_labels(done):
    """Without the option, a table of other labels is removed, and a line says so."""
    assert work('-l', 'other.mrl') == [f'{AGAIN}RUN places']
    assert not (done / 'places.tsv').exists()
    assert exported(done).count(b'\n') == 1 + 3 * 12
    assert work('-l', 'RUN', '--places') == []
    assert (done / 'places.tsv').read_bytes().count(b'\n') == 1 + 12 * 12


def test_outdated_exports(done):
    """A copy of a table is kept, and named, when the table is removed or replaced."""
    copies = 'kept, though out of date: places.csv; rebuild with: '
    copies += 'python -m mr_reuse.export RUN --format csv'
    assert run('export', 'RUN', 'places', '--format=csv', '-q').code == 0
    assert work('--sigmas=2') == []
    assert work('-l', 'other.mrl', '--places') == [copies]
    assert work('-l', 'RUN') == [f'{AGAIN}RUN places', copies]


def test_discover_again(done):
    line = ['a.warc.gz', '--threshold=12', '-q', '-r', 'inline', '-o', 'RUN']
    told = run('discover', *line).err.splitlines()
    assert f'{AGAIN}RUN places' in told
    assert not (done / 'places.tsv').exists()
    assert run('export', 'RUN', 'places').code == 1


def test_dry_run(done):
    line = ['detect', '-o', 'RUN', '--dry-run']
    assert 'ListPlaces' not in run(*line).out
    assert 'ShareLabels, ListPlaces on the pages' in run(*line, '--places').out
    line = ['detect', 'a.warc.gz', '-l', 'other.mrl', '-o', 'NEW', '--dry-run']
    assert 'ListPlaces' not in run(*line).out
    assert 'PairSites, ListPlaces with' in run(*line, '--places').out


# The command


def test_export(done):
    """What is there is not made again; --format copies this table alone."""
    before = (done / 'places.tsv').read_bytes()
    assert run('export', 'RUN', 'places') == (0, 'RUN/places.tsv: up to date\n', '')
    (done / 'places.tsv').unlink()
    ended = run('export', 'RUN', 'places', '--format=jsonl', '-o', 'out')
    assert ended.out == 'RUN/places.tsv: 144 rows\nout/places.jsonl: 144 rows\n'
    assert (done / 'places.tsv').read_bytes() == before
    [copy] = (done.parent / 'out').iterdir()
    first = json.loads(copy.read_text().split('\n')[0])
    hash_, rid, url, date = before.decode().split('\n')[1].split('\t')
    assert first == {'hash': hash_, 'rid': rid, 'url': url, 'date': date}


def test_moved_run(done):
    """A run is read where it is now, and its finished step is known."""
    before = (done / 'places.tsv').read_bytes()
    (done / 'places.tsv').unlink()
    moved = done.rename(done.parent / 'MOVED')
    ended = run('export', 'MOVED', 'places')
    assert ended.err == '05-places: finished before\n'
    assert (moved / 'places.tsv').read_bytes() == before


def test_refusals(done):
    def refusal(*args) -> tuple[int, str]:
        code, out, err = run('export', *args)
        assert out == '' and err.startswith('error: ') and err.count('\n') == 1
        return code, err[len('error: ') : -1]

    assert refusal('RUN') == (2, '--format: missing; see --help')
    assert refusal('RUN', 'labels')[0] == 2
    line = ['a.warc.gz', '-q', '-r', 'inline', '-o', 'NEW']
    assert run('discover', *line).code == 0
    why = 'NEW: has no result of detect; run detect on it first'
    assert refusal('NEW', 'places') == (1, why)
    assert work('-l', 'other.mrl') != []
    mrl.write(done.parent / 'other.mrl', [digest(b'x')])
    code, why = refusal('RUN', 'places')
    assert code == 1 and 'changed since detect on RUN; run detect again' in why


@pytest.mark.parametrize('damage', [b'', b'place/0000\t!!!\n', b'place/00'])
def test_damaged_parts(done, damage):
    """A step whose output has other bytes runs again."""
    before = (done / 'places.tsv').read_bytes()
    (done / 'places.tsv').unlink()
    for part in (done / '05-places').rglob('part-*'):
        part.write_bytes(damage)
    assert exported(done) == before
