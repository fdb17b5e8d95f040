"""Pages that are large or hostile take bounded time and memory."""

import os
import subprocess
import sys
import time

import pytest
from hostile_pages import large_pages

from mr_reuse import kernel
from mr_reuse.text.page_words import HTML, WordRule, iter_words, read_words

RULE = WordRule('keep')
SIZE = 1 << 18
PAGES = large_pages(SIZE)
COUNTS = {
    'special tags': SIZE // 16,
    'an open script': SIZE // 17,
    'an open title': SIZE // 6,
    'a long reference': 1,
    'a long name': 1,
    'partial references': SIZE // 7,
    'a long word': 1,
    'a repeated word': SIZE // 5,
    'letters without spaces': SIZE // 3,
    'marks': 1,
}
WAYS = pytest.mark.parametrize('way', ['kernel', 'pure'])


def choose(way, monkeypatch):
    if way == 'pure':
        monkeypatch.setenv(kernel.PURE, '1')


@WAYS
@pytest.mark.parametrize('name', PAGES)
def test_costly_pages(name, way, monkeypatch):
    """In parts as at once, and in a few seconds a megabyte."""
    choose(way, monkeypatch)
    start = time.process_time()
    page = read_words(PAGES[name], 'utf-8', HTML, RULE)
    assert page.count == COUNTS.get(name, 0)
    assert time.process_time() - start < 4 * SIZE / 2**20
    pieces = [PAGES[name][at : at + 30_001] for at in range(0, 2 * SIZE, 30_001)]
    parts = iter_words(pieces, 'utf-8', HTML, RULE)
    assert sum(part.count for part in parts) == page.count


HUGE = {
    '20 MB of <': (b'<' * 20_000_000, 0),
    'a million nested tags': (b'<b>x' * 10**6, 10**6),
    'a word of 5 MB': (b'x' * 5_000_000, 1),
    'a word a million times': (b'word ' * 10**6, 10**6),
    'an open comment': (b'x<!--' + b'word ' * 10**6, 1),
    'an open script': (b'x<script>' + b'word ' * 10**6, 1),
    'an open quote': (b'x<a href="' + b'word ' * 10**6, 1),
}


@pytest.mark.slow
@WAYS
@pytest.mark.parametrize('name', HUGE)
def test_huge_pages(name, way, monkeypatch):
    choose(way, monkeypatch)
    body, count = HUGE[name]
    start = time.process_time()
    assert read_words(body, 'utf-8', HTML, WordRule('drop')).count == count
    assert time.process_time() - start < 2 * len(body) / 10**6


MEASURE = """
import sys
from pathlib import Path
from mr_reuse.text.page_words import HTML, WordRule, iter_words
piece, count, charset = eval(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
pieces = (piece for _ in range(count))
found = sum(p.count for p in iter_words(pieces, charset, HTML, WordRule('keep')))
status = Path('/proc/self/status').read_text()
print(found, status.partition('VmHWM:')[2].split()[0])
"""
ENDLESS = [
    ("b'word <b>' * 120_000", 1200, '', 144_000_000),
    ("b'word <b>' * 120_000", 200, 'utf-8', 24_000_000),
    ("b'x' * (1 << 20)", 1000, 'utf-8', 1),
    ("b'<' * (1 << 20)", 200, '', 0),
    ("b'x<!--' * (1 << 18)", 200, 'utf-8', 1),
    ("b'x<a b=\"' * (1 << 18)", 200, 'latin1', 1),
    ("b'&#' + b'0' * (1 << 20)", 200, 'utf-8', 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(('piece', 'times', 'charset', 'count'), ENDLESS)
def test_bodies_larger_than_memory(piece, times, charset, count):
    line = [sys.executable, '-c', MEASURE, piece, str(times), charset]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    found, peak = map(int, done.stdout.split())
    assert found == count
    assert peak < 100_000  # kilobytes


SHINGLES = """
import sys
from pathlib import Path
from mr_reuse.text.page_words import PLAIN, WordRule, iter_words
from mr_reuse.text.shingles import find_shingles_of_parts
piece, count = eval(sys.argv[1]), int(sys.argv[2])
pieces = (piece for _ in range(count))
rule = WordRule('keep', 'unicode', 'fingerprints')
parts = iter_words(pieces, 'utf-8', PLAIN, rule)
found = find_shingles_of_parts(part.fingerprints() for part in parts)
status = Path('/proc/self/status').read_text()
print(len(set(found.tolist())), status.partition('VmHWM:')[2].split()[0])
"""


@pytest.mark.slow
@pytest.mark.parametrize('pure', ['', '1'])
def test_shingles_of_a_large_page(pure):
    """All phrases of it are the same five."""
    line = [sys.executable, '-c', SHINGLES, "b'to be or not be ' * 65_536", '40']
    environment = {**os.environ, kernel.PURE: pure}
    done = subprocess.run(
        line, capture_output=True, text=True, check=True, env=environment
    )
    distinct, peak = map(int, done.stdout.split())
    assert 1 < distinct <= 5
    assert peak < (150_000 if pure else 100_000)  # kilobytes
