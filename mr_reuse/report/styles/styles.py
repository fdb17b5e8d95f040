"""The section of styles: those of the greatest scores, and the largest ones."""

import heapq
import math
from collections.abc import Container, Iterable
from itertools import groupby, islice
from typing import Any, NamedTuple

from mr_reuse.archives.urls import url_host
from mr_reuse.pages.documents.results import describe_age
from mr_reuse.pages.documents.servers import domain_of
from mr_reuse.report import inert
from mr_reuse.report.run import Run
from mr_reuse.report.styles.facts import Facts, damaged
from mr_reuse.styles.features import shared
from mr_reuse.styles.style_tables import STYLE_FEATURES, STYLE_MEMBERS, STYLES

MAX_STYLES = 20  # on the page
MAX_LARGEST = 10  # further styles, by their pages
MAX_PAGES = 5  # of a style, each on a domain of its own
KINDS = (  # of features that are names, with the heading of each
    (shared.GENERATOR, 'generator'),
    (shared.PATH, 'paths'),
    (shared.CLASS, 'classes'),
    (shared.TAG, 'tags'),
)


class Members(NamedTuple):
    """Some members of a style."""

    pages: list[Any]  # on different domains, the most similar to the prototype first
    last: Any  # the least similar one
    least: float  # its similarity


class Shown(NamedTuple):
    """A style with its features."""

    row: Any
    mean: float
    score: float
    members: Members | None  # None if they are far down in a very large table
    names: list[tuple[str, str, list[Any]]]  # kind, heading, rows of features
    skeleton: Any | None  # row

    @property
    def least(self) -> float | None:
        """The least similarity to the prototype."""
        return self.members.least if self.members else None


def section(run: Run, facts: Facts) -> dict[str, Any]:
    """Return the styles on the page."""
    first = list(islice(run.rows(STYLES), MAX_STYLES))
    numbers = {row.style for row in first}
    others = (row for row in run.first_rows(STYLES) if row.style not in numbers)
    largest = heapq.nsmallest(MAX_LARGEST, others, lambda row: (-row.pages, row.style))
    styles = numbers | {row.style for row in largest}
    features = {
        style: list(rows)
        for style, rows in groupby(run.rows(STYLE_FEATURES), lambda row: row.style)
        if style in styles
    }
    try:
        members = read_members(run.first_rows(STYLE_MEMBERS), styles)
    except ValueError:
        raise damaged(run, STYLE_MEMBERS) from None
    shown = [
        [join(run, row, members, features.get(row.style, [])) for row in rows]
        for rows in (first, largest)
    ]
    return {
        'counts': facts.counts,
        'options': facts.options,
        'age': describe_age(run.path, run.record, 'styles'),
        'first': shown[0],
        'largest': shown[1],
        'steps': list_steps(run, first),
    }


def join(
    run: Run, row: Any, members: dict[int, Members], features: Iterable[Any]
) -> Shown:
    """Join the row of a style with its members and its features."""
    by_kind: dict[str, list[Any]] = {}
    for feature in features:
        by_kind.setdefault(feature.kind, []).append(feature)
    names = [(kind, text, by_kind[kind]) for kind, text in KINDS if kind in by_kind]
    try:
        mean, score = float(row.mean), float(row.score)
    except ValueError:
        raise damaged(run, STYLES) from None
    if not (0 <= mean <= 1 and 0 <= score < math.inf):
        raise damaged(run, STYLES)
    skeleton = by_kind.get(shared.SKELETON, [None])[0]
    return Shown(row, mean, score, members.get(row.style), names, skeleton)


def read_members(rows: Iterable[Any], styles: Container[int]) -> dict[int, Members]:
    """Return some members of each of some styles.

    If `rows` are only the beginning of a very large table, some of the last style are
    missing.

    >>> rows = [STYLE_MEMBERS.row(1, 'a:0', f'http://{h}.org/', '1.0') for h in 'aba']
    >>> members = read_members(rows, {1})
    >>> [page.url for page in members[1].pages], members[1].last == rows[2]
    (['http://a.org/', 'http://b.org/'], True)
    """
    found: dict[int, Members] = {}
    for style, group in groupby(rows, lambda row: row.style):
        if style in styles:
            found[style] = choose_pages(group)
    return found


def choose_pages(rows: Iterable[Any]) -> Members:
    """Choose the first page of each of some domains, and the last page.

    Raises ValueError if one of their similarities is none.
    """
    pages: dict[str, Any] = {}
    row = None
    for row in rows:
        if len(pages) < MAX_PAGES:
            pages.setdefault(domain_of(url_host(row.url)), row)
    shown = [*pages.values(), row]
    similarities = [float(page.similarity) for page in shown]
    if not all(0 <= similarity <= 1 for similarity in similarities):
        raise ValueError(row.similarity)
    return Members(shown[:-1], row, similarities[-1])


def list_steps(run: Run, rows: list[Any]) -> list[tuple[str, str]]:
    """List next steps: the reason and the command of each."""
    if not rows:
        return []
    path, style = run.path, str(rows[0].style)
    steps = [
        ('See a style, with its pages and domains:', ('show', path, style)),
        (
            'See the style of one page, and the documents most like it:',
            ('show', path, rows[0].rid, '--as', 'styles'),
        ),
        (
            'Find pages, sites and domains in the style of pages that you know. The '
            'file has a URL, a host or a rid on each line:',
            ('styles', 'spread', path, 'judged.txt'),
        ),
    ]
    lines = ((why, inert.command(*words)) for why, words in steps)
    return [(why, line) for why, line in lines if line]
