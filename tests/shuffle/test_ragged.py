"""Columns of different lengths, and lists laid end to end, against lists of Python."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mr_reuse.shuffle import ragged

numbers = st.lists(st.integers(0, 2**64 - 1), max_size=9)


def unpacked(value: bytes) -> list[list[int]]:
    """The columns of a value, as the format is described."""
    head, _, text = value.partition(b':')
    data, columns = base64.b64decode(text), []
    for shape in head.split(b','):
        length, width = map(int, shape.split(b'*'))
        cells = [data[i * width : (i + 1) * width] for i in range(length)]
        columns.append([int.from_bytes(cell, 'little') for cell in cells])
        data = data[length * width :]
    assert not data
    return columns


@given(st.lists(numbers, min_size=1, max_size=4))
def test_columns(columns):
    value = ragged.pack_columns([np.array(c, np.uint64) for c in columns])
    assert unpacked(value) == columns
    assert [c.tolist() for c in ragged.unpack_columns(value)] == columns
    assert [c.tolist() for c in ragged.unpack_columns(value + b'\t')] == columns


@pytest.mark.parametrize('value', [b'2*1:AQ==', b'1*1:AQI=', b'1*2:AQ!=', b'1*1', b''])
def test_damaged_columns(value):
    with pytest.raises(ValueError):
        ragged.unpack_columns(value)


@given(st.lists(st.integers(1, 5), max_size=9), st.data())
def test_lists(sizes, data):
    """The elements of some lists, in any order and with repetitions."""
    chosen = data.draw(st.lists(st.sampled_from(range(len(sizes))))) if sizes else []
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    expected = [starts[n] + i for n in chosen for i in range(sizes[n])]
    column = np.array(sizes, np.uint8)
    found = ragged.indexes_of(column, np.array(chosen, np.int64))
    assert found.tolist() == expected


@given(st.lists(st.integers(1, 9), max_size=20), st.integers(1, 30))
def test_slices(sizes, bound):
    """They are adjacent, and without its first row each is below the bound."""
    slices = list(ragged.cut_by_size(np.array(sizes), bound))
    rows = [row for where in slices for row in range(where.start, where.stop)]
    assert rows == list(range(len(sizes)))
    for where in slices:
        assert sum(sizes[where][1:]) < bound
