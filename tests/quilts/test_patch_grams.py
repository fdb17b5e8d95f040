"""Patch grams in pages: the kernel and Python against tuples of words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.quilts.checks import patches
from mr_reuse.quilts.checks.checking import DIFFERS, FoundGrams, GramSet, Quilt
from mr_reuse.quilts.checks.patches import LACKS, MIXED, OTHER, SAME, PurePatches
from mr_reuse.quilts.finding import Cover, Source
from mr_reuse.quilts.shares import Row
from mr_reuse.text.gram_hash import hash_grams

WAYS = ['kernel', 'pure']
# The first letter of a word decides its lanes, so that words collide.
WORDS = st.lists(st.sampled_from(['a', 'ab', 'b', 'ba', 'c', 'c' * 20]), max_size=12)


class Page:
    """The words of a page, as they are read."""

    def __init__(self, words):
        self.words = words
        self.count = len(words)

    def lanes(self):
        lanes = [(ord(word[0]), 7 * ord(word[0])) for word in self.words]
        return np.array(lanes, np.uint64).reshape(-1, 2)

    def text(self):
        return ''.join(f'{word}\n' for word in self.words).encode()

    def grams(self, k):
        """Of each place the first letters, which are the hash, and the words."""
        rows = range(len(self.words) - k + 1)
        grams = [tuple(self.words[row : row + k]) for row in rows]
        return [(tuple(word[0] for word in gram), gram) for gram in grams]


def hashes(letters, k):
    """The grams of words that begin with these letters."""
    found = [hash_grams(Page(gram).lanes(), k) for gram in letters]
    keys = np.array([int(key[0]) for key, _ in found], np.uint64)
    return keys, np.array([int(check[0]) for _, check in found], np.uint16)


def choose(way):
    if way == 'kernel' and not kernel.load():
        pytest.skip(kernel.version())
    return kernel.load().Patches if way == 'kernel' else PurePatches


@pytest.mark.parametrize('way', WAYS)
@given(
    st.lists(st.tuples(WORDS, st.booleans()), max_size=4),
    st.integers(1, 3),
    st.sets(st.text('abc', min_size=3, max_size=3)),
)
def test_by_definition(way, pages, k, wanted):
    wanted = sorted({gram[:k] for gram in wanted})
    keys, checks = hashes(wanted, k)
    order = np.lexsort((checks, keys))
    made = choose(way)(k, keys[order].tobytes(), checks[order].tobytes())
    letters = [tuple(wanted[i]) for i in order]
    kept = {}
    for words, keeps in pages:
        page = Page(words)
        grams = page.grams(k)
        variants = {}
        for first, gram in grams:
            variants.setdefault(first, set()).add(gram)
        distinct = (
            len(variants) if max(map(len, variants.values()), default=1) < 2 else -1
        )
        columns = page.lanes().tobytes(), page.text()
        assert made.count(*columns) == distinct
        expected, seen = [], set()
        for row, (first, gram) in enumerate(grams):
            if first not in letters or first in seen:
                continue
            seen.add(first)
            if keeps:
                kept.setdefault(first, gram)
            state = SAME if kept.get(first) == gram else OTHER
            state = MIXED if len(variants[first]) > 1 else state
            expected.append([letters.index(first), row, state])
        found = [np.frombuffer(c, np.uint32) for c in made.find(*columns, keeps)]
        assert np.stack(found, axis=1).tolist() == expected


@pytest.mark.parametrize('way', WAYS)
def test_many_grams(way):
    """So many that the text that is kept moves, and that later words are expected."""
    dice = np.random.default_rng(3)
    lanes = dice.integers(0, 2**64, (5000, 2), np.uint64)
    words = [b'%x' % lane for lane in lanes[:, 0].tolist()]
    text = b'\n'.join([*words, b''])
    keys, checks = hash_grams(lanes, 4)
    order = np.argsort(keys)
    made = choose(way)(4, keys[order].tobytes(), checks[order].tobytes())
    others = words.copy()
    others[2000] = b'other'
    for body, differing in (
        (text, []),
        (b'\n'.join([*others, b'']), range(1997, 2001)),
    ):
        places, rows, states = (
            np.frombuffer(column, np.uint32)
            for column in made.find(lanes.tobytes(), body, body is text)
        )
        assert (order[places] == rows).all() and len(rows) == len(keys)
        assert rows[states == OTHER].tolist() == list(differing)
        assert not (states == MIXED).any()


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('text', [b'', b'a', b'a\n', b'a\nb\nc\n', b'a\nb\nc'])
def test_text_of_other_words(way, text):
    made = choose(way)(1, b'', b'')
    with pytest.raises(ValueError, match='words'):
        made.find(bytes(32), text, True)


@pytest.mark.skipif(not kernel.load(), reason=kernel.version())
def test_wrong_arguments():
    make, share = kernel.load().Patches, kernel.load().share_patches
    for columns in ((0, b'', b''), (1, b'x', b''), (1, bytes(8), b'')):
        with pytest.raises(ValueError, match='no grams'):
            make(*columns)
    with pytest.raises(ValueError, match='different lengths'):
        share(b'\1\0\0\0', bytes(4), bytearray(4), bytearray(4), 0)
    with pytest.raises(ValueError, match='different lengths'):
        share(bytes(4), b'', bytearray(4), bytearray(4), 0)
    with pytest.raises(TypeError, match='bytearrays'):
        share(bytes(4), bytes(4), bytes(4), bytearray(4), 0)


VARIANTS = st.sampled_from([LACKS, DIFFERS, 0, 0, 0, 1])


@given(
    st.lists(VARIANTS, min_size=3, max_size=3),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 9))),
    st.integers(0, 9),
)
def test_share_patches(variants, rows, position):
    pairs = [
        (own, variants[place]) for place, own, _ in rows if variants[place] != LACKS
    ]
    first = [
        min(before, position) if variants[place] != LACKS else before
        for place, _, before in rows
    ]
    for way in filter(None, [patches, kernel.load()]):
        places, own, left = (
            np.array(column, np.int32).tobytes()
            for column in (zip(*rows, strict=True) if rows else [[]] * 3)
        )
        left = bytearray(left)
        data = bytearray(np.array(variants, np.int32).tobytes())
        shared = way.share_patches(places, own, data, left, position)
        if any(own != other for own, other in pairs):
            assert shared == -1
        else:
            assert shared == len(pairs)
            assert np.frombuffer(left, np.int32).tolist() == first


@pytest.mark.parametrize('pure', [False, True])
def test_quilts_with_the_same_hashes(pure, monkeypatch):
    """Two quilts whose grams collide: their sources have other words, but are right."""
    if pure:
        monkeypatch.setenv(kernel.PURE, '1')
    texts = {1: ['a', 'b', 'c'], 2: ['ab', 'ba', 'c']}
    pages = {number: Page(words) for number, words in texts.items()}
    pages |= {11: pages[1], 12: pages[2], 13: Page(['a', 'ba', 'c'])}
    keys, checks = hashes(['ab', 'bc'] * 2, 2)
    grams = GramSet(keys, checks)
    found = FoundGrams(grams, 2, by_lanes=False, keeps_all=False)

    def check(number, source):
        cover = Cover(number, 2, [Source(source, 2, 2)], [])
        quilt = Quilt(cover, grams.places[:2])
        row = Row(number, '', '', '', 3, 2, 2)
        counts = 3, found.add(pages[number], is_quilt=True)
        quilt.add_page(row, counts, found)
        found.clear()
        found.add(pages[source], is_quilt=False)
        quilt.add_source(source, found)
        found.clear()
        return quilt.is_confirmed()

    pairs = [(1, 11), (2, 12), (1, 12), (2, 11), (1, 13), (2, 13)]
    assert [check(*pair) for pair in pairs] == [True, True] + [False] * 4
    assert found.has_others
