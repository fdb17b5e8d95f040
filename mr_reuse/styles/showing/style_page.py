"""A style as lines for a terminal."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from mr_reuse.archives.urls import url_host
from mr_reuse.messages import format_count, format_share, make_visible
from mr_reuse.pages.documents.servers import domain_of
from mr_reuse.pages.documents.showing.terminal import (
    Lines,
    Piece,
    Style,
    format_text,
)
from mr_reuse.styles.features import shared

MAX_MEMBERS = 10  # the most similar ones, and as many of the others
MAX_DOMAINS = 20
NAMES = {shared.CLASS: 'classes', shared.TAG: 'tags'}
FORMS = {shared.CLASS: '.{}', shared.TAG: '<{}>'}


class Members(NamedTuple):
    """The members of a style, those most similar to the prototype first."""

    first: list[Any]
    last: list[Any]
    count: int
    domains: Counter[str]  # members by domain; '' without a host

    @property
    def least(self) -> float:
        """The least similarity to the prototype."""
        return float((self.last or self.first)[-1].similarity)


def read_members(rows: Iterable[Any], most: int = MAX_MEMBERS) -> Members:
    """Read the members of a style.

    >>> from mr_reuse.styles.style_tables import STYLE_MEMBERS
    >>> rows = [STYLE_MEMBERS.row(1, f'a:{n}', 'http://a.org/', '') for n in range(9)]
    >>> members = read_members(rows, 2)
    >>> [row.rid for row in members.first + members.last], members.domains
    (['a:0', 'a:1', 'a:7', 'a:8'], Counter({'a.org': 9}))
    """
    found = Members([], [], 0, Counter())
    count = 0
    for row in rows:
        count += 1
        if len(found.first) < most:
            found.first.append(row)
        else:
            found.last.append(row)
            del found.last[:-most]
        found.domains[domain_of(url_host(row.url))] += 1
    return found._replace(count=count)


def list_style(
    row: Any, members: Members, features: Sequence[Any], style: Style
) -> Lines:
    """Yield the lines of a style."""
    yield describe_size(row)
    yield describe_similarity(row, members)
    yield make_visible(f'prototype: {row.url}  {row.rid}')
    yield ''
    yield from list_features(features, style)
    yield ''
    yield 'its pages, with their similarity to the prototype:'
    yield from map(format_member, members.first)
    if between := members.count - len(members.first) - len(members.last):
        yield f'  … {format_count(between, "page")} between'
    yield from map(format_member, members.last)
    yield ''
    yield from list_domains(members)


def describe_size(row: Any) -> str:
    """Describe how large a style is.

    >>> from mr_reuse.styles.style_tables import STYLES
    >>> describe_size(STYLES.row(3, 2000, 9, 1, '', '', '', ''))
    'style 3: 2,000 pages on 9 hosts of 1 domain'
    """
    counts = (
        format_count(row.pages, 'page'),
        format_count(row.hosts, 'host'),
        format_count(row.domains, 'domain'),
    )
    return 'style {}: {} on {} of {}'.format(row.style, *counts)


def describe_similarity(row: Any, members: Members) -> str:
    """Describe how similar the pages of a style are."""
    return (
        f'similarity: {float(row.mean):.3f} of two pages on average, at least '
        f'{members.least:.3f} to the prototype; score {float(row.score):.3f}'
    )


def list_features(features: Sequence[Any], style: Style) -> Lines:
    """Yield the features that the pages of a style share."""
    if not features:
        yield 'nothing describes its pages'
        return
    yield 'at least 9 of 10 of its pages share (in brackets: share of other documents):'
    for kind, group in groupby(features, lambda row: row.kind):
        rows = list(group)
        if kind == shared.SKELETON:
            yield f'  markup common to its pages{format_others(rows[0])}:'
            lines = format_text([Piece(rows[0].value)], _narrower(style))
            yield from (f'    {line}' for line in lines)
        else:
            form = FORMS.get(kind, '{}').format
            values = [f'{form(row.value)}{format_others(row)}' for row in rows]
            text = make_visible(f'{NAMES.get(kind, kind)}: {", ".join(values)}')
            lines = format_text([Piece(text)], _narrower(style))
            yield from (f'{"  " if not n else "    "}{t}' for n, t in enumerate(lines))


def format_others(row: Any) -> str:
    """Format the share of other documents; '' if there are none that have it.

    >>> from mr_reuse.styles.style_tables import STYLE_FEATURES
    >>> row = STYLE_FEATURES.row(1, 'tag', 'nav', 1.0, 0.25)
    >>> format_others(row), format_others(row._replace(others=0.0))
    (' (25.0 %)', '')
    """
    return f' ({format_share(row.others)})' if row.others else ''


def format_member(row: Any) -> str:
    """Format a member of a style."""
    return make_visible(f'  {float(row.similarity):.3f}  {row.url}  {row.rid}')


def list_domains(members: Members) -> Lines:
    """Yield the domains with the most members."""
    first = members.domains.most_common()
    first.sort(key=lambda pair: (-pair[1], pair[0]))
    yield f'{"pages":>9}  domain'
    for domain, pages in first[:MAX_DOMAINS]:
        yield make_visible(f'{pages:>9,}  {domain or "(no host)"}')
    if (more := len(first) - MAX_DOMAINS) and more > 0:
        yield f'{"":>9}  and {more:,} more'


def _narrower(style: Style) -> Style:
    return style._replace(width=max(20, style.width - 4) if style.width else 0)
