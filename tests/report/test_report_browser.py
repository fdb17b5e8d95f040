"""The report in a real browser: nothing in it runs, and everything can be read."""

import base64
import itertools
import os
import random
import re
import subprocess
import sys
import time

import made_runs as made
import mrl
import pytest
from browser import CONTRAST, browsing
from commands import run
from crawls import ROOT, write_warc

pytestmark = pytest.mark.browser

EVIL = 'http://evil.example'
HOSTILE = [
    '<script>window.pwned = 1</script>',
    '</code></script><script>window.pwned = 2</script>',
    f'"><img src={EVIL}/i.png onerror=window.pwned=3>',
    "' onmouseover='window.pwned=4' style='background:red' autofocus tabindex=1 x='",
    'javascript:window.pwned=5//',
    '<a href="javascript:window.pwned=6">x</a>',
    f'<svg onload=window.pwned=7><image href={EVIL}/s.svg></svg>',
    f'</style><style>@import "{EVIL}/a.css"; * {{ background: url({EVIL}/b) }}</style>',
    f'<meta http-equiv=refresh content="0;url={EVIL}/">',
    f'<base href={EVIL}/><link rel=prefetch href={EVIL}/p>',
    '<iframe srcdoc="<script>parent.pwned=8</script>"></iframe>',
    '<form action=x><input autofocus onfocus=window.pwned=9></form>',
    ']]><script>window.pwned = 10</script><![CDATA[',
    '<!-- <plaintext><textarea><title>',
    '{{ 7 * 7 }}{% include "page.html" %}{# ',
    '&lt;script&gt;window.pwned=11&lt;/script&gt;&#x3c;b>',
    'a\u202egnp.exe\u2066\u200b\ufeff\u2028\x00\x1b]0;x\x07\x9b',
    'broken \udcff\udc80 UTF-8',
    '\\"; window.pwned = 12; //',
    '<math><mtext><table><mglyph><style><img src onerror=window.pwned=13>',
]
HARMLESS = [f'harmless text number {n}' for n in range(len(HOSTILE))]
SHAPE = """[...document.querySelectorAll('*')].filter(e => !e.closest('svg, pre')).map(
    e => e.tagName + [...e.attributes].map(a => a.name).sort()).join('\\n')"""
NAMES = """[...document.querySelectorAll('#neighborhoods tbody th')]
    .filter(e => e.checkVisibility()).map(e => e.innerText.trim())"""


@pytest.fixture(scope='module')
def browser():
    with browsing() as made_one:
        yield made_one


@pytest.fixture(autouse=True)
def as_before(request):
    """What one test has set is not there for the next one."""
    yield
    if 'browser' in request.fixturenames:
        page = request.getfixturevalue('browser')
        page.call('Emulation.setEmulatedMedia', media='', features=[])
        page.call('Emulation.setScriptExecutionDisabled', value=False)
        page.screen()


def cell(text: str) -> str:
    """A text that fits into a table."""
    return text.replace('\t', ' ').replace('\n', ' ')


def full_run(folder, texts):
    """A run with all there is, in which these texts are all that a page can set."""
    hashes = [mrl.sha1(n) for n in range(len(texts))]
    late, early = '2020-01-01T00:00:00Z', '2019-01-01T00:00:00Z'
    count = len(texts)
    origins = []
    for number, text in enumerate(map(cell, texts)):
        there = f'{cell(texts[(number + 1) % count])}.there/'
        origins.append(
            (f'{text}/', there, 50, '0.5', late, early, 0, 50 - number % 2 * 30, 0, 0.5)
        )
        # Before a later site, two were captured within an hour of each other.
        near = 49, '0.49', late, '2019-01-01T01:00:00Z', 0, 49, 0, 0.5
        origins += [(f'{text}/', f'{text}.too/', *near)] * (number % 2 == 0)
    rows = {
        'labels': [
            (h, 200, 90 - n, 9, 9, cell(t), cell(t)[:80])
            for n, (h, t) in enumerate(zip(hashes, texts, strict=True))
        ],
        'file_labels': [(hashes[0], 10, 20, 3, cell(text)) for text in texts],
        'frequency': [('chunk', 1, 99), ('chunk', 90, 3), ('file', 1, 9)],
        'pairs': [
            (a, b, 99, 9999, '0.5', '1', 7 * (n % 2), 0)
            for n, t in enumerate(map(cell, texts))
            for a, b in (
                (t, f'number-{n}.example'),
                (f'{n}.example/{t}', f'www.{n}.example/{t}'),
            )
        ],
        'bad_neighborhoods': [
            (prefix, level, 10 - level, 80 - n, 90, '0.8', f'0.{99 - n}')
            for n, t in enumerate(map(cell, texts))
            for level, prefix in ((1, f'{t}/'), (2, f'{t}/{t}/'))
        ],
        'origins': origins,
        'links': [
            (f'{cell(a)}.there/', f'{cell(b)}.there/', 1, 1)
            for a, b in itertools.pairwise(texts)
        ],
        'rings': [(1, count, f'{cell(text)}/') for text in texts],
    }
    damage = [{'archive': text, 'damage': {'cut': [1, 2]}} for text in texts[:9]]
    read = {
        'counts': {'pages': 9, 'files': 9, 'bytes': 9999, 'chunks': 999},
        'damage': {'cut': [9, 18]},
    }
    labels = mrl.write(folder.parent / f'{folder.name}.mrl', hashes)
    detect = made.detected(labels=str(labels))
    made.write(
        folder,
        read,
        rows,
        detect=detect,
        damaged=damage,
        **made.DISCOVERED | {'reason': texts[0]},
    )
    bins = made.histogram(p0=60, p88=count)
    made.stats(folder, bins, bins, bad=2 * count)
    return folder


def report(folder) -> str:
    done = run('report', folder, '-q')
    assert done.code == 0, done.err
    return (folder / 'report.html').as_uri()


def asked(browser) -> list[str]:
    """What has left for a made-up host; the browser has some errands of its own."""
    return [line for line in browser.trap.asked if 'example' in line]


def test_a_request_would_be_seen(tmp_path):
    """A page that may load things is caught at it."""
    page = tmp_path / 'x.html'
    page.write_text(f'<img src={EVIL}/i.png><script>window.pwned = 1</script>')
    with browsing() as one:
        one.goto(page.as_uri())
        one.settle(0.5)
        assert one.js('window.pwned') == 1
        assert asked(one) == [f'GET {EVIL}/i.png HTTP/1.1']
        assert one.requests == [page.as_uri(), f'{EVIL}/i.png']


def test_hostile_content(browser, tmp_path):
    """Whatever a page says, the report has the same elements, and asks for nothing."""
    shapes = {}
    for name, texts in (('harmless', HARMLESS), ('hostile', HOSTILE)):
        browser.requests.clear()
        url = report(full_run(tmp_path / name, texts))
        browser.goto(url)
        browser.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        browser.settle(1)
        shapes[name] = browser.js(SHAPE).splitlines()
        assert browser.js('typeof window.pwned') == 'undefined'
        assert browser.js('location.href') == url
        assert browser.requests == [url]
    assert asked(browser) == [] and browser.said == []
    assert len(shapes['hostile']) > 500
    assert set(shapes['hostile']) <= set(shapes['harmless'])
    for name in ('SCRIPT', 'STYLE', 'META', 'FORM', 'INPUT', 'A', 'TITLE'):
        counts = [sum(s.startswith(name) for s in all_) for all_ in shapes.values()]
        assert counts[0] == counts[1]
    text = browser.js('document.body.textContent')
    for number in (0, 5, 8, 14, 15):
        assert HOSTILE[number] in text
    assert 'a\\u202egnp.exe\\u2066\\u200b\\ufeff\\u2028\\x00\\x1b]0;x\\x07\\x9b' in text
    assert 'broken \\xff\\x80 UTF-8' in text
    assert not set('\u202e\u2066\u2028\ufeff\x00\x1b') & set(text)


def test_hostile_crawl(browser, tmp_path):
    """The same through the whole chain: pages and addresses as a crawler meets them."""
    texts = [t.encode('utf-8', 'surrogateescape') for t in HOSTILE]
    filler = b' copied again and again' * 6
    body = b''.join(b'<p>' + text + filler for text in texts)
    paths = ['/"><script>window.pwned=1</script>/', "/'/", '/%0a/', '/${x}`id`/', '/x/']
    documents = [
        (f'http://h{n}.example{path}{n}.html', body + b'<p>%d' % n)
        for n, path in enumerate(paths * 3)
    ]
    documents += [(f'http://h{n}.example/', body + b'<p>x') for n in range(15)]
    write_warc(tmp_path / 'a.warc.gz', documents)
    out = tmp_path / 'RUN'
    line = ['-o', out, '-q', '-r', 'inline']
    assert run('discover', tmp_path / 'a.warc.gz', '--threshold=5', *line).code == 0
    assert run('detect', '--neighborhood-threshold=0.1', *line).code == 0
    browser.requests.clear()
    url = report(out)
    browser.goto(url)
    browser.settle(1)
    assert browser.js('typeof window.pwned') == 'undefined'
    assert browser.requests == [url] and asked(browser) == [] == browser.said
    text = browser.js('document.body.textContent')
    assert '<p><script>window.pwned = 1</script>' in text
    assert "'h3.example/${x}`id`/'" in text  # as the shell will not take it apart
    names = browser.js("[...document.querySelectorAll('*')].map(e => e.tagName)")
    assert names.count('SCRIPT') == names.count('STYLE') == 1
    assert not set(names) & {'IMG', 'IFRAME', 'BASE', 'LINK', 'MATH', 'OBJECT'}


def test_the_policy_holds(browser, tmp_path):
    """Were there a hole in the page, the browser would still run and load nothing."""
    folder = full_run(tmp_path / 'RUN', HARMLESS)
    report(folder)
    page = folder / 'report.html'
    holes = ''.join(
        text for text in HOSTILE if 'plaintext' not in text and 'meta' not in text
    )
    text = page.read_text()
    page.write_text(
        text.replace('<main>', f'<main>{holes}<img src=/etc/hostname>', 1),
        'utf-8',
        'replace',
    )
    browser.requests.clear()
    browser.goto(page.as_uri())
    browser.settle(1)
    assert browser.js('typeof window.pwned') == 'undefined'
    assert asked(browser) == []
    assert any('Content Security Policy' in said for said in browser.said)
    browser.said.clear()


@pytest.mark.parametrize('width', [1280, 360])
@pytest.mark.parametrize('dark', [False, True])
def test_legible(browser, tmp_path, width, dark):
    """Nothing scrolls sideways, and all text stands out from what is behind it."""
    browser.screen(width, 900, dark)
    browser.goto(report(full_run(tmp_path / 'RUN', HOSTILE)))
    browser.js("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.js('document.documentElement.scrollWidth') == width
    [least, said], [count, _] = browser.js(CONTRAST)
    assert least >= 4.5, said
    assert count > 300
    ground = browser.js('getComputedStyle(document.documentElement).backgroundColor')
    assert (sum(map(int, ground[4:-1].split(','))) < 200) == dark


def test_on_paper(browser, tmp_path):
    """What is of use only on a screen is not printed; paper is white."""
    browser.screen(dark=True)
    browser.goto(report(full_run(tmp_path / 'RUN', HARMLESS)))
    pdf = browser.call('Page.printToPDF', preferCSSPageSize=True)['data']
    assert base64.b64decode(pdf).startswith(b'%PDF-')
    browser.call('Emulation.setEmulatedMedia', media='print')
    seen = 'document.querySelector("{}").checkVisibility()'
    assert not browser.js(seen.format('nav')) and not browser.js(seen.format('.search'))
    assert browser.js(seen.format('.list'))
    ground = browser.js('getComputedStyle(document.documentElement).backgroundColor')
    assert ground == 'rgb(255, 255, 255)'
    [least, said], _ = browser.js(CONTRAST)
    assert least >= 4.5, said


def focused(browser) -> str:
    return browser.js('document.activeElement.innerText || document.activeElement.id')


def tab_to(browser, wanted: str) -> None:
    for _ in range(200):
        browser.press('Tab')
        if focused(browser).startswith(wanted):
            return
    raise AssertionError(f'Tab never gets to {wanted}')


@pytest.fixture
def sorted_page(browser, tmp_path):
    """Three neighborhoods that each column puts into another order."""
    folder = full_run(tmp_path / 'RUN', HARMLESS)
    rows = [
        ('b.org/', 1, 100, 80, 90, '0.9', '0.9'),
        ('c.org/', 1, 20, 700, 900, '0.7', '0.7'),
        ('a.org/', 1, 3, 9, 20, '0.5', '0.5'),
    ]
    made.table(folder, 'bad_neighborhoods', rows)
    browser.goto(report(folder))
    return browser


def test_sort_by_keyboard(sorted_page):
    page = sorted_page
    states = (
        "[...document.querySelectorAll('#neighborhoods thead th')].map(e => e.ariaSort)"
    )
    assert page.js(NAMES) == ['b.org/', 'c.org/', 'a.org/']
    assert page.js(states) == [None, 'descending', None, None, None]
    tab_to(page, 'widely copied chunks')
    page.press('Enter')
    assert page.js(NAMES) == ['c.org/', 'b.org/', 'a.org/']
    assert page.js(states) == [None, None, 'descending', None, None]
    page.press(' ')
    assert page.js(NAMES) == ['a.org/', 'b.org/', 'c.org/']
    assert page.js(states) == [None, None, 'ascending', None, None]
    tab_to(page, 'pages')
    page.press('Enter')
    assert page.js(NAMES) == ['b.org/', 'c.org/', 'a.org/']
    page.js("document.querySelector('#neighborhoods thead button').focus()")
    page.press('Enter')
    assert page.js(NAMES) == ['a.org/', 'b.org/', 'c.org/']
    # The evidence of a neighborhood moves with it, and keys open it.
    tab_to(page, 'Its labels')
    page.press('Enter')
    opened = "[...document.querySelectorAll('#neighborhoods details')].map(d => d.open)"
    assert page.js(opened) == [True, True, False]
    assert '/RUN a.org/' in page.js(
        "document.querySelector('#neighborhoods pre').innerText"
    )


@pytest.mark.parametrize('width', [1280, 360])
def test_search_by_keyboard(sorted_page, width):
    page = sorted_page
    page.screen(width)
    tab_to(page, 'search')
    page.write('B.org')
    assert page.js(NAMES) == ['b.org/']
    status = "document.querySelector('[role=status]').textContent"
    assert page.js(status) == '1 of 3 match'
    page.write(' nothing')
    assert page.js(NAMES) == [] and page.js(status) == '0 of 3 match'
    page.js("document.querySelector('#search').select()")
    page.write(' ')
    assert len(page.js(NAMES)) == 3 and page.js(status) == ''
    page.press('Enter')
    assert page.js('location.search') == ''


def test_contents_by_keyboard(sorted_page):
    """After the summary come the sections; each is there by a key."""
    page = sorted_page
    tab_to(page, 'Bad sites: who was captured first')
    ring = 'getComputedStyle(document.activeElement).outlineWidth'
    assert page.js(ring) == '3px'
    page.press('Enter')
    assert page.js('location.hash') == '#copying'
    heads = "[...document.querySelectorAll('h2')].map(e => e.innerText)"
    links = "[...document.querySelectorAll('nav a')].map(e => e.innerText)"
    assert page.js(links) == page.js(heads)[1:] and len(page.js(links)) == 8


@pytest.mark.parametrize('width', [1280, 360])
def test_heard(browser, tmp_path, width):
    """Those who hear the page get tables, headers, names of pictures and of fields."""
    browser.screen(width)
    browser.goto(report(full_run(tmp_path / 'RUN', HARMLESS)))
    nodes = browser.call('Accessibility.getFullAXTree')['nodes']
    found: dict[str, list[str]] = {}
    for node in nodes:
        if not node['ignored']:
            name = node.get('name', {}).get('value', '')
            found.setdefault(node['role']['value'], []).append(name)
    assert 'Sites with bad neighborhoods, worst first' in found['table']
    assert 'Sites that share the most chunks' in found['table']
    assert all(found['table']) and all(found['image']) and len(found['image']) == 5
    assert {'copies', 'share widely copied, repeats counted', 'order'} <= set(
        found['columnheader']
    )
    assert 'harmless text number 0/' in found['rowheader']
    assert found['searchbox'] == ['Search sites, pages and chunks']
    assert found['navigation'] == ['Sections'] and len(found['main']) == 1
    levels = browser.js(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map(e => +e.tagName[1])"
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))


def test_without_script(browser, tmp_path):
    """All is there, and nothing that would not work."""
    folder = full_run(tmp_path / 'RUN', HARMLESS)
    browser.call('Emulation.setScriptExecutionDisabled', value=True)
    browser.goto(report(folder))
    assert len(browser.js(NAMES)) == len(HARMLESS)
    assert not browser.js("document.querySelector('.search').checkVisibility()")
    assert browser.js("document.querySelectorAll('button').length") == 0
    tab_to(browser, '50 chunks')
    browser.press('Enter')
    assert browser.js('document.activeElement.parentElement.open') is False


def many(count: int):
    """The rows of as many neighborhoods, all of them bad, in the order of the table."""
    return (
        (f'site-{n:07d}.example/', 1, 9, 900, 1000, f'{1 - n / 10**7:.9f}', '0.9')
        for n in range(count)
    )


def ties(count: int):
    late, early = '2020-01-01T00:00:00Z', '2019-01-01T00:00:00Z'
    for n in range(count):
        here, there = f'site-{n:07d}.example/', f'site-{n % 1000 + count:07d}.example/'
        yield here, there, 50 + n % 7, '0.5', late, early, 0, 50


def test_million_neighborhoods(browser, tmp_path):
    """A bounded command makes a page that is soon open."""
    count, folder = 10**6, tmp_path / 'RUN'
    full_run(folder, HARMLESS)
    made.table(folder, 'bad_neighborhoods', many(count))
    made.table(folder, 'origins', ties(count))
    dice = random.Random(1)
    rows = (
        (f'{dice.getrandbits(160):040x}', 200, 10**6 - n, 9, 9, 'http://a/', 'x')
        for n in range(300_000)
    )
    made.table(folder, 'labels', rows)
    bins = made.histogram(p90=count)
    made.stats(folder, bins, bins, bad=count)
    code = (
        'import sys; from mr_reuse.report.__main__ import main; code = main(); '
        'print(open("/proc/self/status").read()); sys.exit(code)'
    )
    done = subprocess.run(
        [sys.executable, '-c', code, folder, '-q'],
        env={**os.environ, 'PYTHONPATH': str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(re.search(r'VmHWM:\s+(\d+) kB', done.stdout)[1]) < 300_000
    page = folder / 'report.html'
    assert page.stat().st_size < 2_000_000
    browser.goto('about:blank')
    began = time.monotonic()
    browser.goto(page.as_uri())
    ready = browser.js(
        'new Promise(done => requestAnimationFrame(() => setTimeout(() => done(1))))'
    )
    assert ready and time.monotonic() - began < 2
    assert 'The 100 worst sites, with 100 of 1,000,000 bad ' in browser.js(
        "document.querySelector('#neighborhoods').innerText"
    )
    assert browser.said == []
