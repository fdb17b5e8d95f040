"""Judging quilts: what the server says of pages, sources and patches."""

import json
import shutil

import pytest
from commands import run
from quilt_runs import (
    QUILT,
    SOURCES,
    documents,
    hostile_documents,
    make_quilts,
    passage,
    rows,
    source_url,
    words,
)
from reviews import ask, judge, reviewing

pytestmark = pytest.mark.apart


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_quilts(tmp_path_factory.mktemp('made'))


@pytest.fixture(scope='module')
def page(made):
    with reviewing(made, '--what', 'quilts', '--judge', 'nobody') as (_, url):
        yield url


def read(url: str, path: str) -> dict:
    status, _, text = ask(url, path)
    assert status == 200, text
    return json.loads(text)


def text_path(number: int) -> str:
    """The path of the quilt for 0, else of a source from 1."""
    return f'items/1/pages/0/beside/{number - 1}' if number else 'items/1/pages/0'


def test_an_item(made, page):
    state, item = read(page, 'state'), read(page, 'items/1')
    assert (state['what'], state['all'], state['drawn']) == (
        'quilts',
        'quilted pages',
        1,
    )
    verdicts = {category['counts'] for category in state['categories']}
    assert verdicts == {'benign', 'unclear', 'bad'}
    assert item['title'] == QUILT
    assert item['about'] == (
        '38 of 60 grams are patch grams (63.3 %); sources: 4; words: 64'
    )
    sources = rows(made, 'quilt_sources')
    [beside] = item['sources']
    assert [source['rid'] for source in beside] == [
        row['source_rid'] for row in sources
    ]
    assert [source['url'] for source in beside] == [
        source_url(n) for n in range(1, SOURCES + 1)
    ]
    assert [source['about'] for source in beside] == [
        '11 new, 11 shared: 18.3 % of the grams',
        '10 new, 10 shared: 16.7 % of the grams',
        '9 new, 9 shared: 15.0 % of the grams',
        '8 new, 8 shared: 13.3 % of the grams',
    ]


def test_the_text_of_the_quilt(page):
    found = read(page, 'items/1/pages/0')
    assert found['gone'] == '' and found['date'] == '2020-01-02T03:04:05Z'
    patches = [part for part in found['parts'] if part['title']]
    assert [part['text'] for part in patches] == [
        ' '.join(passage(n)) for n in range(1, SOURCES + 1)
    ]
    assert [(part['source'], part['links'], part['mark']) for part in patches] == [
        (n, [n - 1], str(n)) for n in range(1, SOURCES + 1)
    ]
    text = ''.join(part['text'] for part in found['parts'])
    assert text.startswith('A quilt\nown1 s1w8x') and text.endswith('s4w19x mine4')


@pytest.mark.parametrize('number', range(1, SOURCES + 1))
def test_the_text_of_a_source(page, number):
    found = read(page, text_path(number))
    assert found['url'] == source_url(number)
    [patch] = [part for part in found['parts'] if part['title']]
    assert patch == {
        'text': ' '.join(passage(number)),
        'title': f'source {number}',
        'mark': '',
        'colour': number - 1,
        'source': number,
        'links': [number - 1],
    }
    text = ''.join(part['text'] for part in found['parts'])
    assert text == f'About {number}\n' + ' '.join(words(f's{number}w', 40))


@pytest.mark.parametrize(
    'path',
    [
        'items/2',
        'items/1/pages/1',
        'items/1/pages/0/beside/4',
        'items/1/pages/1/beside/0',
        'items/0',
    ],
)
def test_what_is_not_there(page, path):
    assert ask(page, path)[0] == 404


def test_judged(made):
    with reviewing(made, '--judge', 'ann') as (_, url):  # the default of such a run
        assert judge(url, 1, ['b'])[0] == 200
        assert judge(url, 1, ['zz'])[0] == 400
    told = run('review', 'summarize', made).out
    assert 'quilted pages: 1 judged by ann (uniform sample of 1, seed 1)' in told
    assert 'bait' in told
    [line] = rows(made, 'judgements')
    rid = rows(made, 'quilts')[0]['rid']
    assert (line['what'], line['item']) == ('quilts', rid)
    assert (line['categories'], line['counts']) == ('Spam: bait', 'bad')


def test_hostile_text(tmp_path):
    folder = make_quilts(tmp_path, hostile_documents())
    with reviewing(folder, '--what', 'quilts', '--judge', 'x') as (_, url):
        item = read(url, 'items/1')
        count = len(item['sources'][0])
        assert count >= SOURCES
        assert item['title'].startswith('http://hostile.test/')
        for number in range(count + 1):
            text = json.dumps(read(url, text_path(number)), ensure_ascii=False)
            assert '\x1b' not in text and '\u202e' not in text
            assert '\\\\x1b[31m' in text


def test_archive_that_is_gone(tmp_path):
    folder = make_quilts(tmp_path)
    away = tmp_path / 'away'
    away.mkdir()
    shutil.move(tmp_path / 'crawl.warc.gz', away)
    with reviewing(folder, '--judge', 'x') as (_, url):
        assert read(url, 'items/1')['title'] == QUILT
        for number in (0, 1):
            found = read(url, text_path(number))
            assert found['parts'] == [] and 'missing' in found['gone']
    with reviewing(folder, '--judge', 'x', '--archives', away) as (_, url):
        assert read(url, 'items/1/pages/0')['gone'] == ''


def test_strata_and_top(made):
    for options in (['--stratified'], ['--top', '3']):
        with reviewing(made, '--what', 'quilts', '--judge', 'y', *options) as (_, url):
            item = read(url, 'items/1')
            stratum = 'sources 1 to 9' if options == ['--stratified'] else ''
            assert item['stratum'] == stratum


def test_a_run_without_quilts(tmp_path):
    folder = make_quilts(tmp_path)
    (folder / 'quilts.tsv').unlink()
    done = run('review', folder, '--what', 'quilts')
    assert done.code == 1
    assert done.err.endswith(f'no such table; run quilts on {folder} first\n')


def test_a_long_page(tmp_path):
    """Pages of 750 kB, most of them one patch: only the beginning is sent."""
    repeated = f'<p>{"same " * 150_000}'
    found = [
        (url, body + repeated.encode() if url == source_url(1) else body)
        for url, body in documents()
    ]
    found[-1] = (QUILT, found[-1][1].replace(b'own1', f'{repeated} own1'.encode()))
    folder = make_quilts(tmp_path, found)
    with reviewing(folder, '--judge', 'x') as (_, url):
        for number in (0, 1):
            shown = read(url, text_path(number))
            assert sum(len(part['text']) for part in shown['parts']) == 500_000
            assert shown['end'] == '\n… the first 500,000 characters are shown'
        whole = read(url, text_path(2))
        assert whole['end'] == ''
