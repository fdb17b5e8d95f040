"""The styles of a made crawl, against the key that `synth` writes."""

import csv
import shutil
from collections import defaultdict
from math import comb, sqrt
from pathlib import Path

import pytest
from commands import run
from reference_style_tables import Options, noise_of
from style_crawls import read_parameters
from warcio.archiveiterator import ArchiveIterator

ARCHIVES = 2


def read(path) -> list[dict[str, str]]:
    with open(path, newline='', encoding='utf-8') as stream:
        return list(csv.DictReader(stream, delimiter='\t', quoting=csv.QUOTE_NONE))


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('planted') / 'crawl'
    line = ['--size', '1MB', '--styles', '--archives', ARCHIVES, '-q']
    assert run('synth', '-o', folder, *line).code == 0
    return folder


@pytest.fixture(scope='module')
def planted(crawl) -> dict[str, dict[str, str]]:
    """The planted pages, by their URLs."""
    return {row['url']: row for row in read(crawl / 'style_pages.tsv')}


@pytest.fixture(scope='module')
def made(crawl, tmp_path_factory):
    return find_styles(archives_of(crawl), tmp_path_factory.mktemp('styles'))


def archives_of(crawl) -> list[Path]:
    return sorted(crawl.glob('crawl-*'))


def find_styles(archives, out, *options) -> Path:
    line = [*archives, '-o', out, *options, '-q', '-r', 'inline']
    assert run('styles', *line) == (0, '', '')
    return out


def members(made) -> dict[str, str]:
    """The style of each page that has one."""
    return {row['url']: row['style'] for row in read(made / 'style_members.tsv')}


def test_planted_styles_are_found(made, planted):
    """Each is one, whole, and has no other pages, planted or not."""
    found = members(made)
    by_key, by_run = defaultdict(set), defaultdict(set)
    for url, row in planted.items():
        if row['style']:
            by_key[row['style']].add(url)
    for url, style in found.items():
        by_run[style].add(url)
    assert len(by_key) == 18
    for urls in by_key.values():
        assert urls in by_run.values()


def test_honest_sites_are_not_joined(made, planted):
    """Sites with a theme are; those with only a framework, or nothing, are not."""
    hosts = defaultdict(set)
    for url, style in members(made).items():
        hosts[style].add(url.split('/')[2])
    found = members(made)
    for url, row in planted.items():
        if row['kind'] in ('alone', 'small'):
            assert url not in found
        elif row['kind'] == 'framework':
            assert hosts[found[url]] == {url.split('/')[2]}
        elif row['kind'] == 'theme':
            assert len(hosts[found[url]]) == 12


def test_similarity_estimates_resemblance(crawl, made, planted):
    """The mean of a style is as near as the errors of its pairs, which are related."""
    means = {}
    styles = {row['style']: row for row in read(made / 'styles.tsv')}
    for url, style in members(made).items():
        if url in planted and planted[url]['style']:
            means[planted[url]['style']] = styles[style]
    for row in read(crawl / 'style_families.tsv'):
        found, mean = means[row['style']], float(row['mean'])
        assert abs(float(found['mean']) - mean) <= 4 * sqrt(mean * (1 - mean) / 128)
        for name in ('pages', 'hosts', 'domains'):
            assert found[name] == row[name]


def test_pairs_are_alike_as_often_as_the_law_says(crawl, made):
    style = members(made)
    found = defaultdict(list)
    for row in read(crawl / 'style_pairs.tsv'):
        first, second = (style.get(row[n]) for n in ('first_url', 'second_url'))
        both = first is not None and first == second
        found[row['kind']].append((both, float(row['chance'])))
    assert all(both for both, _ in found.pop('chain') + found.pop('chain-ends'))
    for kind, pairs in found.items():
        expected = sum(chance for _, chance in pairs)
        error = sqrt(sum(chance * (1 - chance) for _, chance in pairs))
        assert abs(sum(both for both, _ in pairs) - expected) <= 4 * error + 0.01, kind
    assert 0 < expected < len(pairs) or len(found) > 5


@pytest.fixture(scope='module')
def agreeing(crawl) -> dict[tuple[str, str], int]:
    """In how many dimensions the pages of some pairs agree."""
    options, bodies = Options(), read_bodies(crawl)
    parameters = read_parameters(options)
    return {
        urls: sum(
            a == b is not None
            for a, b in zip(
                *(
                    parameters.keys(noise_of(bodies[url], 'noise'), options)
                    for url in urls
                ),
                strict=True,
            )
        )
        for urls in (
            (row['first_url'], row['second_url'])
            for row in read(crawl / 'style_pairs.tsv')
            if row['kind'] in ('pair-200', 'pair-250', 'pair-300', 'pair-350')
        )
    }


def test_misses_are_those_of_the_law(agreeing, made, tmp_path):
    """Of pairs that agree in enough dimensions, some agree in none that is probed."""
    out = shutil.copytree(made, tmp_path / 'run')
    for p in (1, 3, 6, 20):
        style = members(find_styles([], out, f'--p={p}', '--t=20'))
        expected, variance, missed, count = 0.0, 0.0, 0, 0
        for urls, dimensions in agreeing.items():
            is_missed = not style.keys() & set(urls)
            if dimensions < 20:
                assert is_missed
                continue
            law = comb(128 - p, dimensions) / comb(128, dimensions)
            expected, variance = expected + law, variance + law * (1 - law)
            missed, count = missed + is_missed, count + 1
        print(f'p = {p}: {missed} of {count} missed, {expected:.2f} by the law')
        assert count > 35
        assert abs(missed - expected) <= 4 * sqrt(variance) + 0.05


def read_bodies(crawl) -> dict[str, bytes]:
    bodies = {}
    for path in archives_of(crawl):
        with open(path, 'rb') as file:
            for record in ArchiveIterator(file):
                if record.rec_type == 'response':
                    url = record.rec_headers['WARC-Target-URI']
                    bodies[url] = record.raw_stream.read()
    return bodies


def test_one_half_names_the_other(crawl, made, planted, tmp_path):
    """The styles of one archive find the pages of these styles in the other one."""
    half = find_styles(archives_of(crawl)[:1], tmp_path / 'half')
    known = members(half)
    whole = shutil.copytree(made, tmp_path / 'whole')
    line = ['styles', 'spread', whole, half, '-q', '-r', 'inline']
    assert run(*line) == (0, '', '')
    found = defaultdict(set)
    for row in read(whole / 'spread.tsv'):
        found[row['unit']].add(row['name'])
    assert not found['page'] & known.keys()
    # Of each style with pages in both halves, all others are named.
    wanted = {planted[url]['style'] for url in known if url in planted} - {''}
    assert set('123456') < wanted
    expected = {
        url
        for url, row in planted.items()
        if row['style'] in wanted and url not in known
    }
    assert len(expected) > 80
    named = {url for url in found['page'] if planted.get(url, {}).get('style')}
    assert named == expected
    known_hosts = {url.split('/')[2] for url in known}
    hosts = {url.split('/')[2] for url in named} - known_hosts
    assert len(hosts) > 30 and hosts <= found['host']
    assert not found['host'] & known_hosts
