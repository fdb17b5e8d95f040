"""Rings in graphs, against the plainest way to find them."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.algorithms import graphs


@pytest.mark.parametrize('batch', [2, 1 << 18])
@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 30))
def test_rings(batch, seed, size, count):
    """Two nodes are in a ring if and only if each can be reached from the other."""
    dice = random.Random(seed)
    pairs = [(dice.randrange(size), dice.randrange(size)) for _ in range(count)]
    reach = {node: {b for a, b in pairs if a == node} for node in range(size)}
    for _ in range(size):
        for node in range(size):
            reach[node] |= {far for near in reach[node] for far in reach[near]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs, 'BATCH', batch)
        rings = graphs.find_rings(np.array(pairs, np.uint32).reshape(-1, 2), size)
    together = {(a, b) for ring in rings for a in ring for b in ring if a != b}
    nodes = range(size)
    expected = {(a, b) for a in nodes for b in reach[a] if a in reach[b] and a != b}
    assert together == expected
    assert all(ring == sorted(set(ring)) for ring in rings)


def test_long_ring():
    """As many sites as recursion could not follow."""
    nodes = np.arange(50_000, dtype=np.uint32)
    pairs = np.stack([nodes, np.roll(nodes, -1)], axis=1)
    assert graphs.find_rings(pairs, 50_000) == [nodes.tolist()]
