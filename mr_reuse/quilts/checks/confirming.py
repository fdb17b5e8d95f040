"""The reducer that reads the documents of covers again, each once.

Grams are hashes of 80 bits until here, so two may be the same by chance, or because
someone wanted it. A document is confirmed if it has exactly the wanted grams that the
lists say. A quilt is confirmed if all of its numbers come out again. No wanted gram may
have different words, in whichever documents. Those of one partition are compared here.

    quilt/PART  TEXTS    NAME and a document; COVER and a cover; or REFUTED
    words/PART  COLUMNS;TEXTS the words of grams that several partitions have
    clash/PART  TEXTS    grams with different words, as keys and checks

The partition of a gram in `words` is that of its first document.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

import numpy as np

from mr_reuse.archives.framing import Lost
from mr_reuse.pages import lookup
from mr_reuse.pages.documents import document_parts
from mr_reuse.pages.documents.reading import DocumentReader, ItemWords
from mr_reuse.quilts.checks import clashes
from mr_reuse.quilts.checks.gathering import Wanted, gather
from mr_reuse.quilts.checks.gram_lists import NOBODY, Claims, Covered, GramLists
from mr_reuse.quilts.checks.joining import COVER, Parts
from mr_reuse.quilts.checks.patches import Patches
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.grams.page_grams import join_ends
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle.partitions import pack_texts, part_of, partition_key
from mr_reuse.shuffle.protocol import Line

UNIT = 'quilt'
NAME, REFUTED = b'name\t', b'refuted'


class DocumentChecker:
    """Checks the documents of partitions; `paths` has the archives by their names."""

    def __init__(
        self, k: int, reader: DocumentReader, paths: Mapping[str, str], parts: Parts
    ):
        self._k, self._reader, self._paths = k, reader, paths
        self._parts = parts

    def check(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the lines of a partition."""
        wanted, part = gather(values), part_of(key)
        check = PartitionCheck(self._k, wanted, self._parts.bounds(part))
        for number, words in self._open(wanted.texts):
            with suppress(Lost):
                check.add(number, words)
        yield from check.quilt_lines(part)
        yield from _name_documents(wanted, check.confirmed)
        yield from clashes.clash_lines(part, wanted.lists, check.clashes)
        yield from clashes.word_lines(wanted.lists, check.patches, self._parts)

    def _open(self, texts: Mapping[int, bytes]) -> Iterator[tuple[int, ItemWords]]:
        """Yield the words of documents, in the order of their archives."""
        of_rid = {Row.parse(text).rid: number for number, text in texts.items()}
        # An archive may be gone since it was read: its documents are not confirmed.
        for rid, item in lookup.read_items(of_rid, self._paths, (OSError,)):
            with suppress(Lost):
                if words := self._reader.open_words(item) if item else None:
                    yield of_rid[rid], words


class PartitionCheck:
    """The check of the documents of a partition, from `bounds[0]` to `bounds[1]`."""

    def __init__(self, k: int, wanted: Wanted, bounds: tuple[int, int]):
        self._k, self._wanted = k, wanted
        lists = wanted.lists
        self.patches = Patches(k, lists.keys, lists.checks)
        self._documents = GramLists(lists)
        self._claims = Claims(lists, *bounds)
        self.confirmed: set[int] = set()
        self.clashes: set[int] = set()  # numbers of grams
        self._quilts: list[Cover] = []  # those that are confirmed

    def add(self, number: int, words: ItemWords) -> None:
        """Read a document, and compare it with what the lists and its cover say."""
        lists, cover = self._wanted.lists, self._wanted.covers.get(number)
        places = []
        grams = 0
        for lanes, text in self._read(words):
            found = self.patches.find(lanes, text, bool(places))
            places.append(found.places)
            self.clashes.update(found.clashes.tolist())
            if cover and text is not None:
                grams = self.patches.count(lanes, text)
        # In their order, since they are looked up in long columns.
        found = np.sort(np.concatenate(places))
        if not self._claims.fit(number, lists.keys[found]):
            return
        self.confirmed.add(number)
        if not cover:
            return
        row = Row.parse(self._wanted.texts[number])
        if words.is_large:
            grams = row.grams  # those of a large page were counted on disk
        covered = self._documents.cover(found, cover.documents[1:])
        counts = words.count, grams, len(found), cover.patch
        if counts == (row.words, row.grams, row.patch, row.patch) and has_numbers(
            cover, covered
        ):
            self._quilts.append(cover)

    def _read(self, words: ItemWords) -> Iterator[tuple[np.ndarray, bytes | None]]:
        """Yield the lanes of a page, and its text unless it is too large for memory."""
        if words.is_large:
            parts = (part.lanes() for part in words.parts())
            yield from ((lanes, None) for lanes in join_ends(parts, self._k))
        else:
            yield from ((part.lanes(), part.text()) for part in words.parts())

    def quilt_lines(self, part: int) -> Iterator[Line]:
        """Yield the lines of the quilts."""
        refuted = len(self._wanted.covers) - len(self._quilts)
        texts = [COVER + cover.to_text() for cover in self._quilts]
        for packed in pack_texts([*texts, *[REFUTED] * refuted]):
            yield partition_key(UNIT, part), packed


def has_numbers(cover: Cover, covered: Covered) -> bool:
    """Test whether the numbers of a cover come out again, and nothing is uncovered."""
    sources = [(s.new, s.shared) for s in cover.sources]
    counted = zip(covered.new.tolist(), covered.shared.tolist(), strict=True)
    found = [pair for pair, _ in zip(counted, sources, strict=False)]
    return found == sources and not (covered.first == NOBODY).any()


def _name_documents(wanted: Wanted, confirmed: set[int]) -> Iterator[Line]:
    """Yield the documents to the partitions of the quilts that need them."""
    if not wanted.references:
        return
    columns = map(np.concatenate, zip(*wanted.references, strict=True))
    pairs = np.unique(np.stack([c.astype(np.uint64) for c in columns]), axis=1)
    documents, parts = pairs
    for part, rows in document_parts.split_by_part(parts):
        numbers = (number for number in documents[rows].tolist())
        named = (NAME + wanted.texts[n] for n in numbers if n in confirmed)
        for packed in pack_texts(named):
            yield partition_key(UNIT, part), packed
