"""Buckets of known documents of any size, against a search that compares one by one."""

import io
import random

import numpy as np
import pytest

from mr_reuse.algorithms.agreement import Likeness
from mr_reuse.shuffle import ragged
from mr_reuse.styles.fingerprints import Fingerprints
from mr_reuse.styles.match import buckets, finding
from mr_reuse.styles.match.finding import KnownFinder

M, EMPTY = 6, 255


class Known:
    """What a style file has of its members."""

    def __init__(self, keys: list[list[int]], styles: list[int]):
        self.keys, self._styles = np.array(keys, np.uint8), np.array(styles)

    def styles_of(self, rows) -> np.ndarray:
        return self._styles[rows]


def choose(bucket: list[int], styles: list[int], most: int) -> list[int]:
    """Some of a bucket: a document of each style in turn, until there are enough."""
    groups = {style: [] for style in styles}
    for row in bucket:
        groups[styles[row]].append(row)
    order = sorted((len(rows), style) for style, rows in groups.items() if rows)
    chosen, left = [], most
    for place, (size, style) in enumerate(order):
        share = min(size, left // (len(order) - place))
        chosen += [groups[style][i * size // share] for i in range(share)]
        left -= share
    return sorted(chosen)


def naive(known, styles, rows, probed, likeness: Likeness):
    """The nearest known row of each row that is alike one, and what was compared."""
    found, made, left_out = {}, 0, 0
    for number, row in enumerate(rows):
        near = []
        for dimension in probed:
            bucket = [
                i
                for i, other in enumerate(known)
                if other[dimension] == row[dimension] != EMPTY
            ]
            some = bucket
            if len(bucket) > likeness.all_pairs:
                some = choose(bucket, styles, likeness.representatives)
            made, left_out = made + len(some), left_out + len(bucket) - len(some)
            for i in some:
                pairs = list(zip(known[i], row, strict=True))
                agreeing = sum(a == b != EMPTY for a, b in pairs)
                empty = sum(a == b == EMPTY for a, b in pairs) * likeness.normalizes
                near.append((-agreeing / (M - empty), i, agreeing))
        if near and -min(near)[0] >= likeness.t / M:
            found[number] = min(near)[1:]
    return found, made, left_out


@pytest.mark.parametrize('is_pure', (False, True))
@pytest.mark.parametrize('seed', range(12))
def test_known_buckets(seed, is_pure, monkeypatch):
    if is_pure:
        monkeypatch.setenv('MR_REUSE_PURE', '1')
    dice = random.Random(seed)
    monkeypatch.setattr(finding, 'FEW', dice.choice([0, 3, 16]))
    monkeypatch.setattr(finding, 'AT_ONCE', dice.choice([1, 7, 1000]))
    values = [*range(dice.choice([2, 3, 9])), EMPTY]
    known, rows = (
        [dice.choices(values, k=M) for _ in range(dice.choice([1, 20, 60]))]
        for _ in range(2)
    )
    styles = sorted(dice.choices(range(1, 6), k=len(known)))
    probed = dice.sample(range(M), dice.randint(1, M))
    likeness = Likeness(
        dice.randint(1, 4),
        dice.random() < 0.5,
        dice.choice([2, 7, 99]),
        dice.randint(2, 6),
    )
    stream = io.BytesIO()
    buckets.write_buckets(stream, Known(known, styles), probed, likeness)
    data = memoryview(stream.getvalue())
    read = list(buckets.read_buckets(data, probed, np.dtype(np.uint8)))
    finder = KnownFinder(Known(known, styles), read, likeness)
    keys = np.array(rows, np.uint8)
    numbers = np.arange(len(rows))
    lines = list(finder.add(Fingerprints(numbers, keys, keys)))
    found = {}
    for _, value in lines:
        for number, *match in zip(*ragged.unpack_columns(value)[:3], strict=True):
            found[int(number)] = tuple(map(int, match))
    expected, made, left_out = naive(known, styles, rows, probed, likeness)
    assert found == expected
    assert (finder.counts['comparisons'], finder.counts['left_out']) == (made, left_out)


def test_each_style_of_a_large_bucket_is_compared():
    """However many documents the others have."""
    styles = np.repeat([1, 2, 3], [5000, 1, 40_000])
    found = buckets.find_buckets(
        0, np.zeros(len(styles), np.uint8), styles, Likeness(35)
    )
    chosen = styles[found.rows]
    assert len(chosen) == 250
    assert [int((chosen == style).sum()) for style in (1, 2, 3)] == [124, 1, 125]
    # At even distances.
    assert set(np.diff(found.rows[chosen == 3]).tolist()) == {40_000 // 125}
