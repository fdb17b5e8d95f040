"""Shortest paths in a graph."""

from collections import deque

import numpy as np

from mr_reuse.algorithms.graphs import group_links


def find_path(pairs: np.ndarray, start: int, end: int) -> list[int]:
    """Return the nodes on a shortest path, both ends included; nothing if none exists.

    `pairs` has a row for each edge. Nodes are any numbers. Of several paths, the
    smaller nodes are taken, from the end of the path on.

    >>> pairs = np.array([[7, 9], [9, 4], [4, 1], [9, 3], [3, 1]], np.uint64)
    >>> find_path(pairs, 7, 1)
    [7, 9, 3, 1]
    >>> find_path(pairs, 7, 8), find_path(pairs, 4, 4)
    ([], [4])
    """
    if start == end:
        return [start]
    nodes, ranks = np.unique(pairs, return_inverse=True)
    first, goal = (int(np.searchsorted(nodes, node)) for node in (end, start))
    is_there = [
        at < len(nodes) and nodes[at] == n for at, n in ((first, end), (goal, start))
    ]
    if not all(is_there):
        return []
    rows = np.unique(ranks.reshape(-1, 2), axis=0)
    both = np.unique(np.concatenate([rows, rows[:, ::-1]]), axis=0)
    links = group_links(both, len(nodes), lambda size: np.zeros(size, np.uint32))
    before = np.full(len(nodes), -1, np.int64)
    before[first] = first
    waiting = deque([first])
    while waiting and before[goal] < 0:
        node = waiting.popleft()
        for other in links.ends[links.starts[node] : links.starts[node + 1]].tolist():
            if before[other] < 0:
                before[other] = node
                waiting.append(other)
    if before[goal] < 0:
        return []
    path = [goal]
    while path[-1] != first:
        path.append(int(before[path[-1]]))
    return nodes[path].tolist()
