"""Quilts in a real browser: patches that are found in their sources, hostile pages."""

import pytest
from browser import CONTRAST, browsing
from quilt_runs import QUILT, hostile_documents, make_quilts, passage, rows
from review_sides import CURRENT, FOUND, SAID, opened
from reviews import reviewing

pytestmark = pytest.mark.browser
IS_VISIBLE = """(() => {
  const patch = document.querySelector('#other .found').getBoundingClientRect();
  const pane = document.querySelector('#other').getBoundingClientRect();
  const bottom = Math.min(pane.bottom, innerHeight);
  return patch.top >= pane.top && patch.bottom <= bottom;
})()"""


@pytest.fixture(scope='module')
def browser():
    with browsing() as found:
        yield found


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_quilts(tmp_path_factory.mktemp('made'))


@pytest.mark.parametrize('width', [1280, 400])
def test_patches_are_found(browser, made, width):
    with reviewing(made, '--judge', 'eva') as (_, url):
        opened(browser, url, width)
        assert browser.js('document.querySelector("#title").textContent') == QUILT
        assert browser.js(CURRENT) == 1
        browser.js('document.querySelectorAll("#text .patch")[2].click()')
        browser.wait(f'{SAID} === "found in source 3"')
        assert browser.js(CURRENT) == 3
        assert browser.js(FOUND) == [' '.join(passage(3))]
        assert browser.js(IS_VISIBLE)
        # One colour in the page, in the list and in the source; others differ.
        colours = browser.js(
            '["#text .patch.c2", "#sources .c2", "#other .patch.c2", "#text .patch.c1"]'
            '.map(one => getComputedStyle(document.querySelector(one)).backgroundColor)'
        )
        assert len(set(colours[:3])) == 1 and colours[3] != colours[0]
        # From the source back to the page.
        browser.js('document.querySelector("#other .found").click()')
        assert browser.js('document.activeElement.dataset.links') == '2'
        assert browser.js('document.activeElement.closest("#text") !== null')
        assert browser.js('document.documentElement.scrollWidth') <= width
        assert browser.said == []


def test_by_keys(browser, made):
    with reviewing(made, '--judge', 'ida') as (_, url):
        opened(browser, url)
        for key, number in (('.', 2), ('.', 3), (',', 2), (',', 1), (',', 4)):
            browser.press(key)
            browser.wait(f'{CURRENT} === {number}')
        browser.js('document.querySelectorAll("#text .patch")[1].focus()')
        browser.press('Enter')
        browser.wait(f'{SAID} === "found in source 2"')
        assert browser.js('document.activeElement.closest("#text") !== null')
        browser.press('v')  # there is no other view
        assert browser.js(FOUND) == [' '.join(passage(2))]
        browser.press('h')
        browser.wait(f'{SAID} === "1: Not spam: blog; judged: 1 of 1"')
        [line] = rows(made, 'judgements')
        assert line['categories'] == 'Not spam: blog'
        assert browser.said == []


@pytest.mark.parametrize('dark', [False, True])
def test_legible(browser, made, dark):
    with reviewing(made, '--judge', 'max') as (_, url):
        opened(browser, url)
        for width in (1280, 390):
            browser.screen(width, 800, dark)
            browser.settle(0.1)
            [least, said], [count, _] = browser.js(CONTRAST)
            assert least >= 4.5, said
            assert count > 30


def test_hostile_pages(browser, tmp_path):
    """Nothing in a page runs, loads, or reaches anybody."""
    folder = make_quilts(tmp_path, hostile_documents())
    with reviewing(folder, '--judge', 'eve') as (_, url):
        opened(browser, url)
        for number in range(browser.js('item.sources[0].length')):
            browser.js(f'showSource({number + 1}); 0')
            browser.wait(f'{CURRENT} === {number + 1}')
            browser.settle(0.05)
        assert browser.js('document.title') == 'Review: quilted pages'
        inside = 'document.querySelectorAll("#text *, #other *, #title *")'
        assert set(browser.js(f'[...{inside}].map(one => one.tagName)')) <= {
            'DIV',
            'SPAN',
        }
        assert all(one.startswith(url) for one in browser.requests)
        assert not [one for one in browser.trap.asked if 'evil' in one]
        assert browser.said == []
