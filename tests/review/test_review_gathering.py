"""What belongs to an item, against a count of the documents; what is shown of it."""

import shutil
from collections import Counter

import pytest
from commands import run
from crawls import DATE, write_warc
from reference import Options, chunks_of, digest, host_of
from reviews import BROKEN, TRIES, attack, hostile_pages, make_run, plain_pages

from mr_reuse.algorithms import sampling
from mr_reuse.archives import urls
from mr_reuse.chunks.detect import copied_chunks, matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.engine.record import load_complete
from mr_reuse.review import kinds, seeking
from mr_reuse.review.book import Task
from mr_reuse.review.gathering import Gatherer
from mr_reuse.review.kinds import KINDS
from mr_reuse.review.page_reader import Reader
from mr_reuse.review.showcase import Showcase


def show(run, what: str, size: int = 100) -> tuple[Task, Showcase]:
    kind, told = KINDS[what], load_complete(str(run))
    sample = sampling.draw_sample(kinds.rows(kind, str(run), False), size, 1)
    task = Task(str(run), 'ann', kind, sample, False, 1, [])
    return task, Showcase(task, Gatherer(str(run), told), Reader(told))


@pytest.fixture(scope='module')
def plain(tmp_path_factory):
    documents = plain_pages()
    return make_run(tmp_path_factory.mktemp('plain'), documents), dict(documents)


Copies = dict[str, Counter]


def labels_in(documents: dict[str, bytes]) -> Copies:
    """For each label how often each page has it."""
    found: Copies = {}
    for url, body in documents.items():
        for chunk in chunks_of(body, Options()):
            if len(chunk) > 100:
                found.setdefault(digest(chunk), Counter())[url] += 1
    return {name: where for name, where in found.items() if sum(where.values()) > 2}


def inside(documents: dict[str, bytes], prefix: str) -> list[str]:
    """The pages of a neighborhood."""
    return [url for url in documents if urls.neighborhood_of(url).startswith(prefix)]


def numbers(where: Counter) -> tuple[int, int]:
    """Copies and pages."""
    return sum(where.values()), len(where)


def marked(told: dict) -> list[str]:
    return [part['source'] for part in told['parts'] if part['label'] is not None]


def test_chunks(plain):
    path, documents = plain
    task, showcase = show(path, 'chunks')
    labels = labels_in(documents)
    assert len(task.sample.rows) == len(labels) == 9
    for place, row in enumerate(task.sample.rows, 1):
        item = showcase.item(place)
        where = labels[item['title']]
        copies, pages = numbers(where)
        assert item['title'] == row.item.decode() == item['labels'][0]['hash']
        assert f'copies: {copies}; pages: {pages}' in item['about']
        [label] = item['labels']
        assert (label['copies'], label['pages']) == (copies, pages)
        others = [page['url'] for page in label['others']]
        assert len({host_of(url) for url in others}) == len(others) > 1
        assert set(others) < set(where) and item['pages'][0]['url'] not in others
        for number, url in enumerate(others):
            found = showcase.source(place, 0, number)
            assert (found['url'], found['gone'], found['date']) == (url, '', DATE)
            assert [digest(c.encode()) for c in marked(found)] == [item['title']]
            page = ''.join(part['source'] for part in found['parts'])
            assert page in documents[url].decode()


def test_pages(plain):
    path, documents = plain
    task, showcase = show(path, 'pages')
    labels = labels_in(documents)
    assert len(task.sample.rows) == len(documents) == 18
    for place in range(1, 19):
        item = showcase.item(place)
        url, body = item['title'], documents[item['title']]
        found = showcase.page(place, 0)
        assert ''.join(part['source'] for part in found['parts']) == body.decode()
        chunks = chunks_of(body, Options())
        copied = [c.decode() for c in chunks if digest(c) in labels]
        assert marked(found) == copied and len(copied) == 4
        assert {label['hash'] for label in item['labels']} == {
            digest(chunk.encode()) for chunk in copied
        }
        for label in item['labels']:
            assert (label['copies'], label['pages']) == numbers(labels[label['hash']])
            assert label['here'] == (1, 1)
            assert url not in [other['url'] for other in label['others']]
            assert digest(label['part']['source'].encode()) == label['hash']


def test_neighborhoods(plain):
    path, documents = plain
    task, showcase = show(path, 'neighborhoods')
    labels = labels_in(documents)
    assert len(task.sample.rows) == 18  # six hosts, and two folders in each
    for place in range(1, 19):
        item = showcase.item(place)
        mine = inside(documents, item['title'])
        assert sorted(page['url'] for page in item['pages']) == sorted(mine)
        expected = {name: sum(labels[name][url] for url in mine) for name in labels}
        here = {label['hash']: label['here'][0] for label in item['labels']}
        assert here == {name: times for name, times in expected.items() if times}
        for label in item['labels']:
            hosts = [host_of(other['url']) for other in label['others']]
            assert len(hosts) == len(set(hosts))
            same = [host_of(page['url']) for page in label['others'] if page['same']]
            assert set(same) <= {host_of(mine[0])}


def test_only_so_much_is_held(plain, monkeypatch):
    """Many batches, few labels, few pages, few hosts: the most copied, the worst."""
    path, documents = plain
    for module, name, value in (
        (seeking, 'BATCH_PAGES', 2),
        (seeking, 'MAX_HOSTS', 3),
        (copied_chunks, 'BATCH_PAGES', 2),
        (copied_chunks, 'MAX_LABELS', 2),
        (copied_chunks, 'MAX_PAGES', 2),
    ):
        monkeypatch.setattr(module, name, value)
    _, showcase = show(path, 'neighborhoods')
    labels = labels_in(documents)
    for place in range(1, 19):
        item = showcase.item(place)
        mine = inside(documents, item['title'])
        times = [sum(where[url] for url in mine) for where in labels.values()]
        here = [label['here'][0] for label in item['labels']]
        assert here == sorted(times, reverse=True)[:2]
        assert len(item['pages']) == min(2, len(mine))
        for label in item['labels']:
            assert (label['copies'], label['pages']) == numbers(labels[label['hash']])
            assert 1 <= len(label['others']) <= 3


def test_without_detect(tmp_path):
    path = make_run(tmp_path, plain_pages(), detect=False)
    _, showcase = show(path, 'chunks')
    item = showcase.item(1)
    assert item['labels'][0]['others'] == [] and item['labels'][0]['copies'] == 0
    found = showcase.page(1, 0)
    assert [digest(chunk.encode()) for chunk in marked(found)] == [item['title']]


@pytest.mark.parametrize('normalize', ['collapse', 'auntietuna'])
def test_normalized_pages(tmp_path, normalize):
    """What was hashed is what is marked, also where it is not what the page says."""
    path = make_run(tmp_path, plain_pages(), f'--normalize={normalize}')
    _, showcase = show(path, 'pages')
    assert len(marked(showcase.page(1, 0))) == 4


# Which hosts are shown

CAPTURED = {  # nine shops with the same pages, and when; as they are in the archive
    'broad': '2014-07-06T00:00:00Z',
    'unknown': '0000-00-00T00:00:00Z',
    'cheerful': '2014-07-24T00:00:00Z',
    'bright': '2014-06-09T00:00:10Z',
    'clever': '2014-08-02T00:00:00Z',
    'shop': '2014-06-09T00:00:00Z',
    'careful': '2014-07-15T00:00:00Z',
    'amber': '2014-06-08T21:00:00Z',
    'ancient': '2014-06-09T01:00:00Z',
}
FIRST = ['amber', 'shop', 'bright', 'ancient', 'broad', 'careful']


@pytest.fixture(scope='module')
def shops(tmp_path_factory):
    """A run on nine hosts that have two chunks alike, with a page each."""
    folder = tmp_path_factory.mktemp('shops')
    chunks = b''.join(b'<p>%d%b\n' % (n, b' all the same' * 9) for n in range(2))
    documents = [
        (f'http://{name}.test/', b'<h1>%b</h1>%b<p>' % (name.encode(), chunks))
        for name in CAPTURED
    ]
    archive = folder / 'crawl.warc'
    write_warc(archive, documents, kind='resource', gzip=False)
    info, *records = archive.read_bytes().split(b'WARC-Date: ' + DATE.encode())
    dates = [b'WARC-Date: ' + date.encode() for date in CAPTURED.values()]
    archive.write_bytes(
        info + b''.join(map(b''.join, zip(dates, records, strict=True)))
    )
    path = folder / 'run'
    assert run('discover', archive, '-o', path, '--threshold=2', '-q').code == 0
    line = ['--page-threshold=0', '--neighborhood-threshold=0', '--min-chunks=1']
    assert run('detect', '-o', path, '-q', *line).code == 0
    return path


@pytest.mark.parametrize('batch', [1, 2, 100])
@pytest.mark.parametrize('what', ['neighborhoods', 'pages', 'chunks'])
def test_the_first_captured_are_shown(shops, monkeypatch, what, batch):
    """However many are read together; and it is said how many are left out."""
    monkeypatch.setattr(seeking, 'BATCH_PAGES', batch)
    task, showcase = show(shops, what)
    assert len(task.sample.rows) == (2 if what == 'chunks' else 9)
    for place in range(1, len(task.sample.rows) + 1):
        item = showcase.item(place)
        own = host_of(item['pages'][0]['url']).removesuffix('.test')
        assert len(item['labels']) == 2 or what == 'chunks'
        for label in item['labels']:
            assert (label['hosts'], label['left'], label['least']) == (9, 3, False)
            assert [(page['url'], page['date']) for page in label['others']] == [
                (f'http://{name}.test/', CAPTURED[name])
                for name in FIRST
                if name != own
            ]


@pytest.mark.parametrize('batch', [1, 100])
def test_hosts_are_counted_up_to_a_limit(shops, monkeypatch, batch):
    monkeypatch.setattr(seeking, 'BATCH_PAGES', batch)
    monkeypatch.setattr(seeking, 'MAX_COUNTED', 7)
    _, showcase = show(shops, 'chunks')
    [label] = showcase.item(1)['labels']
    assert (label['hosts'], label['left'], label['least']) == (7, 1, True)
    assert (label['copies'], label['pages']) == (9, 9)


# Long chunks


@pytest.fixture(scope='module')
def long(tmp_path_factory):
    """Three pages whose chunk of 17 MB is copied, between two short ones."""
    chunk = b'<p>beginning ' + b'all the same, all the same ' * 700_000 + b'very end\n'
    assert len(chunk) > 17 << 20
    documents = [
        (f'http://long-{n}.test/', b'<h1>%d</h1>%b<p>after %d' % (n, chunk, n))
        for n in range(3)
    ]
    return make_run(tmp_path_factory.mktemp('long'), documents), chunk


@pytest.mark.parametrize('what', ['chunks', 'pages', 'neighborhoods'])
def test_long_chunks(long, what):
    """Both ends are shown, and it is known for what it is however long it is."""
    path, chunk = long
    _, showcase = show(path, what)
    item = showcase.item(1)
    [label] = item['labels']
    assert label['hash'] == digest(chunk) and label['part']
    for told in (showcase.page(1, 0), showcase.source(1, 0, 0)):
        assert told['gone'] == ''
        [shown] = marked(told)
        assert shown.startswith('<p>beginning all the same')
        assert shown.endswith('all the same very end\n')
        assert (
            f'\n… {len(chunk) - 6000:,} bytes omitted …\n' in shown
            and len(shown) < 6100
        )
        assert told['parts'][0]['source'].startswith('<h1>')
        assert told['parts'][-1]['source'].startswith('<p>after ')


def test_long_chunks_that_changed(long, tmp_path):
    """One byte in the middle, which nobody would see, is another chunk."""
    path, chunk = long
    other = chunk[: 9 << 20] + b'#' + chunk[(9 << 20) + 1 :]
    documents = [('http://long-0.test/', b'<h1>0</h1>%b<p>after 0' % other)]
    [page] = write_warc(tmp_path / 'other.warc.gz', documents)
    rid = f'{page.archive}:{page.offset}'.encode()
    match = Match(rid, page.url.encode(), b'', 1, 3, matching.NO_LABELS)
    reader = Reader(load_complete(str(path)))
    told = reader.label(match, bytes.fromhex(digest(chunk)))
    assert 'the archive has changed' in told['gone'] and told['parts'] == []
    assert len(marked(reader.label(match, bytes.fromhex(digest(other))))) == 1


# What hostile pages look like


def test_everything_is_text(tmp_path):
    path = make_run(tmp_path, hostile_pages())
    _, showcase = show(path, 'pages')
    found = showcase.page(1, 0)
    shown = marked(found)
    assert len(shown) == len(TRIES) + 1
    for text, part in zip(TRIES.values(), shown, strict=False):
        if text != TRIES['around']:
            assert part == attack(text).decode()
    around = shown[list(TRIES).index('around')]
    assert 'a\\u202eb\\u2066c\\u2069\\u200fd \\u2028 e\\ufeff' in around
    assert '\\x00\\x1b[31m' in shown[-1] and '�' in shown[-1]
    assert not set('\u202e\u2066\u2069\u200f\u2028\ufeff\0\x1b').intersection(
        str(found)
    )
    assert BROKEN.decode('utf-8', 'replace')[:6] in shown[-1]
    # what one reads there: no scripts, no tags
    texts = [part['text'] for part in found['parts'] if part['label'] is not None]
    assert texts[0].startswith('copied words') and 'owned' not in texts[0]
    assert texts[5].startswith('clickcopied words')


# Evidence that is gone


def test_archive_that_has_moved(tmp_path):
    path = make_run(tmp_path, plain_pages())
    (tmp_path / 'crawl.warc.gz').rename(tmp_path / 'moved.warc.gz')
    for what in ('neighborhoods', 'chunks', 'pages'):
        _, showcase = show(path, what)
        item = showcase.item(1)
        assert item['labels'] and item['labels'][0]['part'] is None
        told = showcase.page(1, 0)
        assert told['gone'].endswith(
            'crawl.warc.gz: missing; if it was moved, give --archives DIR'
        )
        assert told['parts'] == [] and told['url'].startswith('http://site-')


def test_archive_that_is_another_one(tmp_path):
    path = make_run(tmp_path, plain_pages())
    make_run(tmp_path / 'other', hostile_pages(), detect=False)
    shutil.copy(tmp_path / 'other/crawl.warc.gz', tmp_path / 'crawl.warc.gz')
    for what in ('neighborhoods', 'chunks', 'pages'):
        _, showcase = show(path, what)
        for place in (1, 2, 3):
            told = showcase.page(place, 0)
            assert (
                'the archive has changed' in told['gone'] or 'no page' in told['gone']
            )
            assert told['parts'] == []


def test_archive_that_is_cut(tmp_path):
    path = make_run(tmp_path, plain_pages())
    archive = tmp_path / 'crawl.warc.gz'
    archive.write_bytes(archive.read_bytes()[:900])
    _, showcase = show(path, 'pages')
    told = [showcase.page(place, 0) for place in range(1, 19)]
    assert sum(bool(one['gone']) for one in told) >= 16


def test_labels_that_are_others(tmp_path):
    path = make_run(tmp_path, plain_pages())
    other = make_run(tmp_path / 'other', hostile_pages(), detect=False)
    shutil.copy(other / 'labels.mrl', path / 'labels.mrl')
    for what in ('neighborhoods', 'pages', 'chunks'):
        done = run('review', path, '--what', what)
        assert done.code == 1
        assert 'changed since detect on' in done.err and 'run detect again' in done.err
