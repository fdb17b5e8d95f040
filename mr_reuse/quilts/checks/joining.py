"""Join covers with the names of their documents, and with the grams of the quilts.

    doc/PART    TEXTS    documents that a cover needs, as in the output of SumPatches
    doc/PART    COLUMNS  references: documents, the quilts that need them
    quilt/PART  TEXTS    covers; and the documents that they need, behind NAME
    quilt/PART  COLUMNS  owners, numbers of grams; keys and checks of patch grams

The partitions of `quilt` are those of the quilts, which a second step reads.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np

from mr_reuse.pages.documents import document_parts, numbering
from mr_reuse.quilts import finding, shares
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import pack_texts, partition_key, unpack_texts
from mr_reuse.shuffle.protocol import Line

UNIT = 'quilt'
NAME = b'name\t'  # begins the text of a document; that of a cover begins with a digit
BATCH = 1_000_000  # grams to divide together


class CoverJoiner:
    """Divides what covers need among the partitions of documents and of quilts.

    `parts` and `checks` are the numbers of partitions. `needed` and `quilts` are
    numbers of documents, ascending.
    """

    def __init__(
        self,
        parts: tuple[int, int, int],
        needed: np.ndarray,
        quilts: np.ndarray,
        m: int,
    ):
        self._parts, self._checks, self._total = parts
        self._needed, self._quilts, self._m = needed, quilts, m

    def add_documents(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Yield the documents of a line that some cover needs."""
        texts = unpack_texts(value)
        numbers = np.array([int(text[: shares.DIGITS]) for text in texts], np.uint64)
        is_needed = numbering.are_among(numbers, self._needed).tolist()
        kept = (text for text, use in zip(texts, is_needed, strict=True) if use)
        for packed in pack_texts(kept):
            yield key, packed

    def add_covers(self, value: bytes) -> Iterator[Line]:
        """Yield the covers of a line, and references to their documents."""
        texts = unpack_texts(value)
        found = list(map(Cover.parse, texts))
        numbers = np.array([cover.number for cover in found], np.uint64)
        parts = document_parts.parts_of(numbers, self._checks, self._total)
        for part, rows in document_parts.split_by_part(parts):
            for packed in pack_texts(texts[row] for row in rows.tolist()):
                yield partition_key(UNIT, part), packed
        documents = np.array([d for c in found for d in c.documents], np.uint64)
        sizes = np.array([len(cover.documents) for cover in found])
        owners = np.repeat(numbers, sizes)
        parts = document_parts.parts_of(documents, self._parts, self._total)
        for part, rows in document_parts.split_by_part(parts):
            value = ragged.pack_columns([documents[rows], owners[rows]])
            yield partition_key(shares.UNIT, part), value

    def add_lists(self, lists: Lists) -> Iterator[Line]:
        """Yield the patch grams of quilts in lists."""
        is_patch = lists.sizes <= self._m
        is_owner = numbering.are_among(lists.documents, self._quilts)
        is_owner &= np.repeat(is_patch, lists.sizes.astype(np.int64))
        which = lists.owners()[is_owner]
        owners = lists.documents[is_owner].astype(np.uint64)
        for where in ragged.cut_by_size(lists.counts[which], BATCH):
            yield from self._gram_lines(lists, which[where], owners[where])

    def _gram_lines(
        self, lists: Lists, which: np.ndarray, owners: np.ndarray
    ) -> Iterator[Line]:
        parts = document_parts.parts_of(owners, self._checks, self._total)
        for part, rows in document_parts.split_by_part(parts):
            sizes = 6 + 10 * lists.counts[which[rows]].astype(np.int64)
            for where in ragged.cut_by_size(sizes, ragged.MAX_BYTES):
                chosen = which[rows[where]]
                at = ragged.indexes_of(lists.counts, chosen)
                grams = [lists.keys[at], lists.checks[at]]
                columns = [owners[rows[where]], lists.counts[chosen], *grams]
                yield partition_key(UNIT, part), ragged.pack_columns(columns)

    def name_documents(self, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the documents of a partition to the quilts that need them."""
        names: dict[int, bytes] = {}
        references: list[list[np.ndarray]] = []
        for value in values:
            if b':' in value:
                references.append(ragged.unpack_columns(value))
            else:
                texts = unpack_texts(value)
                names.update((int(text[: shares.DIGITS]), text) for text in texts)
        pairs: set[tuple[int, int]] = set()
        for documents, owners in references:
            parts = document_parts.parts_of(owners, self._checks, self._total)
            pairs.update(zip(parts.tolist(), documents.tolist(), strict=True))
        for part, group in groupby(sorted(pairs), lambda pair: pair[0]):
            for packed in pack_texts(NAME + names[number] for _, number in group):
                yield partition_key(UNIT, part), packed


def is_cover_line(key: bytes) -> bool:
    """Test by its key whether a line is of covers."""
    return key.startswith(finding.UNIT.encode() + b'/')


def is_document_row(key: bytes) -> bool:
    """Test by its key whether a line is of rows of documents."""
    return key.startswith(shares.UNIT.encode() + b'/')
