"""Columns that several tables have."""

from mr_reuse.tables.schema import COUNT, HASH, RATIO, TEXT, Column

CHUNK_HASH = Column('hash', HASH, 'digest of the chunk, in hexadecimal')
FILE_HASH = Column('hash', HASH, 'digest of the file, in hexadecimal')
LENGTH = Column('length', COUNT, 'length in bytes')
COPIES = Column('copies', COUNT, 'number of copies in the crawl')
HOSTS = Column('hosts', COUNT, 'number of hosts with a copy')
EXAMPLE = Column(
    'example_url',
    TEXT,
    'shortest URL of a page with a copy; of several, the first in alphabetical order',
)
PREVIEW = Column(
    'preview',
    TEXT,
    'first 80 bytes, decoded as UTF-8; empty if the archive was missing',
)
RID = Column('rid', TEXT, 'record id, `ARCHIVE:OFFSET`; `show` prints the record')
URL = Column('url', TEXT, 'URL of the page')
PREFIX = Column(
    'prefix',
    TEXT,
    'URL prefix without scheme: a host, a folder of a host, or a registered domain',
)
LEVEL = Column(
    'level', COUNT, '0 for a domain, 1 for a host, 2 for a folder of a host, and so on'
)
BAD = Column('bad', COUNT, 'number of chunks that are labels')
TOTAL = Column('total', COUNT, 'number of all chunks, stop chunks excluded')

CHUNKS_OF_PAGE = (
    RID,
    URL,
    BAD,
    TOTAL,
    Column('contains', RATIO, '`bad` divided by `total`; empty if `total` is 0'),
)
CHUNKS_BELOW_PREFIX = (
    PREFIX,
    LEVEL,
    Column('pages', COUNT, 'number of pages below the prefix'),
    BAD,
    TOTAL,
    Column('pooled', RATIO, '`bad` divided by `total`; empty if `total` is 0'),
    Column(
        'mean',
        RATIO,
        'mean of `contains` over the pages with chunks; empty without such pages',
    ),
)
