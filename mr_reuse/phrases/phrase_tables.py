"""The tables of this system."""

from mr_reuse.tables.columns import RID, URL
from mr_reuse.tables.schema import COUNT, POSITIVE, TEXT, Column, Table

FOREIGN = 'on a server with another IP address; without addresses, in another domain'

NEAR_DUPLICATES = Table(
    'near_duplicates',
    'documents left out as near-duplicates of one that is kept',
    'phrases',
    'in the order of archives and offsets',
    (
        RID,
        URL,
        Column('kept_rid', TEXT, 'record id of the document kept of its class'),
    ),
)
PHRASE_PAGES = Table(
    'phrase_pages',
    'documents kept, with the number of their popular shingles',
    'phrases',
    'in the order of archives and offsets',
    (
        RID,
        URL,
        Column('words', COUNT, 'number of words'),
        Column(
            'popular',
            COUNT,
            'how many of the 84 shingles are popular: at least 5 documents kept have '
            'the same one at the same position',
        ),
    ),
)
PHRASES = Table(
    'phrases',
    'popular phrases',
    'phrases',
    'in most documents first',
    (
        Column(
            'documents',
            COUNT,
            'the most documents kept that have it as a shingle at one position',
        ),
        Column('positions', POSITIVE, 'number of positions at which it is popular'),
        Column('phrase', TEXT, 'its five words'),
    ),
    (('documents', True), ('phrase', False)),
)
PHRASE_FREQUENCY = Table(
    'phrase_frequency',
    'popular shingles by the number of documents',
    'phrases',
    'by number of documents',
    (
        Column('documents', COUNT, 'number of documents kept'),
        Column('shingles', COUNT, 'number of shingles in so many documents'),
    ),
    (('documents', False),),
)
PHRASE_HOSTS = Table(
    'phrase_hosts',
    'hosts with at least 10 documents kept, and 30 popular shingles on average',
    'phrases',
    'most pages first',
    (
        Column('host', TEXT, 'host'),
        Column('pages', COUNT, 'number of documents kept'),
        Column('mean', TEXT, 'mean number of popular shingles of a document'),
        Column('std', TEXT, 'standard deviation of that number'),
        Column('monster', COUNT, '1 if `std` is below 15, else 0'),
    ),
    (('pages', True), ('host', False)),
)
COVERS = Table(
    'covers',
    'covering sets of some pages: documents that have all of their popular shingles',
    'phrases',
    'most popular shingles first',
    (
        RID,
        URL,
        Column('popular', COUNT, 'number of popular shingles'),
        Column('sources', COUNT, 'number of documents in the covering set'),
        Column('foreign', COUNT, f'shingles first covered by documents {FOREIGN}'),
    ),
    (('popular', True),),
)
COVER_SOURCES = Table(
    'cover_sources',
    'the documents of each covering set',
    'phrases',
    'pages as in covers, then the order in which the cover took the documents',
    (
        RID,
        Column('number', POSITIVE, 'position of the document in the cover, from 1'),
        Column('source_rid', TEXT, 'record id of the document'),
        Column('source_url', TEXT, 'URL of the document'),
        Column('new', COUNT, 'popular shingles that no document before it has'),
        Column('shared', COUNT, 'all popular shingles of the page that it has'),
        Column('foreign', COUNT, f'1 if it is {FOREIGN}'),
    ),
)

TABLES = (
    NEAR_DUPLICATES,
    PHRASE_PAGES,
    PHRASES,
    PHRASE_FREQUENCY,
    PHRASE_HOSTS,
    COVERS,
    COVER_SOURCES,
)
