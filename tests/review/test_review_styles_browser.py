"""Styles in a real browser."""

import pytest
from browser import CONTRAST, browsing
from commands import run
from crawls import write_warc
from review_sides import READY, SAID, opened
from reviews import TRIES, reviewing
from style_sites import FORUM, make_sites

pytestmark = pytest.mark.browser


@pytest.fixture(scope='module')
def browser():
    with browsing() as found:
        yield found


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_sites(tmp_path_factory.mktemp('made'))


@pytest.mark.parametrize('width', [1280, 400])
def test_prototype_and_members(browser, made, width):
    line = made[0], '--top', '2', '--judge', f'eva{width}'
    with reviewing(*line) as (_, url):
        opened(browser, url, width)
        heads = browser.js(
            '["#here", "#there"].map(one => document.querySelector(one).textContent)'
        )
        assert heads == ['The prototype', 'Other members']
        text = browser.js('document.querySelector("#text").textContent')
        assert text == made[1][browser.js('item.title')]
        links = '[...document.querySelectorAll("#text [role=button]")]'
        browser.js(f'{links}.at(-1).click()')
        browser.wait(f'{SAID}.startsWith("found in source ")')
        assert browser.js('document.querySelectorAll("#other .found").length')
        before = browser.js('document.querySelector("#from").textContent')
        browser.press('.')
        browser.wait(f'document.querySelector("#from").textContent !== `{before}`')
        browser.wait(READY)
        # Sources are in the font of code.
        font = 'getComputedStyle(document.querySelector("#other .part")).fontFamily'
        assert 'mono' in browser.js(font)
        assert browser.js('document.documentElement.scrollWidth') <= width
        browser.press('l')
        browser.wait(f'{SAID}.startsWith("1: Link farm; judged: 1 of")')
        assert browser.said == []


@pytest.mark.parametrize('dark', [False, True])
def test_legible(browser, made, dark):
    with reviewing(made[0], '--top', '1', '--judge', 'max') as (_, url):
        opened(browser, url)
        for width in (1280, 390):
            browser.screen(width, 800, dark)
            browser.settle(0.1)
            [least, said], [count, _] = browser.js(CONTRAST)
            assert least >= 4.5, said
            assert count > 30


def test_hostile_pages(browser, tmp_path):
    """Nothing in a page runs, loads, or reaches anybody."""
    bodies = [FORUM.format(title=end, text=''.join(TRIES.values())) for end in 'ab']
    path = tmp_path / 'crawl.warc.gz'
    write_warc(
        path, [(f'http://host-{n}.test/<b>', b.encode()) for n, b in enumerate(bodies)]
    )
    folder = tmp_path / 'run'
    assert run('styles', path, '-o', folder, '-q', '-r', 'inline').code == 0
    with reviewing(folder, '--judge', 'eve') as (_, url):
        opened(browser, url)
        browser.settle(0.2)
        assert browser.js('document.title').startswith('Review: styles')
        inside = 'document.querySelectorAll("#text *, #other *, #title *")'
        tags = browser.js(f'[...{inside}].map(one => one.tagName)')
        assert set(tags) <= {'DIV', 'SPAN'}
        assert all(one.startswith(url) for one in browser.requests)
        assert not [one for one in browser.trap.asked if 'evil' in one]
        assert browser.said == []
