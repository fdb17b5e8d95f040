"""Rings in a graph: strongly connected components, without recursion."""

from collections.abc import Iterable, Mapping


def rings(links: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups of two or more nodes from each of which one gets to all others.

    The largest first, each in order of names.

    >>> rings({'a': ['b'], 'b': ['c'], 'c': ['a', 'd'], 'd': [], 'e': ['e', 'f']})
    [['a', 'b', 'c']]
    """
    found, number, low = [], {}, {}
    path: list[str] = []  # nodes whose component is open
    is_open: set[str] = set()
    for root in sorted(links):
        if root in number:
            continue
        work = [(root, iter(sorted(links.get(root, ()))))]
        number[root] = low[root] = len(number)
        path.append(root)
        is_open.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in number:
                    number[target] = low[target] = len(number)
                    path.append(target)
                    is_open.add(target)
                    work.append((target, iter(sorted(links.get(target, ())))))
                    break
                if target in is_open:
                    low[node] = min(low[node], number[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == number[node]:
                    at = path.index(node)
                    ring, path[at:] = sorted(path[at:]), []
                    is_open.difference_update(ring)
                    if len(ring) > 1:
                        found.append(ring)
    return sorted(found, key=lambda ring: (-len(ring), ring))
