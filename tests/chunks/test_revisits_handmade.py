"""Revisits in little crawls made by hand: what each refers to, and what is said."""

import io
import json
import random

import pytest
from commands import FORKED_DISCOVER, apart, discover, ended, run
from crawls import digest_of, tables_in
from reference import Options, tables
from reference_revisits import with_targets
from revisit_crawls import PICTURE, TEXTS, date, response, revisit, write
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

ONE, TWO = TEXTS[:2]
A, B, C = (f'http://{host}.org/' for host in 'abc')
NOT_HERE = 'refer to records that are not in the crawl'
NO_REFERENCE = 'refer to no record'
ENDLESS = 'refer to other revisits only'
ALL = ['--threshold=0', '--min-len=0', '--captures=all']


def search(folder, *records, options=ALL, name='a.warc', code=0):
    """Run `discover` on an archive of these records; they get their places."""
    placed = write(folder / name, records)
    done = discover(folder / name, *options, '-r', 'inline', '-o', folder / 'run')
    assert done.code == code, done.err
    return placed, done


def counts(folder) -> tuple[int, dict]:
    revisits = json.loads((folder / 'run/run.json').read_text())['revisits']
    return revisits['resolved'], revisits['unresolved']


def copies(folder) -> dict[bytes, int]:
    """The copies of each of the texts."""
    rows = (folder / 'run/labels.tsv').read_text().splitlines()[1:]
    found = {row.split('\t')[0]: int(row.split('\t')[2]) for row in rows}
    names = {digest_of(text): text for text in TEXTS}
    return {names[name]: number for name, number in found.items() if name in names}


# What a revisit refers to


def test_best_reference_first(tmp_path):
    """The id, else URL and date, else the payload digest; all of these are of ONE."""
    references = [
        {'refers_to': 'urn:1'},
        {'refers_to_url': A, 'refers_to_date': date(1)},
        {'digest': 'sha1:X'},
        {'refers_to': 'urn:1', 'refers_to_url': C, 'refers_to_date': date(3)},
        {'refers_to_url': A, 'refers_to_date': date(1), 'digest': 'sha1:Y'},
        {'refers_to': 'urn:9', 'refers_to_url': C, 'digest': 'SHA1:x'},
    ]
    records = [
        response(A, ONE, 1, id='urn:1', digest='sha1:X'),
        response(C, TWO, 3, id='urn:3', digest='sha1:Y'),
        *(revisit(B, 5, **reference) for reference in references),
    ]
    search(tmp_path, *records)
    assert copies(tmp_path) == {ONE: 7, TWO: 1} and counts(tmp_path) == (6, {})


def test_date_without_url_is_of_the_same_url(tmp_path):
    search(tmp_path, response(A, ONE, 1), revisit(A, 5, refers_to_date=date(1)))
    assert copies(tmp_path) == {ONE: 2}


def test_unresolved(tmp_path):
    """Such a revisit is no page and no capture; it is counted."""
    references = [
        {'refers_to': 'urn:2'},
        {'refers_to_url': A, 'refers_to_date': date(2)},
        {'digest': 'sha1:Z', 'refers_to': 'urn:2'},
        {'refers_to_url': A},
        {},
    ]
    found = response(A, ONE, 1, id='urn:1', digest='sha1:X')
    lost = (revisit(B, 5, **reference) for reference in references)
    options = ['--threshold=0', '--min-len=0']
    _, done = search(tmp_path, found, *lost, options=options)
    assert copies(tmp_path) == {ONE: 1}
    assert counts(tmp_path) == (0, {NOT_HERE: 3, NO_REFERENCE: 2})
    assert f'\n3 revisits {NOT_HERE}, so they do not count\n' in done.out
    assert f'\n2 revisits {NO_REFERENCE}, so they do not count\n' in done.out
    assert done.out.startswith('1 page with 1 chunk ')
    record = json.loads((tmp_path / 'run/run.json').read_text())
    assert record['captures'] == 1 and record['read']['counts']['revisits'] == 5
    assert run('detect', '-q', '-r', 'inline', '-o', tmp_path / 'run').code == 0
    assert len((tmp_path / 'run/pages.tsv').read_text().splitlines()) == 2


def test_target_in_another_archive(tmp_path):
    """Behind the revisit, and one of several records with the same id."""
    write(tmp_path / 'a.warc.gz', [revisit(A, 1, refers_to='urn:1')])
    write(tmp_path / 'b.warc', [response(B, ONE, 3, id='urn:1')])
    write(tmp_path / 'c.warc', [response(C, TWO, 2, id='urn:1')])
    names = [tmp_path / name for name in ('c.warc', 'b.warc', 'a.warc.gz')]
    assert discover(*names, *ALL, '-q', '-o', tmp_path / 'run').code == 0
    assert copies(tmp_path) == {ONE: 2, TWO: 1}


def test_chains(tmp_path):
    """Revisits that refer to revisits: up to eight in a chain, in any order."""
    chain = [
        revisit(A, n, id=f'urn:{n}', refers_to=f'urn:{n - 1}') for n in range(1, 9)
    ]
    random.Random(1).shuffle(chain)
    search(tmp_path, *chain[:4], response(B, ONE, 0, id='urn:0'), *chain[4:])
    assert copies(tmp_path) == {ONE: 9} and counts(tmp_path) == (8, {})


def test_cycles(tmp_path):
    """None has content, unless it has a payload digest as well."""
    records = [
        revisit(A, 1, id='urn:1', refers_to='urn:2'),
        revisit(A, 2, id='urn:2', refers_to='urn:1'),
        revisit(B, 3, id='urn:3', refers_to='urn:3'),
        revisit(B, 4, refers_to_url=B, refers_to_date=date(4)),
        revisit(C, 5, refers_to='urn:3'),
        revisit(C, 6, id='urn:6', refers_to='urn:6', digest='sha1:X'),
        revisit(C, 7, refers_to='urn:6'),
        revisit(C, 8, refers_to='urn:9', id='urn:8'),
        revisit(C, 9, refers_to='urn:8'),
        response(A, ONE, 5, digest='sha1:X'),
    ]
    search(tmp_path, *records)
    assert copies(tmp_path) == {ONE: 3}
    assert counts(tmp_path) == (2, {ENDLESS: 5, NOT_HERE: 2})


def test_page_rather_than_revisit(tmp_path):
    """An id that a page and a revisit share is that of the page."""
    records = [
        revisit(A, 1, id='urn:1', digest='sha1:Y'),
        response(B, ONE, 2, id='urn:1'),
        response(B, TWO, 3, digest='sha1:Y'),
        revisit(C, 4, refers_to='urn:1'),
    ]
    search(tmp_path, *records)
    assert copies(tmp_path) == {ONE: 2, TWO: 2}


def test_target_that_is_no_page(tmp_path):
    records = [response(A, PICTURE, 1, id='urn:1'), revisit(B, 2, refers_to='urn:1')]
    _, done = search(tmp_path, *records)
    [row] = (tmp_path / 'run/file_labels.tsv').read_text().splitlines()[1:]
    assert row.split('\t')[:3] == [digest_of(PICTURE), str(len(PICTURE)), '2']
    assert done.out.startswith('0 pages ')


def test_preset_of_arc(tmp_path):
    """The line feed that the preset appends is part of a body, not of a revisit."""
    options = ['--threshold=0', '--min-len=0', '--compat=ccr2019-arc', '--captures=all']
    records = [response(A, ONE, 1, id='urn:1'), revisit(B, 2), revisit(C, 3)]
    search(tmp_path, *records, revisit(B, 4, refers_to='urn:1'), options=options)
    rows = (tmp_path / 'run/labels.tsv').read_text().splitlines()[1:]
    chunks = {digest_of(ONE + b'\n'): '2'}
    assert {row.split('\t')[0]: row.split('\t')[2] for row in rows} == chunks


# Targets that are damaged, left out or truncated


def test_damaged_target(tmp_path):
    """A record that is lost has no content for others."""
    records = [response(A, ONE, 1, id='urn:1'), response(B, TWO, 2, id='urn:2')]
    write(tmp_path / 'a.warc.gz', records[:1])
    data = bytearray((tmp_path / 'a.warc.gz').read_bytes())
    data[len(data) // 2] ^= 255
    write(tmp_path / 'b.warc.gz', [*records[1:], revisit(C, 3, refers_to='urn:1')])
    (tmp_path / 'a.warc.gz').write_bytes(data)
    names = [tmp_path / 'a.warc.gz', tmp_path / 'b.warc.gz']
    assert discover(*names, *ALL, '-q', '-o', tmp_path / 'run').code == 3
    assert copies(tmp_path) == {TWO: 1} and counts(tmp_path) == (0, {NOT_HERE: 1})


def test_target_that_filters_leave_out(tmp_path):
    records = [
        response(A, ONE, 1, id='urn:1'),
        response(B, TWO, 1, id='urn:2'),
        revisit(B, 2, refers_to='urn:1'),
        revisit(B, 3, refers_to='urn:2'),
        revisit(C, 4, refers_to='urn:2'),
    ]
    search(tmp_path, *records, options=[*ALL, '--filter=host=b.org'])
    assert copies(tmp_path) == {TWO: 2} and counts(tmp_path) == (1, {NOT_HERE: 1})


def test_status_of_target(tmp_path):
    """A page that was not modified has the status of its target."""
    records = [
        response(A, ONE, 1, id='urn:1'),
        response(B, TWO, 1, id='urn:2', status=404),
        revisit(A, 2, refers_to='urn:1', status=304),
        revisit(B, 2, refers_to='urn:2', status=304),
        revisit(C, 2, refers_to='urn:1', status=404),
        revisit(C, 3, refers_to='urn:1', status=0),
    ]
    options = [*ALL, '--filter=status=200', '--filter=type=text/*']
    search(tmp_path, *records, options=options)
    assert copies(tmp_path) == {ONE: 3}
    assert counts(tmp_path) == (2, {NOT_HERE: 1})


def test_truncated_target(tmp_path):
    """Without its last chunk and its file hash; a whole record is preferred."""
    target = response(A, ONE + TWO, 1, id='urn:1', digest='sha1:X')
    whole = response(B, TWO, 2, digest='sha1:Y')
    records = [
        target,
        revisit(C, 3, refers_to='urn:1'),
        whole,
        revisit(C, 4, digest='sha1:Y'),
    ]
    write(tmp_path / 'a.warc', records)
    data = (tmp_path / 'a.warc').read_bytes()
    mark = b'sha1:X\r\nWARC-Truncated: length'
    cut = response(A, TWO + ONE, 1, digest='sha1:Y')
    write(tmp_path / 'b.warc', [cut])
    first = (
        (tmp_path / 'b.warc').read_bytes().replace(b'sha1:Y', mark.replace(b'X', b'Y'))
    )
    (tmp_path / 'a.warc').write_bytes(first + data.replace(b'sha1:X', mark))
    assert discover(tmp_path / 'a.warc', *ALL, '-q', '-o', tmp_path / 'run').code == 0
    assert copies(tmp_path) == {ONE: 2, TWO: 3}
    [row] = (tmp_path / 'run/file_labels.tsv').read_text().splitlines()[1:]
    assert row.split('\t')[:3] == [digest_of(TWO), str(len(TWO)), '2']


# Choices, long pages, runners, runs that are added


def filled_lines(folder) -> list[list[str]]:
    record = json.loads((folder / 'run/run.json').read_text())
    filled = folder / 'run' / record['revisits']['filled']
    lines = [
        line for part in filled.glob('part*') for line in part.read_text().split('\n')
    ]
    return [line.split('\t') for line in lines if line and line[0] != '@']


def test_chunks_of_passed_over_revisits_are_not_copied(tmp_path):
    """Those of other URLs are, for the dates of their chunks."""
    records = [
        response(A, ONE, 1, id='urn:1'),
        revisit(A, 2, refers_to='urn:1'),
        revisit(A, 3, refers_to_url=A, refers_to_date=date(2)),
        response(B, TWO, 1),
        revisit(B, 2, refers_to='urn:1'),
        revisit(C, 2, refers_to='urn:1'),
    ]
    placed, done = search(tmp_path, *records, options=['--threshold=0'])
    chunks = {fields[0]: fields[7] for fields in filled_lines(tmp_path)}
    rids = [f'{record.page.archive}:{record.page.offset}' for record in placed]
    assert chunks == dict(zip([rids[n] for n in (1, 2, 4, 5)], '0011', strict=True))
    assert '6 captures of 3 URLs' in done.out and '3 later ones only with' in done.out
    assert done.out.startswith('3 pages with 3 chunks')


@pytest.mark.parametrize('forked', [False, True])
def test_long_pages(tmp_path, monkeypatch, forked):
    """All lines of a page go to each of its revisits."""
    monkeypatch.setattr('mr_reuse.chunks.hasher.PAGE_ROWS', 3)
    monkeypatch.setattr('mr_reuse.chunks.revisits.filling.IN_MEMORY', 100)
    monkeypatch.setattr('mr_reuse.shuffle.sorting.IN_MEMORY', 1000)
    monkeypatch.setattr('mr_reuse.chunks.revisits.texts.MAX_TEXTS', 500)
    body = b''.join(TEXTS * 2) + b''.join(b'<p>%d' % n for n in range(9))
    records = [response(A, body, 1, id='urn:1')]
    records += [revisit(u, 2, refers_to='urn:1') for u in (A, B, C)]
    runner = 'local' if forked else 'inline'
    monkeypatch.setattr('mr_reuse.engine.chain.SMALL', 0)
    placed = write(tmp_path / 'in/a.warc', records)
    line = [tmp_path / 'in/a.warc', *ALL, '-q', '-r', runner, '-o', tmp_path / 'run']
    assert discover(*line).code == 0
    options = Options(0, 0, captures='all')
    assert tables_in(tmp_path / 'run') == tables(with_targets(placed), options)
    line = ['-l', tmp_path / 'run', '--join=reduce', '-q', '-r', 'inline', '-o']
    assert run('detect', *line, tmp_path / 'run').code == 0
    rows = (tmp_path / 'run/pages.tsv').read_text().splitlines()[1:]
    assert [row.split('\t')[2:4] for row in rows] == [['19', '19']] * 4


@pytest.mark.parametrize('captures', ['first', 'all'])
def test_add(tmp_path, captures):
    """Targets may be in either run; the result is that of one run over both."""
    old = [response(A, ONE, 1, id='urn:1'), revisit(B, 2, refers_to='urn:2')]
    old.append(revisit(B, 1, refers_to='urn:1'))
    new = [response(C, TWO, 1, id='urn:2'), revisit(C, 3, refers_to='urn:1')]
    newest = [response(A + 'x', TWO, 1)]
    names = [tmp_path / f'{name}.warc' for name in ('old', 'new', 'newest')]
    for name, records in zip(names, (old, new, newest), strict=True):
        write(name, records)
    line = ['--threshold=0', '--min-len=0', '--captures', captures, '-q', '-o']
    runs = [tmp_path / name for name in ('one', 'two', 'run')]
    assert discover(names[0], *line, runs[0]).code == 0
    assert discover(names[1], *line, runs[1], '--add', runs[0]).code == 0
    assert discover(names[2], *line, runs[2], '--add', runs[1]).code == 0
    assert counts(tmp_path) == (3, {})
    assert discover(*names, *line, tmp_path / 'both').code == 0
    assert tables_in(tmp_path / 'both') == tables_in(runs[2])
    records = [
        json.loads((run_ / 'run.json').read_text())
        for run_ in (runs[2], tmp_path / 'both')
    ]
    summed = [
        {key: r[key] for key in ('captures', 'urls') if key in r} for r in records
    ]
    assert summed[0] == summed[1]


def test_own_processes(tmp_path):
    """With tasks in forks, and a second time without work."""
    records = [response(A, ONE, 1, id='urn:1'), revisit(B, 2, refers_to='urn:1')]
    placed = write(tmp_path / 'a.warc.gz', records)
    line = [*FORKED_DISCOVER, tmp_path / 'a.warc.gz', '--threshold=0']
    line += ['-o', tmp_path / 'run']
    process = ended(apart(*line))
    assert process.code == 0, process.err
    options = Options(0, 100)
    assert tables_in(tmp_path / 'run') == tables(with_targets(placed), options)
    again = ended(apart(*line))
    assert again.code == 0 and 'runs again' not in again.err
    for step in ('01-revisits', '01-targets', '01-filled', '02-counts'):
        assert f'{step}: finished before' in again.err


def test_nothing_runs_without_revisits(tmp_path):
    search(tmp_path, response(A, ONE, 1))
    steps = {path.name for path in (tmp_path / 'run').glob('01-*')}
    assert steps == {'01-pages'}
    assert 'revisits' not in json.loads((tmp_path / 'run/run.json').read_text())


def test_run_of_an_older_version(tmp_path):
    """It skipped revisits; the same command reads the archives again."""
    records = [response(A, ONE, 1, id='urn:1'), revisit(B, 2, refers_to='urn:1')]
    search(tmp_path, *records)
    name = tmp_path / 'run/01-pages/_step.json'
    step = json.loads(name.read_text())
    del step['check']  # which older versions did not write
    for task in step['told']:
        for account in task['accounts']:
            account['skipped'] = {'revisit': account['counts'].pop('revisits')}
    name.write_text(json.dumps(step))
    again = discover(tmp_path / 'a.warc', *ALL, '-o', tmp_path / 'run')
    assert '01-pages: runs again, since it left out 1 revisit\n' in again.err
    assert counts(tmp_path) == (1, {})


# A crawl as Browsertrix writes it


def test_crawl_with_duplicates(tmp_path):
    """Records by warcio; what was fetched before is a revisit."""
    file, seen, stored = io.BytesIO(), {}, []
    writer = WARCWriter(file, gzip=True, warc_version='1.1')
    head = StatusAndHeaders(
        '200 OK', [('Content-Type', 'text/html')], protocol='HTTP/1.1'
    )
    visits = [(A, ONE), (B, TWO), (B + 'x', ONE), (A, ONE), (C, TWO + ONE), (A, TWO)]
    for number, (url, body) in enumerate(visits):
        when = f'2024-01-01T00:00:{number:02}.123Z'
        offset, digest = file.tell(), digest_of(body)
        if digest in seen:
            fields = url, f'sha1:{digest}', *seen[digest]
            record = writer.create_revisit_record(*fields, http_headers=head)
            record.rec_headers.replace_header('WARC-Date', when)
        else:
            seen[digest] = url, when
            record = writer.create_warc_record(
                url,
                'response',
                payload=io.BytesIO(body),
                http_headers=head,
                warc_headers_dict={'WARC-Date': when},
            )
        writer.write_record(record)
        page = response(url, body, 0).page
        page = page._replace(
            archive=str(tmp_path / 'x.warc.gz'), offset=offset, date=when
        )
        stored.append(page)
    (tmp_path / 'x.warc.gz').write_bytes(file.getvalue())
    for captures in ('first', 'last', 'all'):
        out = tmp_path / captures
        line = ['--threshold=0', '--min-len=0', '--captures', captures, '-q', '-o', out]
        assert discover(tmp_path / 'x.warc.gz', *line).code == 0
        assert tables_in(out) == tables(stored, Options(0, 0, captures=captures))
