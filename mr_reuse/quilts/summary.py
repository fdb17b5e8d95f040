"""The text that `quilts` prints, and that of `--dry-run`."""

from collections.abc import Iterable, Mapping
from itertools import islice

from mr_reuse.engine.run_steps import RunStep
from mr_reuse.messages import format_count
from mr_reuse.pages import planning
from mr_reuse.quilts.quilt_options import QuiltRule
from mr_reuse.quilts.quilt_tables import QUILT_SOURCES, QUILTS
from mr_reuse.storage import naming
from mr_reuse.tables.table_files import read_rows

# Counts of the jobs that are in `stats.json`, besides those of pages.
COUNTS = (
    *('documents', 'wordless', 'with_grams', 'words', 'grams', 'distinct', 'shared'),
    *('classes', 'candidates', 'quilts', 'refuted', 'sources'),
)
MAX_QUILTS = 10  # to print


def format_dry_run(plan: planning.Plan, steps: Iterable[RunStep]) -> str:
    """Describe a run of these steps and its inputs."""
    from mr_reuse.pages import forecast  # noqa: PLC0415 (no run needs it)

    return forecast.format_forecast(plan, None, list(steps))


def format_results(run: str, counts: Mapping[str, int], rule: QuiltRule) -> str:
    """Format the numbers of documents and of quilts, and the quilts of most sources."""
    rows = list(islice(read_rows(run, QUILTS), MAX_QUILTS))
    lines = [
        describe_documents(counts),
        f'{format_count(counts["distinct"], "distinct gram")}, {counts["shared"]:,} of '
        'them in few enough documents',
        describe_quilts(counts, rule),
    ]
    if rows:
        lines.append(f'{"sources":>9} {"share":>7} {"grams":>9}  page')
        lines += [
            f'{row.sources:>9,} {row.share:>7.3f} {row.grams:>9,}  {row.url[:200]}'
            for row in rows
        ]
        names = (naming.join(run, table.file) for table in (QUILTS, QUILT_SOURCES))
        lines.append(f'all quilts: {", ".join(names)}')
    return '\n'.join(lines) + '\n'


def describe_documents(counts: Mapping[str, int]) -> str:
    """Describe how many documents were compared, and how many captures were not.

    >>> counts = {'documents': 9, 'with_grams': 7, 'passed_over': 0}
    >>> describe_documents(counts)
    '9 documents, 7 of them with grams'
    >>> describe_documents(counts | {'passed_over': 2})
    '9 documents, 7 of them with grams; 2 other captures of their URLs were not \
compared (--captures all)'
    """
    documents = format_count(counts['documents'], 'document')
    text = f'{documents}, {counts["with_grams"]:,} of them with grams'
    if not counts['passed_over']:
        return text
    others = format_count(
        counts['passed_over'],
        'other capture of their URLs was',
        'other captures of their URLs were',
    )
    return f'{text}; {others} not compared (--captures all)'


def describe_quilts(counts: Mapping[str, int], rule: QuiltRule) -> str:
    """Describe how many documents are quilts.

    >>> describe_quilts({'quilts': 1, 'candidates': 3, 'sources': 5}, QuiltRule())
    'quilted: 1 page of 3 candidates, with 5.0 sources on average (at least 4)'
    """
    found, candidates = counts['quilts'], counts['candidates']
    mean = counts['sources'] / found if found else 0
    return (
        f'quilted: {format_count(found, "page")} of '
        f'{format_count(candidates, "candidate")}, with {mean:.1f} sources on average '
        f'(at least {rule.c})'
    )


NO_DOCUMENTS = (
    'no documents in the input: its pages are neither HTML nor WET records; '
    '--types text takes all text'
)


def describe_refuted(count: int) -> str:
    """Describe the quilts that the words of the archives did not confirm."""
    return (
        f'{format_count(count, "quilt")} left out: the words in the archives are not '
        'as they were counted; see quilts.md in the documentation'
    )
