"""The results of `phrases` in a run: rows of tables, vectors, and classes."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mr_reuse.components import edges, files
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.pages import capture_lines
from mr_reuse.pages.documents import document_rows, numbering
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.segments import Segment, parse_segments
from mr_reuse.pages.documents.showing.choice import NameTest
from mr_reuse.pages.documents.showing.document_numbers import DocumentNumbers
from mr_reuse.pages.documents.showing.opened import OpenPage, open_page
from mr_reuse.pages.documents.showing.system_results import SystemResults
from mr_reuse.phrases import phrase_steps, vectors
from mr_reuse.phrases.phrase_options import WordRecipe
from mr_reuse.phrases.phrase_tables import (
    NEAR_DUPLICATES,
    PHRASE_PAGES,
)
from mr_reuse.phrases.vectors import COLUMNS, POSITIONS, Vectors
from mr_reuse.shuffle import protocol
from mr_reuse.text.page_words import WordRule

SYSTEM = 'phrases'
CHANGED = (
    'the archive has changed since the run; name the folder of the right one with '
    '--archives, or run phrases again'
)
NO_ROWS = np.zeros((0, COLUMNS), np.uint64)
NO_VECTORS = Vectors(NO_ROWS[:, 0], NO_ROWS[:, :POSITIONS], NO_ROWS[:, POSITIONS:])


class PhraseResults(SystemResults):
    """The results of `phrases` in a finished run.

    Each method reads a table or the output of a step once, in bounded memory.
    """

    def __init__(self, run: str, record: RunRecord):
        super().__init__(run, record, SYSTEM)
        self.record = record
        self.recipe, self.popular, self.is_verified = self.read_options(_read_options)

    @property
    def rule(self) -> WordRule:
        """Which words a page has."""
        return WordRule(self.recipe.scripts, self.recipe.words, 'fingerprints')

    def open_page(self, rid: str) -> OpenPage:
        """Read a page; raise UserError if it cannot be read, or is no document."""
        table = PHRASE_PAGES.file
        return open_page(self.record, rid, table, self.recipe.types, self.rule)

    def open_known(self, known: Document) -> OpenPage:
        """Read a document; raise UserError also if it has other words now."""
        page = self.open_page(known.rid)
        if not page.is_cut and page.words.count != known.words:
            raise UserError(f'{known.rid}: {CHANGED}')
        return page

    def find_kept(self, is_wanted: NameTest) -> Iterator[Any]:
        """Yield the rows of documents kept whose rid and URL pass a test."""
        return (r for r in self.rows(PHRASE_PAGES) if is_wanted(r.rid, r.url))

    def find_left_out(self, is_wanted: NameTest) -> Iterator[Any]:
        """Yield the rows of near-duplicates whose rid and URL pass a test."""
        return (r for r in self.rows(NEAR_DUPLICATES) if is_wanted(r.rid, r.url))

    def list_class(self, kept_rid: str) -> Iterator[Any]:
        """Yield the rows of the near-duplicates of a document that is kept."""
        return (row for row in self.rows(NEAR_DUPLICATES) if row.kept_rid == kept_rid)

    def read_numbers(self) -> DocumentNumbers:
        """Return the numbers of all documents."""
        return DocumentNumbers(self.parts(phrase_steps.VECTORS))

    def read_vectors(self, numbers: DocumentNumbers, wanted: np.ndarray) -> Vectors:
        """Return the vectors of documents, of which these are the ascending numbers.

        A document without words has none.
        """
        found = [NO_VECTORS]
        for value in self._vector_values():
            there = numbers.of_segments(_segments_of(value))
            rows = np.flatnonzero(numbering.are_among(there, wanted))
            if len(rows):
                found.append(_unpack(value, numbers).take(rows))
        joined = Vectors(*map(np.concatenate, zip(*found, strict=True)))
        return joined.take(np.argsort(joined.numbers))

    def read_kept_vectors(self, numbers: DocumentNumbers) -> Iterator[Vectors]:
        """Yield the vectors of all documents kept."""
        is_kept = self._kept_mask(numbers.total)
        for value in self._vector_values():
            found = _unpack(value, numbers)
            yield found.take(is_kept[found.numbers])

    def count_documents(
        self, numbers: DocumentNumbers, phrases: np.ndarray
    ) -> np.ndarray:
        """Count the documents kept that have the phrases of vectors.

        Both arrays have a row of 84 for each vector. A document counts if it has the
        phrase at the same position.
        """
        known = [np.unique(column) for column in phrases.T]
        tallies = [np.zeros(len(values), np.int64) for values in known]
        for found in self.read_kept_vectors(numbers) if len(phrases) else ():
            for position, values in enumerate(known):
                column = found.phrases[:, position]
                at = np.searchsorted(values, column)
                at[at == len(values)] = 0
                same = at[values[at] == column]
                tallies[position] += np.bincount(same, minlength=len(values))
        pairs = zip(known, tallies, phrases.T, strict=True)
        columns = [tally[np.searchsorted(v, column)] for v, tally, column in pairs]
        return np.stack(columns, axis=1)

    def read_class_mask(self, total: int, kept: int) -> np.ndarray:
        """Return a mask of the documents in the class of one that is kept."""
        mask = np.zeros(total, bool)
        mask[kept] = True
        for rows in files.read_components(self.parts(phrase_steps.COMPONENTS)):
            mask[rows.numbers[rows.neighbors == kept]] = True
        return mask

    def read_edges(self, mask: np.ndarray) -> Iterator[edges.Edges]:
        """Yield the pairs of near-duplicates that are in a mask."""
        step = phrase_steps.VERIFIED if self.is_verified else phrase_steps.EDGES
        for key, value in protocol.read_parts(self.parts(step)):
            if edges.is_edge_line(key):
                found = edges.unpack(value)
                yield found.take(mask[found.numbers])

    def _vector_values(self) -> Iterator[bytes]:
        """Yield the values of the lines of vectors."""
        for key, value in protocol.read_parts(self.parts(phrase_steps.VECTORS)):
            if vectors.is_vector_line(key):
                yield value

    def _kept_mask(self, total: int) -> np.ndarray:
        """Return a mask of the documents kept: a byte for each document."""
        mask = np.ones(total, bool)
        for rows in files.read_components(self.parts(phrase_steps.COMPONENTS)):
            mask[rows.numbers] = False
        if self.has_step(phrase_steps.CAPTURES):
            parts = self.parts(phrase_steps.CAPTURES)
            digests = capture_lines.read_digests(parts, 'skipped')
            width = numbering.width_of(total)
            for passed_over in numbering.from_digests(digests, width):
                mask[passed_over] = False
        return mask


def _unpack(value: bytes, numbers: DocumentNumbers) -> Vectors:
    """Return the vectors of a line."""
    rows, covered = document_rows.unpack_rows(value, vectors.WIDTH)
    return vectors.split_rows(numbers.of_segments(covered), rows)


def _segments_of(value: bytes) -> list[Segment]:
    """Return the documents of a line of vectors, without its vectors."""
    return parse_segments(value.partition(b';')[0])


def _read_options(options: Mapping[str, Any]) -> tuple[WordRecipe, int, bool]:
    """Return the recipe of words, and what --popular and --verify say."""
    recipe = WordRecipe(*map(options.__getitem__, WordRecipe._fields))
    return recipe, int(options['popular']), 'verify' in options
