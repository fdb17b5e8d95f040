"""Cutting and normalising, whole or in pieces."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.chunks import chunking
from mr_reuse.chunks.normalize import auntietuna, collapse, normalize_blocks

PIECES = [
    b'<p>',
    b'<P\t',
    b'<div',
    b'<DIV\n',
    b'<',
    b'p>',
    b'd',
    b'iv ',
    b'x',
    b' \n',
    b'/',
]
bodies = st.lists(st.sampled_from(PIECES), max_size=25).map(b''.join)
splits = st.lists(st.integers(0, 60), max_size=6)


def in_blocks(body, places):
    edges = [0, *sorted(min(p, len(body)) for p in places), len(body)]
    return [body[a:b] for a, b in itertools.pairwise(edges) if a < b]


def joined(pieces):
    """The chunks that pieces make up."""
    chunks = []
    for piece, begins in pieces:
        if begins:
            chunks.append(b'')
        chunks[-1] += piece
    return chunks


@given(bodies, splits)
@settings(max_examples=300, deadline=None)
def test_pieces_equal_cut(body, places):
    pattern = chunking.compile_delimiter('p,div')
    chunks = chunking.cut(body, pattern)
    assert b''.join(chunks) == body
    assert joined(chunking.cut_blocks(in_blocks(body, places), pattern)) == chunks


@given(bodies, splits)
@settings(max_examples=200, deadline=None)
def test_normalized_pieces_equal_whole(body, places):
    for normalize in (auntietuna, collapse):
        pieces = normalize_blocks(normalize, in_blocks(body, places))
        assert b''.join(pieces) == normalize(body)


def test_held_back_over_blocks():
    """A delimiter that comes a byte at a time is seen."""
    body = b'x' * 50 + b'<div class="a">' + b'y' * 50 + b'<p>'
    blocks = [body[i : i + 1] for i in range(len(body))]
    found = joined(chunking.cut_blocks(blocks, chunking.compile_delimiter('p,div')))
    assert found == [b'x' * 50, b'<div class="a">' + b'y' * 50, b'<p>']
