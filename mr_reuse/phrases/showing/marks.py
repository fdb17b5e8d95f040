"""The popular phrases of a page in its text."""

from collections.abc import Iterator

import numpy as np

from mr_reuse.pages.documents.showing import marked_text
from mr_reuse.pages.documents.showing.marked_text import Span
from mr_reuse.pages.documents.showing.terminal import Piece
from mr_reuse.shuffle import ragged
from mr_reuse.text.page_text import PageText
from mr_reuse.text.phrase_hash import K


def best_counts(
    vector: np.ndarray, counts: np.ndarray, least: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the popular phrases of a vector, ascending, and the documents of each.

    `counts` has the number of documents at each position. That of a phrase is the
    largest of its positions.

    >>> best_counts(np.array([7, 3, 7, 9]), np.array([5, 6, 8, 4]), 5)
    (array([3, 7]), array([6, 8]))
    """
    is_popular = counts >= least
    phrases, of_phrase = np.unique(vector[is_popular], return_inverse=True)
    best = np.zeros(len(phrases), counts.dtype)
    np.maximum.at(best, of_phrase, counts[is_popular])
    return phrases, best


def count_words(page: np.ndarray, phrases: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Return the documents of each word: the most of a popular phrase with it, or 0.

    `page` has the phrase that begins with each word. The last words of a page are in
    phrases with its first ones.

    >>> page = np.array([10, 11, 12, 13, 14, 15, 16, 17])
    >>> count_words(page, np.array([11, 17]), np.array([6, 8])).tolist()
    [8, 8, 8, 8, 6, 6, 0, 8]
    """
    at = np.searchsorted(phrases, page)
    at[at == len(phrases)] = 0
    is_popular = phrases[at] == page if len(phrases) else np.zeros(len(page), bool)
    starts = np.where(is_popular, best[at] if len(phrases) else 0, 0)
    words = np.zeros(len(page), np.int64)
    for n in range(K):
        np.maximum(words, np.roll(starts, n), out=words)
    return words


def find_spans(words: np.ndarray) -> Iterator[tuple[Span, int]]:
    """Yield the runs of words with a number other than 0.

    >>> list(find_spans(np.array([8, 8, 6, 0, 8])))
    [((0, 2), 8), ((2, 3), 6), ((4, 5), 8)]
    """
    for rows in ragged.runs_of(words):
        if number := int(words[rows.start]):
            yield (rows.start, rows.stop), number


def mark_text(text: PageText, words: np.ndarray) -> Iterator[Piece]:
    """Yield the parts of a text; a mark is a number of documents.

    The colour is of its order of magnitude.

    >>> text = PageText('A b', np.array([[0, 1], [2, 3]]))
    >>> list(mark_text(text, np.array([0, 1200])))[1]
    Piece(text='b', mark='1,200', colour=3)
    """
    for part, number in marked_text.divide_text(text, find_spans(words)):
        if number:
            yield Piece(part, f'{number:,}', len(str(number)) - 1)
        else:
            yield Piece(part)
