"""Union-find with arrays: which numbers are connected by edges.

The numbers are ranks, from 0. `parents` has a smaller rank of the same component for
each rank, or the rank itself. So the root of a component is its smallest rank.
"""

import numpy as np

from mr_reuse.components.edges import Edges

BLOCK = 1 << 18  # ranks to handle at a time


def connect(left: np.ndarray, right: np.ndarray, count: int) -> np.ndarray:
    """Return the smallest rank of the component of each rank below `count`.

    Each turn hooks every root to the smallest root that an edge joins to it. A root
    that no other one was hooked to has a smaller neighbor in the next turn. So two
    turns halve the number of roots that still have edges.

    >>> connect(np.array([3, 1, 4]), np.array([1, 0, 2]), 6).tolist()
    [0, 0, 2, 0, 2, 5]
    """
    parents = np.arange(count)
    while len(left):
        is_apart = left != right
        left, right = left[is_apart], right[is_apart]
        np.minimum.at(parents, np.maximum(left, right), np.minimum(left, right))
        flatten(parents)
        left, right = parents[left], parents[right]
    return parents


def flatten(parents: np.ndarray) -> None:
    """Replace each parent by the root of its component.

    >>> parents = np.array([0, 0, 1, 2, 4, 3])
    >>> flatten(parents); parents.tolist()
    [0, 0, 0, 0, 4, 0]
    """
    for start in range(0, len(parents), BLOCK):
        block = parents[start : start + BLOCK]  # a view; those before it are roots
        while not np.array_equal(above := parents[block], block):
            block[:] = above


def find_roots(parents: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return the roots of some ranks, and make them their parents."""
    roots = parents[ranks]
    while not np.array_equal(above := parents[roots], roots):
        roots = above
    parents[ranks] = roots
    return roots


def add_edges(parents: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
    """Merge the components that edges join.

    >>> parents = np.array([0, 0, 2, 2, 4])
    >>> add_edges(parents, np.array([3]), np.array([1]))
    >>> flatten(parents); parents.tolist()
    [0, 0, 0, 0, 4]
    """
    ends = find_roots(parents, np.concatenate([left, right]))
    is_apart = ends[: len(left)] != ends[len(left) :]
    roots, at = np.unique(ends[np.tile(is_apart, 2)], return_inverse=True)
    left, right = np.split(at, 2)
    parents[roots] = roots[connect(left, right, len(roots))]


def to_forest(edges: Edges) -> Edges:
    """Return edges from each number to the smallest number of its component.

    They join the same numbers, and each number once.

    >>> edges = Edges(np.array([70, 20, 20, 5]), np.array([20, 10, 10, 5]))
    >>> [column.tolist() for column in to_forest(edges)]
    [[20, 70], [10, 10]]
    """
    numbers, ranks = np.unique(np.concatenate(edges), return_inverse=True)
    roots = connect(*np.split(ranks, 2), len(numbers))
    others = np.flatnonzero(roots != np.arange(len(numbers)))
    return Edges(numbers[others], numbers[roots[others]])
