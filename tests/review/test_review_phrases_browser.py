"""Near-duplicates, documents and hosts in a real browser."""

import pytest
from browser import CONTRAST, browsing
from commands import run
from crawls import write_warc
from phrase_show_runs import CHAIN, make_phrases, stitched, words
from review_sides import CURRENT, FOUND, READY, SAID, opened
from reviews import TRIES, reviewing

pytestmark = pytest.mark.browser


@pytest.fixture(scope='module')
def browser():
    with browsing() as found:
        yield found


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_phrases(tmp_path_factory.mktemp('made'))


@pytest.mark.parametrize('width', [1280, 400])
def test_both_documents(browser, made, width):
    with reviewing(made[0], '--judge', f'eva{width}') as (_, url):
        opened(browser, url, width)
        heads = browser.js(
            '["#here", "#there"].map(one => document.querySelector(one).textContent)'
        )
        assert heads == ['The document left out', 'The document kept']
        beside = browser.js('document.querySelector("#sources .address").textContent')
        assert beside == CHAIN.format(0)
        links = '[...document.querySelectorAll("#text [role=button]")]'
        first = browser.js(f'{links}[1].textContent')
        browser.js(f'{links}[1].click()')
        browser.wait(f'{SAID} === "found in source 1"')
        [found] = browser.js(FOUND)
        assert found.split()[:5] == first.split()[:5]
        browser.js('document.querySelector("#other .found").click()')
        assert browser.js('document.activeElement.textContent') == first
        # What only one of them has is no button, and has another colour.
        own = '#text .patch[title="not in the other document"]'
        assert browser.js(f"document.querySelector('{own}').tabIndex") == -1
        colours = browser.js(
            f'[\'{own}\', "#text [role=button]"].map(one => '
            'getComputedStyle(document.querySelector(one)).backgroundColor)'
        )
        assert len(set(colours)) == 2
        assert browser.js('document.documentElement.scrollWidth') <= width
        browser.press('t')
        browser.wait(f'{SAID}.startsWith("1: Same template; judged: 1 of")')
        assert browser.said == []


def test_documents_of_a_host(browser, tmp_path):
    """Each document of a host has its own donors beside it."""
    drafts = [
        draft._replace(url=f'http://monster.test/{n}')
        for n, draft in enumerate(stitched())
    ]
    folder, corpus = make_phrases(tmp_path, [drafts])
    with reviewing(folder, '--what', 'phrase_hosts', '--judge', 'ida') as (_, url):
        opened(browser, url)
        pages = browser.js('item.pages.map(page => page.rid)')
        for number, rid in enumerate(pages):
            browser.js(f'document.querySelectorAll("#pages button")[{number}].click()')
            browser.wait(f'page === {number}')
            browser.wait(READY)
            known = next(one for one in corpus.kept if one.rid == rid)
            urls = [source.page.url for source in corpus.cover(known)]
            assert (
                browser.js(
                    '[...document.querySelectorAll("#sources .address")]'
                    '.map(one => one.textContent)'
                )
                == urls
            )
            browser.wait(f'{CURRENT} === 1')
        browser.press('.')
        browser.wait(f'{CURRENT} === {2 if len(urls) > 1 else 1}')
        browser.js('document.querySelector("#text [role=button]").click()')
        browser.wait(f'{SAID}.startsWith("found in source ")')
        mark = browser.js('document.querySelector("#text .patch .number").textContent')
        assert int(mark) >= 5
        assert browser.said == []


@pytest.mark.parametrize('dark', [False, True])
@pytest.mark.parametrize('what', ['near_duplicates', 'phrase_pages'])
def test_legible(browser, made, dark, what):
    line = made[0], '--what', what, '--judge', 'max', '--seed', '3'
    with reviewing(*line) as (_, url):
        opened(browser, url)
        for width in (1280, 390):
            browser.screen(width, 800, dark)
            browser.settle(0.1)
            [least, said], [count, _] = browser.js(CONTRAST)
            assert least >= 4.5, said
            assert count > 30


def test_hostile_pages(browser, tmp_path):
    """Nothing in a page runs, loads, or reaches anybody."""
    text = ' '.join(words('w', 2000))
    bodies = [
        f'<html>{text} <p>{end} {"".join(TRIES.values())}' for end in ('one', 'two')
    ]
    path = tmp_path / 'crawl.warc.gz'
    write_warc(
        path, [(f'http://host-{n}.test/<b>', b.encode()) for n, b in enumerate(bodies)]
    )
    folder = tmp_path / 'run'
    assert run('phrases', path, '-o', folder, '-q', '-r', 'inline').code == 0
    with reviewing(folder, '--judge', 'eve') as (_, url):
        opened(browser, url)
        browser.settle(0.2)
        assert browser.js('document.title').startswith('Review: near-duplicates')
        inside = 'document.querySelectorAll("#text *, #other *, #title *")'
        tags = browser.js(f'[...{inside}].map(one => one.tagName)')
        assert set(tags) <= {'DIV', 'SPAN'}
        assert all(one.startswith(url) for one in browser.requests)
        assert not [one for one in browser.trap.asked if 'evil' in one]
        assert browser.said == []
