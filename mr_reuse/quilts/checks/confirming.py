"""The reducer that checks the quilts of a partition: it reads their records again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from mr_reuse.archives.framing import Lost
from mr_reuse.pages import lookup
from mr_reuse.pages.documents.reading import DocumentReader, ItemWords
from mr_reuse.quilts.checks import checking, joining, reports
from mr_reuse.quilts.checks.checking import FoundGrams, GramSet, Quilt
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import part_of, unpack_texts
from mr_reuse.shuffle.protocol import Line


class Gathered(NamedTuple):
    """What the lines of a partition say of its quilts."""

    covers: list[Cover]
    rows: dict[int, Row]  # of the pages and of their sources
    grams: GramSet
    places: list[np.ndarray]  # of the grams of each cover in the set

    def new_quilts(self) -> list[Quilt]:
        """Return the quilts, still to be checked."""
        return list(map(Quilt, self.covers, self.places))


def gather(values: Iterable[bytes]) -> Gathered:
    """Put the lines of a partition together."""
    covers: list[Cover] = []
    rows: dict[int, Row] = {}
    columns = [[np.zeros(0, np.uint64)] * 3]
    for value in values:
        if b':' in value:
            owners, counts, keys, checks = ragged.unpack_columns(value)
            columns.append([np.repeat(owners, counts.astype(np.int64)), keys, checks])
            continue
        for text in unpack_texts(value):
            if text.startswith(joining.NAME):
                row = Row.parse(text[len(joining.NAME) :])
                rows[row.number] = row
            else:
                covers.append(Cover.parse(text))
    owners, keys, checks = map(np.concatenate, zip(*columns, strict=True))
    del columns  # as large as what they are joined to
    order = np.argsort(owners, kind='stable')
    owners, keys, checks = owners[order], keys[order], checks[order].astype(np.uint16)
    covers.sort(key=lambda cover: cover.number)
    numbers = np.array([cover.number for cover in covers], np.uint64)
    starts = np.searchsorted(owners, numbers).tolist()
    ends = np.searchsorted(owners, numbers, 'right').tolist()
    grams = GramSet(keys, checks)
    pairs = zip(starts, ends, strict=True)
    places = [grams.places[start:end] for start, end in pairs]
    return Gathered(covers, rows, grams, places)


class LargeBody(Exception):
    """A body that is too large for memory, so its words have to be known by lanes."""


class OtherWords(Exception):
    """Grams with the same hash have other words, so quilts have to be read first."""


class QuiltChecker:
    """Checks the quilts of a partition; `paths` has the archives by their names."""

    def __init__(self, k: int, reader: DocumentReader, paths: Mapping[str, str]):
        self._k, self._reader, self._paths = k, reader, paths
        self.stats = Counter(quilts=0, refuted=0, sources=0)

    def check(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the lines of the quilts of a partition that the words confirm."""
        gathered = gather(values)
        quilts = self._check_all(gathered)
        kept = [quilt for quilt in quilts if quilt.is_confirmed()]
        self.stats['quilts'] += len(kept)
        self.stats['refuted'] += len(quilts) - len(kept)
        self.stats['sources'] += sum(len(quilt.cover.sources) for quilt in kept)
        part, rows, grams = part_of(key), gathered.rows, gathered.grams
        yield from reports.pack_quilts(part, kept, rows, grams)

    def _check_all(self, gathered: Gathered) -> list[Quilt]:
        """Check quilts in the fastest way that is possible."""
        by_lanes, at_once = False, True
        while True:
            try:
                return self._compare(gathered, by_lanes, at_once)
            except LargeBody:
                by_lanes = True
            except OtherWords:
                at_once = False

    def _compare(
        self, gathered: Gathered, by_lanes: bool, at_once: bool
    ) -> list[Quilt]:
        """Read the pages of the quilts and all of their sources.

        Each document is read once if that can be done `at_once`. Otherwise all quilts
        are read before all sources.
        """
        quilts = gathered.new_quilts()
        found = FoundGrams(gathered.grams, self._k, by_lanes, keeps_all=at_once)
        rows, own = gathered.rows, {quilt.cover.number: quilt for quilt in quilts}
        rounds = [(own, quilts)] if at_once else [(own, []), ({}, quilts)]
        for pages, others in rounds:
            needed = checking.group_by_document(q for q in others if not q.is_refuted)
            for number, words in self._open({*pages, *needed}, rows, by_lanes):
                with suppress(Lost):
                    distinct = [found.add(p, number in pages) for p in words.parts()]
                    if number in pages:
                        # Those of a large page were counted on disk.
                        grams = rows[number].grams if words.is_large else distinct[0]
                        counts = words.count, grams
                        pages[number].add_page(rows[number], counts, found)
                    for quilt in needed.get(number, ()):
                        quilt.add_source(number, found)
                found.clear()
        if at_once and found.has_others:
            raise OtherWords
        return quilts

    def _open(
        self, documents: Iterable[int], rows: Mapping[int, Row], by_lanes: bool
    ) -> Iterator[tuple[int, ItemWords]]:
        """Yield the words of documents, in the order of their archives."""
        of_rid = {rows[number].rid: number for number in documents}
        # An archive may be gone since it was read: its quilts are not confirmed.
        for rid, item in lookup.read_items(of_rid, self._paths, (OSError,)):
            with suppress(Lost):
                words = self._reader.open_words(item) if item else None
                if words and words.is_large and not by_lanes:
                    raise LargeBody
                if words:
                    yield of_rid[rid], words
