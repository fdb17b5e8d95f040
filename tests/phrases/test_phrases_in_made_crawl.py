"""The phrases of a made crawl, against the key that `synth` writes."""

import csv
from collections import defaultdict
from math import sqrt
from statistics import mean

import pytest
from commands import run


def read(path) -> list[dict[str, str]]:
    with open(path, newline='', encoding='utf-8') as stream:
        return list(csv.DictReader(stream, delimiter='\t', quoting=csv.QUOTE_NONE))


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('planted') / 'crawl'
    assert run('synth', '-o', folder, '--size', '1MB', '--phrases', '-q').code == 0
    return folder


@pytest.fixture(scope='module')
def kinds(crawl) -> dict[str, str]:
    """The kinds of the planted pages."""
    return {row['url']: row['kind'] for row in read(crawl / 'phrase_pages.tsv')}


@pytest.fixture(scope='module')
def made(crawl, tmp_path_factory):
    """A run, with all popular phrases and more covers than there are pages."""
    out = tmp_path_factory.mktemp('phrases')
    line = [crawl / 'crawl-00000.warc.gz', '-o', out, '--top=1000000', '--covers=1000']
    assert run('phrases', *line, '-q', '-r', 'inline') == (0, '', '')
    return out


@pytest.fixture(scope='module')
def class_of(made) -> dict[str, str]:
    """The rid of the page that is kept, for each page."""
    kept = {row['url']: row['rid'] for row in read(made / 'phrase_pages.tsv')}
    left_out = {r['url']: r['kept_rid'] for r in read(made / 'near_duplicates.tsv')}
    assert not kept.keys() & left_out.keys()
    assert set(left_out.values()) <= set(kept.values())
    return kept | left_out


def test_planted_words_are_read(crawl, made):
    kept = {row['url']: row['words'] for row in read(made / 'phrase_pages.tsv')}
    planted = {row['url']: row['words'] for row in read(crawl / 'phrase_pages.tsv')}
    assert planted.keys() & kept.keys()
    assert {url: kept.get(url, number) for url, number in planted.items()} == planted


def test_pairs_are_near_duplicates_as_often_as_the_law_says(crawl, class_of):
    found = defaultdict(list)
    for row in read(crawl / 'phrase_pairs.tsv'):
        both = class_of[row['first_url']] == class_of[row['second_url']]
        found[row['kind']].append((both, float(row['chance'])))
    for kind, pairs in found.items():
        if kind.startswith('pair-'):
            expected = sum(chance for _, chance in pairs)
            error = sqrt(sum(chance * (1 - chance) for _, chance in pairs))
            assert abs(sum(both for both, _ in pairs) - expected) <= 4 * error + 1, kind
        else:
            assert all(both for both, _ in pairs), kind


def test_planted_classes(crawl, class_of):
    """Each class is one, with its chain, and nothing else of the planted pages."""
    planted = defaultdict(set)
    for row in read(crawl / 'phrase_pages.tsv'):
        if not row['kind'].startswith('pair-'):
            planted[class_of[row['url']]].add(row['class'] or row['url'])
    assert all(len(found) == 1 for found in planted.values())


def test_popular_passages(crawl, made):
    """A passage on 5 pages has popular phrases, one on 4 pages has none."""
    phrases = {row['phrase']: row for row in read(made / 'phrases.tsv')}
    seen = set()
    for row in read(crawl / 'passages.tsv'):
        words = row['text'].split()
        inside = {' '.join(words[at : at + 5]) for at in range(len(words) - 4)}
        popular = inside & phrases.keys()
        assert bool(popular) == (row['popular'] == 'yes'), row
        counts = [int(phrases[phrase]['documents']) for phrase in popular]
        assert max(counts, default=0) <= int(row['documents'])
        seen.add(int(row['documents']))
    assert {1, 2, 4, 5, 6} <= seen


def test_planted_monsters(crawl, made):
    found = {row['host']: row for row in read(made / 'phrase_hosts.tsv')}
    for site in read(crawl / 'phrase_sites.tsv'):
        row = found.pop(site['host'], {'monster': '-', 'pages': site['pages']})
        assert (row['monster'], row['pages']) == (site['monster'], site['pages']), site
    assert not [host for host in found if '-phrase' in host]


def test_donors(made, kinds):
    """All sources are on other sites, but for the passages of one site alone.

    Its own pages are the last ones of each cover.
    """
    sources = defaultdict(list)
    for row in read(made / 'cover_sources.tsv'):
        sources[row['rid']].append(row)
    seen = defaultdict(list)
    for row in read(made / 'covers.tsv'):
        kind, mine = kinds.get(row['url'], ''), sources[row['rid']]
        if kind not in ('ring', 'ring-home', 'blanks', 'popular-6'):
            continue
        popular, foreign = int(row['popular']), int(row['foreign'])
        at_home = [s['source_url'].split('/')[2] == host(row['url']) for s in mine]
        assert at_home == sorted(at_home)
        assert popular == sum(int(source['new']) for source in mine)
        seen[kind].append(len(mine))
        if kind in ('ring', 'popular-6'):
            assert foreign == popular and not any(at_home)
        elif kind == 'blanks':
            assert foreign == 0 and all(at_home)
        else:
            assert 0 < foreign < popular and not at_home[0] and at_home[-1]
    assert len(seen['ring']) == 132 and len(seen['ring-home']) == 12
    assert mean(seen['ring']) > 2 * mean(seen['blanks'])


def host(url: str) -> str:
    return url.split('/')[2]


def test_covers_of_a_planted_site(crawl, made, tmp_path):
    """The same covers as in the sample, and no others."""
    [site] = [r for r in read(crawl / 'phrase_sites.tsv') if r['kind'] == 'ring-home']
    run_again = [crawl / 'crawl-00000.warc.gz', f'--covers-of={site["host"]}', '-q']
    assert run('phrases', *run_again, '-o', tmp_path, '-r', 'inline').code == 0
    pages = read(made / 'phrase_pages.tsv')
    rids = {row['rid'] for row in pages if host(row['url']) == site['host']}
    for name in ('covers.tsv', 'cover_sources.tsv'):
        rows = read(made / name)
        assert read(tmp_path / name) == [row for row in rows if row['rid'] in rids]
