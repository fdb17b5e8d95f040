"""The key of planted styles equals a comparison of all pages, from the definitions.

The noise is found with a regular expression, and 32-grams are sets of bytes.
"""

import csv
import re
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from math import comb
from statistics import mean

import pytest
from warcio.archiveiterator import ArchiveIterator

from mr_reuse.synth import __main__
from mr_reuse.synth.styles.laws import grams_of
from mr_reuse.synth.styles.planting import plan_group

LETTERS = re.compile(rb'[A-Za-z0-9\x80-\xff]')
TABLES = 'style_pages.tsv', 'style_families.tsv', 'style_pairs.tsv'
RESEMBLANCES = 200, 250, 300, 350, 400, 500
KINDS = {
    'template': 40,
    'theme': 36,
    'farm': 60,
    'mirror': 12,
    'pasted': 10,
    'chain': 10,
    'framework': 36,
    'alone': 20,
    'small': 6,
} | {f'pair-{n}': 24 for n in RESEMBLANCES}


def make(folder, *options):
    assert __main__.main(['-o', str(folder), '--size', '1MB', '-q', *options]) == 0
    return folder


def rows(path):
    with open(path, encoding='utf-8', newline='') as lines:
        return list(csv.DictReader(lines, delimiter='\t'))


def records(folder):
    """URL, type and payload of every page, in order."""
    for path in sorted(folder.glob('crawl-*')):
        with open(path, 'rb') as file:
            for record in ArchiveIterator(file, arc2warc=True):
                if record.rec_type == 'response':
                    url = record.rec_headers['WARC-Target-URI']
                    yield url, record.raw_stream.read()


def ngrams(body):
    noise = LETTERS.sub(b'', body)
    return {noise[at : at + 32] for at in range(len(noise) - 31)}


@pytest.fixture(scope='module')
def small(tmp_path_factory):
    return make(tmp_path_factory.mktemp('synth') / 'small', '--styles')


@pytest.fixture(scope='module')
def pages(small):
    return rows(small / 'style_pages.tsv')


@pytest.fixture(scope='module')
def grams(small, pages):
    """The 32-grams of the planted pages."""
    urls = {page['url'] for page in pages}
    found = {url: ngrams(body) for url, body in records(small) if url in urls}
    assert found.keys() == urls and len(pages) == len(urls)
    return found


def resemblance(one, other):
    return Fraction(len(one & other), len(one | other))


def test_pages(pages, grams):
    assert Counter(page['kind'] for page in pages) == KINDS
    for page in pages:
        assert len(grams[page['url']]) == int(page['grams'])
        assert int(page['grams']) > 1000 or page['kind'] == 'small'
        of_none = page['kind'] in ('alone', 'small') or page['kind'].startswith('pair')
        assert bool(page['style']) != of_none
    # Too few for 35 dimensions.
    assert all(int(p['grams']) < 35 for p in pages if p['kind'] == 'small')


def test_families(small, pages, grams):
    members = defaultdict(list)
    for page in pages:
        members[page['style']].append(page)
    del members['']
    found = rows(small / 'style_families.tsv')
    assert [row['style'] for row in found] == [str(n + 1) for n in range(len(members))]
    for row in found:
        mine = members[row['style']]
        assert {page['kind'] for page in mine} == {row['kind']}
        hosts = {page['url'].split('/')[2] for page in mine}
        assert (int(row['pages']), int(row['hosts'])) == (len(mine), len(hosts))
        domains = {'.'.join(host.split('.')[-2:]) for host in hosts}
        assert int(row['domains']) == len(domains)
        near = [
            resemblance(grams[one['url']], grams[other['url']])
            for one, other in combinations(mine, 2)
        ]
        stated = [float(row[name]) for name in ('least', 'mean', 'greatest')]
        assert stated == pytest.approx([min(near), mean(near), max(near)], abs=1e-9)
        assert len(hosts) == len(domains) * (2 if row['kind'] == 'farm' else 1)
    kinds = Counter(row['kind'] for row in found)
    once = ('template', 'theme', 'farm', 'mirror', 'pasted', 'chain')
    assert kinds == dict.fromkeys(once, 1) | {'framework': 12}


def test_pages_of_different_styles_are_far_from_each_other(pages, grams):
    """Honest sites with a framework share some."""
    firsts = {page['style'] or page['url']: page for page in pages}
    chosen = [p for p in firsts.values() if p['style'] or p['kind'] == 'alone']
    near = defaultdict(list)
    for one, other in combinations(chosen, 2):
        kinds = ' '.join(sorted({one['kind'], other['kind']}))
        near[kinds].append(resemblance(grams[one['url']], grams[other['url']]))
    both = near.pop('framework')
    assert len(both) == 66 and 0.08 < min(both) < max(both) < 0.12
    assert max(map(max, near.values())) < 0.01


def test_pairs(small, grams):
    found = defaultdict(list)
    for row in rows(small / 'style_pairs.tsv'):
        one, other = (grams[row[name]] for name in ('first_url', 'second_url'))
        share = resemblance(one, other)
        assert (int(row['common']), int(row['all'])) == (
            len(one & other),
            len(one | other),
        )
        assert row['resemblance'] == f'{float(share):.9f}'
        assert float(row['chance']) == pytest.approx(chance(float(share)), abs=2e-9)
        found[row['kind']].append(share)
    for thousandths in RESEMBLANCES:
        mine = found.pop(f'pair-{thousandths}')
        assert len(mine) == 12
        assert abs(mean(mine) - Fraction(thousandths, 1000)) < 0.02
        assert max(mine) - min(mine) < 0.08
    assert {kind: len(mine) for kind, mine in found.items()} == {
        'chain': 9,
        'chain-ends': 1,
        'framework': 11,
    }
    assert min(found['chain']) > 0.5 and found['chain-ends'][0] < 0.01


def chance(share):
    """35 of 128 dimensions agree; one of them is among 20."""
    total = 0.0
    for agreeing in range(35, 129):
        missed = 1.0
        for probed in range(20):
            missed *= max(0, 128 - agreeing - probed) / (128 - probed)
        ways = comb(128, agreeing) * share**agreeing * (1 - share) ** (128 - agreeing)
        total += ways * (1 - missed)
    return total


def test_pages_say_different_things(small, pages):
    """Pages of a style share markup but no text, apart from mirrors."""
    kinds = {page['url']: page['kind'] for page in pages}
    bodies = defaultdict(set)
    for url, body in records(small):
        if url in kinds:
            bodies[kinds[url]].add(body)
    for kind, found in bodies.items():
        assert len(found) == (1 if kind == 'mirror' else KINDS[kind])


def test_help_has_all_style_kinds():
    text = __main__.parser().description.partition('--styles adds')[2]
    listed = set(re.findall(r'^  ([a-z][-a-zN]+)  +[a-z-]', text, re.M))
    names = {re.sub(r'-\d+$', '-N', kind) for kind in KINDS}
    assert names <= listed
    assert f': {sum(KINDS.values())} pages for each 50 MB' in ' '.join(text.split())


def test_styles_leave_other_pages(small, pages, tmp_path):
    """The option adds pages, and tables. All others are the same."""
    plain = make(tmp_path / 'plain')
    planted = {page['url'] for page in pages}
    others = [page for page in records(small) if page[0] not in planted]
    assert others == list(records(plain))
    for name in ('key.tsv', 'sites.tsv'):
        assert (small / name).read_bytes() == (plain / name).read_bytes()


def test_styles_quilts_and_phrases_in_one_crawl(small, tmp_path):
    """The keys are the same as without the other ones."""
    both = make(tmp_path / 'both', '--phrases', '--quilts', '--styles')
    for name in TABLES:
        assert (small / name).read_bytes() == (both / name).read_bytes()
    urls = [url for url, _ in records(both)]
    assert len(urls) == len(set(urls))
    make(both, '--force')
    names = {path.name for path in both.iterdir()}
    assert names == {'crawl-00000.warc.gz', 'key.tsv', 'sites.tsv'}


def test_styles_again_have_the_same_bytes(small, tmp_path):
    again = make(tmp_path / 'again', '--styles')
    for path in small.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()


def test_style_groups_share_nothing():
    """A larger crawl has more groups, with their own markup, hosts and addresses."""
    groups = [plan_group(1, number).pages for number in (0, 99)]
    chosen = [[p for p in pages if p.kind in ('theme', 'alone')] for pages in groups]
    first, last = ([grams_of(page.body()) for page in pages] for pages in chosen)
    assert max(resemblance(one, other) for one in first for other in last) < 0.01
    for name in ('host', 'address'):
        sets = [{getattr(page.server, name) for page in pages} for pages in groups]
        assert len(set().union(*sets)) == sum(map(len, sets))
