"""The page: its sections in order, and how they become one file without any loads."""

import base64
import hashlib
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mr_reuse import __version__, messages
from mr_reuse.messages import to_text
from mr_reuse.report import inert
from mr_reuse.report.chunks import (
    bad_sites,
    badness_plots,
    copying,
    frequency,
    inputs_read,
    most_copied,
    overview,
)
from mr_reuse.report.run import Run
from mr_reuse.tables.run_tables import TABLES

Found = dict[str, Any]


class Section(NamedTuple):
    """A part of the page: its place in it, its template, its title."""

    id: str
    title: str


# In the order of the page; what a run has nothing for is left out.
SECTIONS = (
    Section('summary', 'In short'),
    Section('copying', 'Who copied from whom'),
    Section('neighborhoods', 'The sites and folders with much that is copied'),
    Section('labels', 'What is copied most'),
    Section('badness', 'How much of a page is copied'),
    Section('frequency', 'How often things are copied'),
    Section('reading', 'What was read, and what was lost'),
    Section('tables', 'All the numbers, and what the words mean'),
)


def gather(run: Run, top: int) -> Found:
    """All that the page says, each table of the run read once."""
    bad = bad_sites.worst(run, top) if run.is_detected else []
    reader = bad_sites.Reader(run, [one.row.prefix for one in bad])
    sites = {bad_sites.site_of(one.row.prefix, run.level) for one in bad}
    origin = copying.section(run, sites)
    labels, known = most_copied.read(run, {one.digest for one in reader.labels})
    wanted = origin['found'].wanted if origin else {}
    found = {
        'reading': inputs_read.section(run),
        'frequency': frequency.section(run),
        'labels': most_copied.section(run, labels),
        'badness': badness_plots.section(run),
        'neighborhoods': bad_sites.section(
            run, bad, reader.evidence(known), known, wanted
        ),
        'copying': origin,
        'tables': {'tables': list(filter(run.has, TABLES.values()))},
    }
    return {'summary': overview.section(run, found), **found}


def text(run: Run, top: int) -> str:
    """The whole page."""
    found = gather(run, top)
    shown = [one for one in SECTIONS if found[one.id] is not None]
    return (
        environment()
        .get_template('page.html')
        .render(run=run, found=found, sections=shown, version=__version__, **sources())
    )


def sources() -> dict[str, Markup]:
    """The style sheet and the script, with what allows just these to work."""
    loaded = environment().loader
    found: dict[str, Markup] = {}
    for name in ('style.css', 'script.js'):
        source, _, _ = loaded.get_source(environment(), name)
        kind = name.partition('.')[0]
        digest = hashlib.sha256(source.encode()).digest()
        found[kind] = Markup(source)
        found[f'{kind}_hash'] = f'sha256-{base64.b64encode(digest).decode()}'
    return found


def environment() -> Environment:
    """Templates in which all text is escaped, and made visible, without being asked."""
    found = Environment(
        loader=PackageLoader('mr_reuse.report'),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    found.filters |= {
        'n': '{:,}'.format,
        'percent': percent,
        'limit': limit,
        'size': size,
        'span': span,
        'cut': inert.cut,
        'tags': tags,
        'code': lambda text: Markup('<code>{}</code>').format(
            messages.make_visible(text)
        ),
        'bytes': to_text,
    }
    found.globals |= {'show': inert.show, 'command': inert.command}
    return found


def _visible(value: object) -> object:
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return messages.make_visible(value) if is_text else value


def tags(delimiters: str) -> str:
    """The tags that cut.

    >>> tags('p,div'), tags('p/ccr2019')
    ('<p> or <div>', '<p>')
    """
    return ' or '.join(f'<{one}>' for one in delimiters.partition('/')[0].split(','))


def percent(share: float | None) -> str:
    """A share for people.

    >>> percent(0.2399), percent(None)
    ('24.0\\xa0%', '–')
    """
    return '–' if share is None else _unbroken(messages.format_share(share))


def limit(threshold: float | None) -> str:
    """A threshold for people."""
    return '–' if threshold is None else _unbroken(messages.format_threshold(threshold))


def _unbroken(text: str) -> str:
    return text.replace(' ', '\xa0')


def size(count: int) -> str:
    """Bytes for people.

    >>> size(0), size(117713), size(235631342)
    ('0\\xa0bytes', '118\\xa0kB', '236\\xa0MB')
    """
    for unit, name in ((10**12, 'TB'), (10**9, 'GB'), (10**6, 'MB'), (1000, 'kB')):
        if count >= unit:
            found = count / unit
            return f'{found:.1f}\xa0{name}' if found < 10 else f'{found:.0f}\xa0{name}'
    return f'{count}\xa0byte{"s" * (count != 1)}'


def span(seconds: int) -> str:
    """A span of time for people.

    Days are the largest unit, so that those in a column compare.

    >>> span(7), span(5400), span(86400 * 1400)
    ('7\\xa0seconds', '90\\xa0minutes', '1,400\\xa0days')
    """
    for unit, name in ((86400, 'days'), (3600, 'hours'), (60, 'minutes')):
        if abs(seconds) >= 2 * unit:
            return f'{round(abs(seconds) / unit):,}\xa0{name}'
    return f'{abs(seconds)}\xa0seconds'
