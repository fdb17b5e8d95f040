"""The kinds of items that are displayed beside other pages, or beside their donors."""

from typing import Any

from mr_reuse.messages import format_count
from mr_reuse.phrases.phrase_tables import (
    NEAR_DUPLICATES,
    PHRASE_HOSTS,
    PHRASE_PAGES,
)
from mr_reuse.phrases.vectors import POSITIONS
from mr_reuse.quilts.quilt_tables import QUILTS
from mr_reuse.review.kind import Kind, Sides, Strata, by_decade
from mr_reuse.styles.style_tables import STYLES

BAND = 12  # popular shingles of a stratum


def about_quilt(row: Any) -> str:
    """Describe a row of `quilts.tsv`.

    >>> about_quilt(QUILTS.row('a:0', 'http://a/', 20, 16, 8, 0.5, 4))
    '8 of 16 grams are patch grams (50.0 %); sources: 4; words: 20'
    """
    grams = format_count(row.grams, 'gram is a patch gram', 'grams are patch grams')
    share = f'{row.patch:,} of {grams} ({100 * row.patch / row.grams:.1f} %)'
    return f'{share}; sources: {row.sources:,}; words: {row.words:,}'


def about_near_duplicate(row: Any) -> str:
    """Describe a row of `near_duplicates.tsv`.

    >>> about_near_duplicate(NEAR_DUPLICATES.row('a:9', 'http://a/', 'a:0'))
    'left out as a near-duplicate of a:0'
    """
    return f'left out as a near-duplicate of {row.kept_rid}'


def about_phrases(row: Any) -> str:
    """Describe a row of `phrase_pages.tsv`.

    >>> about_phrases(PHRASE_PAGES.row('a:9', 'http://a/', 120, 9))
    '9 of 84 shingles are popular; words: 120'
    """
    return f'{row.popular} of {POSITIONS} shingles are popular; words: {row.words:,}'


def about_host(row: Any) -> str:
    """Describe a row of `phrase_hosts.tsv`.

    >>> about_host(PHRASE_HOSTS.row('a.org', 1200, '70.5', '3.25', 1))
    'pages: 1,200; popular shingles of a page: mean 70.5, deviation 3.2; monster'
    """
    mean, deviation = float(row.mean), float(row.std)
    about = f'mean {mean:.1f}, deviation {deviation:.1f}'
    end = '; monster' if row.monster else ''
    return f'pages: {row.pages:,}; popular shingles of a page: {about}{end}'


def about_style(row: Any) -> str:
    """Describe a row of `styles.tsv`.

    >>> mean, score = '0.812500000', '2.437500000'
    >>> about_style(STYLES.row(7, 40, 5, 3, mean, score, 'a:0', 'http://a/'))
    'style 7; pages: 40; hosts: 5; domains: 3; mean similarity 0.81'
    """
    sizes = f'pages: {row.pages:,}; hosts: {row.hosts:,}; domains: {row.domains:,}'
    return f'style {row.style:,}; {sizes}; mean similarity {float(row.mean):.2f}'


def band_of(cell: bytes) -> int:
    """Return the stratum of a number of popular shingles.

    >>> [band_name(band_of(cell)) for cell in (b'0', b'11', b'83', b'84')]
    ['0 to 11', '0 to 11', '72 to 83', '84']
    """
    return int(cell) // BAND


def band_name(stratum: int) -> str:
    """Name a stratum of popular shingles."""
    first = stratum * BAND
    return f'{first} to {first + BAND - 1}' if first < POSITIONS else str(first)


QUILTED = Kind(
    name='quilts',
    all='quilted pages',
    table=QUILTS,
    title='url',
    about=about_quilt,
    strata=by_decade('sources'),
    sides=Sides(
        'The quilted page',
        'Its sources',
        'No source of this page is in the results.',
    ),
)
NEAR = Kind(
    name='near_duplicates',
    all='near-duplicates that were left out',
    table=NEAR_DUPLICATES,
    title='url',
    about=about_near_duplicate,
    strata=None,
    sides=Sides('The document left out', 'The document kept', ''),
)
DONORS = Sides(
    'The page',
    'Its covering set',
    'No other document has a popular shingle of this page.',
)
PHRASED = Kind(
    name='phrase_pages',
    all='documents kept',
    table=PHRASE_PAGES,
    title='url',
    about=about_phrases,
    strata=Strata('popular shingles', 'popular', band_of, band_name),
    sides=DONORS,
)
HOSTS = Kind(
    name='phrase_hosts',
    all='hosts with many popular shingles',
    table=PHRASE_HOSTS,
    title='host',
    about=about_host,
    strata=by_decade('pages'),
    sides=DONORS,
)
STYLED = Kind(
    name='styles',
    all='styles',
    table=STYLES,
    title='url',
    about=about_style,
    strata=by_decade('domains'),
    sides=Sides('The prototype', 'Other members', '', is_source=True),
)
