"""Tables for other programs: what these read is what was typed by hand."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
from commands import apart, ended, run
from crawls import sample_crawl, write_crawl
from handmade import TABLES, write_run

from mr_reuse import storage
from mr_reuse.tables import formats, parquet

duckdb = pytest.importorskip('duckdb')
pa = pytest.importorskip('pyarrow')
pq = pytest.importorskip('pyarrow.parquet')


FORMATS = ('parquet', 'jsonl', 'csv')
BIG = 2**62
LABELS = [
    ('aa', 128, BIG, 7, 3, 'http://a.org/?a=1,b', '<p class="x">NULL'),
    ('ab', 200, 12, 7, 3, 'http://a.org/', 'naïve, „quoted“ \u2028 text'),
    ('ac', 200, 12, 6, 2, 'http://b.org/', '=HYPERLINK("http://x/")'),
    ('b0', 101, 11, 6, 2, 'http://b.org/', None),
]
PAGES = [
    ('a.warc.gz:9', 'http://a.org/', 3, 19, 0.157894737),
    ('a.warc.gz:10', 'http://a.org/x', 0, 0, None),
    ('-b.warc:0+7', 'dns:a.org', 1, 1, 1.0),
]
NEIGHBORHOODS = [
    ('a.org/', 1, 2, 3, 19, 0.157894737, 0.157894737),
    ('b.org/', 0, 1, 0, 0, None, None),
    ('b.org/x/', 2, 1, 1, 4, 0.25, 0.25),
]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A run written by hand, in the current folder."""
    monkeypatch.chdir(tmp_path)
    return write_run(tmp_path / 'run')


def export(*args, to='out'):
    done = run('export', 'run', '-o', to, *args)
    assert (done.code, done.err) == (0, '')
    return done.out


def refused(*args) -> str:
    """The one line with which `export` gives up."""
    code, out, err = run('export', *args)
    assert (code, out) == (1, '')
    assert err.startswith('error: ') and err.count('\n') == 1
    return err[len('error: ') : -1]


def left(folder) -> list[str]:
    return sorted(path.name for path in folder.rglob('*')) if folder.exists() else []


# What other programs read


@pytest.mark.parametrize('form', FORMATS)
def test_all_tables(made, form):
    """Each gets a file, the ones of other programs too; how many rows is told."""
    rows = {'file_labels': '0 rows', 'labels': '4 rows', 'pages': '3 rows'}
    rows['neighborhoods'] = '3 rows'
    names = sorted([*TABLES, 'neighborhoods'])
    lines = [f'out/{name}.{form}: {rows.get(name, "1 row")}' for name in names]
    assert export('--format', form).splitlines() == lines
    assert left(made.parent / 'out') == [f'{name}.{form}' for name in names]


def test_parquet(made):
    export('--format=parquet')
    labels = pq.read_table('out/labels.parquet')
    assert [tuple(row.values()) for row in labels.to_pylist()] == LABELS
    assert labels.schema.types == [pa.string()] + [pa.int64()] * 4 + [pa.string()] * 2
    pages = pq.read_table('out/pages.parquet')
    assert [tuple(row.values()) for row in pages.to_pylist()] == PAGES
    assert pages.schema.field('contains').type == pa.float64()
    assert pq.read_table('out/file_labels.parquet').num_rows == 0
    assert pq.read_table('out/yours.parquet').to_pylist() == [
        {'name': 'x', 'value': '007'}
    ]


def test_json_lines(made):
    export('--format=jsonl')
    lines = (made.parent / 'out/labels.jsonl').read_bytes().split(b'\n')
    assert lines.pop() == b''
    assert [tuple(json.loads(line).values()) for line in lines] == LABELS
    assert 'naïve, „quoted“'.encode() in lines[1]
    [change] = (made.parent / 'out/label_changes.jsonl').read_text().splitlines()
    assert json.loads(change)['before'] == 12 and json.loads(change)['after'] is None
    assert (made.parent / 'out/file_labels.jsonl').read_bytes() == b''


def test_csv(made):
    """RFC 4180: CRLF, quotes doubled; and nothing that a spreadsheet would work out."""
    export('--format=csv')
    data = (made.parent / 'out/labels.csv').read_bytes()
    assert data.splitlines(keepends=True)[1] == (
        b'aa,128,4611686018427387904,7,3,'
        b'"http://a.org/?a=1,b","<p class=""x"">NULL"\r\n'
    )
    with open('out/labels.csv', encoding='utf-8', newline='') as file:
        header, *rows = csv.reader(file)
    assert header == TABLES['labels'].split('\n')[0].split('\t')
    expected = [['' if cell is None else str(cell) for cell in row] for row in LABELS]
    expected[2][-1] = "'" + expected[2][-1]
    assert rows == expected
    data = (made.parent / 'out/pages.csv').read_text().splitlines()
    assert data[2] == 'a.warc.gz:10,http://a.org/x,0,0,'
    assert data[3] == "'-b.warc:0+7,dns:a.org,1,1,1.000000000"


@pytest.mark.parametrize('separator', [',', ';', '\t'])
def test_no_formulas(made, separator):
    """None wherever a spreadsheet cuts: outside of quotes, at what it is told.

    A quote is one only at the start of a cell; what comes behind it is kept.
    """
    rest = '1+1', '+1', '"=1+1&"', ' =1', '＝1', '"" =1', 'a=1', '1-1', '@A;-1'
    texts = [
        head + '=+-@;;'[n % 6] + text
        for n, text in enumerate(rest * 6)
        for head in ('', 'a', 'a;', 'a,')
    ]
    table = made / 'yours.tsv'
    table.write_text('name\tvalue\n' + ''.join(f'{t}\tb;{t}\n' for t in texts))
    export('--format=csv', '--table=yours')
    with open('out/yours.csv', encoding='utf-8', newline='') as file:
        cells = [cell for row in csv.reader(file, delimiter=separator) for cell in row]
    assert len(cells) > len(texts)
    assert not [c for c in cells if re.match(r'["\s]*[=+\-@＝＋－＠]', c)]


@pytest.mark.parametrize('form', FORMATS)
def test_duckdb(made, form):
    """A table that is a folder is one file, and reads alike from all formats."""
    export('--format', form)
    rows = duckdb.sql(f"select * from 'out/neighborhoods.{form}'")
    assert rows.fetchall() == NEIGHBORHOODS
    assert [str(kind) for kind in rows.types] == (
        ['VARCHAR'] + ['BIGINT'] * 4 + ['DOUBLE'] * 2
    )
    change = duckdb.sql(f"select * from 'out/neighborhood_changes.{form}'").fetchall()
    assert change == [('new and bad', 'a.org/', 1, None, 0.25, None, 3)]


def test_real_run(made):
    """All tables of a run have what the text has; numbers are numbers."""
    names, _ = write_crawl(made.parent, sample_crawl())
    line = ['-o', 'real', '-q', '-r', 'inline']
    assert run('discover', *names, *line, '--threshold=2', '--min-len=0').code == 0
    assert run('detect', *line).code == 0
    assert run('links', 'real', '-q', '-r', 'inline').code == 0
    assert run('export', 'real', '--format=parquet', '-q') == (0, '', '')
    tables = sorted((made.parent / 'real').glob('*.tsv'))
    assert len(tables) == 13
    for path in tables:
        head, *rows = (line.split('\t') for line in path.read_text().split('\n')[:-1])
        found = pq.read_table(path.with_suffix('.parquet'))
        assert found.column_names == head and found.num_rows == len(rows)
        for number, column in enumerate(found.columns):
            cells = [row[number] for row in rows]
            assert column.to_pylist() == [
                type(value)(cell) if cell else None
                for cell, value in zip(cells, column.to_pylist(), strict=True)
            ]
            is_number = all(cell.replace('.', '').isdigit() for cell in cells if cell)
            if any(cells) and is_number:
                assert column.type != pa.string(), (path, head[number])
    # What was exported is part of the run: it can be gone on with.
    assert run('detect', *line).code == 0
    again = ['export', 'real', '--format=parquet', '-q']
    assert run(*again).code == 1
    assert run(*again, '--force') == (0, '', '')


# How Parquet is written


def order_of(table: str):
    metadata = pq.ParquetFile(f'out/{table}.parquet').metadata
    sorted_by = metadata.row_group(0).sorting_columns
    return [(s.column_index, s.descending) for s in sorted_by]


def test_order_is_told_where_it_is_true(made):
    export('--format=parquet')
    assert order_of('labels') == [(2, True), (0, False)]
    assert order_of('neighborhoods') == [(0, False)]
    assert order_of('pages') == []
    lines = re.findall('.*\n', TABLES['labels'])
    lines[1:3] = reversed(lines[1:3])
    (made / 'labels.tsv').write_text(''.join(lines))
    export('--format=parquet', '--force')
    assert order_of('labels') == []
    rows = pq.read_table('out/labels.parquet').to_pylist()
    assert [tuple(row.values()) for row in rows] == [LABELS[i] for i in (1, 0, 2, 3)]


def test_order_across_groups(made, monkeypatch):
    """The last row of a group and the first of the next are compared as well."""
    monkeypatch.setattr(parquet, 'GROUP_ROWS', 1)
    export('--format=parquet', '--table=labels')
    assert order_of('labels') == [(2, True), (0, False)]
    lines = re.findall('.*\n', TABLES['labels'])
    (made / 'labels.tsv').write_text(''.join([lines[0], *reversed(lines[1:])]))
    export('--format=parquet', '--table=labels', '--force')
    assert order_of('labels') == []


def test_row_groups(made, monkeypatch):
    """They are as long wherever blocks end, so the same table is the same bytes."""
    monkeypatch.setattr(parquet, 'GROUP_ROWS', 1000)
    rows = [f'a.warc:{n}\thttp://a.org/{n % 37}\t{n % 5}\t5\t' for n in range(2500)]
    text = '\n'.join(['rid\turl\tbad\ttotal\tcontains', *rows])
    (made / 'pages.tsv').write_text(text)  # without an end of its last line
    bytes_ = set()
    for number, block in enumerate((100, 4096, 1 << 20)):
        monkeypatch.setattr(formats, 'BLOCK', block)
        export('--format=parquet', '--table=pages', to=f'out{number}')
        bytes_.add((made.parent / f'out{number}/pages.parquet').read_bytes())
    assert len(bytes_) == 1
    file = pq.ParquetFile('out0/pages.parquet')
    groups = [file.metadata.row_group(i) for i in range(3)]
    assert [group.num_rows for group in groups] == [1000, 1000, 500]
    column = groups[2].column(0)
    assert (column.compression, column.statistics.null_count) == ('ZSTD', 0)
    assert column.statistics.min == 'a.warc:2000'
    assert groups[2].column(4).statistics.null_count == 500


def test_long_rows(made, monkeypatch):
    """Groups are small where rows are long, which may be longer than a block."""
    monkeypatch.setattr(parquet, 'GROUP_BYTES', 5_000_000)
    rows = [f'a.warc:{n}\thttp://a.org/{"x" * 3_000_000}\t1\t5\t0.2' for n in range(4)]
    head = TABLES['pages'].split('\n')[0]
    (made / 'pages.tsv').write_text('\n'.join([head, *rows, '']))
    export('--format=parquet', '--table=pages')
    file = pq.ParquetFile('out/pages.parquet')
    assert [file.metadata.row_group(i).num_rows for i in range(2)] == [2, 2]
    lengths = {len(url.as_py()) for url in file.read()['url']}
    assert lengths == {3_000_000 + len('http://a.org/')}


@pytest.mark.parametrize('form', FORMATS)
def test_same_bytes(made, form):
    for to in ('one', 'two'):
        export('--format', form, to=to)
    for one in (made.parent / 'one').iterdir():
        assert one.read_bytes() == (made.parent / 'two' / one.name).read_bytes()


# What is refused


TYPED = FORMATS[:2]  # in CSV all is text


@pytest.mark.parametrize(
    ('row', 'why', 'forms'),
    [
        (b'x\thttp://a.org/\tone\t1\t', "'one' is no number", TYPED),
        (b'x\thttp://a.org/\t1\t2\tmany', "'many' is no number", TYPED),
        (b'x\thttp://a.org/\t1\t1', '4 cells instead of 5', FORMATS),
        (b'', '1 cells instead of 5', FORMATS),
        (b'\xff\thttp://a.org/\t1\t1\t', 'not UTF-8', FORMATS),
    ],
    ids=['number', 'ratio', 'cells', 'empty', 'bytes'],
)
def test_damaged_rows(made, row, why, forms):
    """One line says where; nothing is left of this table, nor of those before it."""
    with open(made / 'pages.tsv', 'ab') as file:
        file.write(row + b'\nx\ty\t1\t1\t\n')
    for form in forms:
        said = refused('run', '--format', form, '-o', 'out')
        assert said == f'run/pages.tsv, line 5: this row is damaged: {why}'
        assert left(made.parent / 'out') == []


@pytest.mark.parametrize('form', FORMATS)
@pytest.mark.parametrize('text', ['', 'ann\tbad\n'])
def test_cut_judgement(made, form, text):
    """A line that a power failure has cut is left out, and that is said."""
    (made / 'judgements.tsv').write_text(f'judge\tcounts\n{text}bob')
    done = run('export', 'run', '-o', 'out', '--format', form, '--table', 'judgements')
    assert done.code == 0
    why = 'run/judgements.tsv: 1 incomplete line left out'
    assert done.err == f'warning: {why}\n'
    found = duckdb.sql(f"select * from 'out/judgements.{form}'") if text else None
    assert not text or found.fetchall() == [('ann', 'bad')]


def test_other_columns_in_a_part(made):
    (made / 'neighborhoods.tsv/part-00002.tsv').write_text('prefix\tx\n')
    said = refused('run', '--format=csv', '-o', 'out')
    part = 'run/neighborhoods.tsv/part-00002.tsv'
    assert said == f'{part}: other columns than in run/neighborhoods.tsv'


def test_nothing_is_replaced(made):
    (made.parent / 'out').mkdir()
    (made.parent / 'out/pages.csv').write_text('mine')
    said = refused('run', '--format=csv', '-o', 'out')
    assert said == 'out/pages.csv: exists; name another folder, or give --force'
    assert left(made.parent / 'out') == ['pages.csv']
    export('--format=csv', '--table=pages', '--force')
    assert (made.parent / 'out/pages.csv').read_text().startswith('rid,url,')


def test_wrong_names(made):
    said = refused('run', '--format=csv', '--table', 'labels', '--table', 'page')
    names = ', '.join(sorted([*TABLES, 'neighborhoods']))
    assert said == f"run: has no table 'page'; it has {names}"
    assert refused('run/labels.tsv', '--format=csv').endswith('; it is a file')
    assert refused('nowhere', '--format=csv').endswith('; there is no such folder')
    assert refused('run', '--format=csv', '-o', 'run/run.json') == (
        'run/run.json: a file is in the way of this folder'
    )
    assert run('export', 'run', '--format=xml')[:2] == (2, '')
    assert run('export', 'run')[:2] == (2, '')


def test_without_pyarrow(made, monkeypatch):
    monkeypatch.delitem(sys.modules, 'mr_reuse.tables.parquet')
    monkeypatch.setitem(sys.modules, 'pyarrow', None)
    assert refused('run', '--format=parquet', '-o', 'out') == (
        '--format parquet: pyarrow is not installed; python -m pip install pyarrow'
    )
    assert not (made.parent / 'out').exists()
    export('--format=csv')


def test_tables_of_older_labels(made):
    told = json.loads((made / 'run.json').read_text())
    del told['detect']
    (made / 'run.json').write_text(json.dumps(told))
    done = run('export', 'run', '--format=csv', '-q')
    assert (done.code, done.err.count('\n')) == (0, 1)
    assert done.err.startswith('warning: run: the tables of detect were made ')


# Interrupted


def test_interrupted_between_tables(made, monkeypatch):
    """Those before it are not left either: the same command can be given again."""
    write, names = storage.write, []

    def interrupted(name, mode='wb'):
        names.append(name)
        if len(names) == 4:
            raise KeyboardInterrupt
        return write(name, mode)

    with monkeypatch.context() as patch:
        patch.setattr(storage, 'write', interrupted)
        done = run('export', 'run', '--format=csv', '-o', 'out')
    assert done == (130, '', 'interrupted\n')
    assert left(made.parent / 'out') == []
    export('--format=csv')


@pytest.mark.apart
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('form', FORMATS)
def test_interrupted(made, form, number):
    rows = (f'a.warc:{n}\thttp://a.org/{n * 7919}\t1\t5\t0.2\n' for n in range(10**6))
    with open(made / 'pages.tsv', 'a') as file:
        file.writelines(rows)
    for part in range(9):  # as long as ten such tables
        os.symlink('pages.tsv', made / f'pages{part}.tsv')
    line = [sys.executable, '-m', 'mr_reuse.export', 'run', '--format', form]
    process = apart(*line, '-o', 'out', cwd=made.parent)
    halves = made.parent / 'out'
    while not (halves.exists() and list(halves.glob('pages.*.half'))):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    assert ended(process) == (130, '', 'interrupted\n')
    assert left(halves) == []


@pytest.mark.apart
@pytest.mark.skipif(not shutil.which('mount'), reason='needs mount')
@pytest.mark.parametrize('form', FORMATS)
def test_full_disk(made, form):
    rows = ''.join(f'{n}.warc:{n}\thttp://a.org/{n}\t1\t5\t0.2\n' for n in range(10**5))
    with open(made / 'pages.tsv', 'a') as file:
        file.write(rows)
    disk = made.parent / 'disk'
    disk.mkdir()
    mount = ['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', str(disk)]
    if os.getuid() or subprocess.call(mount):
        pytest.skip('only root can mount a small disk')
    try:
        said = refused('run', '--format', form, '-o', 'disk')
        assert said.startswith(f'{disk}/pages.{form}: no space left on the device; ')
        assert left(disk) == []
    finally:
        subprocess.run(['umount', str(disk)], check=True)
