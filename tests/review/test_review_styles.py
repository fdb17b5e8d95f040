"""Judging styles: what the server says of prototypes, members, and what they share."""

import json
import shutil
from pathlib import Path

import pytest
from commands import run
from crawls import write_warc
from reviews import ask, reviewing
from style_crawls import rows
from style_sites import FORUM, WORDS, make_sites

pytestmark = pytest.mark.apart
CLASSES = {'Template', 'Link farm', 'Mirror', 'Copy/Paste'}


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_sites(tmp_path_factory.mktemp('made'))


@pytest.fixture(scope='module')
def page(made):
    with reviewing(made[0], '--top', '2', '--judge', 'nobody') as (_, url):
        yield url


def read(url: str, path: str) -> dict:
    status, _, text = ask(url, path)
    assert status == 200, text
    return json.loads(text)


def table(folder: Path, name: str) -> list[list[str]]:
    return rows((folder / name).read_bytes())


def whole(record: dict) -> str:
    return ''.join(part['text'] for part in record['parts'])


def domain(url: str) -> str:
    return url.split('/')[2].removeprefix('www.')


def test_a_style_on_several_domains(made, page):
    state, item = read(page, 'state'), read(page, 'items/1')
    assert (state['what'], state['all'], state['drawn']) == ('styles', 'styles', 2)
    names = {category['name'].partition(':')[0] for category in state['categories']}
    assert names >= CLASSES
    [_, pages, hosts, domains, mean, _, rid, url] = table(made[0], 'styles.tsv')[0]
    assert item['title'] == url and [one['rid'] for one in item['pages']] == [rid]
    assert item['about'] == (
        f'style 1; pages: {pages}; hosts: {hosts}; domains: {domains}; '
        f'mean similarity {float(mean):.2f}'
    )
    [members] = item['sources']
    near = {r[1]: r[3] for r in table(made[0], 'style_members.tsv') if r[0] == '1'}
    assert [one['about'] for one in members] == [
        f'similarity {float(near[one["rid"]]):.2f}; another domain' for one in members
    ]
    shown = [float(near[one['rid']]) for one in members]
    assert shown == sorted(shown, reverse=True) and len(shown) == 6
    assert len({domain(one['url']) for one in members} - {domain(url)}) == 6


def test_a_style_on_one_domain(made, page):
    """Its other members are on the same domain."""
    item = read(page, 'items/2')
    [members] = item['sources']
    assert len(members) == 3
    assert {one['about'].partition('; ')[2] for one in members} == {'the same domain'}
    urls = {one['url'] for one in [*members, *item['pages']]}
    assert urls == {url for url in made[1] if domain(url) == 'shop.test'}


def test_the_source_of_the_prototype(made, page):
    found, item = read(page, 'items/1/pages/0'), read(page, 'items/1')
    assert whole(found) == made[1][item['title']]
    same = ''.join(
        part['text']
        for part in found['parts']
        if part['title'] == 'the same in all members'
    )
    frame = FORUM.partition('{title}')
    assert same.startswith(frame[0]) and same.endswith(FORUM.rpartition('{text}')[2])
    # The words are on this page alone, but for some at the ends of n-grams.
    own = [
        part['text']
        for part in found['parts']
        if not part['title'] or 'signs' in part['title']
    ]
    assert sum(map(len, own)) > 300 and set(' '.join(own).split()) & set(WORDS)


def test_the_source_of_a_member(made, page):
    here, item = read(page, 'items/1/pages/0'), read(page, 'items/1')
    for number, member in enumerate(item['sources'][0]):
        there = read(page, f'items/1/pages/0/beside/{number}')
        assert whole(there) == made[1][member['url']]
        assert there['rid'] == member['rid'] and there['gone'] == ''
        linked = {link for part in there['parts'] for link in part['links']}
        for part in here['parts']:
            if part['source'] == number + 1:
                assert linked & set(part['links'])
            assert bool(part['title']) == bool(part['source'])
    assert ask(page, 'items/1/pages/0/beside/6')[0] == 404
    assert ask(page, 'items/1/pages/1')[0] == 404


def test_default_in_a_run_of_styles(made):
    done = run('review', made[0], '--stratified', '--sample', 'x')
    assert done.code == 2
    with reviewing(made[0], '--judge', 'x', '--stratified') as (_, url):
        assert read(url, 'state')['what'] == 'styles'
        assert {read(url, f'items/{n}')['stratum'] for n in (1, 2)} == {
            'domains 1 to 9'
        }


def test_archives_that_are_gone(made, tmp_path):
    folder = tmp_path / 'run'
    shutil.copytree(made[0], folder)
    away = tmp_path / 'away'
    crawl = made[0].parent / 'crawl'
    shutil.move(crawl, away)
    paths = ['items/1/pages/0', 'items/1/pages/0/beside/0']
    try:
        with reviewing(folder, '--judge', 'x', '--top', '2') as (_, url):
            for path in paths:
                found = read(url, path)
                assert found['parts'] == [] and 'missing' in found['gone']
        line = '--judge', 'x', '--top', '2', '--archives', away
        with reviewing(folder, *line) as (_, url):
            assert [read(url, path)['gone'] for path in paths] == ['', '']
    finally:
        shutil.move(away, crawl)


def test_hostile_text(tmp_path):
    bad = FORUM.format(title='\x1b[31m red \u202e', text='\x1b]0;x\x07 text')
    path = tmp_path / 'crawl.warc.gz'
    url = 'http://{}.test/"><script>alert(1)</script>'
    write_warc(path, [(url.format(name), bad.encode()) for name in 'ab'])
    folder = tmp_path / 'run'
    assert run('styles', path, '-o', folder, '-q', '-r', 'inline').code == 0
    with reviewing(folder, '--judge', 'x') as (_, url):
        for path in ('', '/pages/0', '/pages/0/beside/0'):
            text = json.dumps(read(url, f'items/1{path}'), ensure_ascii=False)
            assert '\x1b' not in text and '\u202e' not in text and '\x07' not in text
            assert path == '' or '\\\\x1b[31m' in text
