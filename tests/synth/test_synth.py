"""The made crawls are read with warcio and counted from the definition of a chunk."""

import csv
import gzip
import hashlib
import io
import re
import subprocess
import sys
from collections import Counter, defaultdict
from statistics import mean, median

import brotli
import pytest
import zstandard
from warcio.archiveiterator import ArchiveIterator
from warcio.cli import main as warcio

from mr_reuse.synth import __main__
from mr_reuse.synth.archives import Archives
from mr_reuse.synth.copies import PARKED, copies_of
from mr_reuse.synth.crawl import Crawl
from mr_reuse.synth.hostile import ODD_URLS
from mr_reuse.synth.sites import TEMPLATE_EVERY, sizes

DELIMITER = re.compile(rb'<(?:[Pp]|[Dd][Ii][Vv])[ \t\n\f\r/>]')
PINNED = '77dc80f961bd0b7147bea6fd6cb6fc21978122398ac06a9302c3fb2e602ed199'


def make(folder, *options):
    assert __main__.main(['-o', str(folder), '--size', '1MB', '-q', *options]) == 0
    return folder


@pytest.fixture(scope='module')
def small(tmp_path_factory):
    return make(tmp_path_factory.mktemp('synth') / 'small')


@pytest.fixture(scope='module')
def hostile(tmp_path_factory):
    return make(tmp_path_factory.mktemp('synth') / 'hostile', '--hostile')


def records(folder):
    """URL, date and payload of every page, in order."""
    for path in sorted(folder.glob('crawl-*')):
        with open(path, 'rb') as file:
            for record in ArchiveIterator(file, arc2warc=True, check_digests='raise'):
                if record.rec_type in ('response', 'conversion'):
                    head = record.rec_headers
                    url, date = head['WARC-Target-URI'], head['WARC-Date']
                    yield url, date, record.raw_stream.read()


@pytest.mark.parametrize('options', [(), ('--plain',), ('--format', 'wet')])
def test_warcio_accepts_it(tmp_path, capsys, options):
    """Each record but the first, a warcinfo, has a digest."""
    [archive] = make(tmp_path / 'crawl', *options).glob('crawl-*')
    with pytest.raises(SystemExit) as ended:
        warcio(['check', '-v', str(archive)])
    assert ended.value.code == 0
    lines = Counter(line.strip() for line in capsys.readouterr().out.splitlines())
    assert lines['no digest to check'] == 1 and lines['digest pass'] > 100


def split(body):
    starts = [match.start() for match in DELIMITER.finditer(body)]
    edges = sorted({0, *starts, len(body)})
    return [body[a:b] for a, b in zip(edges, edges[1:], strict=False)]


def brute_force(folder):
    """(sha1, whether a file) -> length, copies, pages, hosts, first URL."""
    copies, pages, hosts, first, length = Counter(), Counter(), defaultdict(set), {}, {}
    for url, _, body in records(folder):
        chunks = [(hashlib.sha1(chunk).hexdigest(), False) for chunk in split(body)]
        lengths = [len(chunk) for chunk in split(body)]
        objects = [*chunks, (hashlib.sha1(body).hexdigest(), True)]
        length.update(zip(objects, [*lengths, len(body)], strict=True))
        copies.update(objects)
        pages.update(set(objects))
        for one in set(objects):
            hosts[one].add(url.split('/')[2])
            first.setdefault(one, url)
    return {
        one: [length[one], copies[one], pages[one], len(hosts[one]), first[one]]
        for one in copies
    }


def key(folder):
    with open(folder / 'key.tsv', encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines, delimiter='\t'))


def labels(folder):
    return {row['sha1'] for row in key(folder) if row['kind'] != 'file'}


def share(body, known):
    chunks = split(body)
    return sum(hashlib.sha1(c).hexdigest() in known for c in chunks) / len(chunks)


def stream(folder):
    archives = sorted(folder.glob('crawl-*.gz'))
    return b''.join(gzip.decompress(path.read_bytes()) for path in archives)


@pytest.mark.parametrize(
    'options',
    [
        ['--seed', '2'],
        ['--size', '4MB', '--archives', '3'],
        ['--format', 'arc', '--hostile'],
        ['--format', 'wet', '--hostile'],
        ['--plain', '--hostile'],
    ],
    ids=' '.join,
)
def test_key_is_exact(tmp_path, options):
    counted = brute_force(make(tmp_path / 'crawl', *options))
    rows = key(tmp_path / 'crawl')
    assert rows
    for row in rows:
        numbers = [int(row[name]) for name in ('length', 'copies', 'pages', 'hosts')]
        found = counted[row['sha1'], row['kind'] == 'file']
        assert [*numbers, row['first_url']] == found, row


def test_key_is_complete(small):
    many = {one for one, (_, copies, *_) in brute_force(small).items() if copies > 1}
    listed = {(row['sha1'], row['kind'] == 'file') for row in key(small)}
    whole = hashlib.sha1(b''.join(PARKED.chunks)).hexdigest()
    assert (whole, True) in listed
    assert many <= listed | {(sha1, True) for sha1, _ in listed}


def test_wet_key_has_files_only(tmp_path):
    rows = key(make(tmp_path / 'crawl', '--format', 'wet'))
    assert {row['kind'] for row in rows} == {'file'}


def test_stream_is_pinned(small):
    assert hashlib.sha256(stream(small)).hexdigest() == PINNED


def test_same_bytes_in_another_process(small, tmp_path):
    command = [sys.executable, '-m', 'mr_reuse.synth', '-q', '--size', '1MB', '-o']
    subprocess.run([*command, tmp_path / 'again'], check=True)
    for path in small.iterdir():
        assert path.read_bytes() == (tmp_path / 'again' / path.name).read_bytes()


def test_seed_matters(small, tmp_path):
    other = make(tmp_path / 'crawl', '--seed', '2')
    shared = labels(small) & labels(other)
    kinds = {row['kind'] for row in key(small) if row['sha1'] in shared}
    assert kinds == {'hot', 'boilerplate', 'file', 'filechunk'}


def test_honest_pages_do_not_depend_on_size():
    one, two = (Crawl(1, megabytes * 10**6, len).honest_pages() for megabytes in (1, 9))
    for _ in range(300):
        assert next(one).body == next(two).body


@pytest.mark.parametrize('seed', [1, 7, 123456789])
@pytest.mark.parametrize('megabytes', [1, 3])
def test_planted_often(seed, megabytes):
    crawl = Crawl(seed, megabytes * 10**6, len)
    for _ in crawl.pages():
        pass
    for chunk in crawl.key:
        assert chunk.copies > 10 or chunk.kind == 'template', chunk


def test_planted_are_whole_chunks():
    for chunk in Crawl(1, 10**6, len).key:
        assert chunk.kind == 'file' or split(chunk.data) == [chunk.data]


def test_copies_are_longer_than_stop_chunks(small):
    for row in key(small):
        if row['kind'] in ('farm', 'mirror', 'ring', 'ad', 'hot', 'template'):
            assert int(row['length']) > 100
        if row['kind'] == 'boilerplate':
            assert int(row['length']) <= 100


def test_farm_is_copies_its_neighbours_are_not(small):
    known = labels(small)
    shares = defaultdict(list)
    for url, _, body in records(small):
        if 'webring' in url:
            shares['~deals/' in url].append(share(body, known))
    assert min(shares[True]) > 0.9 and len(shares[True]) > 10
    assert mean(shares[False]) < 0.4 and len(shares[False]) > 5


def test_honest_chunks_are_mostly_own(tmp_path):
    folder = make(tmp_path / 'crawl', '--size', '5MB')
    counted = brute_force(folder)
    chunks = {one: row for one, row in counted.items() if not one[1]}
    own = sum(copies == 1 for _, copies, *_ in chunks.values())
    assert 0.5 < own / sum(copies for _, copies, *_ in chunks.values()) < 0.8


def test_templates_are_as_few_as_in_the_paper(tmp_path):
    rows = key(make(tmp_path / 'crawl', '--size', '30MB'))
    copies = [int(row['copies']) for row in rows if row['kind'] == 'template']
    assert 0.5 < len(copies) / sum(copies) / (21 / 242) < 2


def test_page_sizes_follow_the_paper():
    assert (median(sizes()), min(sizes()), max(sizes())) == (23, 1, 428)
    pages = Crawl(1, 10**6, len).honest_pages()
    lengths = [len(split(next(pages).body)) for _ in range(3000)]
    assert 21 <= median(lengths) <= 25 and 45 <= mean(lengths) <= 51


def test_short_pages_have_no_templates():
    pages = Crawl(1, 10**6, len).honest_pages()
    for page in (next(pages) for _ in range(500)):
        if len(split(page.body)) < TEMPLATE_EVERY:
            assert not page.planted


@pytest.mark.parametrize('form', ['warc', 'arc', 'wet'])
def test_captures_of_half_a_year_in_order(tmp_path, form):
    folder = make(tmp_path / 'crawl', '--archives', '2', '--format', form)
    dates = [date for _, date, _ in records(folder)]
    assert dates == sorted(dates)
    assert dates[0] == '2014-03-01T00:00:00Z'
    assert '2014-08-18' < dates[-1] < '2014-08-28'  # 180 days later is the 28th


def test_sites_are_captured_first_when_the_list_says(hostile):
    first = {}
    for url, date, _ in records(hostile):
        first.setdefault(url.split('/')[2], date)
    with open(hostile / 'sites.tsv', encoding='utf-8', newline='') as lines:
        rows = list(csv.DictReader(lines, delimiter='\t'))
    assert {row['first_captured'] == first[row['site']] for row in rows} == {True}
    lore = {host for host in first if re.search('-lore-|openlore', host)}
    ring = {host for host in first if re.search('-outlet-|fernshop', host)}
    assert {row['site'] for row in rows} == lore | ring
    assert len(lore) == copies_of(10**6) + 1


def test_mirrors_are_later_than_their_source(small):
    """By weeks, each of them."""
    source, later = {}, defaultdict(list)
    for url, date, _ in records(small):
        name = re.search(r'\((\d+)\)', url)
        if name and 'openlore' in url:
            source[name[1]] = date
        elif name:
            later[url.split('/')[2]].append((name[1], date))
    assert len(source) == 3 and len(later) == copies_of(10**6)
    last = max(source.values())
    assert last < '2014-03-06'
    assert all(date > '2014-03-31' for seen in later.values() for _, date in seen)


def test_ring_has_links(small):
    """Each site to the next one, some to all; from each of its pages."""
    links = defaultdict(set)
    for url, _, body in records(small):
        host = url.split('/')[2]
        if '-outlet-' in host:
            links[host].add(
                tuple(re.findall(rb'http://([\w.-]*-outlet-[\w.]*)/"', body))
            )
    hosts = sorted(links, key=lambda host: int(host.split('-')[2].split('.')[0]))
    assert len(hosts) == 8 and all(len(found) == 1 for found in links.values())
    for number, host in enumerate(hosts):
        others = [name.decode() for name in links[host].pop() if name != host.encode()]
        assert others[0] == hosts[(number + 1) % 8]
        assert len(set(others)) == (1 if number % 4 else 7)


def test_no_url_comes_twice(hostile):
    urls = [url for url, _, _ in records(hostile)]
    assert len(set(urls)) == len(urls)


def test_urls_are_one_to_four_deep():
    pages = Crawl(1, 10**6, len).honest_pages()
    paths = [next(pages).url.split('/', 3)[3] for _ in range(300)]
    assert {len(path.split('/')) for path in paths} == {1, 2, 3, 4}


def test_as_many_archives_as_wanted(tmp_path):
    folder = make(tmp_path / 'crawl', '--archives', '4')
    sizes_ = [path.stat().st_size for path in sorted(folder.glob('crawl-*'))]
    assert len(sizes_) == 4 and max(sizes_) < 2 * min(sizes_)


def test_hostile_pages_are_there(hostile):
    bodies = {url: body for url, _, body in records(hostile) if '//hostile' in url}
    depths = {url.count('/') - 2 for url in bodies if '/d1/' in url}
    assert depths == {96, 97, 300}
    found = {url.rpartition('/')[2]: body for url, body in bodies.items()}
    assert found['nested.html'].count(b'<div>') == 100_000
    assert found['empty.html'] == b''
    assert b'\0' not in found['nul.html'][:1024] and b'\0' in found['nul.html']
    assert found['utf16.html'].decode('utf-16').startswith('<html>')
    assert found['picture.png'].startswith(b'\x89PNG')
    assert max(len(chunk) for chunk in split(found['huge.html'])) > 5 * 10**6
    assert len(gzip.decompress(found['bomb.html'])) == 30 * 10**6
    with pytest.raises(UnicodeDecodeError):
        found['charset.html'].decode()


@pytest.mark.parametrize(
    ('name', 'decode'),
    [
        ('gzip', gzip.decompress),
        ('br', brotli.decompress),
        ('zstd', zstandard.ZstdDecompressor().decompress),
    ],
)
def test_encodings_decode(hostile, name, decode):
    pages = {url: body for url, _, body in records(hostile)}
    body = decode(pages[f'http://hostile.example/encoding/{name}.html'])
    assert body.startswith(f'<html><body><h1>{name}</h1>'.encode())


def test_odd_urls_survive(hostile):
    lines = [line for line in stream(hostile).splitlines() if b'Target-URI' in line]
    for odd in ODD_URLS:
        assert f'WARC-Target-URI: {odd}'.encode() in lines


@pytest.mark.parametrize('plain', [[], ['--plain']], ids=['gzip', 'plain'])
def test_damage_is_where_it_says(tmp_path, plain):
    options = ['--size', '9MB', '--archives', '2', *plain]
    whole = make(tmp_path / 'whole', *options)
    broken = make(tmp_path / 'broken', '--damage', *options)
    assert (whole / 'key.tsv').read_bytes() == (broken / 'key.tsv').read_bytes()
    with open(broken / 'damage.tsv', newline='') as lines:
        rows = list(csv.DictReader(lines, delimiter='\t'))
    pages = sum(1 for _ in records(whole))
    assert len(rows) == (pages - 20) // 200 + 2 and rows[-1]['kind'] == 'cut-end'
    assert len({row['kind'] for row in rows}) >= 4
    for name in {path.name for path in whole.glob('crawl-*')}:
        first = min(int(row['offset']) for row in rows if row['archive'] == name)
        start = (whole / name).read_bytes()[:first]
        assert (broken / name).read_bytes()[:first] == start
        assert (broken / name).read_bytes() != (whole / name).read_bytes()


def test_each_damage_does_what_it_is_called(tmp_path):
    folder = make(tmp_path / 'crawl', '--size', '25MB', '--damage')
    data = (folder / 'crawl-00000.warc.gz').read_bytes()
    with open(folder / 'damage.tsv', newline='') as lines:
        rows = list(csv.DictReader(lines, delimiter='\t'))
    assert len({row['kind'] for row in rows}) == 8
    for row in rows:
        member = data[int(row['offset']) :]
        if row['kind'].startswith('length'):
            assert member.startswith(b'\x1f\x8b')
            continue
        with pytest.raises((OSError, EOFError, gzip.zlib.error)):
            gzip.GzipFile(fileobj=io.BytesIO(member)).read(10**6)


def test_refuses_a_folder_in_use(tmp_path, capsys):
    (tmp_path / 'mine.txt').write_text('mine')
    assert __main__.main(['-o', str(tmp_path), '--size', '1MB']) == 1
    error = capsys.readouterr().err
    assert error.startswith('error: ') and '--force' in error and error.count('\n') == 1
    assert [path.name for path in tmp_path.iterdir()] == ['mine.txt']


def test_force_replaces_the_crawl_and_nothing_else(tmp_path, small):
    folder = make(tmp_path / 'crawl', '--archives', '3', '--damage')
    (folder / 'mine.txt').write_text('mine')
    make(folder, '--force')
    names = {path.name for path in folder.iterdir()}
    assert names == {'crawl-00000.warc.gz', 'key.tsv', 'sites.tsv', 'mine.txt'}
    assert (folder / 'key.tsv').read_bytes() == (small / 'key.tsv').read_bytes()


@pytest.mark.parametrize('before', [False, True])
def test_interrupted_leaves_nothing(tmp_path, monkeypatch, before):
    def interrupt(self, page, serial):
        raise KeyboardInterrupt

    monkeypatch.setattr(Archives, 'add', interrupt)
    folder = tmp_path / 'crawl'
    if before:
        folder.mkdir()
    assert __main__.main(['-o', str(folder)]) == 130
    assert folder.exists() == before
    assert not before or not any(folder.iterdir())


@pytest.mark.parametrize('size', ['0.9MB', '101GB', 'ten', '5TB', '', '-5MB', 'nan'])
def test_refuses_a_size(tmp_path, capsys, size):
    assert __main__.main(['-o', str(tmp_path / 'crawl'), f'--size={size}']) == 2
    assert '1MB to 100GB' in capsys.readouterr().err


def test_says_what_is_next(tmp_path, capsys):
    folder = tmp_path / 'my crawl'
    __main__.main(['-o', str(folder), '--size', '1MB'])
    said = capsys.readouterr().err
    assert f" -m mr_reuse.discover '{folder}'/crawl-* -o RUN" in said
    assert '142 pages, 1.1 MB, in 1 archive;' in said
