"""Sequences that others have in common: subsequences, with gaps."""

from collections.abc import Sequence

WIDEST = 12  # items that are repeated in a row


def longest_common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return a longest common subsequence of two sequences.

    A bit of a number is an item of the first one, so an item of the other one takes a
    few operations (H. Hyyrö, 2004).

    >>> longest_common('abcxde', 'bczd')
    ['b', 'c', 'd']
    """
    if one == other:
        return list(one)
    everywhere = (1 << len(one)) - 1
    places: dict[str, int] = {}
    for at, item in enumerate(one):
        places[item] = places.get(item, 0) | 1 << at
    rows, row = [], everywhere
    for item in other:
        same = row & places.get(item, 0)
        row = ((row + same) | (row - same)) & everywhere
        rows.append(row)
    found: list[str] = []
    at, number = len(one) - 1, len(other) - 1
    while at >= 0 and number >= 0:
        if rows[number] >> at & 1:
            at -= 1
        elif number and not rows[number - 1] >> at & 1:
            number -= 1
        else:
            found.append(one[at])
            at, number = at - 1, number - 1
    return found[::-1]


def common_to_most(sequences: Sequence[Sequence[str]], least: int) -> list[str]:
    """Return a subsequence of the first sequence and of at least `least` in all.

    Those that have least in common with the first one are left out.

    >>> common_to_most(['abcd', 'abxd', 'zzz', 'abd'], 3)
    ['a', 'b', 'd']
    """
    first, *others = sequences
    shared = [longest_common(first, other) for other in others]
    order = sorted(range(len(others)), key=lambda n: -len(shared[n]))
    found = list(first)
    for n in order[: least - 1]:
        found = longest_common(found, others[n])
    return found


def has_subsequence(sequence: Sequence[str], wanted: Sequence[str]) -> bool:
    """Test whether a sequence has the items of another one in their order.

    >>> has_subsequence('abcd', 'bd'), has_subsequence('abcd', 'db')
    (True, False)
    """
    items = iter(sequence)
    return all(item in items for item in wanted)


def list_gaps(sequence: Sequence[str], wanted: Sequence[str]) -> list[bool]:
    """Return whether a sequence has others before each item of a subsequence.

    The last value is of those after the last item. Each item is taken where it occurs
    first.

    >>> list_gaps('xabyc', 'abc')
    [True, False, True, False]
    """
    gaps, at = [], 0
    items = list(sequence)
    for item in wanted:
        there = items.index(item, at)
        gaps.append(there > at)
        at = there + 1
    return [*gaps, at < len(items)]


def join_repeats(items: Sequence[str]) -> list[str]:
    """Return a sequence in which neighbors that repeat each other count once.

    >>> join_repeats('abababcc'), join_repeats('abcab')
    (['a', 'b', 'c'], ['a', 'b', 'c', 'a', 'b'])
    """
    found: list[str] = []
    for item in items:
        found.append(item)
        for width in range(1, WIDEST + 1):
            if len(found) < 2 * width:
                break
            is_same = found[-1] == found[-1 - width]
            if is_same and found[-width:] == found[-2 * width : -width]:
                del found[-width:]
                break
    return found
