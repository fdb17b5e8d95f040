"""Rings in graphs, against the plainest way to find them."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse.algorithms import graphs


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 30))
def test_rings(seed, size, count):
    """Two nodes are in a ring if and only if each can be reached from the other."""
    dice = random.Random(seed)
    names = [f'n{n}' for n in range(size)]
    links = {name: set() for name in names}
    for _ in range(count):
        links[dice.choice(names)].add(dice.choice(names))
    reach = {name: set(targets) for name, targets in links.items()}
    for _ in names:
        for name in names:
            reach[name] |= {far for near in reach[name] for far in reach[near]}
    rings = graphs.find_rings(links)
    together = {(a, b) for ring in rings for a in ring for b in ring if a != b}
    expected = {(a, b) for a in names for b in reach[a] if a in reach[b] and a != b}
    assert together == expected
    assert rings == sorted(rings, key=lambda ring: (-len(ring), ring))


def test_long_ring():
    """As many sites as recursion could not follow."""
    links = {str(n): [str((n + 1) % 50_000)] for n in range(50_000)}
    assert len(graphs.find_rings(links)[0]) == 50_000
