"""The page: its sections in order, rendered into one self-contained file."""

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

PageData = dict[str, Any]  # of the templates, by the ids of sections


class Section(NamedTuple):
    """A part of the page: its id, which also names its template, and its title."""

    id: str
    title: str


# In the order of the page. A section without data is left out.
SECTIONS = (
    Section('summary', 'Summary'),
    Section('copying', 'Who copied from whom'),
    Section('neighborhoods', 'Sites and folders with a high share of copies'),
    Section('labels', 'Most copied chunks and files'),
    Section('badness', 'Share of copies on a page'),
    Section('frequency', 'Number of copies'),
    Section('reading', 'Input and damage'),
    Section('tables', 'Tables and terms'),
)


def gather(run: Run, top: int) -> PageData:
    """Collect the data of all sections, reading each table of the run once."""
    bad = bad_sites.worst(run, top) if run.is_detected else []
    reader = bad_sites.Reader(run, [entry.row.prefix for entry in bad])
    sites = {bad_sites.site_of(entry.row.prefix, run.level) for entry in bad}
    origin = copying.section(run, sites)
    labels, known = most_copied.read(run, {label.digest for label in reader.labels})
    wanted = origin['origins'].wanted if origin else {}
    sections = {
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
    return {'summary': overview.section(run, sections), **sections}


def render(run: Run, top: int) -> str:
    """Render the page with the `top` worst neighborhoods."""
    data = gather(run, top)
    sections = [section for section in SECTIONS if data[section.id] is not None]
    return (
        environment()
        .get_template('page.html')
        .render(run=run, data=data, sections=sections, version=__version__, **sources())
    )


def sources() -> dict[str, Markup]:
    """Load the style sheet and the script, with their hashes.

    The content security policy of the page allows only code with these hashes.
    """
    loader = environment().loader
    parts: dict[str, Markup] = {}
    for name in ('style.css', 'script.js'):
        source, _, _ = loader.get_source(environment(), name)
        kind = name.partition('.')[0]
        digest = hashlib.sha256(source.encode()).digest()
        parts[kind] = Markup(source)
        parts[f'{kind}_hash'] = f'sha256-{base64.b64encode(digest).decode()}'
    return parts


def environment() -> Environment:
    """Build the environment of the templates.

    It escapes every value and makes invisible characters visible, so that no template
    can forget to.
    """
    result = Environment(
        loader=PackageLoader('mr_reuse.report'),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    result.filters |= {
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
    result.globals |= {'show': inert.show, 'command': inert.command}
    return result


def _visible(value: object) -> object:
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return messages.make_visible(value) if is_text else value


def tags(delimiters: str) -> str:
    """Name the tags at which pages are divided.

    >>> tags('p,div'), tags('p/ccr2019')
    ('<p> or <div>', '<p>')
    """
    return ' or '.join(f'<{name}>' for name in delimiters.partition('/')[0].split(','))


def percent(share: float | None) -> str:
    """Format a share in percent.

    >>> percent(0.2399), percent(None)
    ('24.0\\xa0%', '–')
    """
    return '–' if share is None else _unbroken(messages.format_share(share))


def limit(threshold: float | None) -> str:
    """Format a threshold in percent, with all of its digits."""
    return '–' if threshold is None else _unbroken(messages.format_threshold(threshold))


def _unbroken(text: str) -> str:
    return text.replace(' ', '\xa0')


def size(count: int) -> str:
    """Format a number of bytes with a decimal unit.

    >>> size(0), size(117713), size(235631342)
    ('0\\xa0bytes', '118\\xa0kB', '236\\xa0MB')
    """
    for unit, name in ((10**12, 'TB'), (10**9, 'GB'), (10**6, 'MB'), (1000, 'kB')):
        if count >= unit:
            number = count / unit
            return (
                f'{number:.1f}\xa0{name}' if number < 10 else f'{number:.0f}\xa0{name}'
            )
    return f'{count}\xa0byte{"s" * (count != 1)}'


def span(seconds: int) -> str:
    """Format a span of time.

    Days are the largest unit, so that the values of a column are comparable.

    >>> span(7), span(5400), span(86400 * 1400)
    ('7\\xa0seconds', '90\\xa0minutes', '1,400\\xa0days')
    """
    for unit, name in ((86400, 'days'), (3600, 'hours'), (60, 'minutes')):
        if abs(seconds) >= 2 * unit:
            return f'{round(abs(seconds) / unit):,}\xa0{name}'
    return f'{abs(seconds)}\xa0seconds'
