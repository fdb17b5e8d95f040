"""The sections on phrases in a real browser: their search, and all that is legible."""

import re

import pytest
from browser import CONTRAST, browsing
from commands import run
from phrase_runs import near_duplicate, page, write_run
from reviews import TRIES

pytestmark = pytest.mark.browser

PHRASES = [f'the five words of {n}' for n in range(60)]
SHOWN = """[...document.querySelectorAll('#phrases tbody th')]
    .filter(e => e.checkVisibility()).map(e => e.innerText.trim())"""
STATUS = "document.querySelector('#phrases [role=status]').textContent"
FOLD = "document.querySelector('#phrases details').open"
FIELD = "document.querySelector('#phrase-search')"


@pytest.fixture(scope='module')
def browser():
    with browsing() as made:
        yield made


@pytest.fixture(autouse=True)
def as_before(browser):
    yield
    browser.call('Emulation.setEmulatedMedia', media='', features=[])
    browser.call('Emulation.setScriptExecutionDisabled', value=False)
    browser.screen()


def made(folder, texts=PHRASES) -> str:
    """The address of the report of a run with all there is."""
    texts = [re.sub(r'[\t\r\n]', ' ', text) for text in texts]
    count = len(texts)
    tables = {
        'near_duplicates': [near_duplicate(n + 99, 'b.test', n) for n in range(12)],
        'phrase_pages': [page(n, f'{n}.test', n % 85) for n in range(99)],
        'phrases': [(90 - n, 1, text) for n, text in enumerate(texts)],
        'phrase_frequency': [(5, 90), (90, 1)],
        'phrase_hosts': [
            (text, 10 + n, f'{30 + n % 50}.0', f'{n % 30}.0', int(n % 30 < 15))
            for n, text in enumerate(texts)
        ],
        'covers': [
            (f'a:{n}', text, 84 - n % 54, 1 + n % 20, 30 - n % 30)
            for n, text in enumerate(texts)
        ],
        'cover_sources': [
            (f'a:{n}', 1, 'b:1', text, 9, 9, n % 2) for n, text in enumerate(texts)
        ],
    }
    counts = {'documents': 111, 'near_duplicates': 12, 'classes': 12, 'kept': 99}
    counts |= {'popular_phrases': count, 'listed': count, 'monsters': count // 2}
    write_run(folder, tables, **counts)
    done = run('report', folder, '-q')
    assert done.code == 0, done.err
    return (folder / 'report.html').as_uri()


def write(browser, text: str) -> None:
    """Replace what is in the field of the search."""
    browser.js(f'{FIELD}.focus(), {FIELD}.select()')
    browser.write(text)


@pytest.mark.parametrize('width', [1280, 360])
def test_search(browser, tmp_path, width):
    """Matches are visible, wherever they are; then all is as before."""
    browser.screen(width)
    browser.goto(made(tmp_path / 'RUN'))
    assert browser.js(SHOWN) == PHRASES[:20] and browser.js(FOLD) is False
    write(browser, 'OF 5')
    matches = [text for text in PHRASES if '5' in text]
    assert browser.js(SHOWN) == matches and len(matches) == 15
    assert browser.js(STATUS) == '15 of 60 match'
    write(browser, 'five 59')
    assert browser.js(SHOWN) == [PHRASES[59]]
    write(browser, 'nothing')
    assert browser.js(SHOWN) == [] and browser.js(STATUS) == '0 of 60 match'
    write(browser, '90')  # the number of documents of the first one
    assert browser.js(SHOWN) == []
    write(browser, ' ')
    assert browser.js(SHOWN) == PHRASES[:20] and browser.js(FOLD) is False
    assert browser.js(STATUS) == '' and browser.said == []


def test_without_script(browser, tmp_path):
    browser.call('Emulation.setScriptExecutionDisabled', value=True)
    browser.goto(made(tmp_path / 'RUN'))
    assert browser.js(SHOWN) == PHRASES[:20]
    assert not browser.js(f'{FIELD}.checkVisibility()')
    browser.js("document.querySelector('#phrases details').open = true")
    assert browser.js(SHOWN) == PHRASES


@pytest.mark.parametrize('width', [1280, 360])
@pytest.mark.parametrize('dark', [False, True])
def test_legible(browser, tmp_path, width, dark):
    """Nothing scrolls sideways, and all text stands out from what is behind it."""
    browser.screen(width, 900, dark)
    browser.goto(made(tmp_path / 'RUN', [*TRIES.values(), 'x' * 9999]))
    browser.js("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.js('document.documentElement.scrollWidth') == width
    [least, said], [count, _] = browser.js(CONTRAST)
    assert least >= 4.5, said
    assert count > 200


def test_hostile_texts(browser, tmp_path):
    """Whatever a table holds, the page runs nothing and asks for nothing."""
    url = made(tmp_path / 'RUN', TRIES.values())
    browser.requests.clear()
    browser.goto(url)
    write(browser, '<script>')
    browser.settle(0.5)
    assert browser.requests == [url] and browser.said == []
    names = browser.js("[...document.querySelectorAll('*')].map(e => e.tagName)")
    assert names.count('SCRIPT') == names.count('STYLE') == 1
    assert not set(names) & {'IMG', 'IFRAME', 'BASE', 'LINK', 'MATH', 'OBJECT'}


def test_heard(browser, tmp_path):
    """Those who hear the page get names of tables, of pictures and of the field."""
    browser.goto(made(tmp_path / 'RUN'))
    found: dict[str, list[str]] = {}
    for node in browser.call('Accessibility.getFullAXTree')['nodes']:
        if not node['ignored']:
            name = node.get('name', {}).get('value', '')
            found.setdefault(node['role']['value'], []).append(name)
    assert all(found['table']) and all(found['image']) and len(found['image']) == 6
    assert found['searchbox'] == ['Search phrases']
    assert {'documents', 'positions', 'phrase'} <= set(found['columnheader'])
