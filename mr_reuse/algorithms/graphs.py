"""Rings in a graph: strongly connected components, without recursion.

Sites may form paths that are longer than Python's recursion limit. Nodes are numbers.
The arrays of links, which have four bytes for each end, may be mapped files.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

BATCH = 1 << 18  # links to handle together

# Makes an array of so many numbers of four bytes.
MakeArray = Callable[[int], np.ndarray]


class Links(NamedTuple):
    """The links of nodes: those of a node are neighbors in `ends`."""

    starts: Sequence[int]  # of the links of each node; the last is their number
    ends: np.ndarray  # the node at the other end of each link


def find_rings(
    pairs: np.ndarray, count: int, make_array: MakeArray | None = None
) -> list[list[int]]:
    """Return the groups of two or more nodes that all reach each other, in no order.

    `pairs` has a row for each link: source and target. There are `count` nodes. The
    nodes of a group are sorted.

    >>> find_rings(np.array([[0, 1], [1, 2], [2, 0], [2, 3], [4, 4]], np.uint32), 5)
    [[0, 1, 2]]
    """
    make_array = make_array or (lambda size: np.zeros(size, np.uint32))
    left = array('I')
    forward = group_links(pairs, count, make_array)
    for nodes in walk_all(forward, range(count)):
        left.extend(nodes)
    # Kosaraju's algorithm: a walk against the links, from nodes in the reverse order in
    # which the first walk left them, reaches exactly one component from each.
    backward = group_links(pairs[:, ::-1], count, make_array)
    groups = walk_all(backward, reversed(left))
    return [sorted(nodes) for nodes in groups if len(nodes) > 1]


def group_links(pairs: np.ndarray, count: int, make_array: MakeArray) -> Links:
    """Group links by the first node of each pair.

    >>> pairs = np.array([[2, 0], [0, 1], [2, 1]], np.uint32)
    >>> starts, ends = group_links(pairs, 3, lambda size: np.zeros(size, np.uint32))
    >>> starts.tolist(), ends.tolist()
    ([0, 1, 1, 3], [1, 0, 1])
    """
    counts = np.zeros(count, np.int64)
    blocks = [slice(n, n + BATCH) for n in range(0, len(pairs), BATCH)]
    for block in blocks:
        nodes, times = np.unique(pairs[block, 0], return_counts=True)
        counts[nodes] += times
    starts = np.concatenate([[0], np.cumsum(counts)])
    ends, following = make_array(len(pairs)), starts[:-1].copy()
    for block in blocks:
        first, second = pairs[block].T
        order = np.argsort(first, kind='stable')
        nodes, begins, times = np.unique(
            first[order], return_index=True, return_counts=True
        )
        ranks = np.arange(len(order)) - np.repeat(begins, times)
        ends[np.repeat(following[nodes], times) + ranks] = second[order]
        following[nodes] += times
    return Links(array('Q', starts.tolist()), ends)


def walk_all(links: Links, roots: Iterable[int]) -> Iterator[list[int]]:
    """Walk from each root that was not seen; yield the nodes that each walk left.

    A walk is depth-first. It passes over nodes that were seen.

    >>> links = Links([0, 2, 3, 3], np.array([1, 2, 2], np.uint32))
    >>> list(walk_all(links, [2, 0]))
    [[2], [1, 0]]
    """
    starts, ends = links
    seen = bytearray(len(starts) - 1)
    # A memoryview yields a number in a third of the time of an array of numpy.
    targets, following = memoryview(ends), array('Q', starts)
    for root in roots:
        if seen[root]:
            continue
        seen[root] = 1
        left, path = [], [root]  # `path` is the stack
        while path:
            node = path[-1]
            at, end = following[node], starts[node + 1]
            while at < end and seen[targets[at]]:
                at += 1
            if at == end:
                left.append(path.pop())
            else:
                seen[targets[at]] = 1
                path.append(targets[at])
            following[node] = at
        yield left
