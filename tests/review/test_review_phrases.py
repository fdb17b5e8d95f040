"""Judging near-duplicates, documents and hosts: what the server says of each."""

import json
import shutil
from itertools import groupby

import pytest
from commands import run
from phrase_show_runs import (
    CHAIN,
    HOSTILE,
    LINKS,
    chain,
    make_phrases,
    marked_words,
    phrases_of,
    resemblance,
    stitched,
    words,
)
from quilt_crawls import Draft
from quilt_runs import rows
from reviews import ask, judge, reviewing

pytestmark = pytest.mark.apart
MONSTER = 'http://monster.test/{}'


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_phrases(tmp_path_factory.mktemp('made'))


def read(url: str, path: str) -> dict:
    status, _, text = ask(url, path)
    assert status == 200, text
    return json.loads(text)


def whole(found: dict) -> str:
    return ''.join(part['text'] for part in found['parts'])


def runs(found: dict) -> list[tuple[str, str]]:
    """The parts with words: their titles and their texts."""
    parts = [(part['title'], part['text'].strip()) for part in found['parts']]
    return [part for part in parts if part[1]]


def shared_runs(here: list[str], there: list[str]) -> list[tuple[str, str]]:
    """The words of a page in runs: whether a phrase of the other page has them."""
    known, marks = set(phrases_of(there)), [False] * len(here)
    for start, phrase in enumerate(phrases_of(here)):
        for step in range(5):
            marks[(start + step) % len(here)] |= phrase in known
    titles = {True: 'in both documents', False: 'not in the other document'}
    groups = groupby(zip(marks, here, strict=True), lambda pair: pair[0])
    return [(titles[mark], ' '.join(w for _, w in group)) for mark, group in groups]


def test_near_duplicates(made):
    folder, _ = made
    texts = [draft.words for draft in chain()]
    left_out = rows(folder, 'near_duplicates')
    with reviewing(folder, '--judge', 'ann') as (_, url):  # the default of such a run
        state = read(url, 'state')
        assert (state['what'], state['drawn']) == ('near_duplicates', LINKS - 1)
        counts = {c['name']: c['counts'] for c in state['categories']}
        assert counts['Same template'] == counts['Different'] == 'bad'
        assert counts['Near-duplicate: same content'] == 'benign'
        seen = set()
        for place in range(1, LINKS):
            item = read(url, f'items/{place}')
            seen.add(item['title'])
            [page], [[kept]] = item['pages'], item['sources']
            number = int(item['title'].rpartition('/')[2])
            both, either = resemblance(texts[number], texts[0])
            assert kept['url'] == CHAIN.format(0)
            assert kept['about'] == (
                f'resemblance {1000 * both // either / 1000:.3f} ({both} of {either} '
                f'phrases); its class: {LINKS} documents'
            )
            here = read(url, f'items/{place}/pages/0')
            there = read(url, f'items/{place}/pages/0/beside/0')
            assert (here['rid'], there['rid']) == (page['rid'], kept['rid'])
            assert runs(here) == shared_runs(texts[number], texts[0])
            assert runs(there) == shared_runs(texts[0], texts[number])
            check_links(here, there)
            check_links(there, here)
        assert seen == {row['url'] for row in left_out}
        for path in ('items/12', 'items/1/pages/1', 'items/1/pages/0/beside/1'):
            assert ask(url, path)[0] == 404
        assert judge(url, 1, ['t'])[0] == 200
    told = run('review', 'summarize', folder).out
    assert 'near-duplicates that were left out: 1 judged by ann' in told
    [line] = rows(folder, 'judgements')
    assert line['item'] in {row['rid'] for row in left_out}
    assert (line['what'], line['counts']) == ('near_duplicates', 'bad')


def check_links(one: dict, other: dict) -> None:
    """The beginning of each shared run is in a run of the other page with its link."""
    for part in one['parts']:
        if part['source']:
            there = [
                p['text'] for p in other['parts'] if {*p['links']} & {*part['links']}
            ]
            start = ' '.join(part['text'].split()[:5])
            assert any(start in text for text in there), start


def test_documents_and_their_donors(made):
    folder, corpus = made
    pages = {page.url: page for page in corpus.kept}
    line = folder, '--what', 'phrase_pages', '--judge', 'bob', '--stratified'
    with reviewing(*line) as (_, url):
        assert read(url, 'state')['drawn'] == len(pages) == len(stitched()) + 1
        for place in range(1, len(pages) + 1):
            item = read(url, f'items/{place}')
            page = pages.pop(item['title'])
            popular = len(corpus.positions[page.rid])
            assert item['about'] == (
                f'{popular} of 84 shingles are popular; words: {len(page.words)}'
            )
            low = popular // 12 * 12
            end = f'popular shingles {low} to {low + 11}' if low < 84 else '84'
            assert item['stratum'].endswith(end)
            found = read(url, f'items/{place}/pages/0')
            marked = [(part['mark'], part['text'].strip()) for part in found['parts']]
            assert [pair for pair in marked if pair[1]] == [
                (str(count or ''), text)
                for count, text in marked_words(corpus, page.rid)
            ]
            cover = corpus.cover(page)
            [sources] = item['sources']
            assert [(s['rid'], s['about']) for s in sources] == [
                (
                    s.page.rid,
                    f'{s.new} new, {s.shared} shared popular shingles; '
                    f'{"foreign" if s.foreign else "not foreign"}',
                )
                for s in cover
            ]
            phrases = {
                corpus.shingles[page.rid][at] for at in corpus.positions[page.rid]
            }
            for number, source in enumerate(cover):
                there = read(url, f'items/{place}/pages/0/beside/{number}')
                check_donor(phrases, found, there, number)
                assert whole(there) == ' '.join(source.page.words)
        assert not pages


def check_donor(popular: set[str], page: dict, donor: dict, number: int) -> None:
    """All popular phrases of a page are marked in a donor, and linked to the page."""
    marked = [part for part in donor['parts'] if part['title']]
    assert marked and all(part['source'] == number + 1 for part in marked)
    text = ' '.join(part['text'] for part in marked)
    assert all(phrase in text for phrase in popular if phrase in whole(donor))
    for part in page['parts']:
        if part['source'] == number + 1:
            assert any({*p['links']} & {*part['links']} for p in marked)


def test_hosts(tmp_path):
    """A host is displayed by five of its documents, each with its own donors."""
    drafts = [
        draft._replace(url=MONSTER.format(n)) for n, draft in enumerate(stitched())
    ]
    folder, corpus = make_phrases(tmp_path, [drafts])
    [row] = rows(folder, 'phrase_hosts')
    with reviewing(folder, '--what', 'phrase_hosts', '--judge', 'x') as (_, url):
        state, item = read(url, 'state'), read(url, 'items/1')
        names = {category['name'] for category in state['categories']}
        assert {'Spam: slice and dice', 'Spam: fill in the blanks'} <= names
        assert item['title'] == 'monster.test'
        assert item['about'] == (
            f'pages: 12; popular shingles of a page: mean {float(row["mean"]):.1f}, '
            f'deviation {float(row["std"]):.1f}; monster'
        )
        assert len({page['url'] for page in item['pages']}) == 5
        for number, (page, sources) in enumerate(
            zip(item['pages'], item['sources'], strict=True)
        ):
            known = next(one for one in corpus.kept if one.rid == page['rid'])
            cover = [source.page.rid for source in corpus.cover(known)]
            assert [source['rid'] for source in sources] == cover
            assert whole(read(url, f'items/1/pages/{number}')) == ' '.join(known.words)
            path = f'items/1/pages/{number}/beside/0'
            assert read(url, path)['rid'] == cover[0]
        assert ask(url, 'items/1/pages/5')[0] == 404


def test_hostile_text(tmp_path):
    bad = ' '.join(words('w', 400)) + ' \x1b[31m red \u202e'
    drafts = [Draft(HOSTILE, bad), Draft(f'{HOSTILE}?2', f'\x1b]0;x\x07 {bad}')]
    folder, _ = make_phrases(tmp_path, [drafts])
    with reviewing(folder, '--judge', 'x') as (_, url):
        for path in ('', '/pages/0', '/pages/0/beside/0'):
            text = json.dumps(read(url, f'items/1{path}'), ensure_ascii=False)
            assert '\x1b' not in text and '\u202e' not in text and '\x07' not in text
            assert path == '' or '\\\\x1b[31m' in text


@pytest.mark.parametrize('what', ['near_duplicates', 'phrase_pages'])
def test_archives_that_are_gone(tmp_path, what):
    folder, _ = make_phrases(tmp_path)
    away = tmp_path / 'away'
    shutil.move(tmp_path / 'crawl', away)
    line = folder, '--what', what, '--judge', 'x'
    with reviewing(*line) as (_, url):
        place = next(n for n in range(1, 9) if read(url, f'items/{n}')['sources'][0])
        paths = [f'items/{place}/pages/0{end}' for end in ('', '/beside/0')]
        for path in paths:
            found = read(url, path)
            assert found['parts'] == [] and 'missing' in found['gone']
    with reviewing(*line, '--archives', away) as (_, url):
        assert [read(url, path)['gone'] for path in paths] == ['', '']


@pytest.mark.parametrize(
    ('args', 'told'),
    [
        (['--stratified'], '--stratified: near_duplicates has no strata; leave it out'),
        (['--what', 'phrase_hosts'], 'it has no rows'),
        (['--what', 'quilts'], 'no such table; run quilts on '),
    ],
)
def test_refused(made, args, told):
    done = run('review', made[0], *args)
    assert done.code in (1, 2) and done.out == '' and told in done.err
