"""Rings in a graph: strongly connected components, without recursion."""

from collections.abc import Iterable, Mapping

Links = Mapping[str, Iterable[str]]


def rings(links: Links) -> list[list[str]]:
    """Groups of two or more nodes from each of which one gets to all others.

    The largest first, each in order of names.

    >>> rings({'a': ['b'], 'b': ['c'], 'c': ['a', 'd'], 'd': [], 'e': ['e', 'f']})
    [['a', 'b', 'c']]
    """
    back: dict[str, list[str]] = {}
    for node, targets in links.items():
        for target in targets:
            back.setdefault(target, []).append(node)
    # Against the links, one gets from the node left last to those in a ring with it,
    # and to none that is not known already.
    seen: set[str] = set()
    groups = [sorted(walk(back, node, seen)) for node in walk_all(links)[::-1]]
    return sorted((g for g in groups if len(g) > 1), key=lambda g: (-len(g), g))


def walk_all(links: Links) -> list[str]:
    """All nodes that have links, in the order in which a walk leaves them."""
    seen: set[str] = set()
    return [node for root in links for node in walk(links, root, seen)]


def walk(links: Links, root: str, seen: set[str]) -> list[str]:
    """Unseen nodes that one gets to, in the order in which the walk leaves them.

    >>> walk({'a': ['b', 'c'], 'b': ['c']}, 'a', set())
    ['c', 'b', 'a']
    """
    if root in seen:
        return []
    seen.add(root)
    left, path = [], [(root, iter(links.get(root, ())))]
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
