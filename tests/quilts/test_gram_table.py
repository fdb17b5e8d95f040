"""The documents of grams: the kernel and Python against dictionaries."""

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.pages.documents.segments import Segment
from mr_reuse.quilts.grams import blocks
from mr_reuse.quilts.grams.gram_table import GramTable
from mr_reuse.quilts.grams.pure_table import PureTable
from mr_reuse.text.gram_block import Grams

ALL = 2**64 - 1
LIMIT = 3
FAR = 2**40  # number of the first document
# Keys that agree in their first bits, checks that tell equal keys apart.
GRAMS = st.tuples(
    st.one_of(st.integers(0, 3), st.sampled_from([2**63, ALL - 1, ALL])),
    st.sampled_from([0, 1, 2**16 - 1]),
)
BLOCK = st.dictionaries(GRAMS, st.sets(st.integers(0, 9), min_size=1), max_size=30)


def make_table(way, bound=0):
    if way == 'kernel' and not kernel.load():
        pytest.skip(kernel.version())
    table = GramTable(LIMIT, 0, BytesIO, bound)
    if way == 'pure':
        table._table = PureTable(LIMIT, 0)
    return table


def add(table, number, block):
    """Add a block of the ten documents behind `number`."""
    grams = sorted(block)
    documents = [sorted(block[gram]) for gram in grams]
    columns = (
        np.array([key for key, _ in grams], np.uint64),
        np.array([check for _, check in grams], np.uint16),
        np.array(list(map(len, documents)), np.uint32),
        np.array([d for some in documents for d in some], np.uint32),
    )
    for value in blocks.pack_blocks(Grams(*columns), [Segment(str(number), 10)]):
        table.add(value)


def lists_of(table):
    """The number of grams; and (documents, grams) of each list, in any order."""
    count, found = 0, []
    for grams, lists in table.drain():
        count += grams
        documents, keys, checks = (
            np.split(column, np.cumsum(sizes)[:-1].astype(int))
            for column, sizes in (
                (lists.documents, lists.sizes),
                (lists.keys, lists.counts),
                (lists.checks, lists.counts),
            )
        )
        for some, *columns in zip(documents, keys, checks, strict=True):
            names = zip(*(column.tolist() for column in columns), strict=True)
            found.append((tuple(some.tolist()), list(names)))
    return count, [one for one in found if one[1]]


def expected(added):
    grams: dict = {}
    for number, block in added:
        for gram, documents in block.items():
            grams.setdefault(gram, set()).update(number + d for d in documents)
    lists: dict = {}
    for gram in sorted(grams):
        if 2 <= len(grams[gram]) <= LIMIT:
            lists.setdefault(tuple(sorted(grams[gram])), []).append(gram)
    return len(grams), lists


@pytest.mark.parametrize('way', ['kernel', 'pure'])
@given(st.lists(st.tuples(st.integers(0, 2), BLOCK), max_size=4), st.booleans())
@settings(deadline=None, max_examples=40)
def test_lists_by_definition(way, added, spills):
    added = [(FAR + 5 * n, block) for n, block in added]
    table = make_table(way, 8 if spills else 0)
    for number, block in added:
        add(table, number, block)
    count, found = lists_of(table)
    of_documents, lists = expected(added)
    assert count == of_documents
    together: dict = {}
    for documents, grams in found:
        assert spills or documents not in together
        together.setdefault(documents, []).extend(grams)
    assert {documents: sorted(grams) for documents, grams in together.items()} == lists


def test_same_lists_of_many_grams(monkeypatch):
    """Enough grams for the kernel to sort them in buckets; some lists have many."""
    if not kernel.load():
        pytest.skip(kernel.version())
    random = np.random.default_rng(7)
    keys = random.integers(0, 2**58, 30_000, np.uint64) | np.uint64(5 << 58)
    made = kernel.load().GramTable(50, 6), PureTable(50, 6)
    for first in range(3):
        some = np.sort(random.choice(keys, 20_000))
        sizes = random.integers(0, 3, len(some)).astype(np.uint32)
        columns = (
            some,
            (some & np.uint64(1)).astype(np.uint16),
            sizes,
            random.integers(0, 4, int(sizes.sum())).astype(np.uint32),
            np.arange(first, first + 4, dtype=np.uint64),
        )
        added = [table.add(*(c.tobytes() for c in columns)) for table in made]
        assert added[0] == added[1]
    counts = [table.compact() for table in made]
    assert counts[0] == counts[1]
    assert made[0].lists() == made[1].lists()
    assert made[0].lists() == made[1].lists() == (0, *[b''] * 5)


@pytest.mark.parametrize('way', ['kernel', 'pure'])
def test_taken_as_by_python(way):
    table = make_table(way)
    add(table, 7, {(1, 2): {3, 4}, (0, 9): {0}})
    keys, checks, sizes, documents = table._table.take()
    assert np.frombuffer(keys, np.uint64).tolist() == [0, 1]
    assert np.frombuffer(checks, np.uint16).tolist() == [9, 2]
    assert np.frombuffer(sizes, np.uint32).tolist() == [1, 2]
    assert np.frombuffer(documents, np.uint64).tolist() == [7, 10, 11]
    assert table._table.take() == (b'',) * 4


@pytest.mark.parametrize('wrong', range(5))
def test_damaged_blocks_are_refused(wrong):
    if not kernel.load():
        pytest.skip(kernel.version())
    columns = [bytes(8), bytes(2), b'\1\0\0\0', bytes(4), bytes(8)]
    kernel.load().GramTable(50, 0).add(*columns)
    columns[wrong] = (bytes(16), bytes(4), b'\2\0\0\0', b'\1\0\0\0', b'\xff' * 8)[wrong]
    with pytest.raises(ValueError, match='no grams'):
        kernel.load().GramTable(50, 0).add(*columns)
