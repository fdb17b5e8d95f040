"""Buckets of any size, against a search that compares rows one by one."""

import random

import numpy as np
import pytest

from mr_reuse.algorithms.agreement import Likeness
from mr_reuse.components.edges import Edges
from mr_reuse.styles import probing
from mr_reuse.styles.probing import BucketSearch

M = 6


def are_alike(one, other, t: int) -> bool:
    return sum(a == b != 255 for a, b in zip(one, other, strict=True)) >= t


def naive(rows, buckets, likeness: Likeness):
    """Edges of large buckets, components of all, and comparisons left out."""
    edges, left_out = set(), 0
    for bucket in buckets:
        if len(bucket) <= likeness.all_pairs:
            edges |= {
                (a, b)
                for a in bucket
                for b in bucket
                if a < b and are_alike(rows[a], rows[b], likeness.t)
            }
            continue
        chosen = []
        for place, number in enumerate(bucket):
            found = [a for a in chosen if are_alike(rows[a], rows[number], likeness.t)]
            left_out += place - len(chosen)
            edges |= {(a, number) for a in found}
            if not found and len(chosen) < likeness.representatives:
                chosen.append(number)
    return edges, left_out


def components(edges, count: int) -> list[int]:
    """The smallest number of the component of each."""
    smallest = list(range(count))
    for _ in range(count):
        for a, b in edges:
            smallest[a] = smallest[b] = min(smallest[a], smallest[b])
    return smallest


@pytest.mark.parametrize('is_pure', (False, True))
@pytest.mark.parametrize('seed', range(12))
def test_buckets(seed, is_pure, monkeypatch):
    if is_pure:
        monkeypatch.setenv('MR_REUSE_PURE', '1')
    dice = random.Random(seed)
    monkeypatch.setattr(probing, 'AT_ONCE', dice.choice([3, 7, 1000]))
    count = dice.choice([5, 30, 80])
    values = range(dice.choice([2, 3, 9]))
    rows = [dice.choices([*values, 255], k=M) for _ in range(count)]
    buckets = [
        sorted(dice.sample(range(count), dice.randint(1, count))) for _ in range(9)
    ]
    bound, representatives = dice.choice([1, 5, 20]), dice.choice([1, 3, 50])
    likeness = Likeness(dice.randint(2, 5), False, bound, representatives)
    pairs = [(code, n) for code, bucket in enumerate(buckets) for n in bucket]
    pieces = []
    while pairs:
        size = dice.choice([1, 4, 60])
        some, pairs = pairs[:size], pairs[size:]
        pieces.append(Edges(*np.array(some, np.uint64).T))
    search = BucketSearch(np.array(rows, np.uint8), likeness)
    found = set()
    for ones, others in search.find(pieces):
        pairs_found = zip(others.tolist(), ones.tolist(), strict=True)
        found |= {tuple(pair) for pair in pairs_found}
    expected, left_out = naive(rows, buckets, likeness)
    assert components(found, count) == components(expected, count)
    assert found <= expected
    assert search.counts['left_out'] == left_out
    made = sum(len(b) * (len(b) - 1) // 2 for b in buckets)
    assert search.counts['comparisons'] <= made - left_out


def test_the_pieces_of_a_bucket_change_nothing(monkeypatch):
    monkeypatch.setattr(probing, 'AT_ONCE', 4)
    dice = random.Random(5)
    rows = [dice.choices(range(3), k=M) for _ in range(60)]
    likeness = Likeness(3, False, 10, 4)
    results = []
    for size in (1, 3, 7, 60):
        search = BucketSearch(np.array(rows, np.uint8), likeness)
        numbers = np.arange(60, dtype=np.uint64)
        pieces = np.split(numbers, range(size, 60, size))
        found = search.find(Edges(np.zeros(len(n), np.uint64), n) for n in pieces)
        pairs = [
            (int(other), int(one))
            for ones, others in found
            for one, other in zip(ones, others, strict=True)
        ]
        results.append((pairs, search.counts))
    assert all(result == results[0] for result in results)
    edges, _ = naive(rows, [range(60)], likeness)
    assert components(results[0][0], 60) == components(edges, 60)
