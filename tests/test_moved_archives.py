"""Archives of a run that have moved are found; replaced ones are noticed."""

import hashlib
import os
import shutil
from pathlib import Path

import mrl
import pytest
from commands import run
from crawls import write_plain_warc, write_warc
from moto.server import ThreadedMotoServer

from mr_reuse import storage
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.engine.record import load_complete
from mr_reuse.pages import moved_archives
from mr_reuse.review.page_reader import Reader
from mr_reuse.storage import s3_client

HINT = '; if it was moved, give --archives DIR\n'
# A preview of 80 bytes has no text of this chunk.
LONG_TAG = f'<p class="{"x" * 90}">what all farms sell, day and night, at any price'
COPIED = [LONG_TAG, *(f'<p>copied {n} {"words " * 20}' for n in range(5))]
FARMS = [f'http://farm-{n}.test/' for n in range(3)]
LINKS = ''.join(f'<p><a href="{farm}">x</a>' for farm in FARMS)
PAGE = ''.join(COPIED) + LINKS


def own(name: str) -> bytes:
    return ''.join(f'<p>{name} {n} {"of our own " * 12}' for n in range(6)).encode()


@pytest.fixture
def crawl(tmp_path, monkeypatch):
    """A run on two archives of the same name; its folder is the current one."""
    monkeypatch.chdir(tmp_path)
    for year in ('2019', '2020'):
        Path('crawl', year).mkdir(parents=True)
    farms = [(farm, PAGE.encode()) for farm in FARMS]
    honest = [(f'http://honest-{n}.test/', own(f'site {n}')) for n in range(3)]
    first = write_plain_warc(Path('crawl/2019/x.warc.gz'), [*farms[:2], *honest])
    last = write_plain_warc(Path('crawl/2020/x.warc.gz'), farms[2:])
    line = ['crawl/2019/x.warc.gz', 'crawl/2020/x.warc.gz', '-o', 'RUN', '-q']
    assert run('discover', *line, '--threshold=2').code == 0
    assert detect('--neighborhood-threshold=0.5').code == 0
    return [f'{page.archive}:{page.offset}' for page in [*first, *last]]


def detect(*args):
    return run('detect', '-o', 'RUN', '-q', '-r', 'inline', *args)


def sha1(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def move(folder: str = 'away/deep/crawl') -> None:
    Path(folder).parent.mkdir(parents=True, exist_ok=True)
    Path('crawl').rename(folder)


def change(name: str, old: bytes, new: bytes) -> None:
    data = Path(name).read_bytes()
    assert old in data
    Path(name).write_bytes(data.replace(old, new))


SHOWN = [COPIED[1], PAGE, own('site 1').decode()]


@pytest.mark.parametrize('text', SHOWN, ids=['chunk', 'file of farms', 'file'])
def test_show_a_hash(crawl, text):
    move()
    done = run('show', 'RUN', sha1(text))
    assert (done.code, done.out) == (1, '')
    place = Path('crawl/2019/x.warc.gz').resolve()
    assert done.err == f'error: {place}: missing{HINT}'
    done = run('show', 'RUN', sha1(text), '--archives', 'away', '-q')
    assert done == (0, text, '')


def test_show_a_page(crawl):
    """Two archives have one name; the folders tell which is which."""
    move()
    for rid, text in ((crawl[3], own('site 1').decode()), (crawl[-1], PAGE)):
        assert run('show', 'RUN', rid).err.endswith(HINT)
        assert run('show', 'RUN', rid, '-q', '--archives=away').out == text


@pytest.mark.parametrize('what', [FARMS[0], 'farm-2.test/'])
def test_show_what_is_copied(crawl, what):
    before = run('show', 'RUN', what)
    assert 'what all farms sell' in before.out
    move()
    assert run('show', 'RUN', what, '--archives=away') == before
    done = run('show', 'RUN', what)
    assert 'what all farms sell' not in done.out and done.code == 0
    names = 'crawl/2019/x.warc.gz and 1 more'
    assert done.err == f'warning: {names}: missing{HINT}'


def test_report(crawl):
    done = run('report', 'RUN', '-q')
    page = Path('RUN/report.html').read_bytes()
    assert done.err == '' and b'what all farms sell' in page
    move()
    assert run('report', 'RUN', '-q', '--archives', 'away') == (0, '', '')
    assert Path('RUN/report.html').read_bytes() == page
    done = run('report', 'RUN', '-q')
    names = 'crawl/2019/x.warc.gz and 1 more'
    assert done == (0, '', f'warning: {names}: missing{HINT}')
    assert b'what all farms sell' not in Path('RUN/report.html').read_bytes()


def test_links(crawl):
    shutil.copytree('RUN', 'BEFORE')
    assert run('links', 'BEFORE', '-q').code == 0
    move()
    done = run('links', 'RUN', '-q')
    assert done.code == 3 and '2 archives are missing: crawl/2019' in done.err
    assert 'give --archives DIR if they were moved' in done.err
    assert run('links', 'RUN', '-q', '--archives=away') == (0, '', '')
    tables = [Path(name, 'links.tsv').read_text() for name in ('BEFORE', 'RUN')]
    assert tables[0] == tables[1] and tables[0].count('\n') == 1 + 6


def test_previews(crawl):
    """Those that were missing are read when the archives are found."""
    labels = mrl.write(Path('x.mrl'), map(sha1, COPIED[1:]), min_len=0)

    def previews() -> list[str]:
        rows = Path('RUN/label_counts.tsv').read_text().splitlines()[1:]
        return sorted(row.split('\t')[-1] for row in rows)

    move()
    done = detect('-l', labels)
    assert done.err.count('missing, so its chunks have no preview' + HINT) == 1
    assert previews() == [''] * 5
    for again in (['--archives=away'], []):
        assert detect('-l', labels, *again).code == 0
        assert previews() == sorted(text[:80] for text in COPIED[1:])
    assert 'away' not in Path('RUN/run.json').read_text().partition('"detect"')[0]


def test_no_folder(crawl):
    done = run('show', 'RUN', sha1(PAGE), '--archives', 'nowhere')
    assert done.err == 'error: nowhere: no such folder; name one with --archives\n'


def test_other_time(crawl):
    """A copy with another time is the archive as well."""
    for name in ('crawl/2019/x.warc.gz', 'crawl/2020/x.warc.gz'):
        os.utime(name, (1, 1))
    assert run('show', 'RUN', crawl[-1], '-q') == (0, PAGE, '')
    assert run('report', 'RUN', '-q').err == ''


@pytest.mark.parametrize('what', ['hash', 'file', 'rid'])
def test_replaced_by_one_of_the_same_size(crawl, what):
    """No record is shown that is not the one that the run has read."""
    for name in ('crawl/2019/x.warc.gz', 'crawl/2020/x.warc.gz'):
        change(name, b'copied 3', b'another!')
    name = {'hash': sha1(COPIED[4]), 'file': sha1(PAGE), 'rid': crawl[-1]}[what]
    done = run('show', 'RUN', name)
    assert (done.code, done.out) == (1, '')
    assert 'the archive has changed since the run; name the folder of' in done.err


def test_replaced_page_is_no_page_with_links(crawl):
    """A page with another URL has no links that belong to the site."""
    data = Path('crawl/2020/x.warc.gz').read_bytes()
    Path('crawl/2020/x.warc.gz').write_bytes(data.replace(b'farm-2.t', b'other-.t', 1))
    assert run('links', 'RUN', '-q').code == 0
    rows = Path('RUN/links.tsv').read_text().splitlines()[1:]
    assert {row.split('\t')[0] for row in rows} == {'farm-0.test/', 'farm-1.test/'}


def test_replaced_by_one_of_another_size(crawl):
    path = Path('crawl/2020/x.warc.gz')
    size = path.stat().st_size
    write_plain_warc(path, [('http://new.test/', own('new'))])
    done = run('show', 'RUN', crawl[-1])
    assert (done.code, done.out) == (1, '')
    what = f'{path.resolve()}: has {path.stat().st_size:,} bytes and had {size:,} when'
    assert what in done.err
    for line in (['report', 'RUN', '-q'], ['links', 'RUN', '-q']):
        warned = [n for n in run(*line).err.splitlines() if 'not the one' in n]
        assert [n.startswith('warning: crawl/2020/x.warc.gz: ') for n in warned] == [1]


def test_replaced_and_moved(crawl):
    """What lies at the old place is not what was read; the folder has that."""
    move()
    Path('crawl/2020').mkdir(parents=True)
    write_plain_warc(Path('crawl/2020/x.warc.gz'), [('http://new.test/', own('new'))])
    done = run('show', 'RUN', crawl[-1], '-q', '--archives=away')
    assert done == (0, PAGE, '')


def test_grown(crawl):
    """Records that are still there are shown, with a warning."""
    with open('crawl/2020/x.warc.gz', 'ab') as file:
        file.write(b'more')
    done = run('show', 'RUN', crawl[-1], '-q')
    assert done.out == PAGE and done.err.startswith('warning: ')


def test_truncated_page_has_no_hash(tmp_path, monkeypatch):
    """The size of its archive decides whether it is shown."""
    monkeypatch.chdir(tmp_path)
    [page] = write_plain_warc(Path('a.warc'), [('http://a.test/', PAGE.encode())])
    data = Path('a.warc').read_bytes()[:-300]
    Path('a.warc').write_bytes(data)
    assert run('discover', 'a.warc', '-o', 'RUN', '-q').code == 3
    rid = f'a.warc:{page.offset}'
    assert run('show', 'RUN', rid, '-q').out and run('show', 'RUN', rid).code == 0
    Path('a.warc').write_bytes(data[:-1])
    done = run('show', 'RUN', rid)
    assert (done.code, done.out) == (1, '') and 'when it was read' in done.err


@pytest.mark.parametrize('right', ['b', 'z'])
def test_several_files_of_a_name(crawl, right):
    """The one of its size is taken."""
    Path('crawl/2020/x.warc.gz').unlink()
    for name in 'bz':
        Path('away', name).mkdir(parents=True)
        Path('away', name, 'x.warc.gz').write_bytes(b'other')
    write_plain_warc(Path('away', right, 'x.warc.gz'), [(FARMS[2], PAGE.encode())])
    done = run('show', 'RUN', crawl[-1], '-q', '--archives=away')
    assert done == (0, PAGE, '')


def test_unclear(crawl):
    Path('crawl/2020/x.warc.gz').unlink()
    for name in 'bz':
        Path('away', name).mkdir(parents=True)
        Path('away', name, 'x.warc.gz').write_bytes(b'other')
    done = run('show', 'RUN', crawl[-1], '--archives=away')
    warning, error = done.err.splitlines()
    assert warning == (
        'warning: crawl/2020/x.warc.gz: away has several files of this name; name the '
        'folder with the right one'
    )
    assert error.startswith('error: ') and done.code == 1


def test_added_run(crawl):
    """The sizes of the archives of both runs are known."""
    write_warc(Path('new.warc.gz'), [('http://late.test/', own('late'))])
    line = ['new.warc.gz', '--add', 'RUN', '-o', 'MORE', '-q', '--threshold=2']
    assert run('discover', *line).code == 0
    names = ['crawl/2019/x.warc.gz', 'crawl/2020/x.warc.gz', 'new.warc.gz']
    sizes = load_complete('MORE').sizes
    assert sizes == {name: os.stat(name).st_size for name in names}
    move()
    assert run('show', 'MORE', sha1(PAGE), '-q', '--archives=away').out == PAGE


def test_run_of_an_older_version(crawl):
    """Without sizes, folders and hashes decide."""
    path = Path('RUN/run.json')
    text = path.read_text()
    path.write_text(text.replace('"sizes"', '"other"'))
    assert text != path.read_text()
    move()
    record = moved_archives.find_moved(load_complete('RUN'), 'away')
    assert record.paths == {
        f'crawl/{year}/x.warc.gz': str(
            Path(f'away/deep/crawl/{year}/x.warc.gz').resolve()
        )
        for year in (2019, 2020)
    }
    assert run('show', 'RUN', crawl[-1], '-q', '--archives=away').out == PAGE


def test_review(crawl):
    """The page shows the texts, or says how to find them."""
    labels = [bytes.fromhex(sha1(COPIED[1]))]
    match = Match(crawl[0].encode(), FARMS[0].encode(), b'', 1, 1, b'')
    move()
    for folder, gone, parts in (
        (None, f'crawl/2019/x.warc.gz: missing{HINT.rstrip()}', False),
        ('away', '', True),
    ):
        record = moved_archives.find_moved(load_complete('RUN'), folder)
        told = Reader(record).page(match, labels)
        assert (told['gone'], bool(told['parts'])) == (gone, parts)
    assert '--archives' in run('review', '--help').out


def test_moved_to_s3(crawl, monkeypatch):
    server = ThreadedMotoServer('127.0.0.1', 0, verbose=False)
    server.start()
    settings = {
        'AWS_ENDPOINT_URL': 'http://{}:{}'.format(*server.get_host_and_port()),
        'AWS_ACCESS_KEY_ID': 'key',
        'AWS_SECRET_ACCESS_KEY': 'secret',
        'AWS_DEFAULT_REGION': 'us-east-1',
        'AWS_CONFIG_FILE': os.devnull,
        'AWS_SHARED_CREDENTIALS_FILE': os.devnull,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    s3_client._client.cache_clear()
    try:
        s3_client.client().create_bucket(Bucket='kept')
        for path in sorted(Path('crawl').glob('*/*')):
            storage.put(str(path), f's3://kept/all/{path}')
        Path('crawl').rename('away')
        for folder in ('s3://kept/all', 's3://kept/', 's3://kept/all/crawl/2020/'):
            done = run('show', 'RUN', crawl[-1], '-q', '--archives', folder)
            assert done == (0, PAGE, '')
        done = run('show', 'RUN', crawl[-1], '--archives', 's3://kept/none')
        assert 's3://kept/none: no such folder' in done.err
    finally:
        server.stop()
        s3_client._client.cache_clear()
