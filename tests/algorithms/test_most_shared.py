"""The choice among those that share most, when they arrive in pieces."""

import random

import numpy as np
import pytest

from mr_reuse.algorithms import most_shared


def choose_simply(rows: list[tuple[int, int, bool]], count: int) -> list[int]:
    """Choose by sorting lists: those that share most, the two earliest, a source."""
    order = sorted(range(len(rows)), key=lambda n: -rows[n][0])
    most = max(shared for shared, _, _ in rows)
    similar = [n for n in order if 2 * rows[n][0] >= most]
    chosen = set(sorted(similar, key=lambda n: rows[n][1])[:2])
    chosen |= set([n for n in order if rows[n][2]][:1])
    for n in order:
        if len(chosen) < count:
            chosen.add(n)
    return [n for n in order if n in chosen]


@pytest.mark.parametrize('seed', range(40))
def test_dropped_rows_are_never_chosen(seed, monkeypatch):
    monkeypatch.setattr(most_shared, 'MANY_OTHERS', 8)
    dice = random.Random(seed)
    spread = dice.choice([2, 20, 2000])
    rows = [
        (dice.randrange(1, spread), dice.randrange(spread), dice.random() < 0.05)
        for _ in range(dice.randrange(1, 300))
    ]
    kept, done = np.zeros(0, int), 0
    while done < len(rows):
        step = dice.randrange(1, 60)
        kept = np.concatenate([kept, np.arange(done, min(done + step, len(rows)))])
        done += step
        columns = [np.array([rows[n][i] for n in kept]) for i in range(3)]
        kept = kept[most_shared.select_candidates(*columns)]
    assert kept[0] == 0
    columns = [np.array([rows[n][i] for n in kept]) for i in range(3)]
    chosen = kept[most_shared.choose_others(*columns)].tolist()
    assert chosen == choose_simply(rows, most_shared.MAX_OTHERS)


def test_few_rows_stay():
    """Of a million in no order, hardly more stay than are chosen."""
    dice = np.random.default_rng(1)
    shared, dates = dice.integers(0, 10**9, (2, 1_000_000))
    assert len(most_shared.select_candidates(shared, dates)) < 100
