"""The key of planted quilts equals a search of all pages, from the definitions.

The words are read with a few regular expressions, which suffice for the markup of
`synth`. Grams are tuples, and the cover is the naive greedy one.
"""

import csv
import html
import ipaddress
import re
from collections import Counter, defaultdict

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.cli import main as warcio

from mr_reuse import discover
from mr_reuse.synth import __main__
from mr_reuse.synth.planned.markup import words_of
from mr_reuse.synth.quilts.planting import plan_group

K, M, C = 5, 50, 4
VARIANTS = 'none', 'host', 'domain', 'ip'
NOT_TEXT = re.compile(
    r'<!--.*?-->|<(script|style)\b.*?</\1[^>]*>|<\?[^>]*>', re.S | re.I
)
TAG = re.compile(r"""<[/!a-z](?:"[^"]*"|'[^']*'|[^'">])*>""", re.I)
# By which values of --foreign the pages of a kind are quilted.
ALL, NONE = set(VARIANTS), set()
QUILTED = {
    'original': NONE,
    'copied': ALL,
    'borrower': NONE,
    'spam': ALL,
    'own-sources-3': {'none'},
    'own-sources-4': ALL,
    'same-ip': {'none', 'host', 'domain'},
    'no-ip': ALL,
    'aggregator': ALL,
    'aggregator-links': ALL,
    'alpha-below': NONE,
    'alpha-exact': ALL,
    'alpha-above': ALL,
    'sources-3': NONE,
    'sources-4': ALL,
    'twin': {'host', 'domain', 'ip'},
    'post': NONE,
    'home': {'none'},
    'home-other-host': {'none', 'host', 'ip'},
    'cookie-3': NONE,
    'cookie-4': {'none'},
    'cookie-network': ALL,
    'cookie-similar': NONE,
    'cookie-common': NONE,
    'mirror-2': NONE,
    'mirror-4': NONE,
    'mirror-50': NONE,
    'mirror-51': NONE,
}


def make(folder, *options):
    line = ['-o', str(folder), '--size', '1MB', '-q', *options]
    assert __main__.main(line) == 0
    return folder


@pytest.fixture(scope='module')
def small(tmp_path_factory):
    return make(tmp_path_factory.mktemp('synth') / 'small', '--quilts')


def rows(path):
    with open(path, encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines, delimiter='\t'))


def records(folder):
    """URL, IP address and payload of every page, in order."""
    for path in sorted(folder.glob('crawl-*')):
        with open(path, 'rb') as file:
            for record in ArchiveIterator(file, arc2warc=True):
                if record.rec_type in ('response', 'conversion'):
                    head = record.rec_headers
                    address = head.get('WARC-IP-Address', '-')
                    yield head['WARC-Target-URI'], address, record.raw_stream.read()


def read_words(body):
    text = NOT_TEXT.sub(' ', body.decode('utf-8', 'replace'))
    return re.findall(r'[^\W_]+', html.unescape(TAG.sub(' ', text)).lower())


def server(url, address):
    host = url.split('/')[2]
    known = None if address == '-' else ipaddress.ip_address(address)
    return host, '.'.join(host.split('.')[-2:]), known


def is_foreign(one, other, by):
    if by == 'ip' and one[2] and other[2]:
        return one[2] != other[2]
    return by == 'none' or one[by != 'host'] != other[by != 'host']


def grams_of(words):
    return list(zip(*(words[at:] for at in range(K)), strict=False))


class Pages:
    """All pages of a crawl, numbered in the order of their records."""

    def __init__(self, folder):
        found = list(records(folder))
        texts = [body if 'wet' in str(folder) else None for *_, body in found]
        self.number = {url: number for number, (url, *_) in enumerate(found)}
        self.servers = [server(url, address) for url, address, _ in found]
        self.urls = [url for url, *_ in found]
        self.words = [
            text.decode().split() if text is not None else read_words(body)
            for text, (*_, body) in zip(texts, found, strict=True)
        ]
        self.lists = [grams_of(words) for words in self.words]
        self.grams = [set(grams) for grams in self.lists]
        self.with_gram = defaultdict(list)
        for number, grams in enumerate(self.grams):
            for gram in grams:
                self.with_gram[gram].append(number)

    def patch(self, page):
        return {g for g in self.grams[page] if 1 < len(self.with_gram[g]) <= M}

    def cover(self, page, by):
        """The sources: number of the page, new and shared grams."""
        patch, covered, sources = self.patch(page), set(), []
        candidates = {
            other: patch & self.grams[other]
            for other in {other for gram in patch for other in self.with_gram[gram]}
            if other != page and is_foreign(self.servers[page], self.servers[other], by)
        }
        while candidates:
            new = {other: len(g - covered) for other, g in candidates.items()}
            best = min(new, key=lambda x: (-new[x], -len(candidates[x]), x))
            if not new[best]:
                break
            sources.append((best, new[best], candidates[best]))
            covered |= candidates[best]
        return sources


@pytest.mark.parametrize(
    'options',
    [
        ['--hostile'],
        ['--seed', '2', '--format', 'arc', '--plain', '--archives', '3'],
        ['--seed', '3', '--format', 'wet'],
    ],
    ids=' '.join,
)
def test_key_is_exact(tmp_path, options):
    folder = make(tmp_path / options[-1], '--quilts', *options)
    pages = Pages(folder)
    sources = defaultdict(list)
    for row in rows(folder / 'patches.tsv'):
        sources[row['url'], row['foreign']].append(row)
    key = rows(folder / 'quilts.tsv')
    assert len(key) > 200
    for row in key:
        page = pages.number[row['url']]
        patch, grams = len(pages.patch(page)), len(pages.grams[page])
        assert len(pages.lists[page]) == grams
        counts = [len(pages.words[page]), grams, patch]
        assert [int(row[name]) for name in ('words', 'grams', 'patch')] == counts, row
        quilted = []
        for by in VARIANTS:
            cover = pages.cover(page, by)
            listed = sources.pop((row['url'], by), [])
            assert [int(one['number']) for one in listed] == [*range(1, len(cover) + 1)]
            for one, (source, new, shared) in zip(listed, cover, strict=True):
                found = pages.urls[source], str(new), str(len(shared))
                assert (one['source_url'], one['new'], one['shared']) == found
                assert places(pages.lists[page], shared) == one['places']
            assert int(row[by.replace('none', 'sources')]) == len(cover), row
            quilted += [by] if 2 * patch >= grams and len(cover) >= C else []
        assert row['quilted_by'] == ' '.join(quilted), row
    assert not sources


def places(grams, shared):
    """Ranges of words of the page that are in a shared gram."""
    words = set()
    for start, gram in enumerate(grams, 1):
        words |= set(range(start, start + K)) if gram in shared else set()
    starts = [word for word in sorted(words) if word - 1 not in words]
    ends = [word for word in sorted(words) if word + 1 not in words]
    return ' '.join(f'{a}-{b}' for a, b in zip(starts, ends, strict=True))


def test_kinds_are_as_documented(small):
    quilted = defaultdict(set)
    for row in rows(small / 'quilts.tsv'):
        quilted[row['kind']].add(row['quilted_by'])
    assert {
        kind: found.pop() for kind, found in quilted.items() if len(found) == 1
    } == {
        kind: ' '.join(by for by in VARIANTS if by in variants)
        for kind, variants in QUILTED.items()
    }


def test_help_has_all_kinds():
    """With the values of --foreign by which they are quilted."""
    text = __main__.parser().description
    listed = dict(
        re.findall(r'^  ([a-z][-a-z0-9N]+)  +([-a-z ]+?)(?:   |$)', text, re.M)
    )
    short = {frozenset(ALL): 'all', frozenset(): '-'}
    for kind, variants in QUILTED.items():
        name = re.sub(r'mirror-\d+', 'mirror-N', kind)
        in_order = ' '.join(by for by in VARIANTS if by in variants)
        assert listed[name] == short.get(frozenset(variants), in_order), kind


def test_near_misses(small):
    """One gram more or less, and one source, decide."""
    by_kind = {row['kind']: row for row in rows(small / 'quilts.tsv')}
    more = {
        kind: 2 * int(by_kind[f'alpha-{kind}']['patch'])
        - int(by_kind[f'alpha-{kind}']['grams'])
        for kind in ('below', 'exact', 'above')
    }
    assert more == {'below': -1, 'exact': 0, 'above': 1}
    assert [by_kind[f'sources-{c}']['sources'] for c in (3, 4)] == ['3', '4']
    copies = Counter(row['kind'] for row in rows(small / 'quilts.tsv'))
    assert (copies['mirror-50'], copies['mirror-51']) == (50, 51)
    assert by_kind['mirror-50']['patch'] == by_kind['mirror-50']['grams']
    assert by_kind['mirror-51']['patch'] == by_kind['cookie-common']['patch'] == '0'


def test_links_of_aggregators(small):
    bodies = {url: body.decode('utf-8', 'replace') for url, _, body in records(small)}
    sources = defaultdict(set)
    for row in rows(small / 'patches.tsv'):
        sources[row['url']].add(row['source_url'])
    kinds = {row['kind']: row['url'] for row in rows(small / 'quilts.tsv')}
    for kind in ('aggregator', 'aggregator-links'):
        links = set(re.findall('href="(http:[^"]*)"', bodies[kinds[kind]]))
        assert links == (sources[kinds[kind]] if 'links' in kind else set())


def test_markup_varies(small):
    planted = {row['url'] for row in rows(small / 'quilts.tsv')}
    bodies = b''.join(body for url, _, body in records(small) if url in planted)
    for markup in (b'<!--', b'<script>', b'<style>', b'&#x', b'&nbsp;', b'<wbr>'):
        assert bodies.count(markup) > 20


def test_other_pages_stay(small, tmp_path):
    """The option adds pages, and tables. All others are the same."""
    plain = make(tmp_path / 'plain')
    planted = {row['url'] for row in rows(small / 'quilts.tsv')}
    pages = [(url, body) for url, _, body in records(small)]
    assert [page for page in pages if page[0] not in planted] == [
        (url, body) for url, _, body in records(plain)
    ]
    assert len(pages) == len(planted) + sum(1 for _ in records(plain))
    for name in ('key.tsv', 'sites.tsv'):
        assert (small / name).read_bytes() == (plain / name).read_bytes()
    assert not (plain / 'quilts.tsv').exists()


def test_groups_share_nothing():
    """A larger crawl has more groups, each with its own grams, hosts and addresses."""
    groups = [plan_group(1, number).pages for number in (0, 1, 99)]
    grams = [
        {g for page in group for g in grams_of(words_of(page))} for group in groups
    ]
    hosts = [{page.server.host for page in group} for group in groups]
    addresses = [{page.server.address for page in group} - {''} for group in groups]
    for sets in (grams, hosts, addresses):
        assert len(set().union(*sets)) == sum(map(len, sets))


def test_same_bytes_again(small, tmp_path):
    again = make(tmp_path / 'again', '--quilts')
    for path in small.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()


@pytest.mark.parametrize('form', ['warc', 'wet'])
def test_warcio_accepts_it(tmp_path, capsys, form):
    [archive] = make(tmp_path / 'x', '--quilts', '--format', form).glob('crawl-*')
    with pytest.raises(SystemExit) as ended:
        warcio(['check', '-v', str(archive)])
    assert ended.value.code == 0
    lines = Counter(line.strip() for line in capsys.readouterr().out.splitlines())
    assert lines['no digest to check'] == 1 and lines['digest pass'] > 400


def test_force_removes_the_tables_of_an_earlier_crawl(tmp_path):
    folder = make(tmp_path / 'crawl', '--quilts')
    make(folder, '--force')
    names = {path.name for path in folder.iterdir()}
    assert names == {'crawl-00000.warc.gz', 'key.tsv', 'sites.tsv'}


def test_discover_reads_all_pages(tmp_path):
    """In ARC files, too, which have no field to omit if there is no IP address."""
    folder = make(tmp_path / 'crawl', '--quilts', '--format', 'arc')
    line = [str(folder / 'crawl-00000.arc.gz'), '-o', str(tmp_path / 'run')]
    assert discover.main([*line, '-r', 'inline', '-q']) == 0
