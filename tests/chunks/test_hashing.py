"""Pages of all sizes have the digests that hashlib gives for their chunks."""

import hashlib
import tempfile
from collections import Counter

import pytest

from mr_reuse.archives.framing import Head, Lost
from mr_reuse.archives.items import Item
from mr_reuse.chunks import page_lines as records
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.shuffle import packing

BODY = b'<html><body>' + b''.join(b'<p>%d</p>' % (i % 700) for i in range(2000))
CHUNKS = [b'<html><body>', *(b'<p>%d</p>' % (i % 700) for i in range(2000))]


DATE = '2020-01-02T03:04:05Z'


def item(body=None, pieces=(), cut=False):
    found = Item('0', 'http://a.org/', Head('response', b'', DATE, '', 0))
    found.body, found.pieces, found.cut = body, pieces, cut
    return found


def lines_of(page, archive='a'):
    hasher = Hasher(Recipe(), tempfile.TemporaryFile)
    [(_, lines)] = hasher.hash_items(archive, [page])
    return lines


def counted(lines):
    """Digests with lengths and copies, over all lines of a page."""
    found = Counter()
    for line in lines:
        rows = packing.unpack(line.packed)
        length, *copies = rows.columns
        copies = copies[0].tolist() if copies else [1] * len(length)
        for key, size, n in zip(rows.keys, length.tolist(), copies, strict=True):
            found[key.tobytes(), size] += n
    return found


def expected(chunks):
    return Counter((hashlib.sha1(c).digest(), len(c)) for c in chunks)


@pytest.mark.parametrize('rows', [10, 500, 16_000])
@pytest.mark.parametrize('block', [None, 1000])
def test_digests_of_a_page(monkeypatch, rows, block):
    """In one line or in many, from one block or from many."""
    monkeypatch.setattr('mr_reuse.chunks.hasher.PAGE_ROWS', rows)
    blocks = [BODY[i : i + block] for i in range(0, len(BODY), block)] if block else ()
    page = item(None if block else BODY, blocks)
    lines = list(lines_of(page))
    assert counted(lines) == expected(CHUNKS)
    assert lines[0].size == len(BODY)
    assert lines[0].file_hash == hashlib.sha1(BODY).hexdigest()
    assert sum(line.chunks for line in lines) == len(CHUNKS)


@pytest.mark.parametrize('block', [None, 1000])
def test_lines_of_a_page_are_disjoint(monkeypatch, block):
    """No digest is in two lines of a page, so pages can be counted by lines."""
    monkeypatch.setattr('mr_reuse.chunks.hasher.PAGE_ROWS', 100)
    blocks = [BODY[i : i + block] for i in range(0, len(BODY), block)] if block else ()
    page = item(None if block else BODY, blocks)
    lines = list(lines_of(page))
    keys = [set(map(bytes, packing.unpack(line.packed).keys)) for line in lines]
    assert len(lines) > 5
    assert sum(map(len, keys)) == len(set().union(*keys))
    assert [line.rid for line in lines[:3]] == ['a:0', 'a:0#1', 'a:0#2']
    assert {line.date for line in lines} == {DATE}
    assert {line.url for line in lines} == {lines[0].url}


@pytest.mark.parametrize('block', [None, 1000])
def test_cut_page(block):
    """A page that was cut has neither its last chunk nor a file hash."""
    blocks = [BODY[i : i + block] for i in range(0, len(BODY), block)] if block else ()
    page = item(None if block else BODY, blocks, cut=True)
    lines = list(lines_of(page))
    assert counted(lines) == expected(CHUNKS[:-1])
    assert lines[0].file_hash == ''


def test_binary_is_a_file_only():
    [line] = lines_of(item(b'\x89PNG\r\n\x1a\n<p>'))
    assert (line.type, line.chunks) == ('image/png', 0)
    assert line.file_hash == hashlib.sha1(b'\x89PNG\r\n\x1a\n<p>').hexdigest()


def test_line_of_hostile_names():
    """Nothing that a page or a name holds breaks a line."""
    page = item(BODY)
    page.date, page.ip = '2014\t01', 'a\nb'
    [line] = lines_of(page, 'x\ty:z')
    key, value = line.to_line()
    assert b'\t' not in key
    assert value.count(b'\t') == 7
    assert b'\n' not in value
    assert records.parse_page_line(key, value).chunks == len(CHUNKS)


def test_batches(monkeypatch):
    """Items keep their order, whatever is handled together; a lost one is left out."""

    def lost():
        yield b'<p>one'
        raise Lost

    cut = item(b'<p>one<p>two', cut=True)
    long_cut = item(b'<p>' + b'x' * 300 + b'<p>two', cut=True)
    pieces = item(pieces=[b'<p>thr', b'ee'])
    items = [item(b'<p>one'), pieces, cut, item(pieces=lost()), item(b''), long_cut]
    items += [item(b'<p>%d' % n) for n in range(40)]
    for size in (1, 64, 1 << 20):
        monkeypatch.setattr('mr_reuse.chunks.hasher.BATCH_BYTES', size)
        monkeypatch.setattr(
            'mr_reuse.chunks.hasher.SEGMENT_BYTES', min(size + 100, 200)
        )
        pieces.pieces = [b'<p>thr', b'ee']
        items[3].pieces = lost()
        pages = Hasher(Recipe(), tempfile.TemporaryFile).hash_items('a', items)
        found = [(one, counted(lines)) for one, lines in pages]
        assert [one for one, _ in found] == items[:3] + items[4:]
        counts = [count for _, count in found]
        assert counts[:4] == [
            expected([b'<p>one']),
            expected([b'<p>three']),
            expected([b'<p>one']),
            expected([]),
        ]
        assert counts[4] == expected([b'<p>' + b'x' * 300])
        assert counts[5:] == [expected([b'<p>%d' % n]) for n in range(40)]
