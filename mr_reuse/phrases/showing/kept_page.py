"""A document that is kept: its popular phrases, its class, and its covering set."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, make_visible
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.pages.documents.showing.terminal import (
    Lines,
    Piece,
    Style,
    format_text,
    list_head,
)
from mr_reuse.phrases.showing import donors, marks
from mr_reuse.phrases.showing.donors import Donor, PhrasePage
from mr_reuse.phrases.showing.results import CHANGED, PhraseResults
from mr_reuse.phrases.vectors import POSITIONS
from mr_reuse.text import shingles

MAX_LISTED = 10  # near-duplicates


def list_kept(results: PhraseResults, row: Any, style: Style) -> Lines:
    """Yield the lines of a document that is kept."""
    page = results.open_page(row.rid)
    known = donors.read_pages(results, [row.rid])[row.rid]
    pieces = mark_phrases(known, page)
    near = list(_list_class(results, row.rid))
    yield from list_head(row.url, page.date, row.rid, page.is_cut)
    yield describe_popular(row, results.popular)
    yield from near
    if known.donors:
        yield describe_cover(known)
    if known.popular:
        yield (
            '[N …]: words of a popular phrase in its sample; N documents have it in '
            'theirs'
        )
    yield ''
    yield from format_text(pieces, style)
    if known.donors:
        yield ''
        yield from _list_donors(known.donors)


def mark_phrases(known: PhrasePage, page: OpenPage) -> Iterator[Piece]:
    """Return the parts of the text of a page, with its popular phrases marked."""
    words = marks.count_words(find_phrases(known, page), known.phrases, known.documents)
    return marks.mark_text(page.text, words)


def find_phrases(known: PhrasePage, page: OpenPage) -> np.ndarray:
    """Return the phrases of a page. Raises UserError if it has others now."""
    phrases = shingles.find_phrases(page.words.fingerprints())
    if not (page.is_cut or np.isin(known.vector, phrases).all()):
        raise UserError(f'{known.page.rid}: {CHANGED}')
    return phrases


def describe_popular(row: Any, least: int) -> str:
    """Describe the popular shingles of a page.

    >>> from mr_reuse.phrases.phrase_tables import PHRASE_PAGES
    >>> describe_popular(PHRASE_PAGES.row('a:0', 'http://a/', 120, 9), 5)
    'kept: 9 of its 84 shingles are popular, in 5 or more documents kept; 120 words'
    """
    words = format_count(row.words, 'word')
    return (
        f'kept: {row.popular} of its {POSITIONS} shingles are popular, in {least} or '
        f'more documents kept; {words}'
    )


def _list_class(results: PhraseResults, rid: str) -> Lines:
    """Yield the near-duplicates of a page that were left out."""
    first, count = [], 0
    for row in results.list_class(rid):
        if count < MAX_LISTED:
            first.append(row)
        count += 1
    if count:
        yield f'{format_count(count, "near-duplicate")} of it left out:'
    for row in first:
        yield make_visible(f'  {row.url}  {row.rid}')
    if count > len(first):
        yield f'  and {count - len(first):,} more'


def describe_cover(known: PhrasePage) -> str:
    """Describe a covering set."""
    documents = format_count(len(known.donors), 'document')
    popular = format_count(known.popular, 'popular shingle')
    foreign = sum(donor.new for donor in known.donors if donor.is_foreign)
    return f'covering set: {documents}; {foreign} of {popular} first in foreign ones'


def _list_donors(found: list[Donor]) -> Lines:
    """Yield the table of the documents of a covering set."""
    yield f'{"number":>6} {"new":>4} {"shared":>6} {"foreign":>7}  page'
    for number, (page, new, shared, is_foreign) in enumerate(found, 1):
        foreign = 'yes' if is_foreign else 'no'
        names = make_visible(f'{page.url}  {page.rid}')
        yield f'{number:>6} {new:>4} {shared:>6} {foreign:>7}  {names}'
