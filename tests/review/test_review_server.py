"""Who may ask the page of `review`, what it answers, and how the command behaves."""

import contextlib
import http.client
import itertools
import json
import random
import shutil
import signal
import socket
import sys
import threading
from urllib.parse import urlsplit

import pytest
from commands import apart, ended, run
from reviews import ask, judge, make_run, origin_of, plain_pages, reviewing

from mr_reuse.review import judgements

pytestmark = pytest.mark.apart
HEADERS = {
    'content-security-policy': "default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'; frame-ancestors 'none'; "
    "form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
}


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp('made'), plain_pages())


@pytest.fixture(scope='module')
def page(made):
    """The address of a page that many tests ask."""
    with reviewing(made, '--judge', 'nobody') as (_, url):
        yield url


# Who may ask


@pytest.mark.parametrize(
    'path',
    [
        *('', 'review.css', 'review.js', 'sides.js'),
        *('state', 'items/1', 'items/1/pages/0'),
    ],
)
def test_headers_and_token_of_all(page, path):
    status, told, _ = ask(page, path)
    assert status == 200
    assert {name: told.get(name) for name in HEADERS} == HEADERS
    assert 'server' not in told and 'set-cookie' not in told
    token = urlsplit(page).path.strip('/')
    assert len(token) == 32  # 24 random bytes
    near = token[:-1] + ('A' if token[-1] != 'A' else 'B')
    for wrong in (f'/{path}', f'/{near}/{path}', f'/{token[:-1]}/{path}', f'//{path}'):
        status, told, text = ask(page, wrong)
        assert status == 403 and 'Use the address that the command printed' in text
        assert {name: told.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    'host',
    ['evil.test', 'evil.test:{port}', '127.0.0.1', '127.0.0.1:1', '', '[::1]:{port}'],
)
def test_other_names_of_this_machine(page, host):
    """A name server of another site can say that its name is this machine."""
    named = host.format(port=urlsplit(page).port)
    assert ask(page, 'state', Host=named)[0] in (400, 403)
    assert judge(page, 1, ['b'], Host=named, Origin=f'http://{named}')[0] in (400, 403)
    assert json.loads(ask(page, 'state')[2])['judged'] == 0


def test_its_own_names(page):
    port = urlsplit(page).port
    for name in ('127.0.0.1', 'localhost'):
        assert ask(page, 'state', Host=f'{name}:{port}')[0] == 200
    # by one of the names, but from the other one
    wrong = {'Host': f'localhost:{port}', 'Origin': f'http://127.0.0.1:{port}'}
    assert ask(page, 'undo', 'POST', '{}', **wrong)[0] == 403


@pytest.mark.parametrize(
    'headers',
    [
        {'Origin': 'http://evil.test'},
        {'Origin': 'null'},
        {'Origin': ''},
        {'Origin': 'http://127.0.0.1'},
        {'Origin': 'https://127.0.0.1:{port}'},
        {'Origin': 'http://127.0.0.1:{port}.evil.test'},
        {'Sec_Fetch_Site': 'cross-site'},
        {'Sec_Fetch_Site': 'same-site'},
        {'Sec_Fetch_Site': 'cross-site', 'Sec_Fetch_Mode': 'navigate'},
        {
            'Sec_Fetch_Site': 'cross-site',
            'Sec_Fetch_Mode': 'navigate',
            'Sec_Fetch_Dest': 'iframe',
        },
    ],
)
def test_other_sites(page, headers):
    port = urlsplit(page).port
    headers = {name: text.format(port=port) for name, text in headers.items()}
    assert ask(page, 'state', **headers)[0] == 403
    assert judge(page, 1, ['b'], **headers)[0] == 403
    assert json.loads(ask(page, 'state')[2])['judged'] == 0


def test_a_link_may_be_followed(page):
    followed = {'Sec_Fetch_Mode': 'navigate', 'Sec_Fetch_Dest': 'document'}
    assert ask(page, Sec_Fetch_Site='cross-site', **followed)[0] == 200


@pytest.mark.parametrize('method', ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'])
def test_only_post_says_something(page, method):
    for path in ('judgements', 'undo'):
        status, told, _ = ask(page, path, method, Origin=origin_of(page))
        assert status in (200, 405, 501) and (status != 200 or method == 'OPTIONS')
        assert 'access-control-allow-origin' not in told


def test_post_without_an_origin(page):
    said = json.dumps({'place': 1, 'keys': ['b'], 'note': ''})
    assert ask(page, 'judgements', 'POST', said)[0] == 403


@pytest.mark.parametrize(
    'body',
    [
        '',
        '{',
        'null',
        '[]',
        '[1, ["b"], ""]',
        '{"place": 1}',
        '{"place": "1", "keys": ["b"], "note": ""}',
        '{"place": true, "keys": ["b"], "note": ""}',
        '{"place": 1.0, "keys": ["b"], "note": ""}',
        '{"place": 1, "keys": "b", "note": ""}',
        '{"place": 1, "keys": [["b"]], "note": ""}',
        '{"place": 1, "keys": [{}], "note": ""}',
        '{"place": 1, "keys": ["b"], "note": null}',
        '{"place": 1, "keys": ["b"], "note": "", "judge": "bob"}',
        '{"place": 0, "keys": ["b"], "note": ""}',
        '{"place": 99999999999999999999999, "keys": ["b"], "note": ""}',
        '{"place": 1, "keys": ["no such"], "note": ""}',
        '[' * 50_000,
    ],
)
def test_rubbish(page, body):
    status, told, text = ask(page, 'judgements', 'POST', body, Origin=origin_of(page))
    assert status == 400, text
    assert told['content-type'].startswith('text/plain')
    assert json.loads(ask(page, 'state')[2])['judged'] == 0


def test_other_kinds_of_rubbish(page):
    origin = origin_of(page)
    said = json.dumps({'place': 1, 'keys': ['b'], 'note': ''})
    for kind in ('text/plain', 'application/x-www-form-urlencoded', ''):
        headers = {'Content-Type': kind, 'Origin': origin}
        assert ask(page, 'judgements', 'POST', said, **headers)[0] == 415
    large = json.dumps({'place': 1, 'keys': [], 'note': 'x' * 100_000})
    assert ask(page, 'judgements', 'POST', large, Origin=origin)[0] == 413
    for missing in (
        'items/0',
        'items/-1',
        'items/999',
        'items/1/pages/99',
        'items/1/labels/99/0',
        'items/1/labels/0/99',
        'items/x',
        'review.html',
        '../review.py',
        '..%2f..%2freview.py',
        'static/review.js',
        'judgements.tsv',
    ):
        assert ask(page, missing)[0] == 404, missing


WHOLE = b'GET / HTTP/1.1\r\nHost: x\r\n\r\n'


@pytest.mark.parametrize(
    'said',
    [b'', WHOLE[:-2], b'POST / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n', WHOLE * 9999],
    ids=['nothing', 'half a head', 'no body', 'never read'],
)
def test_many_connections_of_others(page, said):
    """Far more than are held at a time; each sends some bytes, and a byte later on."""
    with contextlib.ExitStack() as stack:
        some = [stack.enter_context(socket.socket()) for _ in range(300)]
        for one in some:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(('127.0.0.1', urlsplit(page).port))
            one.setblocking(False)
        for more in (said, b'x', b'x'):
            for one in some:
                with contextlib.suppress(OSError):  # its turn has come to go
                    one.send(more)
            for _ in range(5):
                assert ask(page, 'state')[0] == 200


# What is said and kept


def test_said_and_kept(made, tmp_path):
    with reviewing(made, '--judge', 'ann', '--sample', '7') as (process, url):
        told = json.loads(ask(url, 'state')[2])
        assert (told['drawn'], told['population'], told['judged']) == (7, 18, 0)
        assert [one['key'] for one in told['categories']][:2] == ['b', 't']
        status, _, text = judge(url, 3, ['l', 'a'], '<b>note\u202e\tx</b>')
        assert status == 200
        assert json.loads(text)['items']['3'] == {
            'names': ['Ads', 'Link farm'],
            'note': '<b>note\u202e x</b>',
        }
        process.kill()
    with reviewing(made, '--judge', 'ann') as (process, url):
        told = json.loads(ask(url, 'state')[2])
        assert (told['drawn'], told['judged']) == (18, 1)
        assert told['items']['3']['names'] == ['Ads', 'Link farm']
        status, _, text = ask(url, 'undo', 'POST', '{}', Origin=origin_of(url))
        assert (status, json.loads(text)['place']) == (200, 3)
        status, _, text = ask(url, 'undo', 'POST', '{}', Origin=origin_of(url))
        assert (status, text) == (409, 'there is no judgement to undo\n')
    (made / 'judgements.tsv').unlink()


@pytest.mark.parametrize('seed', range(3))
def test_killed_in_the_middle(made, seed):
    """What the page was told to be kept is kept, whenever the program dies."""
    told, pause = [], random.Random(seed).uniform(0.05, 0.3)
    with reviewing(made, '--judge', 'ann') as (process, url):
        killer = threading.Timer(pause, process.kill)
        with contextlib.suppress(OSError, http.client.HTTPException):
            for number in itertools.count():
                place, key = number % 18 + 1, 'btl'[number % 3]
                assert judge(url, place, [key], f'{number}')[0] == 200
                told.append((str(place), f'{number}'))
                if len(told) == 6:
                    killer.start()
    with reviewing(made, '--judge', 'ann') as (_, url):
        kept = json.loads(ask(url, 'state')[2])['items']
    last = dict(told)
    notes = {place: one['note'] for place, one in kept.items()}
    # One more may have been written whose answer did not get through.
    extra = {place: note for place, note in notes.items() if last.get(place) != note}
    assert len(extra) <= 1 and set(extra.values()) <= {f'{len(told)}'}
    assert set(last) <= set(notes)
    (made / 'judgements.tsv').unlink()


def test_full_disk(made):
    """What does not fit is not said to be kept, and spoils nothing that was."""
    kept = []
    with reviewing(made, '--judge', 'ann', most=2048) as (_, url):
        for place in range(1, 19):
            status, _, text = judge(url, place, ['b'], 'why ' * 30)
            if status != 200:
                assert status == 409 and text.endswith(
                    'judgements.tsv: File too large\n'
                )
                break
            kept.append(str(place))
    table = made / 'judgements.tsv'
    assert 4 < len(kept) < 18 and len(table.read_text().splitlines()) == 1 + len(kept)
    assert 1500 < table.stat().st_size < 2048
    with reviewing(made, '--judge', 'ann') as (_, url):
        assert set(json.loads(ask(url, 'state')[2])['items']) == set(kept)
        assert judge(url, 18, ['b'])[0] == 200
        assert set(json.loads(ask(url, 'state')[2])['items']) == {*kept, '18'}
    table.unlink()


# The command


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_interrupted(made, number):
    with reviewing(made, '--judge', 'ann') as (process, url):
        for path in ('', 'state', 'no such page', 'items/1'):
            ask(url, path.replace(' ', '%20'))
        judge(url, 1, ['b'])
        process.send_signal(number)
        code, out, err = ended(process)
    assert (code, out) == (130, '')
    assert err == f'stopped; judged: 1 of 18, in {made}/judgements.tsv\n'
    (made / 'judgements.tsv').unlink()


def test_one_stream(made):
    """The address is on the same stream as the sentence about it."""
    process = apart(sys.executable, '-m', 'mr_reuse.review', made, '--judge', 'ann')
    try:
        lines = [process.stdout.readline() for _ in range(3)]
        assert lines[:2] == [
            '18 of 18 bad neighborhoods (uniform, seed 1); ann has judged 0 of them\n',
            'open this address in a browser; Ctrl-C here stops it\n',
        ]
        assert lines[2].startswith('http://127.0.0.1:')
    finally:
        process.send_signal(signal.SIGINT)
        ended(process)


def test_only_this_machine(page):
    """Its other addresses, if it has any, are not listened on."""
    port = urlsplit(page).port
    listening = []
    for name in ('tcp', 'tcp6'):
        with open(f'/proc/net/{name}') as lines:
            rows = [line.split() for line in lines][1:]
        listening += [row[1] for row in rows if row[3] == '0A']  # in state LISTEN
    mine = [place for place in listening if place.endswith(f':{port:04X}')]
    assert mine == [f'0100007F:{port:04X}']


def test_port(made):
    with socket.socket() as taken:
        taken.bind(('127.0.0.1', 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run('review', made, '--port', port)
        assert done.code == 1 and f'error: port {port}: ' in done.err
    with reviewing(made, '--port', str(port)) as (_, url):
        assert urlsplit(url).port == port
    (made / 'judgements.tsv').unlink()


def test_another_token_with_each_start(made):
    tokens = set()
    for _ in range(3):
        with reviewing(made) as (_, url):
            tokens.add(urlsplit(url).path)
    assert len(tokens) == 3
    (made / 'judgements.tsv').unlink()


@pytest.mark.parametrize(
    'args, code, why',
    [
        (['--judge', ''], 2, 'a name has 1 to 64 printable'),
        (['--judge', 'a\tb'], 2, 'a name has 1 to 64 printable'),
        (['--judge', 'a\n'], 2, 'a name has 1 to 64 printable'),
        (['--judge', 'x' * 65], 2, 'a name has 1 to 64 printable'),
        (['--sample', '0'], 2, 'not a whole number, 1 or more'),
        (['--sample', '1000001'], 2, 'at most 1,000,000'),
        (['--port', '65536'], 2, '--port 65536: at most 65535'),
        (
            ['--what', 'quilt'],
            2,
            "'quilt' is not one of chunks, files, neighborhoods, pages, quilts, "
            'near_duplicates, phrase_pages, phrase_hosts',
        ),
        (['--categories', '/nowhere.tsv'], 1, '/nowhere.tsv'),
        (['--categories', '/dev/null'], 1, 'neither a file nor a folder'),
    ],
)
def test_odd_options(made, args, code, why):
    done = run('review', made, *args)
    assert (done.code, done.out) == (code, '') and why in done.err


def test_runs_that_cannot_be_judged(tmp_path):
    assert 'no finished run' in run('review', tmp_path / 'nowhere').err
    assert 'copy the run with get first' in run('review', 'hdfs://x/run').err
    path = make_run(tmp_path, plain_pages(), detect=False)
    done = run('review', path, '--what', 'pages')
    assert done.code == 1
    assert (
        f'{path}/bad_pages.tsv: no such table; run detect on {path} first' in done.err
    )
    few = make_run(tmp_path / 'few', plain_pages(1, 1), detect=False)
    assert f'{few}/labels.tsv: it has no rows' in run('review', few).err
    assert not (few / 'judgements.tsv').exists()


@pytest.mark.parametrize(
    'what, rows',
    [
        ('neighborhoods', b'garbage\n'),
        ('neighborhoods', b'\n'),
        ('neighborhoods', b'a/\t1\tx\t1\t1\t1\t1\n'),
        ('neighborhoods', b'a/\t1\t1\t1\t0\t1\t1\n'),
        ('neighborhoods', b'a/\t1\t1\t1\t1\tx\t1\n'),
        ('pages', b'a:0\thttp://a/\t1\t1\n'),
        ('pages', random.Random(1).randbytes(5000)),
        ('chunks', b'zz\t1\t1\t1\t1\thttp://a/\t<p>\n'),
    ],
)
def test_damaged_tables(tmp_path, what, rows):
    path = make_run(tmp_path, plain_pages())
    name = 'labels' if what == 'chunks' else f'bad_{what}'
    (path / f'{name}.tsv').write_bytes(b'header\n' + rows)
    done = run('review', path, '--what', what, '--stratified')
    assert (done.code, done.out) == (1, '')
    assert 'damaged' in done.err and done.err.count('\n') == 1


def test_matches_that_are_gone(tmp_path):
    path = make_run(tmp_path, plain_pages())
    shutil.rmtree(path / '04-matches')
    for what in ('chunks', 'neighborhoods', 'pages'):
        done = run('review', path, '--what', what)
        assert done.code == 1 and 'missing, but' in done.err


def test_a_run_that_must_not_be_written(made, tmp_path):
    (made / 'judgements.tsv').mkdir()
    done = run('review', made)
    assert done.code == 1 and 'judgements.tsv' in done.err
    (made / 'judgements.tsv').rmdir()


def test_by_both_names(made):
    line = [sys.executable, '-m', 'mr_reuse', 'review', 'summarize', made / 'nowhere']
    code, out, err = ended(apart(*line))
    assert (code, out) == (1, '') and err.endswith('/nowhere: no such folder\n')


# Tables


def test_summary(made):
    names = ('ann', 'bob')
    said = {'ann': 'bbtllaa', 'bob': 'bbtlssa'}
    for name in names:
        with reviewing(made, '--judge', name, '--stratified') as (_, url):
            for place, key in enumerate(said[name], 1):
                assert judge(url, place, [key])[0] == 200
    with open(made / 'judgements.tsv', 'ab') as table:
        table.write(b'2020-01-01T00:00:00Z\tann\tjudged\tneighb')
    done = run('review', 'summarize', made)
    assert done.code == 0
    assert done.err == (f'warning: {made}/judgements.tsv: skipped 1 damaged line\n')
    assert 'bad neighborhoods: 7 judged by ann (stratified sample of 18' in done.out
    assert "  same categories: 5 of 7 (71.4 %), Cohen's kappa 0." in done.out
    # 5 and 6: ann said link farm and ads, which are bad, bob that both are suspect
    assert '  bad or not bad:  5 of 7 (71.4 %)' in done.out
    assert ': Link farm / Suspect\n' in done.out and ': Ads / Suspect\n' in done.out
    only = run('review', 'summarize', made, '--judge', 'bob').out
    assert 'by bob' in only and 'ann' not in only
    assert run('review', 'summarize', made, '--what', 'chunks').code == 1
    lines = (made / 'judgements.tsv').read_bytes().splitlines(keepends=True)
    (made / 'judgements.tsv').write_bytes(b''.join([lines[0], *lines[:0:-1][1:]]))
    # Who spoke first makes no difference as long as nobody changed their mind.
    assert run('review', 'summarize', made).out == done.out
    assert all(judgements.read_line(line) for line in lines[1:-1])
    (made / 'judgements.tsv').unlink()


def test_summary_of_nothing(made):
    assert 'no judgements yet' in run('review', 'summarize', made).err
    with reviewing(made):
        pass
    assert 'no judgements yet' in run('review', 'summarize', made).err
    (made / 'judgements.tsv').unlink()
