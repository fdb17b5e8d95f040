"""The sections on quilts, against numbers that are known."""

import json

import pytest
from commands import run
from quilt_runs import (
    QUILT,
    SOURCES,
    documents,
    hostile_documents,
    make_quilts,
    page,
    rows,
    source_url,
)
from reports import Report

from mr_reuse.quilts.quilt_tables import QUILT_SITES
from mr_reuse.report.quilts import quilt_sites, quilts
from mr_reuse.report.run import Run
from mr_reuse.tables import table_files


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_quilts(tmp_path_factory.mktemp('made'))


@pytest.fixture(scope='module')
def report(made):
    return Report(made)


def test_numbers(report):
    """Five documents: a quilt of 38 in 60 grams, and sources with 8 to 11 of 38."""
    assert report.sections == ['quilts', 'quilt_sites', 'reading', 'tables']
    assert report.text('h1') == 'Quilted pages and their sources'
    assert report.text('#quilts .lead') == (
        '1 of 5 documents is quilted (20.0 %), with 4 sources.'
    )
    assert report.text('#quilts figcaption').startswith(
        '1 of 5 documents has a share of at least 50.0 %, and 1 of these has enough '
        'sources.'
    )
    told = report.text('#quilts')
    assert 'At least 50.0 % of its grams are patch grams' in told
    assert 'a patch gram is also in 1 to 49 other documents' in told
    assert 'A quilt is not a proof of copying.' in told


def test_worst_pages(report, made):
    table = report.rows('#quilts table')
    assert table[1] == [QUILT, '4', '63.3 %', '60']
    rid = rows(made, 'quilts')[0]['rid']
    told = table[2][0]
    first = ', '.join(
        f'source-{n}.test ({100 * (12 - n) / 60:.1f} %)' for n in range(1, 5)
    )
    assert told.startswith(f'Its grams are also on {first}.')
    for number in range(1, SOURCES + 1):
        assert source_url(number) in told
    assert told.endswith(f'python -m mr_reuse.show {made} {rid} --as quilts')


def test_sites(report):
    pairs, feeders = report.tree.cssselect('#quilt_sites table')
    cells = [[cell.text_content() for cell in row] for row in pairs.cssselect('tr')]
    assert cells[1:] == [
        ['quilt.test', f'source-{n}.test', '1', str(12 - n)] for n in range(1, 5)
    ]
    cells = [[cell.text_content() for cell in row] for row in feeders.cssselect('tr')]
    assert cells[1:] == [
        [f'source-{n}.test', '1', '1', str(12 - n)] for n in (1, 2, 3, 4)
    ]


def test_next_steps(report, made):
    """The commands are those that exist, and the first one works."""
    lines = [one.text_content() for one in report.tree.cssselect('#quilts .steps code')]
    assert [line.split()[2] for line in lines] == [
        'mr_reuse.show',
        'mr_reuse.review',
        'mr_reuse.quilts',
    ]
    assert run('show', *lines[0].split()[3:]).code == 0
    assert run('quilts', *lines[2].split()[3:], '--dry-run').code == 0


def test_no_quilts(tmp_path):
    report = Report(make_quilts(tmp_path, documents()[:3]))
    assert report.text('#quilts .lead') == '0 of 3 documents are quilted (0.0 %).'
    assert 'There are no quilted pages.' in report.text()
    assert report.rows('#quilts table') == []


def test_no_grams(tmp_path):
    report = Report(make_quilts(tmp_path, [('http://a.test/', b'<p>one')]))
    assert report.text('#quilts .lead') == '0 of 0 documents are quilted.'
    assert report.tree.cssselect('#quilts svg') == []


def test_other_options(tmp_path):
    line = ['--alpha=0.25', '--c=3', '--foreign=domain', '--m=30', '--k=3']
    report = Report(make_quilts(tmp_path, None, *line))
    told = report.text('#quilts')
    assert 'At least 25.0 % of its grams' in told and 'a sequence of 3 words' in told
    assert 'only documents on another registered domain count' in told
    assert 'also in 1 to 29 other documents' in told
    assert '--foreign domain' not in report.text('#quilts .steps')


def test_own_site(tmp_path):
    found = [(url.replace('source-1', 'quilt'), body) for url, body in documents()]
    report = Report(make_quilts(tmp_path, found))
    assert '1 source is on its own site.' in report.text('#quilts')
    tables = report.tree.cssselect('#quilt_sites table')
    assert 'quilt.test 1 11' in ' '.join(tables[2].text_content().split())


def test_beside_chunks(tmp_path):
    folder = make_quilts(tmp_path)
    for command in ('discover', 'detect'):
        assert run(command, '-o', folder, '-q').code == 0
    report = Report(folder)
    assert report.text('h1') == 'Copied content and where it is'
    assert report.sections[0] == 'summary' and 'quilts' in report.sections
    assert '1 of 5 documents is quilted' in report.text('#summary')


def test_hostile_names(tmp_path):
    report = Report(make_quilts(tmp_path, hostile_documents()))
    assert len(report.tree.cssselect('script')) == 1
    assert report.tree.cssselect('img, iframe, [onerror], [onload]') == []
    assert '<script>alert(1)</script>' in report.text('#quilts')


@pytest.mark.parametrize(
    ('file', 'change', 'why'),
    [
        ('stats.json', {'quilts': {'documents': 'x'}}, 'has no valid counts of quilts'),
        ('stats.json', {'quilts': []}, 'has no valid counts of quilts'),
        ('run.json', {'k': 'x'}, 'has no valid options of quilts'),
        ('run.json', {'alpha': '1/0'}, 'has no valid options of quilts'),
    ],
)
def test_damaged_files(tmp_path, file, change, why):
    folder = make_quilts(tmp_path)
    data = json.loads((folder / file).read_text())
    if file == 'run.json':
        data['systems']['quilts']['options'] |= change
    else:
        data |= change
    (folder / file).write_text(json.dumps(data))
    done = run('report', folder)
    assert done.code == 1 and done.err.count('\n') == 1
    assert why in done.err


def test_only_the_first_rows_are_read(made, monkeypatch):
    """A table may have millions of rows."""
    taken = []

    def endless(run, table):
        row = table.row(*['7'] * len(table.columns))
        if table is QUILT_SITES:
            row = row._replace(pages=1, new=1)
        while True:
            taken.append(table.name)
            yield row

    of_run = Run(str(made))
    monkeypatch.setattr(table_files, 'read_rows', endless)
    monkeypatch.setattr(Run, 'rows', endless)
    data = quilt_sites.section(of_run)
    assert not data['is_all'] and data['read'] == quilt_sites.MAX_READ
    assert taken.count('quilt_sites') == quilt_sites.MAX_READ + 1


def test_sources_are_joined_by_page(tmp_path):
    """Two quilts of the same sources, in the order of the table."""
    twice = [*documents(), ('http://quilt.test/2', page('other', 'x ' * 9))]
    body = dict(documents())[QUILT].decode().replace('own', 'other')
    twice[-1] = ('http://second.test/', body.encode())
    folder = make_quilts(tmp_path, twice, '--foreign=host')
    found = quilts.section(Run(str(folder)))['worst']
    assert len(found) == len(rows(folder, 'quilts'))
    for one in found:
        rids = [
            s['source_rid']
            for s in rows(folder, 'quilt_sources')
            if s['rid'] == one.row.rid
        ]
        assert [source.source_rid for source in one.sources] == rids
