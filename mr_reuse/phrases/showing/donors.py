"""The donors of pages: covering sets, found for a few pages in one process.

They are those that the command finds for its sample.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.showing.document_numbers import DocumentNumbers
from mr_reuse.phrases.covered import Covered
from mr_reuse.phrases.matching import (
    Matches,
    SourceMatcher,
    keep_best,
    pack_bits,
)
from mr_reuse.phrases.showing import marks
from mr_reuse.phrases.showing.results import PhraseResults
from mr_reuse.phrases.sources import Source, cover_page
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.protocol import Line

NOBODY = -1


class Donor(NamedTuple):
    """A document of a covering set."""

    page: Document
    new: int  # popular shingles that no donor before it has
    shared: int  # all popular shingles of the page that it has
    is_foreign: bool


class PhrasePage(NamedTuple):
    """A document kept, with its popular phrases and their donors."""

    page: Document
    vector: np.ndarray
    popular: int  # shingles
    phrases: np.ndarray  # popular ones, ascending
    documents: np.ndarray  # that have each
    owners: np.ndarray  # the first donor that has each, from 0; or NOBODY
    donors: list[Donor]


def read_pages(results: PhraseResults, rids: Collection[str]) -> dict[str, PhrasePage]:
    """Return documents that are kept, by rid. The vectors of the run are read often."""
    numbers = results.read_numbers()
    pages = numbers.find_rids(rids)
    by_number = {numbers.number_of(page): page for page in pages.values()}
    wanted = np.array(sorted(by_number), np.uint64)
    vectors = results.read_vectors(numbers, wanted)
    counts = results.count_documents(numbers, vectors.phrases)
    popular = (counts >= results.popular).astype(np.uint64)
    covers = find_covers(results, numbers, Covered(vectors, popular))
    taken = {source.document for cover in covers.values() for source in cover}
    documents = numbers.find_numbers(taken)
    there = results.read_vectors(numbers, np.array(sorted(taken), np.uint64))
    rows = {number: n for n, number in enumerate(there.numbers.tolist())}
    found = {}
    for n, number in enumerate(vectors.numbers.tolist()):
        vector, cover = vectors.phrases[n], covers.get(number, [])
        best = marks.best_counts(vector, counts[n], results.popular)
        of_donors = [there.phrases[rows[source.document]] for source in cover]
        page = by_number[number]
        found[page.rid] = PhrasePage(
            page,
            vector,
            int(popular[n].sum()),
            *best,
            find_owners(vector, best[0], of_donors),
            [
                Donor(documents[s.document], s.new, s.shared, s.is_foreign > 0)
                for s in cover
            ],
        )
    return found


def find_owners(
    vector: np.ndarray, phrases: np.ndarray, donors: list[np.ndarray]
) -> np.ndarray:
    """Return the first donor that has each phrase at a position where the page has it.

    >>> vector, phrases = np.array([7, 8, 7]), np.array([7, 8])
    >>> find_owners(vector, phrases, [np.array([8, 8, 9]), np.array([5, 8, 7])])
    array([1, 0])
    """
    owners = np.full(len(phrases), NOBODY)
    for number in range(len(donors) - 1, -1, -1):
        owners[np.isin(phrases, vector[donors[number] == vector])] = number
    return owners


def find_covers(
    results: PhraseResults, numbers: DocumentNumbers, wanted: Covered
) -> dict[int, list[Source]]:
    """Return the covering sets of pages, by their numbers."""
    matcher = SourceMatcher(wanted, 1, numbers.total)
    best: dict[int, Matches] = {}
    for found in results.read_kept_vectors(numbers):
        _keep(best, matcher.add(found))
    _keep(best, matcher.finish())
    bits = np.stack(pack_bits(wanted.popular), axis=1)
    rows = {number: n for n, number in enumerate(wanted.vectors.numbers.tolist())}
    return {
        number: cover_page(bits[rows[number]], matches)
        for number, matches in best.items()
    }


def _keep(best: dict[int, Matches], lines: Iterator[Line]) -> None:
    """Add the matches of lines to the best ones of each page."""
    for _, value in lines:
        columns = (column.astype(np.uint64) for column in ragged.unpack_columns(value))
        matches = Matches(*columns)
        for rows in ragged.runs_of(matches.pages):
            found, number = matches.take(rows), int(matches.pages[rows.start])
            if number in best:
                pieces = zip(best[number], found, strict=True)
                found = Matches(*map(np.concatenate, pieces))
            best[number] = keep_best(found)
