"""The text that `styles` prints, and that of `--dry-run`."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import Any

from mr_reuse.engine.run_steps import RunStep
from mr_reuse.messages import command_line, format_count
from mr_reuse.pages import planning
from mr_reuse.storage import naming
from mr_reuse.styles.features import texts
from mr_reuse.styles.style_options import ClusterRule, StyleOptions
from mr_reuse.styles.style_tables import STYLE_FEATURES, STYLE_MEMBERS, STYLES
from mr_reuse.tables.table_files import read_rows

MAX_ROWS = 10  # of a table to print
MAX_LARGEST = 5  # styles
EXPLANATION = (
    '(score: mean similarity of two pages, times the number of domains; prototype: the '
    'page that is most like the others)',
    '(least: least similarity of a page to the prototype; near 0, the style is a chain '
    'of pages, each like the next)',
    '(a style does not show who copied: users of one blog program share a style)',
)


def format_dry_run(plan: planning.Plan, steps: Iterable[RunStep]) -> str:
    """Describe a run of these steps and its inputs."""
    from mr_reuse.pages import forecast  # noqa: PLC0415 (no run needs it)

    return forecast.format_forecast(plan, None, list(steps))


def format_results(run: str, counts: Mapping[str, int], options: StyleOptions) -> str:
    """Format the numbers of documents, and the first and the largest styles."""
    rows = list(islice(read_rows(run, STYLES), MAX_ROWS))
    lines = [describe_documents(counts), describe_styles(counts, options)]
    if counts['left_out']:
        lines.append(describe_left_out(counts))
    if rows:
        about = read_descriptions(run)
        lines += ['', *list_first(run, rows, about), *EXPLANATION]
        listed = {row.style for row in rows}
        largest = (row for row in find_largest(run) if row.style not in listed)
        lines += list_largest(list(largest), about)
    lines += ['', *list_next_steps(run, rows[0].rid if rows else '')]
    return '\n'.join(lines) + '\n'


def read_descriptions(run: str) -> dict[int, str]:
    """Return the features of each style that was described, in a line."""
    groups = groupby(read_rows(run, STYLE_FEATURES), lambda row: row.style)
    values = ((style, texts.group_values(rows)) for style, rows in groups)
    return {style: texts.describe_values(found) for style, found in values}


def list_first(run: str, rows: list[Any], about: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines of the styles with the greatest scores."""
    least = least_similarities(run, len(rows))
    yield (
        f'{"style":>6} {"score":>9} {"mean":>5} {"least":>5} {"domains":>8} '
        f'{"pages":>9}  prototype'
    )
    for row in rows:
        yield (
            f'{row.style:>6,} {float(row.score):>9,.1f} {float(row.mean):>5.2f} '
            f'{least[row.style]:>5.2f} {row.domains:>8,} {row.pages:>9,}  '
            f'{row.url[:200]}'
        )
        yield from list_description(about, row.style)


def find_largest(run: str) -> list[Any]:
    """Return the styles with the most pages, the largest first."""
    return heapq.nsmallest(
        MAX_LARGEST, read_rows(run, STYLES), lambda row: (-row.pages, row.style)
    )


def list_largest(rows: list[Any], about: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines of the largest styles, if there are any."""
    if rows:
        yield ''
        yield 'the largest of the other styles:'
        yield f'{"style":>6} {"pages":>9} {"domains":>8} {"mean":>5}  prototype'
    for row in rows:
        yield (
            f'{row.style:>6,} {row.pages:>9,} {row.domains:>8,} '
            f'{float(row.mean):>5.2f}  {row.url[:200]}'
        )
        yield from list_description(about, row.style)


def list_description(about: Mapping[int, str], style: int) -> Iterator[str]:
    """Yield the line of the features of a style, if it was described.

    >>> list(list_description({3: 'Doxygen'}, 3)), list(list_description({}, 3))
    (['       pages share: Doxygen'], [])
    """
    if text := about.get(style):
        yield f'{"":>6} pages share: {text[:200]}'


def least_similarities(run: str, styles: int) -> dict[int, float]:
    """Return the least similarity to the prototype in each of the first styles."""
    least = {}
    for row in read_rows(run, STYLE_MEMBERS):
        if row.style > styles:
            break
        least[row.style] = float(row.similarity)  # the last one is the least
    return least


def list_next_steps(run: str, rid: str) -> Iterator[str]:
    """Yield lines with the tables, and with the command for more.

    `rid` is that of the first prototype, if there is one.
    """
    files = ('styles', STYLES), ('their pages', STYLE_MEMBERS)
    for about, table in (*files, ('their features', STYLE_FEATURES)):
        yield f'{about}: {naming.join(run, table.file)}'
    if rid:
        yield f'to see a style: {command_line("show", run, "1")}'
        near = command_line('styles', 'near', run, rid)
        yield f'to sort all documents by their similarity to the first one: {near}'


def describe_documents(counts: Mapping[str, int]) -> str:
    """Describe how many documents there are, and how many cannot be compared.

    >>> counts = {'documents': 9, 'without_style': 1, 'passed_over': 0}
    >>> describe_documents(counts)
    '9 documents, 1 of them with too little markup to compare'
    >>> describe_documents(counts | {'without_style': 0, 'passed_over': 1})
    '9 documents; 1 other capture of their URLs was not compared (--captures all)'
    """
    text = format_count(counts['documents'], 'document')
    if counts['without_style']:
        few = counts['without_style']
        text += f', {few:,} of them with too little markup to compare'
    if not counts['passed_over']:
        return text
    others = format_count(
        counts['passed_over'],
        'other capture of their URLs was',
        'other captures of their URLs were',
    )
    return f'{text}; {others} not compared (--captures all)'


def describe_styles(counts: Mapping[str, int], options: StyleOptions) -> str:
    """Describe how many styles there are, and how pages are joined to one."""
    styles = format_count(counts['styles'], 'style')
    members = format_count(counts['members'], 'page')
    rule, recipe = options.rule, options.recipe
    return (
        f'{styles} of {members} in all: pages of the same markup, whatever their text; '
        f'two pages are alike if at least {rule.t} of {recipe.m} samples of their '
        f'markup are the same ({recipe.bits} bits of each are compared; '
        f'{format_missed(miss_probability(recipe.m, rule))} of the pairs with just as '
        'many are missed)'
    )


def miss_probability(m: int, rule: ClusterRule) -> float:
    """Return the probability that two documents that are just alike are not compared.

    None of the p probed dimensions is among the t of m in which they agree.

    >>> f'{miss_probability(128, ClusterRule()):.3e}'
    '8.889e-04'
    """
    missed = 1.0
    for probed in range(rule.p):
        missed *= max(0, m - rule.t - probed) / (m - probed)
    return missed


def format_missed(share: float) -> str:
    """Format a share as a percentage with two digits.

    >>> format_missed(8.889e-4), format_missed(0.0)
    ('0.089 %', '0 %')
    """
    return f'{100 * share:.2g} %'


def describe_left_out(counts: Mapping[str, int]) -> str:
    """Describe the comparisons that were not made.

    >>> describe_left_out({'left_out': 2000, 'comparisons': 1})
    '2,000 comparisons left out: in a bucket of more than 1,000 pages each is compared \
with at most 250 (--exact)'
    """
    left_out = format_count(counts['left_out'], 'comparison')
    usual = ClusterRule().likeness
    return (
        f'{left_out} left out: in a bucket of more than {usual.all_pairs:,} pages each '
        f'is compared with at most {usual.representatives:,} (--exact)'
    )


def describe_unread(count: int) -> str:
    """Describe pages that could not be read to describe styles.

    >>> describe_unread(2)
    '2 pages were not read again to describe styles: their archives have changed or \
cannot be read'
    """
    pages = format_count(count, 'page was', 'pages were')
    return (
        f'{pages} not read again to describe styles: their archives have changed or '
        'cannot be read'
    )


NO_DOCUMENTS = 'no documents in the input: none of its pages is HTML or XHTML'
