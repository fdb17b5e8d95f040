"""`review` of whole files, and of the first rows of a table."""

import json

import pytest
from commands import run
from crawls import digest_of, write_warc
from reviews import ask, judge, make_run, plain_pages, reviewing

from mr_reuse.review import categories

ROBOTS = b'User-agent: *\nDisallow: /private/\n'


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """Five sites with the same robots.txt, three with the same logo."""
    folder = tmp_path_factory.mktemp('files')
    gif = b'GIF89a' + bytes(range(32, 96))
    documents = [(f'http://site-{n}.test/robots.txt', ROBOTS) for n in range(5)]
    documents += [(f'http://site-{n}.test/logo.gif', gif) for n in range(3)]
    return make_run(folder, [*plain_pages(), *documents], detect=False)


def test_files(made):
    with reviewing(made, '--what', 'files', '--judge', 'ann') as (_, url):
        told = json.loads(ask(url, 'state')[2])
        assert (told['drawn'], told['all']) == (2, 'files above the threshold')
        assert told['categories'][1]['name'] == 'Common (benign): robots.txt'
        items = [json.loads(ask(url, f'items/{n}')[2]) for n in (1, 2)]
        [place] = [i['place'] for i in items if i['title'] == digest_of(ROBOTS)]
        item = items[place - 1]
        assert item['about'] == f'copies: 5; hosts: 5; bytes: {len(ROBOTS)}'
        [page] = item['pages']
        assert page['url'] == 'http://site-0.test/robots.txt'
        read = json.loads(ask(url, f'items/{place}/pages/0')[2])
        assert ''.join(part['source'] for part in read['parts']) == ROBOTS.decode()
        assert judge(url, place, ['r'])[0] == 200
    done = run('review', 'summarize', made, '--what', 'files')
    head, population = done.out.splitlines()[:2]
    assert head == (
        'files above the threshold: 1 judged by ann (uniform sample of 2, seed 1)'
    )
    assert population == 'population: 2 files above the threshold; 2 rows of the table'
    (made / 'judgements.tsv').unlink()


def test_changed_file(tmp_path):
    """A file that is another one now is not shown as the one that was copied."""
    documents = [(f'http://site-{n}.test/robots.txt', ROBOTS) for n in range(5)]
    path = make_run(tmp_path, documents, detect=False)
    others = [(url, b'Nser' + body[4:]) for url, body in documents]
    write_warc(tmp_path / 'crawl.warc.gz', others)
    with reviewing(path, '--what', 'files') as (_, url):
        read = json.loads(ask(url, 'items/1/pages/0')[2])
        # The random id of the first record decides whether the others begin elsewhere.
        changed = 'the archive has changed', 'no page begins at this offset any more'
        assert read['parts'] == [] and any(text in read['gone'] for text in changed)


def test_top(made):
    """The first rows, in the order of the table, are a population of their own."""
    rows = (made / 'labels.tsv').read_text().splitlines()[1:]
    assert len(rows) > 3
    line = ['--what', 'chunks', '--top', '3', '--judge', 'ann']
    with reviewing(made, *line) as (_, url):
        told = json.loads(ask(url, 'state')[2])
        assert (told['drawn'], told['population']) == (3, 3)
        names = [one['name'] for one in told['categories']]
        assert names[:3] == ['Common (benign)', *TEMPLATES]
        titles = [json.loads(ask(url, f'items/{n}')[2])['title'] for n in (1, 2, 3)]
        assert titles == [row.split('\t')[0] for row in rows[:3]]
        assert judge(url, 1, ['e'])[0] == 200
    # The same command goes on; another size is another population.
    with reviewing(made, *line) as (_, url):
        assert json.loads(ask(url, 'state')[2])['judged'] == 1
    with reviewing(made, *line, '--top', '2') as (_, url):
        assert json.loads(ask(url, 'state')[2])['judged'] == 0
    done = run('review', 'summarize', made)
    assert done.out.splitlines()[0] == (
        'chunks above the threshold: 1 judged by ann (the first 3 rows of the table)'
    )
    lines = [' '.join(text.split()) for text in done.out.splitlines()]
    assert 'no random sample: the shares say nothing about the others' in lines
    assert any(text.startswith('e-Commerce 1 100.0 ') for text in lines)
    (made / 'judgements.tsv').unlink()


TEMPLATES = ['Templates: e-Commerce', 'Templates: Other']


def test_refused(made):
    done = run('review', made, '--top', '3', '--stratified')
    said = 'error: --top: does not go with --stratified; give one of them\n'
    assert done == (2, '', said)


@pytest.mark.parametrize('name', categories.BUILT_IN)
def test_lists_of_the_papers(name):
    """Each has a place for what is bad, and for what is benign."""
    found = categories.load(name, '')
    assert {'bad', 'benign'} <= {category.counts for category in found}
    assert categories.load(None, name) == found


def test_names_of_the_tables():
    """The rows of the papers' tables are categories under the same names."""
    names = {n: {c.name for c in categories.load(n, '')} for n in categories.BUILT_IN}
    common = ['JavaScript libraries', 'robots.txt', 'HTTP error pages']
    assert {f'Common (benign): {name}' for name in common} <= names['files']
    assert {'Misc.: Pornography', 'Misc.: Placeholder'} <= names['files']
    assert {'Common (benign)', *TEMPLATES, 'Misc.'} <= names['top-chunks']
    optimized = ['e-Commerce', 'Stock Pumping']
    assert {f'Search Engine Optim.: {name}' for name in optimized} <= names['clones']
