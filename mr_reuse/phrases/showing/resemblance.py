"""The resemblance of pages, from all of their phrases rather than from a sample."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.pages import lookup
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.phrases.near_duplicates import RUN_LENGTH, RUNS
from mr_reuse.phrases.showing.results import PhraseResults
from mr_reuse.text import shingles

MAX_WORDS = 4_000_000  # of all pages together; their phrases take 32 MB
BLOCK = 4096  # phrases to compare at a time


class Resemblance(NamedTuple):
    """The phrases that both of two pages have, and those that at least one has."""

    both: int
    either: int

    @property
    def share(self) -> float:
        """The resemblance as a number."""
        return self.both / self.either

    @property
    def is_same(self) -> bool:
        """Both pages have the same phrases."""
        return self.both == self.either

    def __str__(self) -> str:
        """Format the number. Only pages with the same phrases have 1.000.

        >>> str(Resemblance(9, 10)), str(Resemblance(99_999, 100_000))
        ('0.900', '0.999')
        """
        return f'{1000 * self.both // self.either / 1000:.3f}'


def compare_sets(one: np.ndarray, other: np.ndarray) -> Resemblance:
    """Compare two sets of phrases, of which at least one has any.

    >>> compare_sets(np.array([1, 2, 3]), np.array([2, 3, 4]))
    Resemblance(both=2, either=4)
    """
    both = len(np.intersect1d(one, other, assume_unique=True))
    return Resemblance(both, len(one) + len(other) - both)


def probability(share: float) -> float:
    """Return the probability that pages of a resemblance are near-duplicates.

    >>> [round(probability(share), 4) for share in (0.77, 0.9, 1.0)]
    [0.0093, 0.4151, 1.0]
    """
    agree = share**RUN_LENGTH
    return 1 - (1 - agree) ** RUNS - RUNS * agree * (1 - agree) ** (RUNS - 1)


def count_common(sets: Sequence[np.ndarray]) -> np.ndarray:
    """Return a square matrix: how many numbers each two of some sets have in common.

    >>> count_common([np.array([1, 2, 5]), np.array([2, 5, 9]), np.array([7])]).tolist()
    [[3, 2, 0], [2, 3, 0], [0, 0, 1]]
    """
    sizes = [len(found) for found in sets]
    owners = np.repeat(np.arange(len(sets)), sizes)
    numbers = np.concatenate(sets) if sets else np.zeros(0, np.uint64)
    order = np.argsort(numbers, kind='stable')
    numbers, owners = numbers[order], owners[order]
    columns = np.cumsum(numbers[1:] != numbers[:-1])
    columns = np.concatenate([np.zeros(1, columns.dtype), columns])[: len(numbers)]
    common = np.zeros((len(sets), len(sets)), np.int64)
    start = 0
    while start < len(columns):
        first = int(columns[start])
        stop = int(np.searchsorted(columns, first + BLOCK))
        has = np.zeros((len(sets), BLOCK), np.float32)  # exact up to 2^24
        has[owners[start:stop], columns[start:stop] - first] = 1
        common += (has @ has.T).astype(np.int64)
        start = stop
    return common


def find_least(sets: Sequence[np.ndarray]) -> tuple[int, int, Resemblance] | None:
    """Return the two sets of the least resemblance, the first two of several.

    >>> sets = [np.array([1, 2, 3]), np.array([1, 2]), np.array([2, 3, 4])]
    >>> find_least(sets)
    (1, 2, Resemblance(both=1, either=4))
    """
    common, sizes = count_common(sets), np.array([len(found) for found in sets])
    one, other = np.triu_indices(len(sets), 1)
    if not len(one):
        return None
    both = common[one, other]
    either = sizes[one] + sizes[other] - both
    at = int(np.argmin(both / either))
    return int(one[at]), int(other[at]), Resemblance(int(both[at]), int(either[at]))


def read_phrases(
    results: PhraseResults, pages: Iterable[Document]
) -> dict[str, np.ndarray]:
    """Return the distinct phrases of pages by rid.

    Left out are pages that cannot be read, those with other words than in the run, and
    those behind MAX_WORDS words.
    """
    chosen = {page.rid: page for page in take_few(pages)}
    found: dict[str, np.ndarray] = {}
    reader = DocumentReader(results.rule, results.recipe.types, lambda media: True)
    paths = results.record.paths
    for rid, item in lookup.read_items(chosen, paths, (OSError,)):
        phrases = _phrases_of(reader, item, chosen[rid].words) if item else None
        if phrases is not None:
            found[rid] = phrases
    return found


def take_few(pages: Iterable[Document]) -> Iterator[Document]:
    """Yield the first pages, up to MAX_WORDS words; always the first two."""
    words = 0
    for number, page in enumerate(pages):
        words += page.words
        if number > 1 and words > MAX_WORDS:
            return
        yield page


def _phrases_of(reader: DocumentReader, item: Item, count: int) -> np.ndarray | None:
    """Return the phrases of an item; None if it is damaged, or has other words."""
    try:
        words = reader.open_words(item)
        if not words:
            return None
        parts = (part.fingerprints() for part in words.parts())
        phrases = shingles.distinct_phrases(parts)
    except Lost:
        return None
    return phrases if words.count == count else None
