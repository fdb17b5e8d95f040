"""Reports of whole runs: in parts, elsewhere, damaged, and with things gone."""

import gzip
import json
import os
import random
import re
import shutil
from collections import Counter

import mrl
import pytest
from commands import run
from crawls import arc_record, write_warc
from moto.server import ThreadedMotoServer
from reports import Report

from mr_reuse import storage
from mr_reuse.report import run as report_run
from mr_reuse.report.chunks import neighborhoods
from mr_reuse.storage import s3_client
from mr_reuse.tables import table_files

TEXTS = [f'<p>paragraph {n} ' + 'of the original ' * 9 for n in range(12)]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def arc(path, documents):
    with open(path, 'wb') as file:
        file.write(arc_record('filedesc://x', b'text/plain', b'1 0 x\n\n'))
        for date, url, body in documents:
            block = b'HTTP/1.1 200 OK\r\n\r\n' + body.encode()
            head = f'{url} 192.0.2.1 {date} text/html {len(block)}\n'.encode()
            file.write(head + block + b'\n')


@pytest.fixture
def crawl(here):
    """An original, copied later as a whole, and a farm that repeats itself."""
    dice = random.Random(1)
    documents = []
    for site, date in (('old.org', 2010), ('new.net', 2012), ('newer.net', 2013)):
        for n in range(6):
            text = ''.join(dice.sample(TEXTS, 9))
            own = ''.join(f'<p>{site} {n} {k} {"own " * 30}' for k in range(3))
            url = f'http://{site}/lore/{n}'
            documents.append((f'{date}0101000000', url, text + own))
    farm = ''.join(f'<p>offer {n} ' + 'cheap ' * 30 for n in range(9))
    for n in range(12):
        url = f'http://home.com/~deals/{n}'
        documents.append(('20110101000000', url, f'{farm}<p>{n} {"own " * 30}'))
    for n in range(90):
        text = ''.join(f'<p>{n} {k} {"honest " * 30}' for k in range(9))
        documents.append(('20110101000000', f'http://honest-{n}.org/', text))
    arc(here / 'a.arc', documents[::2])
    arc(here / 'b.arc', documents[1::2])
    return ['a.arc', 'b.arc']


def both(out, names, *more):
    """A run of discover and detect."""
    line = ['-o', out, '-q', '-r', 'inline', *more]
    assert run('discover', *names, '--threshold=8', *line).code == 0
    assert run('detect', *line).code == 0
    return out


def test_whole_chain(crawl, here):
    report = Report(both(here / 'RUN', crawl))
    said = report.text('.lead')
    assert '4 of 94 sites have a high share of widely copied chunks' in said
    assert said.endswith(
        'Of the 4, 2 were captured a day or more after another site with the same '
        'chunks; 1 was captured first; 1 shares less than a quarter of its labels or '
        'of its chunks with any other site.'
    )
    assert report.text('.who').startswith(
        # Of 12 texts and 18 own paragraphs, the texts.
        '2 sites have on average 40.0 % of their chunks in common with old.org/, '
        'captured first, at least 730 days before.'
    )
    rows = report.rows('#neighborhoods table')[1:]
    verdicts = {
        row[0].split()[0]: why[0]
        for row, why in zip(rows[::2], rows[1::2], strict=True)
    }
    assert verdicts['home.com/'].startswith(
        'Its most copied labels are on no other host'
    )
    # Each of the 12 pages of the farm has its offers once, and no other site has any.
    farm = '12 copies on 12 pages here, in total 12, on 1 host;'
    assert farm in verdicts['home.com/']
    assert re.search(
        r'/home.com/~deals/0 9 of 10 chunks, at [ab].arc:\d+ ', verdicts['home.com/']
    )
    assert verdicts['new.net/'].startswith('12 chunks in common with old.org/')
    assert verdicts['old.org/'].startswith('Captured first')
    assert ', on 3 hosts;' in verdicts['new.net/']
    # What is proof is proof: the commands work.
    [_, proof, *_] = report.rows('#labels table')[1:]
    rid = re.search(r' at (\S+:\d+) ', proof[0])[1]
    assert run('show', here / 'RUN', rid, '-q').code == 0
    assert run('show', here / 'RUN', proof[0].split()[-1], '-q').out.startswith('<p>')


def test_copies_in_other_folders_of_the_host(here):
    """The copies of a chunk on the same host, but outside the folder, are counted."""
    shared = '<p>copied ' + 'again and again ' * 12
    documents = [
        ('20110101000000', f'http://one.org/{folder}/{n}', shared)
        for folder, pages in (('small', 2), ('large', 50))
        for n in range(pages)
    ]
    arc(here / 'a.arc', documents)
    line = ['-o', here / 'RUN', '-q', '-r', 'inline']
    assert run('discover', 'a.arc', '--threshold=8', *line).code == 0
    assert run('detect', '--neighborhood-threshold=0.5', *line).code == 0
    said = Report(here / 'RUN').text('#neighborhoods')
    assert '50 copies on 50 pages here, in total 52, on 1 host;' in said
    assert '2 copies on 2 pages here, in total 52, on 1 host;' in said
    assert 'elsewhere' not in said


def test_same_run_same_bytes(crawl, here):
    """Twice, and of a run with other tasks."""
    first = Report(both(here / 'RUN', crawl)).bytes
    assert Report(here / 'RUN').bytes == first
    (here / 'RUN').rename(here / 'before')
    assert Report(both(here / 'RUN', crawl, '--tasks=2')).bytes == first


def test_tables_in_parts(crawl, here, monkeypatch):
    """A table that is a folder says the same."""
    first = Report(both(here / 'RUN', crawl)).bytes
    (here / 'RUN').rename(here / 'before')
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', 3)
    folder = both(here / 'RUN', crawl)
    assert (folder / 'bad_neighborhoods.tsv').is_dir()
    assert Report(folder).bytes == first


def test_first_rows_of_large_tables(crawl, here, monkeypatch):
    """Rows behind the bound are not read: they may be damaged."""
    folder = both(here / 'RUN', crawl)
    note = 'has read the first 2 rows of bad_neighborhoods.tsv'
    whole = Report(folder)
    assert note not in whole.text('#neighborhoods')
    monkeypatch.setattr(report_run, 'MAX_ROWS', 2)
    monkeypatch.setattr(neighborhoods, 'MAX_ROWS', 2)
    for name in ('bad_neighborhoods', 'labels', 'label_counts'):
        table = folder / f'{name}.tsv'
        lines = table.read_bytes().splitlines(keepends=True)
        table.write_bytes(b''.join(lines[:3]) + b'damaged\n' * len(lines[3:]))
        assert len(lines) > 4
    report = Report(folder)
    assert note in report.text('#neighborhoods')
    assert len(report.rows('#labels table')) < len(whole.rows('#labels table'))


def test_each_table_is_read_once(crawl, here, monkeypatch):
    folder = both(here / 'RUN', crawl)
    opened = Counter()
    before = storage.open_read

    def counted(name, offset=0):
        opened[str(name)] += not offset
        return before(name, offset)

    monkeypatch.setattr(storage, 'open_read', counted)
    Report(folder)
    read = {n: c for n, c in opened.items() if n.endswith('.tsv')}
    assert read and set(read.values()) == {1}
    # The checksum of the matches is verified before.
    assert {c for n, c in opened.items() if 'part-' in n} == {2}
    assert not [name for name in read if name.endswith('/pages.tsv')]


def test_no_pages(here):
    write_warc(here / 'a.warc.gz', [])
    report = Report(both(here / 'RUN', ['a.warc.gz']))
    assert report.text('.lead').startswith('This run read 1 input and found no pages')
    assert 'No neighborhood is above its threshold.' in report.text('#neighborhoods')


def test_damaged_archive(crawl, here):
    data = gzip.compress((here / 'a.arc').read_bytes())
    (here / 'c.arc.gz').write_bytes(data[: len(data) // 2])
    done = run('discover', 'c.arc.gz', '-o', 'RUN', '-q', '-r', 'inline')
    assert done.code == 3
    assert 'Lost: 1 record' in Report(here / 'RUN').text('#reading')


def test_pages_of_another_run(crawl, here):
    """What detect leaves elsewhere knows of damage, but not where it was."""
    data = gzip.compress((here / 'a.arc').read_bytes())
    (here / 'c.arc.gz').write_bytes(data[:-9])
    line = ['-q', '-r', 'inline', '-o']
    assert run('discover', 'c.arc.gz', '--threshold=2', *line, here / 'OLD').code == 3
    assert run('detect', here / 'OLD', *line, here / 'RUN').code == 0
    report = Report(here / 'RUN')
    assert 'frequency' not in report.sections and 'labels' not in report.sections
    assert re.search(
        r'Lost: \d+ records?, [^,]*. Only the damaged records', report.text('#reading')
    )


def test_labels_from_elsewhere(crawl, here):
    """A table has the texts of labels; older runs lack it, so archives are read."""
    labels = mrl.write(here / 'x.mrl', map(mrl.sha1, TEXTS))
    line = ['-l', labels, '-o', here / 'RUN', '-q', '-r', 'inline']
    assert run('detect', *crawl, *line).code == 0
    said = Report(here / 'RUN').text('#neighborhoods')
    assert TEXTS[0][:80] in said and ', on 3 hosts;' in said
    os.remove('b.arc')
    os.remove('a.arc')
    assert TEXTS[0][:80] in Report(here / 'RUN').text('#neighborhoods')
    (here / 'RUN/label_counts.tsv').unlink()
    assert '(not in the archive any more)' in Report(here / 'RUN').text()


def test_matches_gone(crawl, here):
    """A run whose labels have changed still has a report, which says what it lacks."""
    folder = both(here / 'RUN', crawl)
    (folder / 'labels.mrl').unlink()
    report = Report(folder)
    why = f'{folder}/labels.mrl: no such file or folder'
    assert report.err == (
        f'warning: the report has no pages and chunks of neighborhoods: {why}\n'
    )
    assert why in report.text('#neighborhoods')
    assert report.rows('#neighborhoods table')[1:]


def test_matches_damaged(crawl, here):
    folder = both(here / 'RUN', crawl)
    for part in folder.glob('04-matches/*/part-*'):
        part.write_bytes(part.read_bytes().replace(b'\t8,4:', b'\t8,4:A'))
    why = 'changed since it was written; type the command that made the run again'
    damaged = Report(folder)
    assert f'{why}\n' in damaged.err and why in damaged.text()
    step = folder / '04-matches/_step.json'  # as older versions wrote it
    old = {k: v for k, v in json.loads(step.read_text()).items() if k[:5] != 'check'}
    size = sum(part.stat().st_size for part in folder.glob('04-matches/*/part-*'))
    step.write_text(json.dumps(old | {'bytes': size}))
    why = 'its matches are damaged; remove 04-matches there, and run detect again'
    damaged = Report(folder)
    assert f'{folder}: {why}\n' in damaged.err and why in damaged.text()
    shutil.rmtree(folder / '04-matches')
    assert run('detect', '-o', folder, '-q', '-r', 'inline').code == 0
    assert Report(folder).err == ''


def test_on_s3(crawl, here, monkeypatch):
    folder = both(here / 'RUN', crawl)
    local = Report(folder).bytes
    server = ThreadedMotoServer('127.0.0.1', 0, verbose=False)
    server.start()
    settings = {
        'AWS_ENDPOINT_URL': 'http://{}:{}'.format(*server._server.server_address),
        'AWS_ACCESS_KEY_ID': 'key',
        'AWS_SECRET_ACCESS_KEY': 'secret',
        'AWS_DEFAULT_REGION': 'us-east-1',
        'no_proxy': '*',
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    s3_client._client.cache_clear()
    try:
        s3_client._client(os.getpid()).create_bucket(Bucket='bucket')
        for path in folder.rglob('*'):
            if path.is_file() and path.name != 'report.html':
                storage.put(str(path), f's3://bucket/RUN/{path.relative_to(folder)}')
        done = run('report', 's3://bucket/RUN')
        assert (done.code, done.out) == (0, 's3://bucket/RUN/report.html\n'), done.err
        found = storage.read_text('s3://bucket/RUN/report.html')
    finally:
        server.stop()
        s3_client._client.cache_clear()
    assert found == local.decode().replace(str(folder), 's3://bucket/RUN').replace(
        's3://bucket/RUN/labels.mrl', f'{folder}/labels.mrl'
    )
