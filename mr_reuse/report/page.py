"""The page: its sections in order, rendered into one self-contained file."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache, partial

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mr_reuse import __version__, messages
from mr_reuse.chunks import pair_texts
from mr_reuse.chunks.chunking import format_tags
from mr_reuse.messages import to_text
from mr_reuse.report import inert, inputs_read
from mr_reuse.report.run import Run
from mr_reuse.report.section import Section, system_sections
from mr_reuse.tables.run_tables import TABLES


def sections(run: Run, top: int) -> list[Section]:
    """List the sections in the order of the page."""
    tables = {'tables': list(filter(run.has, TABLES.values()))}
    return [
        *system_sections(run, top),
        Section('reading', 'Input and damage', inputs_read.section(run)),
        Section('tables', 'Tables and terms', tables),
    ]


def render(run: Run, top: int) -> str:
    """Render the page with the `top` worst sites."""
    parts = sections(run, top)
    return (
        environment()
        .get_template('page.html')
        .render(
            run=run,
            data={part.id: part.data for part in parts},
            sections=[part for part in parts if part.data is not None],
            version=__version__,
            **sources(),
        )
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


@cache
def environment() -> Environment:
    """Return the environment of the templates, which compiles each of them once.

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
        'range': shares,
        'limit': limit,
        'size': size,
        'span': span,
        'cut': inert.cut,
        'tags': partial(format_tags, conjunction='or'),
        'code': lambda text: Markup('<code>{}</code>').format(
            messages.make_visible(text)
        ),
        'bytes': to_text,
        'backticks': inert.mark_code,
    }
    result.globals |= {'show': inert.show, 'command': inert.command}
    return result


def _visible(value: object) -> object:
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return messages.make_visible(value) if is_text else value


def percent(share: float | None) -> str:
    """Format a share in percent.

    >>> percent(0.2399), percent(None)
    ('24.0\\xa0%', '–')
    """
    return '–' if share is None else _unbroken(messages.format_share(share))


def shares(of_sites: Sequence[float]) -> str:
    """Format the least and the largest of some shares.

    >>> shares([0.5, 0.25, 0.3])
    '25.0\\xa0to\\xa050.0\\xa0%'
    """
    return _unbroken(pair_texts.format_range(min(of_sites), max(of_sites)))


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
    return _unbroken(messages.format_bytes(count))


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
