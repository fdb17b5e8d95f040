"""Rings in a graph: strongly connected components, without recursion.

Sites may form paths that are longer than Python's recursion limit.
"""

from collections.abc import Iterable, Mapping

Links = Mapping[str, Iterable[str]]


def find_rings(links: Links) -> list[list[str]]:
    """Return the groups of two or more nodes that all reach each other.

    The largest group comes first. The nodes of a group are sorted.

    >>> find_rings({'a': ['b'], 'b': ['c'], 'c': ['a', 'd'], 'd': [], 'e': ['e', 'f']})
    [['a', 'b', 'c']]
    """
    sources: dict[str, list[str]] = {}
    for node, targets in links.items():
        for target in targets:
            sources.setdefault(target, []).append(node)
    # Kosaraju's algorithm: a walk against the links, from nodes in the reverse order in
    # which the first walk left them, reaches exactly one component from each.
    seen: set[str] = set()
    groups = [sorted(walk(sources, node, seen)) for node in walk_all(links)[::-1]]
    return sorted((g for g in groups if len(g) > 1), key=lambda g: (-len(g), g))


def walk_all(links: Links) -> list[str]:
    """Return all nodes in the order in which a depth-first walk leaves them."""
    seen: set[str] = set()
    return [node for root in links for node in walk(links, root, seen)]


def walk(links: Links, root: str, seen: set[str]) -> list[str]:
    """Return the unseen nodes that a root reaches, in the order in which they are left.

    The walk is depth-first and adds the nodes to `seen`.

    >>> walk({'a': ['b', 'c'], 'b': ['c']}, 'a', set())
    ['c', 'b', 'a']
    """
    if root in seen:
        return []
    seen.add(root)
    left, path = [], [(root, iter(links.get(root, ())))]  # `path` is the stack
    while path:
        node, targets = path[-1]
        target = next((t for t in targets if t not in seen), None)
        if target is None:
            left.append(node)
            path.pop()
        else:
            seen.add(target)
            path.append((target, iter(links.get(target, ()))))
    return left
