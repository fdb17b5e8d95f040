"""The sections on styles in a real browser: all is legible, and nothing runs."""

import pytest
from browser import CONTRAST, browsing
from commands import run
from reviews import TRIES
from style_features import make_run, rows_of

pytestmark = pytest.mark.browser

BOXES = """[...document.querySelectorAll('#style_curves svg')].map(svg => {
  const box = (e) => {
    const r = e.getBoundingClientRect();
    return [r.left, r.top, r.right, r.bottom];
  };
  return [box(svg), [...svg.querySelectorAll('text')].map(box)];
})"""
OPEN = "document.querySelectorAll('details').forEach(d => d.open = true)"


@pytest.fixture(scope='module')
def browser():
    with browsing() as made:
        yield made


@pytest.fixture(scope='module')
def url(tmp_path_factory):
    """The address of a report with texts that try everything."""
    folder, *_ = make_run(tmp_path_factory.mktemp('made'))
    texts = [' '.join(text.split()) for text in TRIES.values()]
    rows = [
        ('1', kind, text, '1.000000000', '0.120000000')
        for kind in ('generator', 'path', 'class', 'tag')
        for text in [*texts, 'x' * 9999][: 10 if kind in ('class', 'tag') else 1]
    ]
    rows += [('1', 'skeleton', ' '.join([*texts, 'y' * 999]), '1.000000000', '')]
    write_rows(folder, 'style_features', rows)
    for table, column in (('styles', 7), ('style_members', 2)):
        found = rows_of(folder, table)
        for text, row in zip(texts, found, strict=False):
            row[column] = f'http://x.test/{text}'
        write_rows(folder, table, found)
    done = run('report', folder, '-q')
    assert done.code == 0, done.err
    return (folder / 'report.html').as_uri()


def write_rows(folder, table: str, rows) -> None:
    file = folder / f'{table}.tsv'
    head = file.read_text().partition('\n')[0]
    lines = [head, *('\t'.join(row) for row in rows)]
    file.write_text('\n'.join([*lines, '']), encoding='utf-8')


@pytest.mark.parametrize('width', [1280, 360])
@pytest.mark.parametrize('dark', [False, True])
def test_legible(browser, url, width, dark):
    """Nothing scrolls sideways, and all text stands out from what is behind it."""
    browser.screen(width, 900, dark)
    browser.goto(url)
    browser.js(OPEN)
    assert browser.js('document.documentElement.scrollWidth') == width
    [least, said], [count, _] = browser.js(CONTRAST)
    assert least >= 4.5, said
    assert count > 100


def test_hostile_texts(browser, url):
    """Whatever a table holds, the page runs nothing and asks for nothing."""
    browser.requests.clear()
    browser.goto(url)
    browser.js(OPEN)
    browser.settle(0.5)
    assert browser.requests == [url] and browser.said == []
    names = browser.js("[...document.querySelectorAll('*')].map(e => e.tagName)")
    assert names.count('SCRIPT') == names.count('STYLE') == 1
    assert not set(names) & {'IMG', 'IFRAME', 'BASE', 'LINK', 'MATH', 'OBJECT'}


def test_texts_of_a_curve_do_not_overlap(browser, url):
    """The numbers beside gaps are apart from each other, and inside the picture."""
    browser.screen(1280, 900, False)
    browser.goto(url)
    boxes = browser.js(BOXES)
    assert len(boxes) == 2
    for (left, top, right, bottom), texts in boxes:
        for one in texts:
            assert left - 1 <= one[0] and one[2] <= right + 1
            assert top - 1 <= one[1] and one[3] <= bottom + 1
        for n, one in enumerate(texts):
            for other in texts[n + 1 :]:
                is_apart = (
                    one[2] <= other[0]
                    or other[2] <= one[0]
                    or one[3] <= other[1] + 3
                    or other[3] <= one[1] + 3
                )
                assert is_apart


def test_heard(browser, url):
    """Those who hear the page get names of tables and of pictures."""
    browser.goto(url)
    found: dict[str, list[str]] = {}
    for node in browser.call('Accessibility.getFullAXTree')['nodes']:
        if not node['ignored']:
            name = node.get('name', {}).get('value', '')
            found.setdefault(node['role']['value'], []).append(name)
    assert all(found['table']) and all(found['image']) and len(found['image']) == 2
    assert {'prototype', 'score', 'domains', 'pages'} <= set(found['columnheader'])
