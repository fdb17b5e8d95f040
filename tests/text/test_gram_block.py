"""The grams of documents: the kernel against Python, and Python against tuples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.text.gram_block import GramBlock, Grams, PureBlock
from mr_reuse.text.page_words import PLAIN, WordRule, read_words

ALL = 2**64 - 1
DOCUMENTS = st.lists(st.text('ab ', max_size=40), max_size=8)


def lanes_of(text):
    return read_words(text.encode(), 'utf-8', PLAIN, WordRule('drop')).lanes()


def finalize(x):
    """SplitMix64, as published."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB & ALL
    return x ^ x >> 31


def expected(documents, k):
    """The grams of documents by their definition, with numbers of Python."""
    found = {}
    for number, text in enumerate(documents):
        lanes = lanes_of(text).tolist()
        for i in range(len(lanes) - k + 1):
            a = b = 0
            for first, second in lanes[i : i + k]:
                a = (a * 0x9E3779B97F4A7C15 + first) & ALL
                b = (b * 0xD1B54A32D192ED03 + second) & ALL
            found.setdefault((finalize(a), finalize(b) >> 48), set()).add(number)
    return [(*gram, sorted(found[gram])) for gram in sorted(found)]


def rows(grams: Grams):
    edges = np.cumsum(grams.sizes)[:-1].astype(int)
    documents = [part.tolist() for part in np.split(grams.documents, edges)]
    columns = grams.keys.tolist(), grams.checks.tolist(), documents
    return list(zip(*columns, strict=True)) if len(grams.keys) else []


@pytest.mark.parametrize('way', ['kernel', 'pure'])
@given(DOCUMENTS, st.integers(1, 6))
def test_by_definition(way, documents, k):
    if way == 'kernel' and not kernel.load():
        pytest.skip(kernel.version())
    block = GramBlock(k)
    if way == 'pure':
        block._block = PureBlock(k)
    words = [tuple(text.split()) for text in documents]
    for number, text in enumerate(documents):
        grams = {words[number][i : i + k] for i in range(len(words[number]) - k + 1)}
        assert block.add(lanes_of(text), number) == len(grams)
    assert rows(block.take()) == expected(documents, k)
    assert rows(block.take()) == []


@pytest.mark.skipif(not kernel.load(), reason=kernel.version())
def test_many_grams():
    """So many that the kernel divides them before it sorts them."""
    random = np.random.default_rng(7)
    ours, theirs = PureBlock(2), kernel.load().Grams(2)
    few = random.integers(0, 2**64, (90, 2), np.uint64)
    for number in range(40):
        lanes = few[random.integers(0, len(few), 3000)].tobytes()
        assert ours.add(lanes, number) == theirs.add(lanes, number)
    assert ours.take() == theirs.take()
    lanes = random.integers(0, 2**64, (300_000, 2), np.uint64).tobytes()
    assert ours.add(lanes, 5) == theirs.add(lanes, 5) == 299_999
    assert ours.take() == theirs.take()


@pytest.mark.skipif(not kernel.load(), reason=kernel.version())
def test_wrong_arguments():
    with pytest.raises(ValueError, match='at least one'):
        kernel.load().Grams(0)
    with pytest.raises(ValueError, match='no whole words'):
        kernel.load().Grams(2).add(b'x', 0)
    with pytest.raises(TypeError):
        kernel.load().Grams(2).add('', 0)
