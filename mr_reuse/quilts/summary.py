"""The text that `quilts` prints, and that of `--dry-run`."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from mr_reuse.engine.run_steps import RunStep
from mr_reuse.messages import command_line, format_count
from mr_reuse.pages import planning
from mr_reuse.pages.documents import servers
from mr_reuse.quilts.quilt_options import QuiltRule
from mr_reuse.quilts.quilt_tables import QUILT_SOURCES, QUILTS
from mr_reuse.quilts.steps import SWEPT_M
from mr_reuse.storage import naming
from mr_reuse.tables.table_files import read_rows

# Counts of the jobs that are in `stats.json`, besides those of pages.
COUNTS = (
    *('documents', 'wordless', 'with_grams', 'words', 'grams', 'distinct', 'shared'),
    *('classes', 'candidates', 'quilts', 'refuted', 'sources'),
)
MAX_QUILTS = 10  # to print
EXPLANATION = (
    '(sources: other documents that together have all patch grams of the page)',
    '(share: patch grams in the grams of the page)',
    '(a quilt does not show who copied: home pages of blogs are quilts too, and pages '
    'of which many others have copied)',
)


def format_dry_run(plan: planning.Plan, steps: Iterable[RunStep]) -> str:
    """Describe a run of these steps and its inputs."""
    from mr_reuse.pages import forecast  # noqa: PLC0415 (no run needs it)
    from mr_reuse.quilts import sampling  # noqa: PLC0415

    measure = sampling.make_measure(plan.recipe)
    return forecast.format_forecast(plan, measure, list(steps))


def format_results(run: str, counts: Mapping[str, int], rule: QuiltRule) -> str:
    """Format the numbers of documents and of quilts, and the quilts of most sources."""
    rows = list(islice(read_rows(run, QUILTS), MAX_QUILTS))
    lines = [
        describe_documents(counts),
        f'{format_count(counts["distinct"], "distinct gram")} (sequences of words), '
        f'{counts["shared"]:,} of them in 2 to {max(rule.m, SWEPT_M):,} documents; '
        f'those in 2 to {rule.m:,} are patch grams',
        describe_quilts(counts, rule),
    ]
    if rows:
        lines += ['', f'{"sources":>9} {"share":>7} {"grams":>9}  page']
        lines += [
            f'{row.sources:>9,} {row.share:>7.3f} {row.grams:>9,}  {row.url[:200]}'
            for row in rows
        ]
        lines += [*EXPLANATION, '', *list_next_steps(run, rows[0].rid, counts, rule)]
    return '\n'.join(lines) + '\n'


def list_next_steps(
    run: str, rid: str, counts: Mapping[str, int], rule: QuiltRule
) -> Iterator[str]:
    """Yield lines with the tables, and with the commands for more."""
    if counts['quilts'] * 2 > counts['documents']:
        yield (
            'Most documents are quilts: the crawl is small, or its pages share '
            'sentences. Try a smaller --m or a greater --k.'
        )
    yield f'to print the first one with its patches: {command_line("show", run, rid)}'
    if rule.foreign == servers.NONE:
        foreign = command_line('quilts', '-o', run, '--foreign', 'domain')
        yield f'to take only sources in other domains: {foreign}'
    names = (naming.join(run, table.file) for table in (QUILTS, QUILT_SOURCES))
    yield f'all quilts: {", ".join(names)}'
    report = command_line('report', run)
    yield f'for these results as an HTML page, run: {report}'


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
    'quilted: 1 page, with at least 4 sources (5.0 on average), of 3 candidates, whose \
grams are at least 50 % patch grams'
    """
    found, candidates = counts['quilts'], counts['candidates']
    mean = counts['sources'] / found if found else 0
    return (
        f'quilted: {format_count(found, "page")}, with at least {rule.c} sources '
        f'({mean:.1f} on average), of {format_count(candidates, "candidate")}, whose '
        f'grams are at least {float(100 * rule.alpha):g} % patch grams'
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
