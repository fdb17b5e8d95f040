"""The words of grams from several reducers, compared."""

import numpy as np
import pybase64 as base64
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mr_reuse.quilts.checks import clashes
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import unpack_texts

GRAM = st.tuples(st.sampled_from([0, 7, 2**64 - 1]), st.integers(0, 2))
ROWS = st.lists(st.tuples(GRAM, st.sampled_from(['a b', 'a c', 'ab', 'a b c'])))


def line(rows):
    """A line of grams with their words, as the first step writes it."""
    words = [text.encode() for _, text in rows]
    sizes = np.array(list(map(len, words)), np.int64)
    keys = np.array([key for (key, _), _ in rows], np.uint64)
    checks = np.array([check for (_, check), _ in rows], np.uint16)
    columns = keys, checks, ragged.starts_of(sizes), sizes
    return ragged.pack_columns(columns) + b';' + base64.b64encode(b''.join(words))


@pytest.mark.parametrize('bound', [1, 10**6])
@given(st.lists(ROWS, min_size=1, max_size=4))
def test_by_definition(bound, lines):
    texts: dict = {}
    for gram, words in (row for rows in lines for row in rows):
        texts.setdefault(gram, set()).add(words)
    expected = {gram for gram, words in texts.items() if len(words) > 1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clashes, 'COMPARED', bound)
        found = list(clashes.compare_words(b'words/0003', map(line, lines)))
    assert {key for key, _ in found} <= {b'clash/0003'}
    names = [name for _, value in found for name in unpack_texts(value)]
    assert sorted(map(clashes.parse_gram, names)) == sorted(expected)
    assert names == sorted(names)
