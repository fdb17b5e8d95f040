"""Which fingerprints of a bucket are alike, with few comparisons."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.algorithms.agreement import Agreement, Likeness, are_alike

BLOCK = 64  # rows of a bucket to compare in one call
FEW = 400  # comparisons, of which all dimensions are compared at a time
CHUNK = 4096  # rows to compare with a block in one call
NOTHING = np.zeros(0, np.int64)


class Alike(NamedTuple):
    """Rows that are alike, and how many comparisons were made and left out."""

    pairs: np.ndarray  # rows of two numbers, the smaller one first
    made: int
    left_out: int


def find_alike(rows: np.ndarray, sizes: np.ndarray, likeness: Likeness) -> Alike:
    """Compare the rows of buckets, which follow each other.

    The pairs join the same rows as all pairs of a bucket that are alike: a row that
    is alike one row of a group needs no comparison with the others of the group.

    >>> rows = np.array([[1, 2], [3, 4], [1, 5], [6, 4], [1, 2]], np.uint8)
    >>> found = find_alike(rows, np.array([4, 1]), Likeness(1))
    >>> found.pairs.tolist(), found.made, found.left_out
    ([[0, 2], [1, 3]], 6, 0)
    """
    loaded = kernel.load()
    if loaded is None:
        return pure_alike(rows, sizes, likeness)
    _, m = rows.shape
    buckets = sizes.astype(np.uint64).tobytes()
    how = m, rows.itemsize, *likeness
    pairs, made, left_out = loaded.find_alike(rows.tobytes(), buckets, *how)
    return Alike(np.frombuffer(pairs, np.uint32).reshape(-1, 2), made, left_out)


def pure_alike(rows: np.ndarray, sizes: np.ndarray, likeness: Likeness) -> Alike:
    """Return the same as `find_alike`. This defines its result."""
    pairs, made, left_out, start = [], 0, 0, 0
    for size in sizes.tolist():
        found = _search(rows[start : start + size], likeness)
        pairs += [(start + one, start + other) for one, other in found.pairs]
        made, left_out = made + found.made, left_out + found.left_out
        start += size
    return Alike(np.array(pairs, np.uint32).reshape(-1, 2), made, left_out)


def _search(rows: np.ndarray, likeness: Likeness) -> Alike:
    """Join each row of a bucket to the groups that have a row that is alike.

    In a large bucket, only representatives are members of groups. A representative is a
    row that was alike none.
    """
    pairs, made, left_out = [], 0, 0
    is_large = len(rows) > likeness.all_pairs
    most = min(len(rows), likeness.representatives) if is_large else len(rows)
    groups = _Groups(most)
    for start in range(0, len(rows), BLOCK):
        for number, hits in _find_alike_members(rows, start, groups, likeness):
            found = groups.find(hits) if len(hits) else []
            made += groups.count - groups.count_left_out(found)
            left_out += number - groups.count
            pairs += [(groups.row_at(*place), number) for place in found]
            groups.merge(found)
            if not is_large or (not found and groups.count < most):
                groups.add(number, found)
    return Alike(pairs, made, left_out)


def _find_alike_members(
    rows: np.ndarray, start: int, groups: '_Groups', likeness: Likeness
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the rows of a block, each with the members that are alike.

    The rows of the block may become members meanwhile.
    """
    block, before = rows[start : start + BLOCK], groups.count
    pieces = [
        _alike_matrix(block, rows[groups.rows[at : min(at + CHUNK, before)]], likeness)
        for at in range(0, before, CHUNK)
    ]
    if before < len(groups.rows):
        pieces.append(np.tril(_alike_matrix(block, block, likeness), -1))
    alike = np.concatenate(pieces, axis=1)
    members = np.arange(alike.shape[1])  # of columns; -1 for rows that are none
    for at, has_any in enumerate(alike.any(axis=1).tolist()):
        hits = NOTHING
        if has_any:
            hits = members[alike[at].nonzero()[0]]
            if groups.count < before + at:  # not all rows of the block are members
                hits = hits[hits >= 0]
        count = groups.count
        yield start + at, hits
        if before + at < len(members):
            members[before + at] = count if groups.count > count else -1


def _alike_matrix(
    some: np.ndarray, others: np.ndarray, likeness: Likeness
) -> np.ndarray:
    """Return which of some rows are alike which others."""
    m, empty = some.shape[1], np.iinfo(some.dtype).max
    is_empty = some == empty
    if len(some) * len(others) < FEW:
        equal = some[:, None] == others[None]
        equal &= ~is_empty[:, None]
        agreeing = np.count_nonzero(equal, axis=2)
    else:
        agreeing = _sum_agreeing(some, others, is_empty)
    both_empty = 0
    if likeness.normalizes:
        are_empty = (others == empty).T.astype(np.float32)
        both_empty = is_empty.astype(np.float32) @ are_empty
    return are_alike(Agreement(agreeing, np.asarray(both_empty)), m, likeness)


def _sum_agreeing(
    some: np.ndarray, others: np.ndarray, is_empty: np.ndarray
) -> np.ndarray:
    """Count the dimensions that agree one by one, which takes fewest steps of numpy."""
    left, right = np.ascontiguousarray(some.T)[:, :, None], others.T.copy()
    agreeing = np.zeros((len(some), len(others)), np.uint8)
    equal = np.empty(agreeing.shape, bool)
    has_empty = is_empty.any(axis=0).tolist()
    for dimension in range(len(left)):
        np.equal(left[dimension], right[dimension], out=equal)
        if has_empty[dimension]:
            equal[is_empty[:, dimension]] = False
        agreeing += equal.view(np.uint8)
    return agreeing


class _Groups:
    """The members of a bucket, and which of them were joined."""

    def __init__(self, most: int):
        self.count = 0
        self.rows = np.zeros(most, np.int64)  # of members
        self._groups, self._places = np.zeros((2, most), np.int64)
        self._members: dict[int, list[int]] = {}  # of each group, which never is empty

    def find(self, hits: np.ndarray) -> list[tuple[int, int]]:
        """Return the groups of some members in their order, with the first place."""
        groups, places = self._groups[hits], self._places[hits]
        if (groups == groups[0]).all():
            return [(int(groups[0]), int(places.min()))]
        order = np.lexsort((places, groups))
        groups, places = groups[order], places[order]
        is_first = np.append(True, groups[1:] != groups[:-1])
        return list(
            zip(groups[is_first].tolist(), places[is_first].tolist(), strict=True)
        )

    def row_at(self, group: int, place: int) -> int:
        """Return the row of a member."""
        return int(self.rows[self._members[group][place]])

    def count_left_out(self, found: list[tuple[int, int]]) -> int:
        """Count the members behind the first one that is alike."""
        return sum(len(self._members[group]) - place - 1 for group, place in found)

    def merge(self, found: list[tuple[int, int]]) -> None:
        """Merge groups to the first one."""
        for group, _ in found[1:]:
            members, home = self._members.pop(group), self._members[found[0][0]]
            self._groups[members] = found[0][0]
            self._places[members] += len(home)
            home += members

    def add(self, row: int, found: list[tuple[int, int]]) -> None:
        """Make a row a member: of the group that was found, or of one of its own."""
        group = found[0][0] if found else self.count
        members = self._members.setdefault(group, [])
        self.rows[self.count] = row
        self._groups[self.count], self._places[self.count] = group, len(members)
        members.append(self.count)
        self.count += 1
