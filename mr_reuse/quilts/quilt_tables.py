"""The tables of this system."""

from mr_reuse.tables.columns import RID, URL
from mr_reuse.tables.schema import COUNT, POSITIVE, RATIO, TEXT, Column, Table

QUILTS = Table(
    'quilts',
    'quilted pages: most of their grams are in a few other documents, in no single one',
    'quilts',
    'most sources first, then the greatest share',
    (
        RID,
        URL,
        Column('words', COUNT, 'number of words'),
        Column('grams', COUNT, 'number of different grams, sequences of k words'),
        Column('patch', COUNT, 'grams that 1 to m - 1 other documents have as well'),
        Column('share', RATIO, '`patch` divided by `grams`'),
        Column('sources', COUNT, 'number of documents in the cover'),
    ),
    (('sources', True), ('share', True)),
)
QUILT_SOURCES = Table(
    'quilt_sources',
    'the sources of each quilted page: documents that together have its patch grams',
    'quilts',
    'pages as in quilts, then the order in which the cover took the sources',
    (
        RID,
        Column('number', POSITIVE, 'position of the source in the cover, from 1'),
        Column('source_rid', TEXT, 'record id of the source'),
        Column('source_url', TEXT, 'URL of the source'),
        Column('new', COUNT, 'patch grams of the page that no source before it has'),
        Column('shared', COUNT, 'all patch grams of the page that it has'),
    ),
)
QUILT_SHARES = Table(
    'quilt_shares',
    'documents by the share of their grams that are patch grams',
    'quilts',
    'by percent',
    (
        Column('percent', COUNT, 'patch grams in 100 grams, rounded down'),
        Column('pages', COUNT, 'number of documents with grams'),
    ),
    (('percent', False),),
)
QUILT_SITES = Table(
    'quilt_sites',
    'hosts with quilted pages, and the hosts of their sources',
    'quilts',
    'most new grams first',
    (
        Column('host', TEXT, 'host with quilted pages'),
        Column('source_host', TEXT, 'host of sources; it may be the same host'),
        Column(
            'pages', COUNT, 'quilted pages of `host` with a source on `source_host`'
        ),
        Column('new', COUNT, 'sum of `new` of these sources'),
    ),
    (('new', True), ('host', False), ('source_host', False)),
)
QUILT_SWEEP = Table(
    'quilt_sweep',
    'numbers of quilted pages with other values of one parameter',
    'quilts',
    'by k, m, c, alpha, then value',
    (
        Column('parameter', TEXT, 'k, m, c or alpha; the others are those of the run'),
        Column('value', TEXT, 'value of the parameter'),
        Column('documents', COUNT, 'number of documents with grams'),
        Column('quilted', COUNT, 'number of quilted pages'),
        Column('percent', TEXT, '`quilted` in 100 `documents`'),
        Column('sources', TEXT, 'mean number of sources of the quilted pages'),
    ),
    derived_from=('quilts',),
    is_quick=True,
    rebuilt_by=('quilts', 'sweep', ''),
)

TABLES = (QUILTS, QUILT_SOURCES, QUILT_SHARES, QUILT_SITES, QUILT_SWEEP)
