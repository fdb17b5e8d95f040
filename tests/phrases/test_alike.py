"""Resemblance and shared words of random pages, compared with sets of Python."""

import random
from itertools import combinations

import numpy as np
import pytest

from mr_reuse.phrases.showing import alike, resemblance
from mr_reuse.phrases.showing.difference import WINDOW, find_difference
from mr_reuse.phrases.showing.resemblance import take_few


def arrays(sets: list[set[int]]) -> list[np.ndarray]:
    return [np.array(sorted(found), np.uint64) for found in sets]


@pytest.mark.parametrize('seed', range(12))
def test_random_sets(seed, monkeypatch):
    dice = random.Random(seed)
    monkeypatch.setattr(resemblance, 'BLOCK', dice.choice([1, 3, 4096]))
    size = dice.choice([2, 20, 1 << 63])
    sets = [
        {dice.randrange(size) for _ in range(dice.randint(1, 30))}
        for _ in range(dice.randint(1, 8))
    ]
    common = resemblance.count_common(arrays(sets))
    assert common.tolist() == [[len(one & other) for other in sets] for one in sets]
    pairs = {
        (a, b): (len(sets[a] & sets[b]), len(sets[a] | sets[b]))
        for a, b in combinations(range(len(sets)), 2)
    }
    least = resemblance.find_least(arrays(sets))
    if not pairs:
        assert least is None
        return
    first = min(pairs, key=lambda pair: pairs[pair][0] / pairs[pair][1])
    assert least == (*first, pairs[first])
    one, other = first
    found = resemblance.compare_sets(*arrays([sets[one], sets[other]]))
    assert found == pairs[first]


@pytest.mark.parametrize('seed', range(30))
def test_shared_words(seed):
    """Each shared word is in a run, and each run begins with a linked phrase."""
    dice = random.Random(seed)
    text = [dice.randrange(50) for _ in range(60)]
    other = (
        text[dice.randrange(60) :]
        + [99] * dice.randrange(9)
        + text[: dice.choice([0, 9])]
    )
    pages = [np.array(page or [7], np.uint64) for page in (text, other)]
    runs = alike.link_runs(*pages)
    for side, page in enumerate(pages):
        known = {*pages[1 - side].tolist()}
        marked = {
            (start + step) % len(page)
            for start, phrase in enumerate(page.tolist())
            if phrase in known
            for step in range(5)
        }
        found = {word for run in runs[side] for word in range(*run.span)}
        assert found == marked
        for run in runs[side]:
            begins = [p for p in page[slice(*run.span)].tolist() if p in known]
            linked = [r for r in runs[1 - side] if {*r.links} & {*run.links}]
            there = {
                phrase
                for r in linked
                for phrase in pages[1 - side][slice(*r.span)].tolist()
            }
            assert not begins or begins[0] in there


@pytest.mark.parametrize('seed', range(30))
def test_differences(seed):
    """Before a difference all words are the same, and it cannot begin later."""
    dice = random.Random(seed)
    here = [dice.randrange(9) for _ in range(dice.randrange(12))]
    there = list(here)
    for _ in range(dice.randrange(3)):
        there.insert(dice.randrange(len(there) + 1), dice.randrange(9))
    found = find_difference(*(np.array(page, np.uint64) for page in (here, there)))
    if here == there:
        assert found is None
        return
    start, stop, other = found
    assert here[:start] == there[:start]
    assert here[start : start + 1] != there[start : start + 1]
    assert start <= stop <= len(here) and start <= other <= len(there)
    assert here[stop : stop + 1] == there[other : other + 1]


def test_a_difference_is_cut():
    here, there = np.arange(9_000), np.arange(9_000) + 10_000
    assert find_difference(here, there) == (0, WINDOW, WINDOW)


def test_few_words_are_read(monkeypatch):
    """The page and the one that is kept are read in any case."""
    monkeypatch.setattr(resemblance, 'MAX_WORDS', 100)
    made = type('Known', (), {})
    pages = []
    for words in (90, 90, 10, 5):
        page = made()
        page.words = words
        pages.append(page)
    assert list(take_few(pages)) == pages[:2]
    monkeypatch.setattr(resemblance, 'MAX_WORDS', 190)
    assert list(take_few(pages)) == pages[:3]
