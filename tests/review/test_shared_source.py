"""What sources of pages share, byte by byte, against sets of n-grams."""

import random
import re

import pytest

from mr_reuse.review.sides import shared_source
from mr_reuse.review.sides.shared_source import Linker

NOTHING, SIGNS_OF_SOME, SIGNS_OF_ALL, SAME_IN_SOME, SAME_IN_ALL = range(5)
PIECES = ['<p class="x">', '</td>\n', 'é', 'word', '<', ' = ', 'Zz9', '漢字', '">;,.']


def covered(one: bytes, other: bytes, places, n: int) -> set[int]:
    """The bytes of one in n-grams of the bytes at some places, if other has these."""
    mine, theirs = places(one), places(other)
    known = {bytes(other[i] for i in theirs[k : k + n]) for k in range(len(theirs))}
    found = set()
    for k in range(len(mine) - n + 1):
        some = mine[k : k + n]
        if bytes(one[i] for i in some) in known:
            found |= set(range(some[0], some[-1] + 1))
    return found


def every(data: bytes) -> list[int]:
    return list(range(len(data)))


def signs(data: bytes) -> list[int]:
    return [match.start() for match in re.finditer(rb'[^A-Za-z0-9\x80-\xff]', data)]


def share(one: str, others: list[str], n: int) -> list[int]:
    data, whole = one.encode(), [other.encode() for other in others]
    same = [covered(data, other, every, 32) for other in whole]
    noise = [covered(data, other, signs, n) for other in whole]
    result = []
    for place in range(len(data)):
        counts = [sum(place in found for found in kind) for kind in (same, noise)]
        if counts[0]:
            result.append(SAME_IN_ALL if counts[0] == len(others) else SAME_IN_SOME)
        elif counts[1]:
            result.append(SIGNS_OF_ALL if counts[1] == len(others) else SIGNS_OF_SOME)
        else:
            result.append(NOTHING)
    return result


@pytest.mark.parametrize('seed', range(12))
def test_shares(seed, monkeypatch):
    dice = random.Random(seed)
    monkeypatch.setattr(shared_source.grams, 'AT_ONCE', dice.choice([7, 50, 1 << 14]))
    frame = ''.join(dice.choices(PIECES, k=60))

    def page() -> str:
        at = sorted(dice.choices(range(len(frame)), k=3))
        own = [''.join(dice.choices(PIECES, k=dice.randrange(9))) for _ in at]
        parts = [frame[: at[0]], own[0], frame[at[0] : at[1]], own[1], frame[at[2] :]]
        return ''.join(parts)

    texts, n = [page() for _ in range(dice.randint(2, 4))], dice.choice([4, 12])
    here, *others = [shared_source.read_source(text, n) for text in texts]
    shared = [shared_source.find_shared(here, other) for other in others]
    shares = shared_source.find_shares(here, shared)
    assert shares.tolist() == share(texts[0], texts[1:], n)
    parts = list(shared_source.divide_source(here, shares))
    assert ''.join(part.text for part in parts) == texts[0]
    linker = Linker(here, parts, shared)
    for place, (part, link) in enumerate(zip(parts, linker.links, strict=True)):
        if not part.share:
            assert link == shared_source.NO_LINK
            continue
        assert 0 <= link.number <= place and parts[link.number].share
        other = others[link.owner - 1]
        pair = shared_source.find_shared(other, here)
        found = shared_source.find_shares(other, [pair])
        theirs = shared_source.divide_source(other, found)
        linked = {n for one in theirs for n in linker.find_links(other, one)}
        assert link.number in linked


@pytest.mark.parametrize('text', ['', 'a', '<p>', '<' * 31])
def test_small_sources(text):
    """They have no n-gram, so they share nothing."""
    one, other = (shared_source.read_source(text, 32) for _ in range(2))
    shares = shared_source.find_shares(one, [shared_source.find_shared(one, other)])
    assert set(shares.tolist()) <= {NOTHING}
