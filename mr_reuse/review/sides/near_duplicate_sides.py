"""The near-duplicates of a sample as JSON, each beside the document that is kept."""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, to_text
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.showing import marked_text
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.phrases.phrase_tables import NEAR_DUPLICATES
from mr_reuse.phrases.showing import alike
from mr_reuse.phrases.showing.alike import SharedRun
from mr_reuse.phrases.showing.left_out_page import describe
from mr_reuse.phrases.showing.resemblance import compare_sets
from mr_reuse.phrases.showing.results import PhraseResults
from mr_reuse.review.book import Task
from mr_reuse.review.sides.parts import (
    Json,
    Part,
    cut_parts,
    describe_item,
    gone,
    name_page,
)
from mr_reuse.text import shingles

BLOCK = 100  # items whose documents are looked up together
SHARED, OWN = 'in both documents', 'not in the other document'


class Side(NamedTuple):
    """A document, with its text if it could be read, else the reason."""

    rid: str
    url: str
    page: OpenPage | None
    why: str
    shared: list[SharedRun]

    def to_json(self, about: str = '') -> Json:
        """Return its names."""
        date = self.page.date if self.page else ''
        return name_page(self.rid, self.url, date, about)


class NearDuplicateShowcase:
    """The items of a task on near-duplicates, in the memory of a few of them."""

    def __init__(self, task: Task, record: RunRecord):
        self._task = task
        self._results = PhraseResults(task.run, record)
        self._open = lru_cache(maxsize=4)(self._read_pair)
        self._block = lru_cache(maxsize=2)(self._read_block)
        places = range(1, len(task.sample.rows) + 1)
        wanted = {self._row(place).kept_rid for place in places}
        classes = (row.kept_rid for row in self._results.rows(NEAR_DUPLICATES))
        self._sizes = Counter(rid for rid in classes if rid in wanted)

    def item(self, place: int) -> Json:
        """Return an item: its description, and the document that is kept."""
        here, there = self._open(place)
        size = self._sizes[there.rid] + 1
        about = f'its class: {format_count(size, "document")}'
        if here.page and there.page and not (here.page.is_cut or there.page.is_cut):
            sets = (np.unique(_phrases_of(side.page)) for side in (here, there))
            about = f'resemblance {describe(compare_sets(*sets))}; {about}'
        return describe_item(
            self._task, place, [here.to_json()], [[there.to_json(about)]]
        )

    def page(self, place: int, number: int) -> Json:
        """Return the parts of the document that was left out."""
        return self._text(place, number, 0)

    def source(self, place: int, label: int, number: int) -> Json:
        """Return the parts of the document that is kept."""
        return self._text(place, label + number, 1)

    def _text(self, place: int, number: int, side: int) -> Json:
        if number:
            raise IndexError(number)
        shown = self._open(place)[side]
        if not shown.page:
            return shown.to_json() | gone(shown.why)
        spans = (tuple(run) for run in shown.shared)
        divided = marked_text.divide_text(shown.page.text, spans)
        parts = (to_part(text, links) for text, links in divided)
        return shown.to_json() | cut_parts(parts, shown.page)

    def _row(self, place: int):
        cells = to_text(self._task.sample.rows[place - 1].line).rstrip('\n')
        return NEAR_DUPLICATES.parse(cells.split('\t'))

    def _read_pair(self, place: int) -> tuple[Side, Side]:
        """Read both documents."""
        row, documents = self._row(place), self._block((place - 1) // BLOCK)
        here, there = (self._read(documents[rid]) for rid in (row.rid, row.kept_rid))
        if here.page and there.page:
            pages = _phrases_of(here.page), _phrases_of(there.page)
            runs = alike.link_runs(*pages)
            return here._replace(shared=runs[0]), there._replace(shared=runs[1])
        return here, there

    def _read_block(self, number: int) -> dict[str, Document]:
        """Read the names of the documents of some items, by rid."""
        last = min(len(self._task.sample.rows), (number + 1) * BLOCK)
        rows = [self._row(place) for place in range(number * BLOCK + 1, last + 1)]
        rids = {rid for row in rows for rid in (row.rid, row.kept_rid)}
        return self._results.read_numbers().find_rids(rids)

    def _read(self, known: Document) -> Side:
        try:
            page = self._results.open_known(known)
        except (OSError, UserError) as error:
            return Side(known.rid, known.url, None, str(error), [])
        return Side(known.rid, known.url, page, '', [])


def to_part(text: str, links: tuple[int, ...] | None) -> Part:
    """Return a part of a document; without links, it is not in the other one.

    >>> to_part('a', (7,))[1:]
    ('in both documents', '', 0, 1, (7,))
    >>> to_part('a', None)[1:], to_part(' - ', None).title
    (('not in the other document', '', 1, None, ()), '')
    """
    if links is not None:
        return Part(text, SHARED, colour=0, source=1, links=links)
    if not any(map(str.isalnum, text)):  # between words
        return Part(text)
    return Part(text, OWN, colour=1)


def _phrases_of(page: OpenPage | None) -> np.ndarray:
    assert page, 'it was read'
    return shingles.find_phrases(page.words.fingerprints())
