"""Slices by index: exactly the records of the rows, wherever the archives are."""

import csv
import gzip
import io
import json
import os
import random
import time
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import warcio
from commands import detect, discover, refused, results, run
from crawls import write_warc
from webserver import Page, serving

from mr_reuse import storage
from mr_reuse.archives import slices
from mr_reuse.engine.clusters import upload
from mr_reuse.engine.display import Display
from mr_reuse.pages import inputs
from mr_reuse.pages.slices import index_rows, parquet_rows
from mr_reuse.storage import Entry, common_crawl
from mr_reuse.storage.web import client as web_client

COLUMNS = ['warc_filename', 'warc_record_offset', 'warc_record_length']
FOLDER = 'crawl-data/CC-MAIN-2026-30/segments/1/warc'
TEXT = b'<p>' + b'copied ' * 20


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('no_proxy', '*')
    yield tmp_path
    web_client._pool.cache_clear()


@pytest.fixture
def archives(here):
    """Three archives on this machine by name, and the rows of all of their pages.

    warcio finds the places of the records.
    """
    luck, rows = random.Random(4), {}
    for number in range(3):
        name = f'{FOLDER}/CC-{number}.warc.gz'
        path = here / 'all' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        own = [
            luck.randbytes(luck.choice([50, 30_000])).hex().encode() for _ in range(30)
        ]
        write_warc(
            path,
            [
                (f'http://{number}-{n}.org/', TEXT + b'<p>' + o)
                for n, o in enumerate(own)
            ],
        )
        rows[name] = list(places(path))
    return rows


def places(path):
    """Offset and length of each page of an archive."""
    with open(path, 'rb') as stream:
        records = warcio.ArchiveIterator(stream)
        for record in records:
            kind, offset = record.rec_type, records.get_record_offset()
            record.content_stream().read()
            if kind == 'response':
                yield offset, records.get_record_length()


@pytest.fixture
def site(here, archives, monkeypatch):
    with serving() as made:
        for name in archives:
            made.pages[f'/{name}'] = Page((here / 'all' / name).read_bytes())
        monkeypatch.setenv(common_crawl.VARIABLE, made.url)
        yield made


def chosen(archives, share=4):
    """Some rows of all archives, in no order."""
    luck = random.Random(1)
    rows = [(name, *row) for name, found in archives.items() for row in found]
    return luck.sample(rows, len(rows) // share)


def write_csv(rows, columns=COLUMNS, **form):
    text = io.StringIO()
    writer = csv.writer(text, **form)
    writer.writerows([columns, *rows])
    return text.getvalue().encode()


def write_parquet(rows):
    columns = [list(column) for column in zip(*rows, strict=True)]
    table = pa.table(
        {'url': ['x'] * len(rows), **dict(zip(COLUMNS, columns, strict=True))}
    )
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def rids(run_folder):
    """The rids of all pages."""
    rows = detect('--page-threshold=0', out=run_folder)['pages.tsv'].splitlines()[1:]
    return {row.split(b'\t')[0].decode() for row in rows}


def expected(rows):
    return {f'cc:{name}:{offset}' for name, offset, _ in rows}


FORMS = {
    'csv': write_csv,
    'quoted': lambda rows: write_csv(rows, quoting=csv.QUOTE_ALL),
    'tabs': lambda rows: write_csv(rows, delimiter='\t'),
    'mark': lambda rows: b'\xef\xbb\xbf' + write_csv(rows),
    'short names': lambda rows: write_csv(rows, ['filename', 'Offset', 'length']),
    'other columns': lambda rows: write_csv(
        [('a,b', z, 'é', y, x) for x, y, z in rows],
        ['url', 'warc_record_length', 'x', 'warc_record_offset', 'warc_filename'],
    ),
    'gzip': lambda rows: gzip.compress(write_csv(rows)),
    'parquet': write_parquet,
}


@pytest.mark.parametrize('form', FORMS)
def test_exactly_the_rows(site, archives, here, form):
    """The kind of the file is found by its bytes, not by its name."""
    rows = chosen(archives)
    (here / 'rows').write_bytes(FORMS[form](rows))
    done = discover('rows', '--threshold=1', '-q', '-o', 'run')
    assert done.code == 0, done.err
    assert rids(here / 'run') == expected(rows)


def test_requests_are_merged(site, archives, here):
    """Only bytes of rows are asked for, and of gaps that cost less than a request."""
    [name, *_] = archives
    found = archives[name]
    rows = [(name, *found[n]) for n in (3, 4, 20)]
    gap = slices.MAX_GAP
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, 'MAX_GAP', 2000)
        (here / 'rows').write_bytes(write_csv(rows))
        assert discover('rows', '--threshold=1', '-q', '-o', 'run').code == 0
    ends = [offset + length - 1 for _, offset, length in rows]
    near = {f'bytes={rows[0][1]}-{ends[1]}', f'bytes={rows[2][1]}-{ends[2]}'}
    assert near <= set(site.ranges())
    assert gap < 1 << 20


@pytest.mark.parametrize('tasks', [1, 2, 5])
def test_tasks(site, archives, here, tasks):
    rows = chosen(archives, 2)
    (here / 'rows').write_bytes(write_csv(rows))
    line = ['rows', '--threshold=1', '-q']
    assert discover(*line, '-o', 'one').code == 0
    more = [*line, '-o', 'many', '--tasks', tasks]
    assert discover(*more, runner='local').code == 0
    assert results(here / 'one') == results(here / 'many')


def test_same_as_archives_of_these_records(site, archives, here):
    """A slice of all rows has the tables of the archives themselves."""
    rows = [(name, *row) for name, found in archives.items() for row in found]
    (here / 'rows').write_bytes(write_parquet(rows))
    line = ['--threshold=1', '-q', '-o']
    assert discover('rows', *line, 'slice').code == 0
    names = [f'cc:{name}' for name in archives]
    assert discover(*names, *line, 'whole').code == 0
    assert results(here / 'slice') == results(here / 'whole')


def test_local_archives(archives, here):
    rows = chosen(archives)
    (here / 'all/rows').write_bytes(write_csv(rows))
    assert discover('all/rows', '--threshold=1', '-q', '-o', 'run').code == 0
    assert rids(here / 'run') == {f'all/{n}:{offset}' for n, offset, _ in rows}
    (here / 'rows').write_bytes(write_csv(rows))
    line = ['rows', '--base-url', 'all', '--threshold=1', '-q', '-o', 'other']
    assert discover(*line).code == 0
    assert rids(here / 'other') == {f'all/{n}:{offset}' for n, offset, _ in rows}


def test_run_without_input(site, archives, here):
    """The rows are recorded, so the table is not needed again."""
    rows = chosen(archives)
    (here / 'rows').write_bytes(write_csv(rows))
    assert discover('rows', '--threshold=1', '-q', '-o', 'run').code == 0
    (here / 'rows').unlink()
    asked = len(site.asked)
    again = discover('-o', 'run', '--threshold=2', '-q')
    assert again.code == 0, again.err
    later = site.asked[asked:]
    assert not [place for method, _, place in later if (method, place) == ('GET', None)]
    assert rids(here / 'run') == expected(rows)
    [rid, *_] = sorted(expected(rows))
    assert run('show', 'run', rid, '-q').out.startswith(TEXT.decode())
    assert run('links', 'run', '-q').code == 0


def damage(folder):
    record = json.loads((folder / 'run.json').read_text())
    return {d['archive'].rpartition('/')[2]: d['damage'] for d in record['damaged']}


NO_ROW = 'no record at the offset in the index'
ROW_LENGTH = 'length in the index that is not that of the record'


@pytest.mark.parametrize(
    ('change', 'damage_of_row', 'is_read'),
    [
        (lambda at, size: (at + 7, size), (NO_ROW, 1), False),
        (lambda at, size: (at - 30, size), (NO_ROW, 1), False),
        (lambda at, size: (10**12, size), (NO_ROW, 1), False),
        (lambda at, size: (at, 3), (NO_ROW, 1), False),
        (lambda at, size: (at, size - 1), (ROW_LENGTH, 0), True),
        (lambda at, size: (at, size - 20), (ROW_LENGTH, 1), True),
        (lambda at, size: (at, size + 1), (ROW_LENGTH, 0), True),
        (lambda at, size: (at, size + 300), (ROW_LENGTH, 0), True),
        (lambda at, size: (at, 10**15), (ROW_LENGTH, 0), True),
    ],
)
def test_rows_that_are_wrong(archives, here, change, damage_of_row, is_read):
    """A wrong row costs only itself."""
    name, cause, records = f'all/{next(iter(archives))}', *damage_of_row
    rows = [(name, *row) for row in (archives[name[4:]][n] for n in (2, 9, 11))]
    wrong = (name, *change(*rows[1][1:]))
    (here / 'rows').write_bytes(write_csv([rows[0], wrong, rows[2]]))
    done = discover('rows', '--threshold=1', '-q', '-o', 'run')
    assert done.code == 3, done.err
    [found] = damage(here / 'run').values()
    assert found.keys() == {cause} and found[cause][0] == records
    record = json.loads((here / 'run/run.json').read_text())
    assert record['read']['counts']['pages'] == 2 + is_read


def test_last_row_is_too_long(site, archives, here):
    [name, *_] = archives
    offset, _ = archives[name][-1]
    size = (here / 'all' / name).stat().st_size
    (here / 'rows').write_bytes(write_csv([(name, offset, size - offset + 1)]))
    assert discover('rows', '-q', '-o', 'run').code == 3
    [found] = damage(here / 'run').values()
    assert ROW_LENGTH in found


def test_archive_that_is_missing(site, archives, here):
    rows = chosen(archives)
    gone = next(iter(archives))
    del site.pages[f'/{gone}']
    (here / 'rows').write_bytes(write_csv(rows))
    assert discover('rows', '--threshold=1', '-q', '-o', 'run').code == 3
    number = len({row for row in rows if row[0] == gone})
    cause = 'cannot be read: no such page (404)'
    assert damage(here / 'run') == {'CC-0.warc.gz': {cause: [number, 0]}}
    asked = [method for method, path, _ in site.asked if path == f'/{gone}']
    assert asked.count('GET') == 1


def test_damaged_record(site, archives, here):
    [name, *_] = archives
    rows = [(name, *archives[name][n]) for n in (2, 9, 11)]
    data = bytearray(site.pages[f'/{name}'].data)
    data[rows[1][1] + rows[1][2] - 6] ^= 1  # in the checksum
    site.pages[f'/{name}'].data = bytes(data)
    (here / 'rows').write_bytes(write_csv(rows))
    assert discover('rows', '--threshold=1', '-q', '-o', 'run').code == 3
    [found] = damage(here / 'run').values()
    assert found.keys() == {'gzip member fails its checksum'}
    record = json.loads((here / 'run/run.json').read_text())
    assert record['read']['counts']['pages'] == 2


@pytest.mark.parametrize('is_slice', [True, False])
def test_busy_inside_a_large_record(site, here, monkeypatch, is_slice):
    """A body in pieces is read by the job, which must not fail."""
    monkeypatch.setattr(time, 'sleep', lambda seconds: None)
    name = f'{FOLDER}/CC-9.warc'
    path = here / 'all' / name
    own = random.Random(7).randbytes(12 << 20).hex().encode()
    texts = [('http://a.org/', TEXT), ('http://b.org/', TEXT + own)]
    write_warc(path, texts, gzip=False)
    rows = [(name, *row) for row in places(path)]
    (here / 'rows').write_bytes(write_csv(rows))
    data = path.read_bytes()
    busy = Page(data, answers=[(503,)] * 999)
    site.pages[f'/{name}'] = Page(data, breaks=[len(data) * 95 // 100], then=busy)
    entry = Entry(f'cc:{name}', False, len(data), 'v1')
    monkeypatch.setattr(common_crawl.CommonCrawl, 'status', lambda *line: entry)
    typed = 'rows' if is_slice else f'cc:{name}'
    done = discover(typed, '--threshold=1', '-q', '-o', 'run')
    assert done.code == 3, done.err
    [found] = damage(here / 'run').values()
    assert 'cannot be read: the server stays busy (status 503)' in found
    record = json.loads((here / 'run/run.json').read_text())
    assert record['read']['counts']['pages'] >= 1


def test_two_slices_of_an_archive(site, archives, here):
    [name, *_] = archives
    for table, numbers in {'a': (1, 2), 'b': (2, 5)}.items():
        rows = [(name, *archives[name][n]) for n in numbers]
        (here / table).write_bytes(write_csv(rows))
    [source], repeated = inputs.find_sources(['a', 'b'])
    assert not repeated
    assert slices.parse_rows(source.rows) == [archives[name][n] for n in (1, 2, 5)]
    assert source.size == sum(archives[name][n][1] for n in (1, 2, 5))
    [source], repeated = inputs.find_sources(['a', f'cc:{name}', 'b'])
    assert not source.rows and repeated


def test_other_rows_are_other_inputs(site, archives, here):
    """Two slices of equal size are not taken for each other."""
    [name, *_] = archives
    (offset, length), (other, longer) = archives[name][3:5]
    for table, row in {'a': (offset, 300), 'b': (other, 300)}.items():
        assert min(length, longer) > 300
        (here / table).write_bytes(write_csv([(name, *row)]))
    assert discover('a', '-q', '-o', 'run').code == 3
    assert 'holds a run on other inputs' in refused('b', '-o', 'run')


def test_pipe(here):
    """A table names files, and reading another thing may never end."""
    os.mkfifo('a.warc.gz')
    (here / 'rows').write_bytes(write_csv([('a.warc.gz', 0, 9)]))
    message = refused('rows', '-o', 'run')
    assert message == 'a.warc.gz: neither a file nor a folder'


def test_copies_on_a_cluster(archives, here, monkeypatch):
    """The whole archive is copied once, since rids are offsets in it."""
    rows = chosen(archives)
    (here / 'all/rows').write_bytes(write_csv(rows))
    sources, _ = inputs.find_sources(['all/rows'])
    run_folder = SimpleNamespace(join=lambda name: str(here / 'copies'))
    display, put, sent = Display(True, str(here / 'progress')), storage.put, []
    monkeypatch.setattr(storage, 'put', lambda *name: sent.append(name) or put(*name))
    for _ in range(2):
        copies = list(upload.send_inputs(run_folder, sources, display))
    assert len(sent) == len(sources) == 3
    assert [copy.rows for copy in copies] == [source.rows for source in sources]
    for copy, source in zip(copies, sources, strict=True):
        assert Path(copy.path).read_bytes() == Path(source.path).read_bytes()


def test_no_slice_of_an_archive_is_added(site, archives, here):
    rows = chosen(archives)
    (here / 'rows').write_bytes(write_csv(rows))
    assert discover('rows', '-q', '-o', 'run').code == 0
    assert 'has read records of this archive' in refused(
        'rows', '--add', 'run', '-o', 'both'
    )


def test_dry_run(site, archives, here):
    rows = chosen(archives, 1)
    (here / 'rows').write_bytes(write_csv(rows))
    done = discover('rows', '--dry-run', '-o', 'run')
    assert done.code == 0, done.err
    total = sum(length for _, _, length in rows)
    assert f'{total:>15,}  bytes in 3 archives' in done.out
    assert 'it would take ' in done.out


NO_NUMBER = 'is no offset or length of a record; correct or remove the row'
WRONG = [
    ([], 'rows: this table names no records'),
    ([('a.gz', 'x', 5)], f"rows, row 1: 'x' {NO_NUMBER}"),
    ([('a.gz', 1, 5), ('a.gz', -1, 5)], f"rows, row 2: '-1' {NO_NUMBER}"),
    ([('a.gz', 1, 0)], f"rows, row 1: '0' {NO_NUMBER}"),
    ([('a.gz', 1, '9' * 5000)], f"rows, row 1: '{'9' * 50}' {NO_NUMBER}"),
    ([('a.gz', 1)], 'rows, row 1: has too few cells'),
    ([('', 1, 5)], 'rows, row 1: names no archive'),
    ([('cc:x', 1, 5)], 'cc:x: not a name of Common Crawl; '),
    ([('x' * 200_000, 1, 5)], 'rows, row 1: field larger than field limit (131072)'),
]


@pytest.mark.parametrize(('rows', 'problem'), WRONG)
def test_tables_that_are_wrong(here, rows, problem):
    (here / 'rows').write_bytes(write_csv(rows))
    assert refused('rows', '-o', 'run').startswith(problem)


def test_too_many_rows(here, monkeypatch):
    monkeypatch.setattr(index_rows, 'MAX_ROWS', 5)
    (here / 'rows').write_bytes(write_csv([('a.gz', n, 1) for n in range(6)]))
    assert 'has more than 5 rows; divide it by archives' in refused('rows', '-o', 'run')


def test_parquet_that_is_wrong(here, monkeypatch):
    stream = io.BytesIO()
    pq.write_table(pa.table({'url': ['x']}), stream)
    (here / 'rows').write_bytes(stream.getvalue())
    assert refused('rows', '-o', 'run').startswith(
        'rows: a Parquet file without the columns warc_filename, '
    )
    (here / 'rows').write_bytes(stream.getvalue()[:-9])
    assert 'rows: this Parquet file is damaged: ' in refused('rows', '-o', 'run')
    monkeypatch.delattr('mr_reuse.pages.slices.parquet_rows')
    monkeypatch.setitem(__import__('sys').modules, parquet_rows.__name__, None)
    assert 'rows: Parquet needs pyarrow; ' in refused('rows', '-o', 'run')


def test_table_from_the_web(site, archives, here):
    """It may come from a stranger, so it names no files of the user."""
    site.pages['/rows'] = Page(write_csv([('/etc/passwd', 0, 9)]))
    assert 'row 1' in refused(f'{site.url}/rows', '-o', 'run')
    rows = chosen(archives)
    site.pages['/rows'] = Page(write_csv(rows))
    line = [f'{site.url}/rows', '--base-url', 'cc:', '--threshold=1', '-q', '-o', 'run']
    done = discover(*line)
    assert done.code == 0, done.err
    assert rids(here / 'run') == expected(rows)


def test_tables_in_a_folder_are_files(here):
    (here / 'in').mkdir()
    (here / 'in/rows.csv').write_bytes(write_csv([('a.gz', 1, 5)]))
    [source], _ = inputs.find_sources(['in'])
    assert (source.kind, source.rows) == ('page', '')
