"""The text that `phrases` prints, and that of `--dry-run`."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from mr_reuse.engine.run_steps import RunStep
from mr_reuse.messages import command_line, format_count, make_visible
from mr_reuse.pages import planning
from mr_reuse.phrases.phrase_options import PhraseRule
from mr_reuse.phrases.phrase_tables import (
    COVERS,
    NEAR_DUPLICATES,
    PHRASE_HOSTS,
    PHRASE_PAGES,
    PHRASES,
)
from mr_reuse.storage import naming
from mr_reuse.tables.table_files import read_rows

DOCUMENTS = ('kept', 'near_duplicates', 'wordless')  # which together are all
# Counts of the jobs that are in `stats.json`, besides those of pages.
COUNTS = (
    *('documents', 'words', *DOCUMENTS, 'classes', 'popular_shingles'),
    *('popular_phrases', 'hosts', 'listed', 'monsters', 'sampled', 'unread'),
    *('compared_pairs', 'unlike_pairs', 'unread_pairs'),
)
MAX_ROWS = 10  # of a table to print
OF_PHRASES = (
    '(documents: pages kept that have the phrase among their 84, in the same one of 84 '
    'places; more may have it elsewhere)',
    '(positions: places in which it is popular)',
)
OF_HOSTS = (
    '(mean and deviation, std, of the number of popular ones among the 84 of a page)',
    '(programs that write documentation make such pages too: look at them first)',
)


def format_dry_run(plan: planning.Plan, steps: Iterable[RunStep]) -> str:
    """Describe a run of these steps and its inputs."""
    from mr_reuse.pages import forecast  # noqa: PLC0415 (no run needs it)

    return forecast.format_forecast(plan, None, list(steps))


def format_results(run: str, counts: Mapping[str, int], rule: PhraseRule) -> str:
    """Format the numbers of documents, the most frequent phrases, and the monsters."""
    phrases = list(islice(read_rows(run, PHRASES), MAX_ROWS))
    monsters = (row for row in read_rows(run, PHRASE_HOSTS) if row.monster)
    hosts = list(islice(monsters, MAX_ROWS))
    lines = [describe_documents(counts), describe_phrases(counts, rule)]
    if phrases:
        lines += ['', f'{"documents":>9} {"positions":>9}  phrase']
        lines += [
            f'{row.documents:>9,} {row.positions:>9,}  {row.phrase[:200]}'
            for row in phrases
        ]
        lines += OF_PHRASES
    if hosts:
        lines += [
            '',
            'hosts whose pages all consist of popular phrases to about the same part:',
            f'{"pages":>9} {"mean":>6} {"std":>6}  host',
        ]
        lines += [
            f'{row.pages:>9,} {float(row.mean):>6.1f} {float(row.std):>6.1f}  '
            f'{row.host[:200]}'
            for row in hosts
        ]
        lines += OF_HOSTS
    left_out = next(iter(read_rows(run, NEAR_DUPLICATES)), None)
    lines += ['', *list_next_steps(run, left_out.rid if left_out else '')]
    return '\n'.join(lines) + '\n'


def list_next_steps(run: str, rid: str) -> Iterator[str]:
    """Yield lines with the tables, and with the commands for more.

    `rid` is that of the first near-duplicate, if there is one.
    """
    if rid:
        command = command_line('show', run, rid, '--as', 'phrases')
        yield f'to compare the first near-duplicate with the page kept: {command}'
    for about, table in (
        ('near-duplicates', NEAR_DUPLICATES),
        ('popular phrases', PHRASES),
        ('popular shingles of each page', PHRASE_PAGES),
        ('covering sets', COVERS),
    ):
        yield f'{about}: {naming.join(run, table.file)}'
    report = command_line('report', run)
    yield f'for these results as an HTML page, run: {report}'


def describe_documents(counts: Mapping[str, int]) -> str:
    """Describe how many documents there are, and how many are near-duplicates.

    >>> counts = {'documents': 9, 'near_duplicates': 3, 'classes': 2, 'passed_over': 0}
    >>> describe_documents(counts)
    '9 documents, 3 of them near-duplicates of 2 that are kept'
    >>> describe_documents(counts | {'passed_over': 1})
    '9 documents, 3 of them near-duplicates of 2 that are kept; 1 other capture of \
their URLs was not compared (--captures all)'
    """
    documents = format_count(counts['documents'], 'document')
    text = (
        f'{documents}, {counts["near_duplicates"]:,} of them near-duplicates of '
        f'{counts["classes"]:,} that are kept'
    )
    if not counts['passed_over']:
        return text
    others = format_count(
        counts['passed_over'],
        'other capture of their URLs was',
        'other captures of their URLs were',
    )
    return f'{text}; {others} not compared (--captures all)'


def describe_phrases(counts: Mapping[str, int], rule: PhraseRule) -> str:
    """Describe how many phrases are popular.

    >>> describe_phrases({'popular_phrases': 1}, PhraseRule())
    '1 popular phrase: five words in a row, among the 84 that stand for a page on at \
least 5 of the pages kept'
    """
    phrases = format_count(counts['popular_phrases'], 'popular phrase')
    return (
        f'{phrases}: five words in a row, among the 84 that stand for a page on at '
        f'least {rule.popular:,} of the pages kept'
    )


NO_DOCUMENTS = (
    'no documents in the input: its pages are neither HTML nor WET records; '
    '--types text takes all text'
)


def describe_no_covers(host: str) -> str:
    """Describe that a host has no pages to cover.

    >>> describe_no_covers('a.org')
    '--covers-of a.org: no document kept of this host has popular shingles; covers.tsv \
is empty'
    """
    return (
        f'--covers-of {make_visible(host)}: no document kept of this host has popular '
        f'shingles; {COVERS.file} is empty'
    )


def describe_unread(count: int) -> str:
    """Describe the phrases whose words could not be read.

    >>> describe_unread(2)
    '2 popular phrases left out of phrases.tsv: the archives with their words have \
changed or gone'
    """
    return (
        f'{format_count(count, "popular phrase")} left out of {PHRASES.file}: the '
        'archives with their words have changed or gone'
    )


def describe_unread_pairs(count: int) -> str:
    """Describe the pairs of near-duplicates that could not be compared.

    >>> describe_unread_pairs(1)
    '1 pair of near-duplicates not compared, so it counts as none: the archives with \
their pages have changed or gone'
    """
    pairs = format_count(
        count,
        'pair of near-duplicates not compared, so it counts as none',
        'pairs of near-duplicates not compared, so they count as none',
    )
    return f'{pairs}: the archives with their pages have changed or gone'
