"""Packed columns and tables, against dictionaries."""

import hashlib
import random
import tempfile
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.chunks.detect import origins
from mr_reuse.chunks.detect.origins import Holders
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.packing import MAX, SUM, Rows
from mr_reuse.shuffle.spilling import MergeTable


def digests(numbers):
    return b''.join(hashlib.sha1(b'%d' % n).digest() for n in numbers)


def table_of(rows):
    """Rows as a dictionary, and whether their keys are sorted and distinct."""
    keys = [key.tobytes() for key in rows.keys]
    assert keys == sorted(set(keys))
    columns = [c.tolist() for c in rows.columns]
    return dict(zip(keys, zip(*columns, strict=True), strict=True))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**63 - 1))))
@settings(max_examples=50, deadline=None)
def test_pack_round_trip(pairs):
    rows = packing.make_rows(digests(n for n, _ in pairs), 20, [v for _, v in pairs])
    again = packing.unpack(packing.pack(rows))
    assert again.keys.tobytes() == rows.keys.tobytes()
    assert again.columns[0].tolist() == [v for _, v in pairs]


def test_equal_prefixes_are_told_apart():
    """Keys with the same first 64 bits are different keys all the same."""
    keys = b''.join(b'same-8by' + bytes([i]) * 12 for i in (3, 1, 2, 1, 3, 3))
    rows = packing.merge(packing.make_rows(keys, 20, [1] * 6), [SUM])
    assert [key[-1] for key in rows.keys.tolist()] == [1, 2, 3]
    assert rows.columns[0].tolist() == [2, 1, 3]


@pytest.mark.parametrize('bound', [10, 100, 10**6])
def test_table_against_dictionary(bound):
    """Spilled or not, a table is a dictionary with sums."""
    draw = random.Random(bound)
    table = MergeTable([SUM, MAX], tempfile.TemporaryFile, bound=bound)
    expected = {}
    for _ in range(50):
        numbers = [draw.randrange(300) for _ in range(20)]
        table.add(packing.make_rows(digests(numbers), 20, [1] * 20, numbers))
        for n in numbers:
            key = hashlib.sha1(b'%d' % n).digest()
            expected[key] = (expected.get(key, (0, 0))[0] + 1, n)
    found = [rows for rows in table.drain() if len(rows.keys)]
    assert table_of(packing.join(found)) == expected
    assert not any(len(rows.keys) for rows in table.drain())


def test_runs_are_merged_in_pieces(monkeypatch):
    """Many runs are merged, a few at a time, to pieces of a few blocks."""
    monkeypatch.setattr(spilling, 'BLOCK', 8)
    monkeypatch.setattr(spilling, 'MAX_RUNS', 3)
    keys = [hashlib.sha1(b'%d' % n).digest() for n in range(4000)]
    table = MergeTable([SUM], tempfile.TemporaryFile, bound=50)
    for _ in range(2):
        for i in range(0, len(keys), 20):
            table.add(packing.make_rows(b''.join(keys[i : i + 20]), 20, [1] * 20))
    pieces = list(table.drain())
    found = [key.tobytes() for rows in pieces for key in rows.keys]
    assert found == sorted(keys)
    assert {n for rows in pieces for n in rows.columns[0].tolist()} == {2}
    # Of each length there are at most two runs, with a block each.
    assert max(len(rows.keys) for rows in pieces) <= 8 * 2 * 6


def test_one_long_beginning(monkeypatch):
    """Pieces are short, even if all keys have the same first half."""
    monkeypatch.setattr(spilling, 'BLOCK', 8)
    table = MergeTable([SUM], tempfile.TemporaryFile, bound=50)
    dice = random.Random(1)
    numbers = [dice.randrange(900) for _ in range(3000)]
    for n in numbers:
        key = bytes(16) + b'%04d' % n
        table.add(packing.make_rows(key, 20, [1]))
    pieces = list(table.drain())
    found = [pair for rows in pieces for pair in table_of(rows).items()]
    expected = sorted(Counter(numbers).items())
    assert found == [(bytes(16) + b'%04d' % key, (n,)) for key, n in expected]
    assert max(len(rows.keys) for rows in pieces) <= 8 * spilling.MAX_RUNS


@pytest.mark.parametrize('seed', range(10))
def test_groups_are_whole(seed):
    """A group is one piece, or as many of its rows as it keeps before it is whole."""
    dice = random.Random(seed)
    keys = sorted({bytes([dice.randrange(5), dice.randrange(250)]) for _ in range(300)})
    pieces = []
    rest = list(keys)
    while rest:
        count = dice.randrange(0, 40)
        data, rest = b''.join(rest[:count]), rest[count:]
        pieces.append(packing.make_rows(data, 2))
    whole = list(spilling.Groups(1, lambda rows: rows).divide(pieces))
    assert [k.tobytes() for rows in whole for k in rows.keys] == keys
    firsts = [set(rows.keys[:, 0].tolist()) for rows in whole]
    assert sum(map(len, firsts)) == len(set().union(*firsts))
    most = []
    groups = spilling.Groups(1, lambda rows: most.append(rows) or rows.take(slice(3)))
    few = [k.tobytes() for rows in groups.divide(pieces) for k in rows.keys]
    assert {k[:1] for k in few} == {k[:1] for k in keys} and set(few) <= set(keys)
    assert max(len(rows.keys) for rows in most) <= 3 + 40


@pytest.mark.parametrize('bits', [1, 4, 16])
def test_partition_by_first_bits(bits):
    rows = packing.merge(packing.make_rows(digests(range(500)), 20, [1] * 500), [SUM])
    parts = list(packing.partition(rows, bits))
    for number, part in parts:
        firsts = {
            int.from_bytes(k[:8].tobytes(), 'big') >> (64 - bits) for k in part.keys
        }
        assert firsts == {number}
    assert sum(len(part.keys) for _, part in parts) == 500


def test_lines_are_short():
    """No line is longer than a megabyte, whatever the numbers."""
    count = 40_000
    keys = np.zeros((count, 32), np.uint8)
    columns = tuple(np.full(count, 2**63, np.uint64) for _ in range(3))
    found = list(packing.pack_lines([Rows(keys, columns)]))
    assert max(map(len, found)) < 1 << 20
    assert sum(len(packing.unpack(line).keys) for line in found) == count


@pytest.mark.parametrize(
    'make',
    [
        lambda: Holders(tempfile.TemporaryFile, 10**9),
        lambda: MergeTable(origins.SHARED, tempfile.TemporaryFile),
        lambda: MergeTable([SUM], tempfile.TemporaryFile),
    ],
)
def test_pieces_of_a_part(make, monkeypatch):
    """The rows of a part begin with the same bits; they are merged in many pieces."""
    monkeypatch.setattr(spilling, 'BLOCK', 20)
    table = make()
    table._bound = 1000
    dice = np.random.default_rng(1)
    columns = len(table._merges)
    for _ in range(20):
        keys = dice.integers(0, 256, (500, 24), np.uint8)
        keys[:, 0] &= 3  # the first six bits
        table.add(Rows(keys, tuple(np.ones(500, np.uint64) for _ in range(columns))))
    pieces = [len(rows.keys) for rows in table.drain()]
    assert sum(pieces) == 10_000 and max(pieces) < 500
