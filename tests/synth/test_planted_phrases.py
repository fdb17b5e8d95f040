"""The key of planted phrases equals a search of all pages, from the definitions.

The words are read with a few regular expressions, which suffice for the markup of
`synth`. Phrases are tuples.
"""

import csv
import html
import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from warcio.archiveiterator import ArchiveIterator

from mr_reuse.synth import __main__
from mr_reuse.synth.phrases.planting import plan_group
from mr_reuse.synth.planned.markup import words_of

NOT_TEXT = re.compile(r'<!--.*?-->|<\?[^>]*>', re.S | re.I)
TAG = re.compile(r"""<[/!a-z](?:"[^"]*"|'[^']*'|[^'">])*>""", re.I)
TABLES = 'phrase_pages.tsv', 'passages.tsv', 'phrase_pairs.tsv', 'phrase_sites.tsv'
KINDS = {
    'copy': 3,
    'rotated': 3,
    'blanks-near': 12,
    'chain': 24,
    'popular-4': 4,
    'popular-5': 5,
    'popular-6': 6,
    'blanks': 20,
    'blanks-few': 9,
    'mixed': 10,
    'mixed-own': 5,
    'low': 15,
    'ring': 132,
    'ring-home': 12,
} | {f'pair-{n}': 48 for n in (770, 825, 880, 920, 950, 965)}
# What a pair is to resemble at most if the key does not state its resemblance. Then
# it is near-duplicates with a probability of less than 0.00002.
FAR = 0.6


def make(folder, *options):
    assert __main__.main(['-o', str(folder), '--size', '1MB', '-q', *options]) == 0
    return folder


@pytest.fixture(scope='module')
def small(tmp_path_factory):
    return make(tmp_path_factory.mktemp('synth') / 'small', '--phrases')


def rows(path):
    with open(path, encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines, delimiter='\t'))


def records(folder):
    """URL and payload of every page, in order."""
    for path in sorted(folder.glob('crawl-*')):
        with open(path, 'rb') as file:
            for record in ArchiveIterator(file, arc2warc=True):
                if record.rec_type in ('response', 'conversion'):
                    url = record.rec_headers['WARC-Target-URI']
                    yield url, record.raw_stream.read().decode('utf-8', 'replace')


def read_words(text):
    text = TAG.sub(' ', NOT_TEXT.sub(' ', text))
    return re.findall(r'[^\W_]+', html.unescape(text).lower())


def phrases_of(words):
    """A phrase from each word on, around the end of the page."""
    return {
        tuple(words[(start + step) % len(words)] for step in range(5))
        for start in range(len(words))
    }


def planted_words(folder):
    urls = {row['url'] for row in rows(folder / 'phrase_pages.tsv')}
    return {url: read_words(text) for url, text in records(folder) if url in urls}


@pytest.mark.parametrize(
    'options',
    [
        ['--hostile', '--quilts'],
        ['--seed', '2', '--format', 'arc', '--plain', '--archives', '3'],
        ['--seed', '3', '--format', 'wet'],
    ],
    ids=' '.join,
)
def test_key_is_exact(tmp_path, options):
    folder = make(tmp_path / options[-1], '--phrases', *options)
    pages = rows(folder / 'phrase_pages.tsv')
    words = planted_words(folder)
    assert Counter(page['kind'] for page in pages) == KINDS
    assert len(words) == len(pages)
    for page in pages:
        assert len(words[page['url']]) == int(page['words'])
        assert len(phrases_of(words[page['url']])) == int(page['words'])
    check_passages(folder, pages, words)
    check_pairs(folder, pages, words)


def check_passages(folder, pages, words):
    """Each is on the pages that list it, and on no others."""
    holders = defaultdict(list)
    for page in pages:
        for number in page['passages'].split():
            holders[number].append(page)
    texts = {url: ' '.join(['', *found, '']) for url, found in words.items()}
    with_word = defaultdict(set)
    for url, found in words.items():
        for word in found:
            with_word[word].add(url)
    for row in rows(folder / 'passages.tsv'):
        found = holders.pop(row['passage'])
        text = f' {row["text"]} '
        first = row['text'].split(' ')[0]
        urls = {url for url in with_word[first] if text in texts[url]}
        assert urls == {page['url'] for page in found}
        documents = {page['class'] or page['url'] for page in found}
        assert int(row['pages']) == len(found) >= 2
        assert int(row['documents']) == len(documents)
        assert row['popular'] == ('yes' if len(documents) >= 5 else 'no')
    assert not holders


def check_pairs(folder, pages, words):
    """The key states the resemblance of all pages that resemble each other much."""
    classes = {page['url']: page['class'] for page in pages}
    phrases = {url: phrases_of(found) for url, found in words.items()}
    stated = set()
    for row in rows(folder / 'phrase_pairs.tsv'):
        one, other = row['first_url'], row['second_url']
        common = len(phrases[one] & phrases[other])
        union = len(phrases[one] | phrases[other])
        assert (int(row['common']), int(row['all'])) == (common, union)
        assert row['resemblance'] == f'{common / union:.9f}'
        assert abs(float(row['chance']) - near_duplicate(common / union)) < 2e-9
        stated |= {(one, other), (other, one)}
        if not row['kind'].startswith('pair-'):
            assert classes[one] == classes[other] != ''
    with_phrase = defaultdict(list)
    for url, found in phrases.items():
        for phrase in found:
            with_phrase[phrase].append(url)
    common = Counter(
        pair for urls in with_phrase.values() for pair in combinations(urls, 2)
    )
    for (one, other), count in common.items():
        union = len(phrases[one]) + len(phrases[other]) - count
        same_class = classes[one] and classes[one] == classes[other]
        assert same_class or (one, other) in stated or count / union < FAR


def near_duplicate(resemblance):
    run = resemblance**14
    return 1 - (1 - run) ** 6 - 6 * run * (1 - run) ** 5


def test_pairs_have_their_resemblance(small):
    found = defaultdict(list)
    for row in rows(small / 'phrase_pairs.tsv'):
        found[row['kind']].append(float(row['resemblance']))
    for kind in KINDS:
        if kind.startswith('pair-'):
            wanted = int(kind.removeprefix('pair-')) / 1000
            assert len(found[kind]) == 24
            assert all(abs(value - wanted) < 0.003 for value in found[kind])
    assert found['copy'] == found['rotated'] == [1, 1]
    assert min(found['blanks-near'] + found['chain']) > 0.97
    assert found['chain-ends'][0] < 0.65


def test_turned_pages_begin_elsewhere(small):
    words = planted_words(small)
    pages = rows(small / 'phrase_pages.tsv')
    turned = [words[page['url']] for page in pages if page['kind'] == 'rotated']
    assert len({text[0] for text in turned}) == 3
    assert all(turned[0][0] in text for text in turned)


def test_sites(small):
    """A row for each site, with all of its pages; only one site has shared passages."""
    pages = rows(small / 'phrase_pages.tsv')
    by_host = defaultdict(list)
    for page in pages:
        by_host[page['url'].split('/')[2]].append(page)
    sites = rows(small / 'phrase_sites.tsv')
    kinds = ['blanks', 'blanks-few', 'mixed', 'low', *['ring'] * 11, 'ring-home']
    assert [site['kind'] for site in sites] == kinds
    for site in sites:
        found = by_host[site['host']]
        assert int(site['pages']) == len(found)
        assert {page['kind'].replace('-own', '') for page in found} == {site['kind']}
        lists = [set(page['passages'].split()) for page in found]
        both = set.union(*(a & b for a, b in combinations(lists, 2)))
        number = {'ring': 0, 'ring-home': 2, 'low': 2}.get(site['kind'], 10)
        assert len(both) == number
    marks = {site['kind']: site['monster'] for site in sites}
    assert marks == {
        'blanks': '1',
        'blanks-few': '-',
        'mixed': '0',
        'low': '-',
        'ring': '1',
        'ring-home': '1',
    }


def test_two_sites_of_the_ring_have_one_address(small):
    ring = {
        site['host']: set()
        for site in rows(small / 'phrase_sites.tsv')
        if site['kind'].startswith('ring')
    }
    with open(small / 'crawl-00000.warc.gz', 'rb') as file:
        for record in ArchiveIterator(file):
            head = record.rec_headers
            host = (head['WARC-Target-URI'] or '//').split('/')[2]
            if host in ring:
                ring[host].add(head['WARC-IP-Address'])
    counts = Counter(address for [address] in ring.values())
    assert sorted(counts.values()) == [1] * 10 + [2]


def test_no_page_has_a_script(small):
    """So the words of the pages are the same whether scripts are text or not."""
    urls = {row['url'] for row in rows(small / 'phrase_pages.tsv')}
    bodies = ''.join(text for url, text in records(small) if url in urls)
    assert not re.search('<(script|style)', bodies, re.I)
    for markup in ('<!--', '&#x', '&nbsp;', '<wbr>', '<?php', '<IMG', '<b>'):
        assert bodies.lower().count(markup.lower()) > 20


def test_help_has_all_phrase_kinds():
    text = __main__.parser().description.partition('--phrases adds')[2]
    listed = set(re.findall(r'^  ([a-z][-a-zN]+)  +[a-z]', text, re.M))
    names = {re.sub(r'-\d+$', '-N', kind) for kind in KINDS}
    assert names <= listed
    assert f': {sum(KINDS.values())} pages for each 50 MB' in ' '.join(text.split())


def test_phrases_leave_other_pages(small, tmp_path):
    """The option adds pages, and tables. All others are the same."""
    plain = make(tmp_path / 'plain')
    planted = {row['url'] for row in rows(small / 'phrase_pages.tsv')}
    pages = list(records(small))
    assert [page for page in pages if page[0] not in planted] == list(records(plain))
    for name in ('key.tsv', 'sites.tsv'):
        assert (small / name).read_bytes() == (plain / name).read_bytes()


def test_phrases_and_quilts_in_one_crawl(small, tmp_path):
    """The keys are the same as without the other ones."""
    both = make(tmp_path / 'both', '--phrases', '--quilts')
    for name in TABLES:
        assert (small / name).read_bytes() == (both / name).read_bytes()
    urls = [url for url, _ in records(both)]
    assert len(urls) == len(set(urls))
    make(both, '--force')
    names = {path.name for path in both.iterdir()}
    assert names == {'crawl-00000.warc.gz', 'key.tsv', 'sites.tsv'}


def test_phrases_again_have_the_same_bytes(small, tmp_path):
    again = make(tmp_path / 'again', '--phrases')
    for path in small.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()


def test_phrase_groups_share_nothing():
    """A larger crawl has more groups, with their own phrases, hosts and addresses."""
    groups = [plan_group(1, number).pages for number in (0, 99)]
    phrases = [{p for page in g for p in phrases_of(words_of(page))} for g in groups]
    hosts = [{page.server.host for page in group} for group in groups]
    addresses = [{page.server.address for page in group} for group in groups]
    for sets in (phrases, hosts, addresses):
        assert len(set().union(*sets)) == sum(map(len, sets))
