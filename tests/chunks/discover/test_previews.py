"""Chunks found again in a page, whether it arrives whole or in pieces."""

import hashlib

import pytest

from mr_reuse.archives.framing import Head, Lost
from mr_reuse.archives.items import Item
from mr_reuse.chunks import cutters
from mr_reuse.chunks.discover import previews
from mr_reuse.chunks.recipe import Recipe

CHUNKS = [b'<html>', b'<p>one', b'<div>' + b'two ' * 50, b'<p>one', b'<p>last  \n']
BODY = b''.join(CHUNKS)


def sha1(chunk: bytes) -> bytes:
    return hashlib.sha1(chunk).digest()


def page(body: bytes | None, pieces=()) -> Item:
    item = Item('0', 'http://a.org/', Head('response', b'', '', '', 0))
    item.body, item.pieces = body, iter(pieces)
    return item


def find(item: Item, chunks, **recipe) -> dict[bytes, str]:
    options = Recipe(**recipe)
    cutter = cutters.make_cutter(options.delimiters, options.hash)
    wanted = {sha1(chunk): len(chunk) for chunk in chunks}
    return previews.find_previews(item, options, cutter, wanted)


@pytest.mark.parametrize('block', [0, 1, 7, 1000])
def test_any_pieces(block):
    """All chunks that are wanted, none that is not, and at most eighty bytes."""
    pieces = [BODY[i : i + block] for i in range(0, len(BODY), block or len(BODY))]
    item = page(None, pieces) if block else page(BODY)
    assert find(item, [*CHUNKS[1:3], CHUNKS[4], b'<p>gone']) == {
        sha1(CHUNKS[1]): '<p>one',
        sha1(CHUNKS[2]): '<div>' + ('two ' * 50)[:75],
        sha1(CHUNKS[4]): '<p>last   ',
    }


@pytest.mark.parametrize('in_pieces', [False, True])
def test_recipe(in_pieces):
    """Bodies end with a line feed as some ARC files do; white space collapses."""
    item = page(None, [BODY]) if in_pieces else page(BODY)
    tail = b'<p>last  \n\n'
    found = find(item, [tail], compat='ccr2019-arc')
    assert found == {sha1(tail): '<p>last    '}
    item = page(None, [BODY]) if in_pieces else page(BODY)
    found = find(item, [BODY], delimiters='td')
    assert list(found) == [sha1(BODY)]


def test_damaged_item():
    """What was read before the damage is found; the chunk at it is not."""

    def pieces():
        yield BODY[:8]
        yield BODY[8:60]
        raise Lost

    assert find(page(None, pieces()), CHUNKS) == {
        sha1(CHUNKS[0]): '<html>',
        sha1(CHUNKS[1]): '<p>one',
    }


def test_item_is_read_no_further_than_needed():
    def pieces():
        yield BODY
        yield b'<p>more'
        raise AssertionError

    chunks = previews.find_chunks(page(None, pieces()), Recipe(), {sha1(CHUNKS[1])})
    assert list(chunks) == [(sha1(CHUNKS[1]), CHUNKS[1])]
