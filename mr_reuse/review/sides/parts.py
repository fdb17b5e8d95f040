"""Pages beside others as JSON: their names, and their texts in parts.

A part with a mark has a colour, the number of the page beside it that has it too, and
numbers that link it to parts of that page.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from mr_reuse.pages.documents.showing.opened import OpenPage, OpenSource
from mr_reuse.review import kinds
from mr_reuse.review.book import Task
from mr_reuse.review.excerpts import visible

Json = dict[str, Any]
MAX_TEXT = 500_000  # characters of a page that are shown


class SideShowcase(Protocol):
    """The items of a task, each with pages that are displayed beside others."""

    def item(self, place: int) -> Json:
        """Return an item: its description, its pages, and those beside each."""
        ...

    def page(self, place: int, number: int) -> Json:
        """Return the text of a page of an item, from page 0."""
        ...

    def source(self, place: int, label: int, number: int) -> Json:
        """Return the text of a page beside another one, both from 0."""
        ...


class Part(NamedTuple):
    """A part of a text. One without a title is no marked part."""

    text: str
    title: str = ''
    mark: str = ''  # in front of the text
    colour: int | None = None  # any number
    source: int | None = None  # the page beside it, from 1
    links: tuple[int, ...] = ()


def describe_item(
    task: Task, place: int, pages: Sequence[Json], sources: Sequence[Sequence[Json]]
) -> Json:
    """Return an item; `sources` has the pages beside each of its pages."""
    row = task.sample.rows[place - 1]
    title, about = kinds.describe_item(task.kind, row)
    return {
        'place': place,
        'title': visible(title),
        'about': visible(about),
        'stratum': task.kind.name_of(row.stratum),
        'pages': pages,
        'labels': [],
        'sources': sources,
    }


def name_page(rid: str, url: str, date: str = '', about: str = '') -> Json:
    """Return the names of a page, and facts on it."""
    names = {'rid': rid, 'url': url, 'date': date, 'about': about}
    return {name: visible(text) for name, text in names.items()}


def gone(why: str) -> Json:
    """Return the reason in place of the parts of a page."""
    return {'parts': [], 'gone': visible(why)}


def cut_parts(parts: Iterable[Part], page: OpenPage | OpenSource) -> Json:
    """Return the parts of a page; those behind MAX_TEXT characters are left out."""
    found: list[Json] = []
    left, is_cut = MAX_TEXT, page.is_cut
    for part in parts:
        if not left:
            is_cut = True
            break
        is_cut |= len(part.text) > left
        found.append(part._asdict() | {'text': visible(part.text[:left])})
        left = max(0, left - len(part.text))
    end = f'\n… the first {MAX_TEXT - left:,} characters are shown' if is_cut else ''
    return {'parts': found, 'gone': '', 'end': end}
