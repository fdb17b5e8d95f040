"""The quilted pages of a sample as JSON for the page, each with its sources."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.quilts.showing import quilt_page
from mr_reuse.quilts.showing.patches import NO_PATCH, UNCOVERED
from mr_reuse.quilts.showing.quilt_page import OpenQuilt, QuiltPage, Segment
from mr_reuse.quilts.showing.results import QuiltResults
from mr_reuse.review import kinds
from mr_reuse.review.book import Task
from mr_reuse.review.excerpts import visible

Json = dict[str, Any]
BLOCK = 100  # items whose sources and grams are read together
MAX_TEXT = 500_000  # characters of a page that are shown


class Opened(NamedTuple):
    """A quilted page, with its text if it could be read, else the reason."""

    quilt: QuiltPage
    page: OpenQuilt | None
    why: str


class QuiltShowcase:
    """The items of a task on quilts. Page 0 of an item is the quilt, page N a source.

    Memory depends on the size of a few items, not on that of the sample.
    """

    def __init__(self, task: Task, record: RunRecord):
        self._task, self._record = task, record
        self._results = QuiltResults(task.run, record)
        self._block = lru_cache(maxsize=2)(self._read_block)
        self._open = lru_cache(maxsize=4)(self._read_quilt)
        self._block(0)  # fails now rather than at the first item

    def item(self, place: int) -> Json:
        """Return an item: its description and its sources, from position 1."""
        row = self._task.sample.rows[place - 1]
        title, about = kinds.describe_item(self._task.kind, row)
        quilt, page, _ = self._open(place)
        return {
            'place': place,
            'title': visible(title),
            'about': visible(about),
            'stratum': self._task.kind.name_of(row.stratum),
            'pages': [name_page(quilt.row.rid, quilt.row.url, page)],
            'labels': [],
            'sources': [
                name_page(source.source_rid, source.source_url, None)
                | {
                    'new': source.new,
                    'shared': source.shared,
                    'share': source.shared / quilt.row.grams,
                }
                for source in quilt.sources
            ],
        }

    def page(self, place: int, number: int) -> Json:
        """Return the parts of a page: of the quilt, or of a source from 1."""
        quilt, page, why = self._open(place)
        if not number:
            names = name_page(quilt.row.rid, quilt.row.url, page)
            return names | (
                cut_parts(page.segments(), page.page) if page else gone(why)
            )
        source = quilt.sources[number - 1]
        names = name_page(source.source_rid, source.source_url, None)
        try:
            there = self._read(source.source_rid)
        except (OSError, UserError) as error:
            return names | gone(str(error))
        names['date'] = visible(there.date)
        if not page:
            return names | gone(why)
        return names | cut_parts(page.source_segments(number - 1, there), there)

    def source(self, place: int, label: int, number: int) -> Json:
        """Return nothing: quilts have no labels."""
        raise IndexError(place, label, number)

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


def name_page(rid: str, url: str, page: OpenQuilt | None) -> Json:
    """Return rid, URL and date of a page."""
    date = page.page.date if page else ''
    return {'rid': visible(rid), 'url': visible(url), 'date': visible(date)}


def gone(why: str) -> Json:
    """Return the reason in place of the parts of a page."""
    return {'parts': [], 'gone': visible(why)}


def cut_parts(segments: Iterable[Segment], page: OpenPage) -> Json:
    """Return the parts of a page; those behind MAX_TEXT characters are left out.

    The source of a part is its number from 1, 0 for a patch without one in the cover,
    and None for words that are no patch.
    """
    parts: list[Json] = []
    left, is_cut = MAX_TEXT, page.is_cut
    for segment in segments:
        if not left:
            is_cut = True
            break
        is_cut |= len(segment.text) > left
        parts.append(to_part(segment._replace(text=segment.text[:left])))
        left = max(0, left - len(segment.text))
    end = f'\n… the first {MAX_TEXT - left:,} characters are shown' if is_cut else ''
    return {'parts': parts, 'gone': '', 'end': end}


def to_part(segment: Segment) -> Json:
    """Return a part of a page as JSON.

    >>> to_part(Segment('a', 2, (7,)))
    {'text': 'a', 'source': 3, 'patches': (7,)}
    >>> [to_part(Segment('a', owner))['source'] for owner in (UNCOVERED, NO_PATCH)]
    [0, None]
    """
    special = {UNCOVERED: 0, NO_PATCH: None}
    source = special.get(segment.owner, segment.owner + 1)
    text = visible(segment.text)
    return {'text': text, 'source': source, 'patches': segment.patches}
