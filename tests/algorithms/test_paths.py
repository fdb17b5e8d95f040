"""Shortest paths of random graphs, compared with a plain breadth-first search."""

import random

import numpy as np
import pytest

from mr_reuse.algorithms.paths import find_path


def distances(pairs: list[tuple[int, int]], start: int) -> dict[int, int]:
    """The number of steps to each node that can be reached."""
    found, at = {start: 0}, [start]
    while at:
        node = at.pop(0)
        for one, other in [*pairs, *((b, a) for a, b in pairs)]:
            if one == node and other not in found:
                found[other] = found[node] + 1
                at.append(other)
    return found


@pytest.mark.parametrize('seed', range(40))
def test_random_graphs(seed):
    dice = random.Random(seed)
    nodes = [dice.randrange(1 << 63) for _ in range(dice.randint(2, 12))]
    count = dice.randint(1, 20)
    pairs = [tuple(dice.choices(nodes, k=2)) for _ in range(count)]
    start, end = dice.choices(nodes, k=2)
    path = find_path(np.array(pairs, np.uint64), start, end)
    expected = distances(pairs, start).get(end)
    assert len(path) - 1 == (-1 if expected is None else expected)
    if path:
        assert (path[0], path[-1]) == (start, end)
        edges = {*pairs, *((b, a) for a, b in pairs)}
        assert all(step in edges for step in zip(path, path[1:], strict=False))


def test_a_long_path():
    """A path of 100,000 steps needs no recursion."""
    nodes = np.arange(100_001, dtype=np.uint64)
    pairs = np.stack([nodes[1:], nodes[:-1]], axis=1)
    assert find_path(pairs, 100_000, 0) == nodes[::-1].tolist()
