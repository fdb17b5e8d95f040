"""The section of quilted pages: how many, their shares, and those of most sources."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby, islice
from typing import Any, NamedTuple

from markupsafe import Markup

from mr_reuse.archives.urls import url_host
from mr_reuse.errors import UserError
from mr_reuse.pages.documents.results import describe_age
from mr_reuse.quilts.quilt_tables import QUILT_SHARES, QUILT_SOURCES, QUILTS
from mr_reuse.report import figures, inert
from mr_reuse.report.run import Run
from mr_reuse.storage import naming

MAX_QUILTS = 20  # on the page
MAX_HOSTS = 5  # of the sources of a page
MAX_SOURCES = 10  # of a page, that are listed
PERCENTS = 101
DEFAULTS = {'k': 5, 'm': 50, 'c': 4, 'alpha': '1/2', 'foreign': 'none', 'delta': '0'}
DEFAULTS |= {'types': 'html', 'scripts': 'drop', 'words': 'unicode'}
COUNTS = ('documents', 'with_grams', 'wordless', 'passed_over', 'refuted')
COUNTS += ('quilts', 'sources')


class Worst(NamedTuple):
    """A quilted page with its sources."""

    row: Any
    sources: list[Any]  # the first ones of the cover
    hosts: list[tuple[str, int]]  # of sources, with their new grams; most first
    more_hosts: int
    own: int  # sources on the host of the page


def section(run: Run) -> dict[str, Any]:
    """Return the numbers of quilted pages, a plot, and the pages of most sources."""
    counts = read_counts(run)
    options = run.record.systems['quilts']['options']
    alpha = read_alpha(run, options)
    rows = list(islice(run.rows(QUILTS), MAX_QUILTS))
    histogram = read_histogram(run) if run.has(QUILT_SHARES) else []
    return {
        'counts': counts,
        'options': options,
        'age': describe_age(run.path, run.record, 'quilts'),
        'alpha': float(alpha),
        'worst': list(join_sources(rows, read_sources(run))) if rows else [],
        'figure': draw(histogram, alpha),
        'above': sum(histogram[int(100 * alpha) :]),
        'steps': list_steps(run, options, rows),
    }


def read_counts(run: Run) -> dict[str, int]:
    """Return the counts of quilts in `stats.json`."""
    counts = run.all_stats.get('quilts')
    if not isinstance(counts, dict):
        counts = {}
    found = {name: counts.get(name) for name in COUNTS}
    if any(type(number) is not int for number in found.values()):
        name = naming.join(run.path, 'stats.json')
        raise UserError(f'{name}: has no valid counts of quilts; run quilts again')
    return found


def read_alpha(run: Run, options: dict[str, Any]) -> Fraction:
    """Return the least share of patch grams of a quilt."""
    try:
        counted = [int(options[name]) for name in ('k', 'm', 'c')]
        alpha = Fraction(options['alpha'])
        if options['foreign'] and min(counted) > 0:
            return alpha
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        pass
    why = 'its record has no valid options of quilts; run quilts again'
    raise UserError(f'{run.path}: {why}')


def read_histogram(run: Run) -> list[int]:
    """Return the number of documents for each percent of patch grams."""
    histogram = [0] * PERCENTS
    for row in run.rows(QUILT_SHARES):
        histogram[min(row.percent, PERCENTS - 1)] += row.pages
    return histogram


def draw(histogram: list[int], alpha: Fraction) -> Markup | None:
    """Draw the shares of patch grams; None without documents."""
    if not sum(histogram):
        return None
    return figures.shares(
        figures.ShareTexts(
            'quilt-shares',
            'Share of patch grams of documents',
            'documents',
            'share of grams that are also on a few other pages',
            'share of a quilt: from {}',
        ),
        histogram,
        float(alpha),
    )


def read_sources(run: Run) -> Iterator[Any]:
    """Yield the sources of quilts, page by page in the order of the quilts."""
    return run.rows(QUILT_SOURCES) if run.has(QUILT_SOURCES) else iter(())


def join_sources(rows: Iterable[Any], sources: Iterable[Any]) -> Iterator[Worst]:
    """Join the first quilts with their sources, which come in the same order.

    >>> quilt = QUILTS.row('a:0', 'http://h/', 9, 5, 4, 0.8, 2)
    >>> sources = [('a:0', 1, 'a:7', 'http://h/x', 3, 3), ('a:0', 2, 'a:8', '', 1, 2)]
    >>> [worst] = join_sources([quilt], (QUILT_SOURCES.row(*row) for row in sources))
    >>> worst.hosts, worst.own, len(worst.sources)
    ([('h', 3), ('', 1)], 1, 2)
    """
    groups = groupby(sources, lambda source: source.rid)
    for row in rows:
        rid, group = next(groups, (row.rid, ()))
        found = list(group) if rid == row.rid else []
        sums: dict[str, int] = {}
        for source in found:
            host = url_host(source.source_url)
            sums[host] = sums.get(host, 0) + source.new
        hosts = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
        own = url_host(row.url)
        yield Worst(
            row,
            found[:MAX_SOURCES],
            hosts[:MAX_HOSTS],
            len(hosts[MAX_HOSTS:]),
            sum(bool(own) and url_host(one.source_url) == own for one in found),
        )


def list_steps(
    run: Run, options: dict[str, Any], rows: list[Any]
) -> list[tuple[str, str]]:
    """List next steps: the reason and the command of each."""
    path = run.path
    steps = []
    if rows:
        shown = [row for row in rows if inert.command('show', path, row.rid)]
        if shown:
            command = inert.command('show', path, shown[0].rid, '--as', 'quilts')
            why = 'Read a quilted page. Each patch has the number of its source:'
            steps.append((why, command))
        command = inert.command('review', path, '--what', 'quilts')
        why = 'Judge a random sample, with each page beside its sources:'
        steps.append((why, command))
    if rows and all(options.get(name) == value for name, value in DEFAULTS.items()):
        command = inert.command('quilts', '-o', path, '--foreign', 'domain')
        why = (
            'Take only sources on other registered domains. This leaves out the home '
            'pages of blogs. The command replaces the tables of quilts, and repeats '
            'only its last steps:'
        )
        steps.append((why, command))
    return [(why, command) for why, command in steps if command]
