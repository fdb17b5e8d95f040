"""`show` of a page by its patches, compared with words that are known."""

import os
import pty
import re
import shutil
import sys

import pytest
from commands import apart, run
from crawls import write_warc
from quilt_runs import (
    HOSTILE,
    QUILT,
    documents,
    hostile_documents,
    make_quilts,
    page,
    passage,
    rows,
    source_url,
    words,
)
from shown import refused, shown

from mr_reuse.engine.record import load_record
from mr_reuse.pages.documents.showing.terminal import Style
from mr_reuse.quilts.showing import page_view

# Runs a command, and prints the peak of its memory.
MEASURED = """
import runpy, sys
try:
    sys.argv[0] = ''
    name = sys.argv.pop(1)
    runpy.run_module(f'mr_reuse.{name}', run_name='__main__', alter_sys=True)
finally:
    # The peak of this program: that of getrusage may be of the process that began it.
    status = open('/proc/self/status').read()
    print(status.partition('VmHWM:')[2].split()[0], file=sys.stderr)
"""
ESCAPE = re.compile(r'\x1b\[[\d;]*m')


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    return make_quilts(tmp_path_factory.mktemp('made'))


@pytest.fixture(scope='module')
def hostile(tmp_path_factory):
    return make_quilts(tmp_path_factory.mktemp('hostile'), hostile_documents())


def test_a_quilt(made):
    """All lines: 38 of 60 grams, of which source 1 has 11 and source 4 has 8."""
    [row] = rows(made, 'quilts')
    head, about, empty, *text = shown(made, QUILT)
    assert head == f'{QUILT}  2020-01-02T03:04:05Z  {row["rid"]}'
    assert about == (
        'quilted: 38 of 60 grams (63.3 %) are also on a few other pages; 4 sources, '
        'numbered in the text'
    )
    marked = [f'own{n} [{n} {" ".join(passage(n))}] mine{n}' for n in range(1, 5)]
    assert text[:5] == ['A quilt', *marked]
    assert empty == text[5] == ''
    sources = rows(made, 'quilt_sources')
    assert text[6] == 'source     new  shared    share  page'
    for number, source in enumerate(sources, 1):
        new = 12 - number
        share = f'{100 * new / 60:.1f} %'
        line = f'{number:>6} {new:>7} {new:>7} {share:>8}  {source_url(number)}'
        assert text[2 * number + 5] == line
        assert text[2 * number + 6].strip() == source['source_rid']
    assert shown(made, row['rid']) == shown(made, QUILT)


def test_a_page_that_is_no_quilt(made):
    head, about, empty, *text = shown(made, source_url(2))
    assert about == (
        'not quilted: 10 of 38 grams (26.3 %) are also on a few other pages, less than '
        '50.0 %'
    )
    assert text == ['About 2', ' '.join(words('s2w', 40))]


def test_names_that_are_none(made):
    assert 'no page of this name was compared' in refused(made, 'http://nowhere.test/')
    assert 'no result of discover' in refused(made, 'abcdef123456')
    assert 'no result of discover' in refused(made, 'a.org', 'b.org')
    for names in (['a.org/'], ['abcdef123456'], ['a.org', 'b.org'], [QUILT, 'b.org']):
        told = refused(made, *names, '--as', 'quilts')
        assert told.endswith('give --as quilts the rid or URL of one page\n')


def test_hostile_text(hostile):
    """Nothing in a page is obeyed by a terminal, in a pipe neither."""
    text = run('show', hostile, HOSTILE).out
    assert '\x1b' not in text and '\u202e' not in text
    assert '\\x1b[31m' in text and '\\u202e' in text
    assert len(rows(hostile, 'quilts')) == 1


def test_colours(made):
    record = load_record(str(made))
    plain = [*page_view.list_page(str(made), record, QUILT, Style())]
    narrow = [*page_view.list_page(str(made), record, QUILT, Style(True, 40))]
    bare = [ESCAPE.sub('', line) for line in narrow]
    assert ' '.join(bare).split() == ' '.join(plain).split()
    text = bare[3 : bare.index('', 3)]
    assert max(map(len, text)) <= 40 < max(map(len, plain[3:8]))
    # Each patch and its number in the table have one colour, and all four differ.
    colours = {}
    for line in narrow:
        for colour, inside in re.findall(r'\x1b\[([\d;]+)m(.*?)\x1b\[0m', line):
            number = re.match(r'\[?\s*(\d+)( |$)|s(\d)w', inside)
            colours.setdefault(number[1] or number[3], set()).add(colour)
    assert sorted(colours) == ['1', '2', '3', '4']
    assert all(len(found) == 1 for found in colours.values())
    assert len(set.union(*colours.values())) == 4


@pytest.mark.parametrize(
    ('settings', 'is_coloured'), [({}, True), ({'NO_COLOR': '1'}, False)]
)
def test_on_a_terminal(made, settings, is_coloured):
    near, far = pty.openpty()
    line = [sys.executable, '-m', 'mr_reuse.show', made, QUILT]
    environment = {**os.environ, 'TERM': 'xterm', **settings}
    process = apart(*line, stdout=far, env=environment)
    os.close(far)
    text = b''
    with os.fdopen(near, 'rb', buffering=0) as stream:
        try:
            while data := stream.read(4096):
                text += data
        except OSError:  # the terminal is closed
            pass
    process.communicate()
    assert process.returncode == 0
    assert (b'\x1b[' in text) == is_coloured
    assert b'[3 s3w8x' in ESCAPE.sub('', text.decode()).encode()


def test_changed_and_moved_archives(tmp_path):
    folder = make_quilts(tmp_path)
    crawl, away = tmp_path / 'crawl.warc.gz', tmp_path / 'away'
    expected = shown(folder, QUILT)
    away.mkdir()
    shutil.move(crawl, away)
    assert (
        'missing; if it was moved, give --archives DIR'
        in run('show', folder, QUILT).err
    )
    assert shown(folder, QUILT, '--archives', away) == expected
    # The same offsets, with other words.
    other = [(url, body.replace(b's2w', b's9w')) for url, body in documents()]
    write_warc(crawl, other)
    done = run('show', folder, rows(folder, 'quilts')[0]['rid'])
    assert done.code == 1 and done.out == ''


def test_beginning_of_a_page(tmp_path, monkeypatch):
    """Its words are those of the whole page, whose last byte decides the encoding."""
    passages = [' '.join([f'p{n}a', 'café', *words(f'p{n}w', 12)]) for n in range(4)]
    bodies = [page('', text) + b' \xbb' for text in [*passages, ' '.join(passages)]]
    urls = [*map(source_url, range(4)), QUILT]
    made = make_quilts(tmp_path, list(zip(urls, bodies, strict=True)))
    head, about, _, text, *_ = shown(made, QUILT)
    assert text.startswith('[1 p0a cafÃ© p0w0x p0w1x')
    half = bodies[-1].index(b'p2w3x')
    monkeypatch.setattr('mr_reuse.pages.documents.showing.opened.SHOWN', half)
    monkeypatch.setattr('mr_reuse.text.page_words.PIECE', 20)
    found = shown(made, QUILT)
    kept = text[: text.index(' p2w3x')] + ']'
    note = f'only its first {half} bytes are shown'
    assert found[:5] == [head, note, about, '', kept]


@pytest.mark.slow
def test_memory_of_large_pages(tmp_path):
    """A page of 20 MB: its beginning is shown, in little memory."""
    large = ' '.join(words('w', 2_500_000))
    made = make_quilts(tmp_path, [(QUILT, page('', large)), *documents()[:1]])
    line = [sys.executable, '-c', MEASURED, 'show', made, QUILT]
    done = apart(*line, stdout=(tmp_path / 'out').open('w'))
    assert int(done.communicate(timeout=300)[1].splitlines()[-1]) < 350_000  # kB
    out = (tmp_path / 'out').read_text()
    assert 'only its first 4.2 MB are shown' in out and ' w300000x ' in out


def test_beside_chunks(tmp_path):
    """In a run of both, a quilt is shown by its patches unless --as says otherwise."""
    folder = make_quilts(tmp_path)
    expected = shown(folder, QUILT)
    for command in ('discover', 'detect'):
        assert run(command, '-o', folder, '-q').code == 0
    rid = rows(folder, 'quilts')[0]['rid']
    assert shown(folder, QUILT) == shown(folder, rid) == expected
    pages = dict(documents())
    done = run('show', folder, rid, '--as', 'chunks')
    assert done.out.encode() == pages[QUILT]
    assert run('show', folder, QUILT, '--as', 'chunks').out.startswith(f'{QUILT}\n')
    other = rows(folder, 'pages')[0]
    assert other['url'] != QUILT
    assert run('show', folder, other['rid']).out.encode() == pages[other['url']]
    assert shown(folder, other['rid'], '--as', 'quilts')[1].startswith('not quilted')


def test_a_run_without_quilts(tmp_path):
    write_warc(tmp_path / 'crawl.warc.gz', documents())
    assert run('discover', tmp_path / 'crawl.warc.gz', '-o', tmp_path / 'r').code == 0
    told = refused(tmp_path / 'r', QUILT, '--as', 'quilts')
    assert 'has no quilts; to find them, run' in told


def test_parts_that_are_missing(tmp_path):
    folder = make_quilts(tmp_path)
    shutil.rmtree(folder / '16-quilts')
    assert refused(folder, QUILT).endswith('missing; run quilts again\n')
    (folder / 'quilt_sources.tsv').unlink()
    assert refused(folder, QUILT).endswith('missing; run quilts again\n')
