"""A near-duplicate that was left out: the document kept, and the pairs between them."""

from collections.abc import Iterable
from typing import Any

from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, format_share, make_visible
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.showing import marked_text
from mr_reuse.pages.documents.showing.opened import OpenPage
from mr_reuse.pages.documents.showing.terminal import Lines, list_head
from mr_reuse.phrases.showing import classes
from mr_reuse.phrases.showing.classes import MAX_EDGES, DuplicateClass, PagePair
from mr_reuse.phrases.showing.difference import Difference, find_difference
from mr_reuse.phrases.showing.resemblance import Resemblance, probability
from mr_reuse.phrases.showing.results import PhraseResults

MAX_LISTED = 10  # pairs
AROUND, MAX_WORDS = 5, 30  # words of a difference: on each side of it, and in it
UNREAD = 'unread'


def list_left_out(results: PhraseResults, row: Any) -> Lines:
    """Yield the lines of a near-duplicate."""
    numbers = results.read_numbers()
    found = numbers.find_rids([row.rid, row.kept_rid])
    here, there = found[row.rid], found[row.kept_rid]
    page = results.open_known(here)
    known = classes.read_class(results, here, there, numbers)
    yield from list_head(row.url, page.date, row.rid, page.is_cut)
    yield 'left out as a near-duplicate of'
    yield from list_head(there.url, there.date, there.rid)
    if known.ends.resemblance:
        yield f'resemblance of the two: {describe(known.ends.resemblance)}'
    yield ''
    yield from list_class(known)
    yield ''
    yield from _list_difference(results, page, there)


def describe(found: Resemblance) -> str:
    """Describe a resemblance.

    >>> describe(Resemblance(9, 10))
    '0.900 (9 of 10 phrases)'
    """
    return f'{found} ({found.both:,} of {format_count(found.either, "phrase")})'


def list_class(known: DuplicateClass) -> Lines:
    """Yield the lines of a class."""
    pairs = format_count(known.pairs, 'pair')
    more = 'at least ' if known.pairs >= MAX_EDGES else ''
    documents = f'{known.size:,} documents'
    yield f'its class: {documents}, joined by {more}{pairs} of near-duplicates'
    if known.path:
        yield 'from this page to the one kept, each a near-duplicate of the next:'
        yield from _list_path(known)
    else:
        yield 'no path of pairs to the document kept was found among them'
    if known.of_page:
        yield 'other near-duplicates of this page:'
        yield from _list_pairs(known.of_page, len(known.of_page))
    yield f'documents of the class that were read: {known.read:,} of {known.size:,}'
    found = known.least.resemblance if known.least else None
    if found and found.is_same:
        yield 'these have the same phrases'
        return
    if known.least_pair:
        counted = f'{known.compared:,} of {pairs}'
        title = f'least resemblance of a pair ({counted} read)'
        yield from _list_least(title, known.least_pair)
    if known.least:
        yield from _list_least('least resemblance of two documents read', known.least)
        yield describe_law(known.least)


def describe_law(pair: PagePair) -> str:
    """Say how often documents of such a resemblance are near-duplicates."""
    assert pair.resemblance, 'both were read'
    chance = format_share(probability(pair.resemblance.share))
    return f'  of all pairs of this resemblance, {chance} are near-duplicates'


def _list_least(title: str, pair: PagePair) -> Lines:
    """Yield the lines of the least resemblance."""
    yield f'{title}: {pair.resemblance}'
    for page in pair[:2]:
        yield f'  {_name(page)}'


def _name(page: Document) -> str:
    return make_visible(f'{page.url}  {page.rid}')


def _list_path(known: DuplicateClass) -> Lines:
    """Yield the pages of a path, each with its resemblance with the one before it."""
    yield f'  {"":>8}  {_name(known.path[0].one)}'
    yield from _list_pairs(known.path, known.steps)


def _list_pairs(pairs: list[PagePair], count: int) -> Lines:
    """Yield the second page of each pair; those in the middle of many are left out.

    `count` is the number of all pairs. Some of those in the middle may be missing.
    """
    half = min(MAX_LISTED, len(pairs)) // 2
    is_long = count > min(MAX_LISTED, len(pairs))
    yield from map(_format_pair, pairs[:half] if is_long else pairs)
    if is_long:
        yield f'  {"":>8}  … {count - 2 * half:,} more …'
        yield from map(_format_pair, pairs[len(pairs) - half :])


def _format_pair(pair: PagePair) -> str:
    return f'  {pair.resemblance or UNREAD!s:>8}  {_name(pair.other)}'


def _list_difference(results: PhraseResults, page: OpenPage, kept: Document) -> Lines:
    """Yield the first words in which a page differs from the one that is kept."""
    try:
        other = results.open_known(kept)
    except (OSError, UserError) as error:
        yield make_visible(f'the document kept cannot be read: {error}')
        return
    both = page.words.fingerprints(), other.words.fingerprints()
    found = find_difference(*both)
    if not found:
        yield 'both have the same words in the same order'
        return
    yield f'first words that differ, in [ ], after {format_count(found.start, "word")}:'
    yield f'  here:  {_cut_words(page, found, found.here)}'
    yield f'  there: {_cut_words(other, found, found.there)}'


def _cut_words(page: OpenPage, found: Difference, stop: int) -> str:
    """Return the words of a difference, with some around them."""
    before = _words_of(page, max(0, found.start - AROUND), found.start)
    within = _words_of(page, found.start, min(stop, found.start + MAX_WORDS))
    if stop - found.start > MAX_WORDS:
        return ' '.join([*before, '[' + ' '.join(within), '…]'])
    behind = _words_of(page, stop, stop + AROUND)
    return ' '.join([*before, '[' + ' '.join(within) + ']', *behind])


def _words_of(page: OpenPage, start: int, stop: int) -> Iterable[str]:
    """Return some words of a page as they are in its text."""
    text, words = page.text
    spans = words[start:stop].tolist()
    return [
        make_visible(marked_text.join_spaces(text[first:last])) for first, last in spans
    ]
