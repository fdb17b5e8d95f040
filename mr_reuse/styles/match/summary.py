"""The text that `styles match` prints."""

from collections.abc import Mapping
from itertools import islice

from mr_reuse.messages import format_count
from mr_reuse.storage import naming
from mr_reuse.styles.match.match_options import MatchOptions
from mr_reuse.styles.style_file import StyleFile
from mr_reuse.styles.style_options import ClusterRule
from mr_reuse.styles.style_tables import STYLE_MATCHES
from mr_reuse.styles.summary import (
    MAX_ROWS,
    describe_documents,
    format_missed,
    miss_probability,
)
from mr_reuse.tables.table_files import read_rows

EXPLANATION = '(a style does not show who copied: users of one blog program share one)'


def format_results(
    run: str, counts: Mapping[str, int], options: MatchOptions, known: StyleFile
) -> str:
    """Format the numbers of documents, and those most similar to known ones."""
    rows = list(islice(read_rows(run, STYLE_MATCHES), MAX_ROWS))
    lines = [describe_documents(counts), describe_found(counts, options.known, known)]
    if counts['left_out']:
        lines.append(describe_left_out(counts))
    if rows:
        lines += ['', f'{"similarity":>10} {"style":>7}  document, and a known one']
        for row in rows:
            lines.append(
                f'{float(row.similarity):>10.3f} {row.style:>7,}  {row.url[:200]}'
            )
            lines.append(f'{"":>18}  {row.known_url[:200]}')
        lines.append(EXPLANATION)
    lines += ['', f'all of them: {naming.join(run, STYLE_MATCHES.file)}']
    return '\n'.join(lines) + '\n'


def describe_found(counts: Mapping[str, int], name: str, known: StyleFile) -> str:
    """Describe how many documents are alike a known one."""
    header = known.header
    missed = format_missed(miss_probability(header.m, header.rule))
    pages = format_count(header.members, 'page')
    styles = format_count(header.styles, 'style')
    return (
        f'{counts["found"]:,} of them are alike one of {pages} of {styles} in {name}: '
        f'at least {header.t} of {header.m} samples of their markup are the same '
        f'({missed} of the pairs with just as many are missed)'
    )


def describe_left_out(counts: Mapping[str, int]) -> str:
    """Describe the comparisons that were not made.

    >>> describe_left_out({'left_out': 2000})
    '2,000 comparisons left out: of more than 1,000 known pages in a bucket, 250 are \
compared (--exact)'
    """
    left_out = format_count(counts['left_out'], 'comparison')
    usual = ClusterRule().likeness
    return (
        f'{left_out} left out: of more than {usual.all_pairs:,} known pages in a '
        f'bucket, {usual.representatives:,} are compared (--exact)'
    )
