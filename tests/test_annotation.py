"""`export --annotation`: rows for the indexes of Common Crawl, typed by hand."""

import json
import subprocess
import sys

import pytest
from commands import discover, run
from crawls import write_warc

duckdb = pytest.importorskip('duckdb')
pq = pytest.importorskip('pyarrow.parquet')

TABLES = {
    'pages': (
        'rid\turl\tbad\ttotal\tcontains\n'
        'a.warc:0\thttp://www.a.org/B/?y&x\t1\t4\t0.250000000\n'
        'a.warc:9\thttps://a.org/\t2\t2\t1.000000000\n'
        'a.warc:20\thttp://a.org/\t1\t2\t0.500000000\n'
        'a.warc:30\thttp://a.org:8080/\t0\t1\t0.000000000\n'
        'a.warc:40\thttp://sub.a.org./\t0\t0\t\n'
        'a.warc:50\tdns:a.org\t1\t1\t1.000000000\n'
        'a.warc:60\thttp://192.0.2.7/\t3\t9\t0.333333333\n'
        'a.warc:70\thttp://xn--bcher-kva.example/\t9\t9\t1.000000000\n'
        'a.warc:80\thttp://a-b.org/\t0\t5\t0.000000000\n'
        'a.warc:90\thttp://ab.org/%20\t0\t5\t0.000000000\n'
    ),
    'bad_pages': (
        'rid\turl\tbad\ttotal\tcontains\n'
        'a.warc:70\thttp://xn--bcher-kva.example/\t9\t9\t1.000000000\n'
        'a.warc:9\thttps://a.org/\t2\t2\t1.000000000\n'
    ),
    'bad_neighborhoods': (
        'prefix\tlevel\tpages\tbad\ttotal\tpooled\tmean\n'
        'xn--bcher-kva.example/\t1\t1\t9\t9\t1.000000000\t1.000000000\n'
        'a.org/\t1\t2\t3\t4\t0.750000000\t0.750000000\n'
        'ab.org/x/\t2\t2\t3\t4\t0.750000000\t0.750000000\n'
    ),
    'pairs': (
        'a\tb\tchunks\tbytes\ta_share\tb_share\ta_first\tb_first\n'
        'a.org\twww.a.org\t12\t9\t0.5\t0.5\t0\t0\n'
        'a-b.org\twww.a.org\t12\t9\t0.5\t0.5\t0\t0\n'
        'a-b.org\ta.org\t12\t9\t0.5\t0.5\t0\t0\n'
        'a-b.org\ta.org:8080\t12\t9\t0.5\t0.5\t0\t0\n'
    ),
    'places': (
        'hash\trid\turl\tdate\n'
        'aa\ta.warc:0\thttp://www.a.org/B/?y&x\t\n'
        'aa\ta.warc:9\thttps://a.org/\t\n'
        'ab\ta.warc:9\thttps://a.org/\t\n'
        'ab\ta.warc:60\thttp://192.0.2.7/\t\n'
        'ab\ta.warc:50\tdns:a.org\t\n'
    ),
}
PAIRS = {'by': 'discover', 'unit': 'host', 'output': '', 'rows': 4, 'common': 0}
RECORD = {
    'finished': True,
    'made_of': {},
    'paths': {},
    'pages': [],
    'steps': {},
    'run': 'run',
    'pairs': PAIRS,
    'detect': {'rule': {'min_chunks': 2, 'levels': 'all'}, 'level': 1},
}
URLS = [
    ('dns:a.org', 'dns:a.org', 'a.warc:50', 1, 1, 1.0, 0),
    (
        'example,xn--bcher-kva)/',
        'http://xn--bcher-kva.example/',
        *('a.warc:70', 9, 9, 1.0, 1),
    ),
    ('org,a)/', 'http://a.org/', 'a.warc:20', 1, 2, 0.5, 0),
    ('org,a)/', 'https://a.org/', 'a.warc:9', 2, 2, 1.0, 1),
    ('org,a)/b?x&y', 'http://www.a.org/B/?y&x', 'a.warc:0', 1, 4, 0.25, 0),
    ('org,a,sub)/', 'http://sub.a.org./', 'a.warc:40', 0, 0, None, 0),
    ('org,a-b)/', 'http://a-b.org/', 'a.warc:80', 0, 5, 0.0, 0),
    ('org,a:8080)/', 'http://a.org:8080/', 'a.warc:30', 0, 1, 0.0, 0),
    ('org,ab)/%20', 'http://ab.org/%20', 'a.warc:90', 0, 5, 0.0, 0),
    ('7,2,0,192)/', 'http://192.0.2.7/', 'a.warc:60', 3, 9, 0.333333333, 0),
]
URLS.sort()
# Of the pages with two chunks or more: bad, total, pooled, mean; then whether the host
# is bad, the hosts with which it shares chunks, and its labels.
HOSTS = [
    ('7,2,0,192', 1, 3, 9, 0.333333333, 0.333333333, 0, 0, 1),
    ('example,xn--bcher-kva', 1, 9, 9, 1.0, 1.0, 1, 0, 0),
    # 1/4 + 2/2 + 1/2 of three pages; `a.org` and `www.a.org` are one host.
    ('org,a', 3, 4, 8, 0.5, 0.583333333, 1, 1, 2),
    ('org,a,sub', 1, 0, 0, None, None, 0, 0, 0),
    ('org,a-b', 1, 0, 5, 0.0, 0.0, 0, 2, 0),
    ('org,a:8080', 1, 0, 0, None, None, 0, 1, 0),
    ('org,ab', 1, 0, 5, 0.0, 0.0, 0, 0, 0),
]
NAMES = [
    *('surt_host_name', 'reuse_pages', 'reuse_bad', 'reuse_total', 'reuse_pooled'),
    *('reuse_mean', 'reuse_is_bad', 'reuse_pairs', 'reuse_labels'),
]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A run written by hand, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'run').mkdir()
    for name, text in TABLES.items():
        (tmp_path / f'run/{name}.tsv').write_text(text)
    write_record(tmp_path)
    return tmp_path / 'run'


def write_record(folder, **changes):
    (folder / 'run/run.json').write_text(json.dumps({**RECORD, **changes}))


def export(*args) -> str:
    done = run('export', 'run', '--annotation', *args)
    assert (done.code, done.err) == (0, '')
    return done.out


def rows(name: str) -> list[tuple]:
    table = pq.read_table(name)
    return [tuple(row.values()) for row in table.to_pylist()]


def test_rows(made):
    assert export() == (
        'run/annotation_hosts.parquet: 7 rows\nrun/annotation_urls.parquet: 10 rows\n'
    )
    assert rows('run/annotation_urls.parquet') == URLS
    assert rows('run/annotation_hosts.parquet') == HOSTS
    assert pq.read_table('run/annotation_hosts.parquet').column_names == NAMES


def test_files_declare_their_order(made):
    export('-o', 'out')
    for name, columns in ('hosts', [0]), ('urls', [0, 1, 2]):
        group = pq.ParquetFile(f'out/annotation_{name}.parquet').metadata.row_group(0)
        by = [(s.column_index, s.descending) for s in group.sorting_columns]
        assert by == [(column, False) for column in columns]
        assert (
            group.column(0).statistics.min == min(HOSTS if name == 'hosts' else URLS)[0]
        )


def test_order_is_the_same_when_spilled(made, monkeypatch):
    export('-o', 'one')
    monkeypatch.setattr('mr_reuse.shuffle.sorting.IN_MEMORY', 1)
    export('-o', 'two')
    for name in ('annotation_hosts.parquet', 'annotation_urls.parquet'):
        one, two = (made.parent / folder / name for folder in ('one', 'two'))
        assert one.read_bytes() == two.read_bytes()


def test_unknown_facts_are_empty(made):
    """Other units of pairs, neighborhoods without hosts, no table of places."""
    (made / 'places.tsv').unlink()
    detect = {'rule': {'min_chunks': 2, 'levels': '2'}, 'level': 2}
    write_record(made.parent, pairs=PAIRS | {'unit': 'domain'}, detect=detect)
    export()
    assert {row[6:] for row in rows('run/annotation_hosts.parquet')} == {(None,) * 3}


def test_no_pages(made):
    for name, text in TABLES.items():
        (made / f'{name}.tsv').write_text(text.split('\n')[0] + '\n')
    export()
    assert rows('run/annotation_urls.parquet') == []
    assert rows('run/annotation_hosts.parquet') == []


@pytest.mark.parametrize('form', ['csv', 'jsonl'])
def test_other_formats(made, form):
    export('--format', form)
    table = duckdb.sql(f"select * from 'run/annotation_hosts.{form}'")
    assert table.columns == NAMES
    assert [row[0] for row in table.fetchall()] == [row[0] for row in HOSTS]


def test_join_with_the_indexes(made):
    """Rows as in the host index and the URL index, where keys are of all captures."""
    export()
    hosts = duckdb.sql("""
        select surt_host_name, hcrank10, reuse_pooled
        from (values ('org,a', 5.5), ('org,c', 4.4)) i(surt_host_name, hcrank10)
        left join 'run/annotation_hosts.parquet' using (surt_host_name)
        order by all
    """)
    assert [(k, float(r), p) for k, r, p in hosts.fetchall()] == [
        ('org,a', 5.5, 0.5),
        ('org,c', 4.4, None),
    ]
    urls = duckdb.sql("""
        select fetch_status, reuse_contains
        from (values ('org,a)/', 'https://a.org/', 200))
            i(url_surtkey, url, fetch_status)
        join 'run/annotation_urls.parquet' using (url_surtkey, url)
    """)
    assert urls.fetchall() == [(200, 1.0)]


@pytest.mark.parametrize(
    ('args', 'code', 'message'),
    [
        (['--table', 'labels'], 2, 'not allowed with argument --table'),
        (['places'], 2, '--annotation: cannot be combined with places'),
    ],
)
def test_what_cannot_be_combined(made, args, code, message):
    done = run('export', 'run', *args, '--annotation')
    assert done.code == code and message in done.err


def test_run_without_detect(made):
    (made / 'pages.tsv').unlink()
    done = run('export', 'run', '--annotation', '-o', 'out')
    assert (done.code, done.out) == (1, '')
    assert done.err == 'error: run: has no pages.tsv; run detect first\n'
    assert not (made.parent / 'out').exists()


def test_existing_files(made):
    export()
    done = run('export', 'run', '--annotation')
    assert done.code == 1 and 'annotation_hosts.parquet: exists' in done.err
    export('--force')


@pytest.mark.parametrize('line', ['a.warc:1\thttp://a.org/\tx\t1\t', 'a.warc:1\tx'])
def test_damaged_table(made, line):
    with open(made / 'pages.tsv', 'a') as file:
        file.write(f'{line}\n')
    done = run('export', 'run', '--annotation')
    assert (done.code, done.out) == (1, '')
    assert done.err.startswith('error: run/pages.tsv: line 12 is damaged')
    assert not list(made.glob('annotation*'))


def test_real_run(tmp_path, monkeypatch):
    """The files belong to the run, and are reported as stale when its tables change."""
    monkeypatch.chdir(tmp_path)
    pages = [
        (f'http://{host}.org/{n}', b'<p>copied' + b'<p>%d' % n * 3)
        for host in ('www.a', 'b')
        for n in range(5)
    ]
    write_warc(tmp_path / 'c.warc.gz', pages)
    options = '--threshold=2', '--min-len=0', '-q'
    assert discover('c.warc.gz', '-o', 'run', *options).code == 0
    assert run('detect', '-o', 'run', '-q', '-r', 'inline').code == 0
    export()
    sums = duckdb.sql("""
        select reuse_pages, reuse_bad, reuse_total, reuse_pooled, reuse_mean
        from 'run/annotation_hosts.parquet' where surt_host_name = 'org,a'
    """)
    known = duckdb.sql("""
        select pages, bad, total, pooled, mean
        from read_csv('run/neighborhoods.tsv') where prefix = 'www.a.org/' and level = 1
    """)
    assert sums.fetchall() == known.fetchall() != []
    again = run('detect', '-o', 'run', '-r', 'inline', '--min-chunks', '3')
    assert again.code == 0
    assert 'annotation_hosts.parquet, annotation_urls.parquet' in again.out + again.err
    assert 'export run --annotation --format parquet' in again.out + again.err


MEASURE = """
import sys
from mr_reuse import export
code = export.main(sys.argv[1:])
status = open('/proc/self/status').read()  # of this program, not of what began it
print(code, int(status.partition('VmHWM:')[2].split()[0]) >> 10)
"""


@pytest.mark.slow
def test_memory(made):
    with open(made / 'pages.tsv', 'a') as file:
        for n in range(1_000_000):
            host = f'www{n % 3}.h{n * 7919 % 1_000_003}.example'
            file.write(f'a.warc:{n + 100}\thttp://{host}/x/{n}\t1\t2\t0.500000000\n')
    line = [sys.executable, '-c', MEASURE, 'run', '--annotation', '-q']
    done = subprocess.run(line, check=True, capture_output=True, text=True)
    code, peak = map(int, done.stdout.split())
    assert code == 0 and peak < 400
    assert pq.ParquetFile('run/annotation_urls.parquet').metadata.num_rows == 1_000_010
