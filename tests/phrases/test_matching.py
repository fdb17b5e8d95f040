"""The documents that covers may take: the same in C and in Python, and enough."""

import numpy as np
import pytest

from mr_reuse import kernel
from mr_reuse.phrases import matching
from mr_reuse.phrases.covered import Covered
from mr_reuse.phrases.matching import PageBatch
from mr_reuse.phrases.sources import cover_page
from mr_reuse.phrases.vectors import Vectors

POSITIONS = 84


def draw_vectors(dice, count: int, values: int, copied: float) -> Vectors:
    """Vectors of which many rows repeat a part of another one, on few servers."""
    phrases = dice.integers(0, values, (count, POSITIONS)).astype(np.uint64)
    for row in range(1, count):
        if dice.random() < copied:
            is_copied = dice.random(POSITIONS) < dice.random()
            phrases[row] = np.where(
                is_copied, phrases[dice.integers(row)], phrases[row]
            )
    servers = dice.integers(0, 4, (count, 2)).astype(np.uint64)
    numbers = np.sort(dice.choice(5 * count, count, replace=False)).astype(np.uint64)
    return Vectors(numbers, phrases, servers)


def draw_pages(dice, vectors: Vectors, count: int) -> Covered:
    rows = np.sort(dice.choice(len(vectors.numbers), count, replace=False))
    popular = (dice.random((count, POSITIONS)) < dice.random((count, 1))).astype(
        np.uint64
    )
    return Covered(vectors.take(rows), popular)


def are_at_home(one, other) -> bool:
    """Whether two servers have the same name or the same address, and both a name."""
    is_same = one[0] == other[0] or one[1] == other[1] != 0
    return bool(one[0] and other[0]) and is_same


def cover_by_sets(vectors: Vectors, pages: Covered, row: int) -> list[tuple[int, int]]:
    """The cover of a page: its documents, and the shingles that each covers first."""
    page = pages.vectors.take(slice(row, row + 1))
    number, server = int(page.numbers[0]), page.servers[0].tolist()
    left = set(np.flatnonzero(pages.popular[row]).tolist())
    others = [
        (
            set(np.flatnonzero(phrases == page.phrases[0]).tolist()),
            are_at_home(server, place.tolist()),
            int(document),
        )
        for document, phrases, place in zip(*vectors, strict=True)
        if int(document) != number
    ]
    found = []
    for is_home in (False, True):
        candidates = [other for other in others if other[1] == is_home]
        while candidates:
            best = max(
                candidates, key=lambda one: (len(one[0] & left), len(one[0]), -one[2])
            )
            if not best[0] & left:
                break
            found.append((best[2], len(best[0] & left)))
            left -= best[0]
    return found


@pytest.mark.parametrize('seed', range(3))
def test_covers_of_best_matches(monkeypatch, seed):
    """Covers of the matches that are kept are those of all documents."""
    dice = np.random.default_rng(seed)
    vectors = draw_vectors(dice, 110, (2, 9, 60)[seed % 3], 0.8)
    pages = draw_pages(dice, vectors, 70)
    assert matching.GROUP < 70
    pure = matches_of_python(monkeypatch, pages, vectors)
    bits = np.stack(matching.pack_bits(pages.popular), axis=1)
    dropped = 0
    for row, number in enumerate(pages.vectors.numbers):
        found = pure.take(pure.pages == number)
        dropped += len(found.pages) < len(vectors.numbers) - 1
        cover = cover_page(bits[row], found)
        expected = cover_by_sets(vectors, pages, row)
        assert [(source.document, source.new) for source in cover] == expected
    assert dropped
    if kernel.load():
        by_kernel = all_matches(pages, vectors)
        for one, other in zip(by_kernel, pure, strict=True):
            assert one.tolist() == other.tolist()


def all_matches(pages: Covered, vectors: Vectors) -> matching.Matches:
    pieces = PageBatch(pages).match_pages(vectors)
    return matching.Matches(*map(np.concatenate, zip(*pieces, strict=True)))


def matches_of_python(monkeypatch, pages, vectors) -> matching.Matches:
    """The matches that Python finds."""
    with monkeypatch.context() as context:
        context.setenv(kernel.PURE, '1')
        return all_matches(pages, vectors)


def test_kernel_refuses_wrong_columns():
    loaded = kernel.load()
    if not loaded:
        pytest.skip(kernel.version())
    whole = [bytes(n) for n in (176, 168, 16, 8, 176, 40)]
    assert loaded.match_pages(*whole) == b''
    for wrong in range(6):
        with pytest.raises(ValueError, match='columns of different lengths'):
            loaded.match_pages(*whole[:wrong], whole[wrong] + b'x', *whole[wrong + 1 :])
