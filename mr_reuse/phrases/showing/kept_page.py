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
from mr_reuse.phrases.showing import marks
from mr_reuse.phrases.showing.results import PhraseResults
from mr_reuse.phrases.vectors import POSITIONS
from mr_reuse.text import shingles

MAX_LISTED = 10  # near-duplicates
CHANGED = (
    'the archive has changed since the run; name the folder of the right one with '
    '--archives, or run phrases again'
)


def list_kept(results: PhraseResults, row: Any, style: Style) -> Lines:
    """Yield the lines of a document that is kept."""
    page = results.open_page(row.rid)
    pieces = mark_phrases(results, row.rid, page)
    near, cover = list(_list_class(results, row.rid)), results.find_cover(row.rid)
    yield from list_head(row.url, page.date, row.rid, page.is_cut)
    yield describe_popular(row, results.popular)
    yield from near
    if cover:
        yield describe_cover(cover[0])
    if row.popular:
        yield (
            '[N …]: words of a popular phrase in its sample; N documents have it in '
            'theirs'
        )
    yield ''
    yield from format_text(pieces, style)
    if cover:
        yield ''
        yield from _list_sources(cover[1])


def mark_phrases(results: PhraseResults, rid: str, page: OpenPage) -> Iterator[Piece]:
    """Return the parts of the text of a page, with its popular phrases marked.

    Raises UserError if the page has other phrases now.
    """
    numbers = results.read_numbers()
    document = numbers.find_rids([rid])[rid]
    vector = results.read_vector(numbers, numbers.number_of(document))
    phrases = shingles.find_phrases(page.words.fingerprints())
    if not (page.is_cut or np.isin(vector, phrases).all()):
        raise UserError(f'{rid}: {CHANGED}')
    counts = results.count_documents(numbers, vector)
    popular = marks.best_counts(vector, counts, results.popular)
    return marks.mark_text(page.text, marks.count_words(phrases, *popular))


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


def describe_cover(row: Any) -> str:
    """Describe a covering set.

    >>> from mr_reuse.phrases.phrase_tables import COVERS
    >>> describe_cover(COVERS.row('a:0', 'http://a/', 60, 3, 40))
    'covering set: 3 documents; 40 of 60 popular shingles first in foreign ones'
    """
    documents = format_count(row.sources, 'document')
    popular = format_count(row.popular, 'popular shingle')
    return (
        f'covering set: {documents}; {row.foreign} of {popular} first in foreign ones'
    )


def _list_sources(sources: list[Any]) -> Lines:
    """Yield the table of the documents of a covering set."""
    yield f'{"number":>6} {"new":>4} {"shared":>6} {"foreign":>7}  page'
    for row in sources:
        foreign = 'yes' if row.foreign else 'no'
        names = make_visible(f'{row.source_url}  {row.source_rid}')
        yield f'{row.number:>6} {row.new:>4} {row.shared:>6} {foreign:>7}  {names}'
