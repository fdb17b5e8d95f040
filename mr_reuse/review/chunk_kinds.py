"""The kinds of items with labels: chunks, files, neighborhoods and pages."""

from collections.abc import Iterable
from typing import Any

from mr_reuse.algorithms import sampling
from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_LABELS,
    LABELS,
)
from mr_reuse.chunks.detect import nested
from mr_reuse.messages import format_count
from mr_reuse.review.kind import Groups, Kind, Strata, by_decade


def folded_rows(lines: Iterable[bytes]) -> Groups:
    """Group the rows of `bad_neighborhoods.tsv` that have the same pages.

    >>> rest = b'\\t1\\t8\\t5\\t9\\t0.5\\t0.5'
    >>> lines = [b'a/' + rest, b'a/x/' + rest, b'b/' + rest]
    >>> [len(group) for group in folded_rows(lines)]
    [2, 1]
    """

    first, last = (BAD_NEIGHBORHOODS.index(name) for name in ('pages', 'total'))

    def prefix_and_numbers(line: bytes) -> tuple[bytes, list[bytes]]:
        cells = line.split(b'\t', last + 1)
        return cells[0], cells[first : last + 1]

    return nested.group_nested(lines, prefix_and_numbers)


def about_chunk(row: Any) -> str:
    """Describe a row of `labels.tsv`.

    >>> about_chunk(LABELS.row('ff', 128, 4812, 3901, 120, 'http://a/', '<p>'))
    'copies: 4,812; pages: 3,901; hosts: 120; bytes: 128'
    """
    return (
        f'copies: {row.copies:,}; pages: {row.pages:,}; hosts: {row.hosts:,}; '
        f'bytes: {row.length:,}'
    )


def about_file(row: Any) -> str:
    """Describe a row of `file_labels.tsv`.

    >>> about_file(FILE_LABELS.row('ff', 128, 4812, 120, 'http://a/robots.txt'))
    'copies: 4,812; hosts: 120; bytes: 128'
    """
    return f'copies: {row.copies:,}; hosts: {row.hosts:,}; bytes: {row.length:,}'


def about_neighborhood(row: Any) -> str:
    """Describe a row of `bad_neighborhoods.tsv`.

    >>> row = BAD_NEIGHBORHOODS.row('a/', 1, 8, 960, 1024, 0.9375, 0.93)
    >>> about_neighborhood(row)
    '960 of 1,024 chunks are labels (93.8 %); pages: 8'
    """
    return f'{format_share(row.bad, row.total)}; pages: {row.pages:,}'


def about_page(row: Any) -> str:
    """Describe a row of `bad_pages.tsv`.

    >>> about_page(BAD_PAGES.row('a:0', 'http://a/', 3, 4, 0.75))
    '3 of 4 chunks are labels (75.0 %)'
    """
    return format_share(row.bad, row.total)


def format_share(bad: int, total: int) -> str:
    """Format the share of chunks that are labels."""
    chunks = format_count(total, 'chunk is a label', 'chunks are labels')
    return f'{bad:,} of {chunks} ({100 * bad / total:.1f} %)'


def by_badness(column: str) -> Strata:
    """Divide a table with ratios in a column into strata by halves."""
    return Strata('badness', column, sampling.halving_of, sampling.halving_name)


CHUNKS = Kind(
    name='chunks',
    all='chunks above the threshold',
    table=LABELS,
    title='hash',
    about=about_chunk,
    strata=by_decade('copies'),
    own_top_categories='top-chunks',
)
FILES = Kind(
    name='files',
    all='files above the threshold',
    table=FILE_LABELS,
    title='hash',
    about=about_file,
    strata=CHUNKS.strata,
)
NEIGHBORHOODS = Kind(
    name='neighborhoods',
    all='bad neighborhoods',
    table=BAD_NEIGHBORHOODS,
    title='prefix',
    about=about_neighborhood,
    strata=by_badness('pooled'),
    own_top_categories='clones',
    groups=folded_rows,
)
PAGES = Kind(
    name='pages',
    all='bad pages',
    table=BAD_PAGES,
    title='url',
    about=about_page,
    strata=by_badness('contains'),
    own_categories='neighborhoods',
)
