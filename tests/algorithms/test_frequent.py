"""Frequent items, against counts of all."""

import random
from collections import Counter

import pytest

from mr_reuse.algorithms.frequent import Frequent


@pytest.mark.parametrize('seed', range(20))
def test_random_streams(seed):
    """No count is too large, or too small by more than `missing`."""
    dice = random.Random(seed)
    capacity, kinds = dice.choice([1, 2, 5, 30]), dice.choice([3, 50, 1000])
    stream = [int(dice.paretovariate(0.7)) % kinds for _ in range(5000)]
    found = Frequent(capacity)
    for item in stream:
        found.add(item)
    counts, truth = dict(found), Counter(stream)
    assert len(counts) <= 2 * capacity
    assert found.missing <= len(stream) / (capacity + 1)
    for item, count in truth.items():
        assert count - found.missing <= counts.get(item, 0) <= count


def test_exact_up_to_twice_the_capacity():
    found = Frequent(5)
    stream = [n % 10 for n in range(1000)] + [3]
    for item in stream:
        found.add(item)
    assert dict(found) == Counter(stream) and found.missing == 0
    found.add('another')
    assert found.missing == 100


def test_the_worst_stream():
    """Items that never come again push out all but the frequent one."""
    found = Frequent(10)
    for number in range(10_000):
        found.add('often' if number % 10 == 0 else number)
    [(item, count)] = [pair for pair in found if pair[1] > 100]
    assert item == 'often' and 1000 - found.missing <= count <= 1000
