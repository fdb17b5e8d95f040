"""A page and its style as lines for a terminal."""

from collections.abc import Sequence
from typing import Any

from mr_reuse.messages import format_count, make_visible
from mr_reuse.pages.documents.document import Document
from mr_reuse.pages.documents.showing.terminal import Lines, list_head
from mr_reuse.styles.features import texts
from mr_reuse.styles.showing import neighbors
from mr_reuse.styles.showing.neighbors import Neighbor
from mr_reuse.styles.showing.results import StyleResults


def list_document(results: StyleResults, page: Document) -> Lines:
    """Yield the lines of a document."""
    number = results.numbers.number_of(page)
    one = neighbors.find_fingerprint(results, number)
    yield from list_head(page.url, page.date, page.rid)
    if one is None:
        yield describe_absence(page)
        return
    near = neighbors.find_neighbors(results, number, one)
    rids = [page.rid, *(other.page.rid for other in near)]
    members = results.find_members(rids)
    if own := members.get(page.rid):
        row = results.find_style(own.style)
        yield describe_place(own, row.pages)
        values = texts.group_values(results.list_features(own.style))
        if about := texts.describe_values(values):
            yield make_visible(f'its pages share: {about}')
        if own.rid != row.rid:
            yield make_visible(f'prototype: {row.url}  {row.rid}')
    else:
        m, t = results.shape.m, results.rule.t
        yield f'in no style: it was found alike no document, in {t} of {m} dimensions'
    yield ''
    yield from list_neighbors(near, {rid: row.style for rid, row in members.items()})


def describe_absence(page: Document) -> str:
    """Say why a document has no fingerprint that was compared.

    >>> page = Document('a:0', '', '', '', False, 0, 0, '', 0)
    >>> describe_absence(page), describe_absence(page._replace(grams=9))
    ('not compared: it has too little markup', 'not compared: another capture of its \
URL was')
    """
    why = 'another capture of its URL was' if page.grams else 'it has too little markup'
    return f'not compared: {why}'


def describe_place(member: Any, pages: int) -> str:
    """Describe the place of a page in its style."""
    return (
        f'in style {member.style} of {format_count(pages, "page")}; similarity to the '
        f'prototype {float(member.similarity):.3f}'
    )


def list_neighbors(near: Sequence[Neighbor], styles: dict[str, int]) -> Lines:
    """Yield the table of the documents that are most like the page."""
    yield f'{"similarity":>10} {"style":>6}  document'
    for similarity, page in near:
        style = styles.get(page.rid, '-')
        names = make_visible(f'{page.url}  {page.rid}')
        yield f'{float(similarity):>10.3f} {style:>6}  {names}'
