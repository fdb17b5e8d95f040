"""The documents of a run whose fingerprints are most like that of a page."""

from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms.agreement import Agreement, count_agreeing
from mr_reuse.pages.documents.document import Document
from mr_reuse.styles.describing import format_similarities
from mr_reuse.styles.showing.results import StyleResults

MAX_NEIGHBORS = 10


class Neighbor(NamedTuple):
    """A document, with its similarity to the page."""

    similarity: str
    page: Document


def find_fingerprint(results: StyleResults, number: int) -> np.ndarray | None:
    """Return the fingerprint of a document; None if it has none, or is passed over."""
    for found in results.read_fingerprints():
        at = np.flatnonzero(found.numbers == number)
        if len(at):
            return found.keys[int(at[0])].copy()
    return None


def find_neighbors(
    results: StyleResults, number: int, one: np.ndarray, most: int = MAX_NEIGHBORS
) -> list[Neighbor]:
    """Return the documents most like one, the most similar first; then by number."""
    best: list[tuple[str, int]] = []
    normalizes = results.rule.normalize_empty
    for found in results.read_fingerprints():
        agreement = count_agreeing(one, np.ascontiguousarray(found.keys))
        keep = choose_rows(agreement, results.shape.m, normalizes, most + 1)
        some = Agreement(*(column[keep] for column in agreement))
        texts = format_similarities(some, results.shape.m, normalizes)
        pairs = zip(texts, found.numbers[keep].tolist(), strict=True)
        # Texts with 9 decimals are in the order of their numbers.
        best = sort_pairs([*best, *(pair for pair in pairs if pair[1] != number)])
        best = best[:most]
    pages = results.numbers.find_numbers(other for _, other in best)
    return [Neighbor(similarity, pages[other]) for similarity, other in best]


def choose_rows(
    agreement: Agreement, m: int, normalizes: bool, most: int
) -> np.ndarray:
    """Return the indexes of the rows with the greatest similarities.

    >>> agreement = Agreement(np.array([3, 1, 2]), np.array([0, 2, 0]))
    >>> choose_rows(agreement, 4, False, 2).tolist()
    [0, 2]
    """
    agreeing = agreement.agreeing.astype(np.float64)
    of = m - agreement.both_empty.astype(np.float64) if normalizes else float(m)
    shares = np.divide(agreeing, of, out=np.zeros(len(agreeing)), where=agreeing > 0)
    return np.sort(np.argsort(-shares, kind='stable')[:most])


def sort_pairs(pairs: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Sort pairs of similarity and number, the greatest similarity first.

    >>> sort_pairs([('0.1', 3), ('0.5', 9), ('0.5', 2)])
    [('0.5', 2), ('0.5', 9), ('0.1', 3)]
    """
    by_number = sorted(pairs, key=lambda pair: pair[1])
    return sorted(by_number, key=lambda pair: pair[0], reverse=True)
