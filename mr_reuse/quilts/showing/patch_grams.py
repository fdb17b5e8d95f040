"""The patch grams of quilted pages, found again in the lists of documents."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.quilts import lists
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ragged


class PatchGrams(NamedTuple):
    """The patch grams of a quilted page, sorted, and the source of each, from 0.

    Behind the last source are documents that have the grams, but are no sources:
    those that --foreign or --delta leave out.
    """

    keys: np.ndarray
    checks: np.ndarray
    owners: np.ndarray


def find_patch_grams(
    covers: Sequence[Cover], pieces: Iterable[Lists]
) -> Iterator[PatchGrams]:
    """Yield the patch grams of the documents of covers.

    `pieces` are all lists of at most m documents with their grams.

    >>> from mr_reuse.algorithms.covers import Source
    >>> one, two = np.array([1, 2], np.uint64), np.array([2, 2], np.uint64)
    >>> keys, checks = np.array([9, 6, 3]), np.zeros(3)
    >>> piece = Lists(one, two, np.array([4, 7, 7, 8]), keys, checks)
    >>> [found] = find_patch_grams([Cover(7, 3, [Source(8, 2, 2)], [4])], [piece])
    >>> found.keys.tolist(), found.owners.tolist()
    ([3, 6, 9], [0, 0, 1])
    """
    found: list[list[Lists]] = [[] for _ in covers]
    for piece in pieces:
        owners = piece.owners()
        for cover, parts in zip(covers, found, strict=True):
            parts.append(piece.take(owners[piece.documents == cover.number]))
    for cover, parts in zip(covers, found, strict=True):
        yield _take_grams(cover, lists.join(parts))


def _take_grams(cover: Cover, found: Lists) -> PatchGrams:
    """Sort the grams of the lists of a document; no gram is in two of them."""
    others = np.array(cover.documents[1:], np.uint64)
    positions = _find_positions(found.documents, others)
    first = positions[:0]
    if len(found.sizes):
        first = np.minimum.reduceat(positions, ragged.starts_of(found.sizes))
    owners = np.repeat(first, found.counts.astype(np.int64))
    order = np.lexsort((found.checks, found.keys))
    checks = found.checks[order].astype(np.uint16)
    return PatchGrams(found.keys[order].astype(np.uint64), checks, owners[order])


def _find_positions(documents: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the positions of documents among others; those of no other are last."""
    order = np.argsort(others)
    at = np.searchsorted(others[order], documents)
    at[at == len(others)] = 0
    at = order[at]
    return np.where(others[at] == documents, at, len(others))
