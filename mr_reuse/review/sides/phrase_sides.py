"""Documents of a sample, or of sampled hosts, as JSON, beside their covering sets."""

import heapq
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from mr_reuse.archives.urls import url_host
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages.documents.showing import marked_text
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.phrases.phrase_tables import PHRASE_PAGES
from mr_reuse.phrases.sample import rank_page
from mr_reuse.phrases.showing import donors, kept_page, marks
from mr_reuse.phrases.showing.donors import NOBODY, Donor, PhrasePage
from mr_reuse.phrases.showing.results import PhraseResults
from mr_reuse.review.book import Task
from mr_reuse.review.document_kinds import HOSTS
from mr_reuse.review.sides.parts import (
    Json,
    Part,
    cut_parts,
    describe_item,
    gone,
    name_page,
)
from mr_reuse.text import shingles
from mr_reuse.text.phrase_hash import K

BLOCK = 20  # items whose covering sets are found together
PAGES = 5  # of a host


class PhraseShowcase:
    """The items of a task on documents kept or on hosts, in the memory of some."""

    def __init__(self, task: Task, record: RunRecord):
        self._task = task
        self._results = PhraseResults(task.run, record)
        self._rids = self._find_rids()
        self._block = lru_cache(maxsize=2)(self._read_block)
        self._open = lru_cache(maxsize=16)(self._results.open_known)
        self._block(0)  # fails now rather than at the first item

    def item(self, place: int) -> Json:
        """Return an item: its description, its documents, and their donors."""
        known = self._pages(place)
        pages = [name_page(one.page.rid, one.page.url, one.page.date) for one in known]
        sources = [[_name_donor(donor) for donor in one.donors] for one in known]
        return describe_item(self._task, place, pages, sources)

    def page(self, place: int, number: int) -> Json:
        """Return the parts of a document, with its popular phrases."""
        known = self._pages(place)[number]
        names = name_page(known.page.rid, known.page.url, known.page.date)
        try:
            page = self._open(known.page)
            phrases = kept_page.find_phrases(known, page)
        except (OSError, UserError) as error:
            return names | gone(str(error))
        return names | cut_parts(mark_parts(known, page, phrases), page)

    def source(self, place: int, label: int, number: int) -> Json:
        """Return the parts of a donor, with the popular phrases of the document."""
        known = self._pages(place)[label]
        donor = known.donors[number].page
        names = name_page(donor.rid, donor.url, donor.date)
        try:
            page = self._open(donor)
        except (OSError, UserError) as error:
            return names | gone(str(error))
        phrases = shingles.find_phrases(page.words.fingerprints())
        parts = mark_parts(known, page, phrases, number)
        return names | cut_parts(parts, page)

    def _pages(self, place: int) -> list[PhrasePage]:
        rids = self._rids[self._item(place)]
        block = self._block((place - 1) // BLOCK)
        return [block[rid] for rid in rids if rid in block]

    def _item(self, place: int) -> str:
        return to_text(self._task.sample.rows[place - 1].item)

    def _read_block(self, number: int) -> dict[str, PhrasePage]:
        """Read the popular phrases and the donors of some items, by rid."""
        rows = self._task.sample.rows[number * BLOCK : (number + 1) * BLOCK]
        rids = {rid for row in rows for rid in self._rids[to_text(row.item)]}
        return donors.read_pages(self._results, rids)

    def _find_rids(self) -> dict[str, list[str]]:
        """Return the documents of each item: of a host, a random sample."""
        items = {to_text(row.item) for row in self._task.sample.rows}
        if self._task.kind is not HOSTS:
            return {item: [item] for item in items}
        ranked: dict[str, list[tuple[str, str]]] = {item: [] for item in items}
        for row in self._results.rows(PHRASE_PAGES):
            host = url_host(row.url)
            if host in ranked:
                pages = [*ranked[host], (rank_page(self._task.seed, row.rid), row.rid)]
                ranked[host] = heapq.nsmallest(PAGES, pages)
        return {host: [rid for _, rid in pages] for host, pages in ranked.items()}


def _name_donor(donor: Donor) -> Json:
    """Return the names of a donor."""
    page, new, shared, is_foreign = donor
    where = 'foreign' if is_foreign else 'not foreign'
    about = f'{new} new, {shared} shared popular shingles; {where}'
    return name_page(page.rid, page.url, page.date, about)


def mark_parts(
    known: PhrasePage, page: OpenPage, phrases: np.ndarray, donor: int = NOBODY
) -> Iterator[Part]:
    """Yield the parts of a text, with the popular phrases of a document in it.

    The mark is how many documents have the phrase, and the colour is the order of
    magnitude of that. `donor` is the number of the page if it is a donor.
    """
    words = marks.count_words(phrases, known.phrases, known.documents)
    spans = ((span, (span, n)) for span, n in marks.find_spans(words))
    for text, found in marked_text.divide_text(page.text, spans):
        if not found:
            yield Part(text)
            continue
        (start, stop), number = found
        # A phrase that begins before the span may reach into it.
        begins = np.arange(start - K + 1, stop) % len(phrases)
        there = np.flatnonzero(np.isin(known.phrases, phrases[begins]))
        best = there[np.argmax(known.documents[there])]
        owner = int(known.owners[best]) if donor == NOBODY else donor
        yield Part(
            text,
            f'a popular phrase of {number:,} documents',
            f'{number:,}' if donor == NOBODY else '',
            len(str(number)) - 1,
            None if owner == NOBODY else owner + 1,
            tuple(there.tolist()),
        )
