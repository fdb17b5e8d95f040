"""The quilted pages of a sample as JSON for the page, each with its sources."""

from functools import lru_cache
from typing import NamedTuple

from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.quilts.showing import quilt_page
from mr_reuse.quilts.showing.patches import NO_PATCH, UNCOVERED
from mr_reuse.quilts.showing.quilt_page import OpenQuilt, QuiltPage, Segment
from mr_reuse.quilts.showing.results import QuiltResults
from mr_reuse.review.book import Task
from mr_reuse.review.sides.parts import (
    Json,
    Part,
    cut_parts,
    describe_item,
    gone,
    name_page,
)

BLOCK = 100  # items whose sources and grams are read together
NO_NUMBER = '–'  # of a patch whose source is not in the cover


class Opened(NamedTuple):
    """A quilted page, with its text if it could be read, else the reason."""

    quilt: QuiltPage
    page: OpenQuilt | None
    why: str


class QuiltShowcase:
    """The items of a task on quilts.

    Memory depends on the size of a few items, not on that of the sample.
    """

    def __init__(self, task: Task, record: RunRecord):
        self._task, self._record = task, record
        self._results = QuiltResults(task.run, record)
        self._block = lru_cache(maxsize=2)(self._read_block)
        self._open = lru_cache(maxsize=4)(self._read_quilt)
        self._block(0)  # fails now rather than at the first item

    def item(self, place: int) -> Json:
        """Return an item: its description and its sources."""
        quilt, page, _ = self._open(place)
        row = quilt.row
        sources = [
            name_page(
                source.source_rid,
                source.source_url,
                about=describe_source(source.new, source.shared, row.grams),
            )
            | {'colour': number}
            for number, source in enumerate(quilt.sources)
        ]
        names = name_page(row.rid, row.url, page.page.date if page else '')
        return describe_item(self._task, place, [names], [sources])

    def page(self, place: int, number: int) -> Json:
        """Return the parts of a quilt."""
        quilt, page, why = self._open(place)
        if number:
            raise IndexError(number)
        names = name_page(quilt.row.rid, quilt.row.url, page.page.date if page else '')
        if not page:
            return names | gone(why)
        return names | cut_parts(map(to_part, page.segments()), page.page)

    def source(self, place: int, label: int, number: int) -> Json:
        """Return the parts of a source."""
        quilt, page, why = self._open(place)
        if label:
            raise IndexError(label)
        source = quilt.sources[number]
        names = name_page(source.source_rid, source.source_url)
        try:
            there = self._read(source.source_rid)
        except (OSError, UserError) as error:
            return names | gone(str(error))
        names = name_page(source.source_rid, source.source_url, there.date)
        if not page:
            return names | gone(why)
        segments = page.source_segments(number, there)
        return names | cut_parts((to_source_part(s, number) for s in segments), there)

    def _read(self, rid: str) -> OpenPage:
        return quilt_page.read_page(self._record, self._results.recipe, rid)

    def _read_block(self, number: int) -> dict[str, QuiltPage]:
        """Read the sources and the patch grams of some items, by rid."""
        rows = self._task.sample.rows[number * BLOCK : (number + 1) * BLOCK]
        cells = [to_text(row.line).rstrip('\n').split('\t') for row in rows]
        quilts = [self._task.kind.table.parse(row) for row in cells]
        rids = {quilt.rid for quilt in quilts}
        sources = self._results.read_sources(rids)
        grams = self._results.read_patch_grams(rids)
        k = self._results.recipe.k
        return {q.rid: QuiltPage(q, sources[q.rid], grams[q.rid], k) for q in quilts}

    def _read_quilt(self, place: int) -> Opened:
        """Read a quilted page."""
        rid = to_text(self._task.sample.rows[place - 1].item)
        quilt = self._block((place - 1) // BLOCK)[rid]
        try:
            return Opened(quilt, quilt.open(self._read(rid)), '')
        except (OSError, UserError) as error:
            return Opened(quilt, None, str(error))


def describe_source(new: int, shared: int, grams: int) -> str:
    """Describe a source of a quilt.

    >>> describe_source(11, 12, 60)
    '11 new, 12 shared: 20.0 % of the grams'
    """
    return f'{new:,} new, {shared:,} shared: {100 * shared / grams:.1f} % of the grams'


def to_part(segment: Segment) -> Part:
    """Return a part of a quilt: a patch has the number of its source.

    >>> to_part(Segment('a', 2, (7,)))[1:]
    ('source 3', '3', 2, 3, (7,))
    >>> to_part(Segment('a', UNCOVERED))[1:]
    ('in no source of the cover', '–', None, None, ())
    >>> to_part(Segment('a')).title
    ''
    """
    text, owner, patches = segment
    if owner == NO_PATCH:
        return Part(text)
    if owner == UNCOVERED:
        return Part(text, 'in no source of the cover', NO_NUMBER, links=patches)
    number = owner + 1
    return Part(text, f'source {number}', str(number), owner, number, patches)


def to_source_part(segment: Segment, number: int) -> Part:
    """Return a part of a source, of which this is the number from 0.

    >>> to_source_part(Segment('a', 0, (7,)), 1)[1:]
    ('also in source 1', '', None, 1, (7,))
    """
    part = to_part(segment)._replace(mark='')
    if not part.title or segment.owner == number:
        return part
    other = part.source or NO_NUMBER
    return part._replace(title=f'also in source {other}', colour=None)
