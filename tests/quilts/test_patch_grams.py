"""Patch grams in pages: the kernel and Python against tuples of words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.quilts.checks.gram_lists import NOBODY, PureGramLists
from mr_reuse.quilts.checks.patches import PurePatches
from mr_reuse.text.gram_hash import hash_grams

WAYS = ['kernel', 'pure']
# The first letter of a word decides its lanes, so that words collide.
WORDS = st.lists(st.sampled_from(['a', 'ab', 'b', 'ba', 'c', 'c' * 20]), max_size=12)

HOW = st.sampled_from(['', 'no text', 'continues'])


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
    st.lists(
        st.tuples(WORDS, st.sampled_from(['', 'no text', 'continues'])), max_size=4
    ),
    st.integers(1, 3),
    st.sets(st.text('abc', min_size=3, max_size=3)),
)
def test_by_definition(way, pages, k, wanted):
    letters = [tuple(gram) for gram in sorted({gram[:k] for gram in wanted})]
    keys, checks = hashes(letters, k)
    made = choose(way)(k, keys.tobytes(), checks.tobytes())
    kept, before, clashing = {}, set(), set()
    for words, how in pages:
        page = Page(words)
        grams = page.grams(k)
        lanes, text = page.lanes().tobytes(), page.text()
        variants = {}
        for first, gram in grams:
            variants.setdefault(first, set()).add(gram)
        differs = max(map(len, variants.values()), default=1) > 1
        assert made.count(lanes, text) == (-1 if differs else len(variants))
        if how != 'continues':
            before, clashing = set(), set()
        expected, clashes = [], []
        for row, (first, gram) in enumerate(grams):
            if first not in letters:
                continue
            if first not in before:
                before.add(first)
                expected.append((letters.index(first), row))
            if how == 'no text' or kept.setdefault(first, gram) == gram:
                continue
            if first not in clashing:
                clashing.add(first)
                clashes.append(letters.index(first))
        found = made.find(lanes, None if how == 'no text' else text, how == 'continues')
        places, rows, other = (np.frombuffer(c, np.uint32).tolist() for c in found)
        assert list(zip(places, rows, strict=True)) == expected
        assert other == clashes
    starts, sizes, text = made.words()
    columns = np.frombuffer(starts, np.uint64), np.frombuffer(sizes, np.uint32)
    found = [text[start : start + size] for start, size in zip(*columns, strict=True)]
    assert found == [
        ''.join(f'{word}\n' for word in kept.get(first, ())).encode()
        for first in letters
    ]


@pytest.mark.parametrize('way', WAYS)
def test_many_grams(way):
    """So many that the text that is kept moves, and that later words are expected."""
    dice = np.random.default_rng(3)
    lanes = dice.integers(0, 2**64, (5000, 2), np.uint64)
    words = [b'%x' % lane for lane in lanes[:, 0].tolist()]
    keys, checks = hash_grams(lanes, 4)
    made = choose(way)(4, keys.tobytes(), checks.tobytes())
    others = words.copy()
    others[2000] = b'other'
    for page, differing in (words, []), (others, [1997, 1998, 1999, 2000]):
        text = b'\n'.join([*page, b''])
        places, rows, clashes = (
            np.frombuffer(column, np.uint32).tolist()
            for column in made.find(lanes.tobytes(), text, False)
        )
        assert places == rows == list(range(len(keys)))
        assert clashes == differing


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('text', [b'', b'a', b'a\n', b'a\nb\nc\n', b'a\nb\nc'])
def test_text_of_other_words(way, text):
    made = choose(way)(1, bytes(8), bytes(2))
    with pytest.raises(ValueError, match='words'):
        made.count(bytes(32), text)


@pytest.mark.skipif(not kernel.load(), reason=kernel.version())
def test_wrong_arguments():
    make, lists = kernel.load().Patches, kernel.load().GramLists
    for columns in ((0, b'', b''), (1, b'x', b''), (1, bytes(8), b'')):
        with pytest.raises(ValueError, match='no grams'):
            make(*columns)
    with pytest.raises(ValueError, match='twice'):
        make(1, bytes(16), bytes(4))
    with pytest.raises(TypeError, match='bytes'):
        make(1, bytes(8), bytes(2)).find(bytes(32), 'a', False)
    for columns in ((b'', b''), (b'\1' + bytes(7), b''), (b'\1' + bytes(15), bytes(8))):
        with pytest.raises(ValueError, match='no lists'):
            lists(*columns)
    with pytest.raises(ValueError, match='no such list'):
        lists(bytes(16), b'').cover(b'\1\0\0\0', b'')


@given(
    st.lists(st.sets(st.integers(0, 9)), min_size=1, max_size=4),
    st.lists(st.integers(0, 3), max_size=20),
    st.lists(st.integers(0, 12), unique=True),
)
def test_covers(lists, grams, cover):
    """The documents of a cover that have each gram, by their lists."""
    grams = [gram % len(lists) for gram in grams]
    has = [
        [n for n, document in enumerate(cover) if document in lists[g]] for g in grams
    ]
    first = [min(positions, default=NOBODY) for positions in has]
    new = [first.count(n) for n in range(len(cover))]
    shared = [sum(n in positions for positions in has) for n in range(len(cover))]
    starts = np.cumsum([0, *map(len, lists)]).astype(np.uint64)
    documents = np.array([d for one in lists for d in sorted(one)], np.uint64)
    columns = np.array(grams, np.uint32).tobytes(), np.array(cover, np.uint64).tobytes()
    ways = [PureGramLists, *([kernel.load().GramLists] if kernel.load() else [])]
    for way in ways:
        made = way(starts.tobytes(), documents.tobytes())
        found = zip(made.cover(*columns), (np.int32, np.uint64, np.uint64), strict=True)
        values = [np.frombuffer(data, kind).tolist() for data, kind in found]
        assert values == [first, new, shared]
