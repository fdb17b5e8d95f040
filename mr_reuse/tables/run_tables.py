"""The schema of every table of a run."""

from mr_reuse.tables.schema import (
    COUNT,
    DATE,
    HASH,
    POSITIVE,
    RATIO,
    TEXT,
    UNIT,
    Column,
    Table,
)

HASH_OF = Column('hash', HASH, 'digest of the bytes of the chunk or file, hexadecimal')
LENGTH = Column('length', COUNT, 'bytes')
COPIES = Column('copies', COUNT, 'occurrences in the whole crawl')
HOSTS = Column('hosts', COUNT, 'hosts on which it occurs')
EXAMPLE = Column('example_url', TEXT, 'shortest URL of a page that has it; ties by URL')
PREVIEW = Column(
    'preview', TEXT, 'first 80 bytes, as UTF-8; empty if the archive was gone'
)
RID = Column('rid', TEXT, 'record id, `ARCHIVE:OFFSET`: `show` prints the record')
URL = Column('url', TEXT, 'URL of the page')
PREFIX = Column('prefix', TEXT, 'URL prefix without scheme: a host, or a folder of it')
LEVEL = Column('level', COUNT, '1 for a host, 2 for a folder of it, 0 for a domain')
BAD = Column('bad', COUNT, 'chunks that are labels')
TOTAL = Column('total', COUNT, 'chunks without stop chunks')

CHUNKS_OF_PAGE = (
    RID,
    URL,
    BAD,
    TOTAL,
    Column('contains', RATIO, '`bad` / `total`; empty if `total` is 0'),
)
CHUNKS_BELOW_PREFIX = (
    PREFIX,
    LEVEL,
    Column('pages', COUNT, 'pages below the prefix'),
    BAD,
    TOTAL,
    Column('pooled', RATIO, '`bad` / `total`; empty if `total` is 0'),
    Column('mean', RATIO, 'mean of `contains` over the pages that have chunks'),
)

LABELS = Table(
    name='labels',
    about='chunks that are labels, each with an example',
    written_by='discover',
    order='`copies` descending, then `hash`',
    columns=(
        HASH_OF,
        LENGTH,
        COPIES,
        Column('pages', COUNT, 'pages on which it occurs'),
        HOSTS,
        EXAMPLE,
        PREVIEW,
    ),
    sorted_by=(('copies', True), ('hash', False)),
)
FILE_LABELS = Table(
    name='file_labels',
    about='whole files that are labels',
    written_by='discover',
    order='`copies` descending, then `hash`',
    columns=(HASH_OF, LENGTH, COPIES, HOSTS, EXAMPLE),
    sorted_by=(('copies', True), ('hash', False)),
)
FREQUENCY = Table(
    name='frequency',
    about='how many chunks and files occur how often, before any threshold',
    written_by='discover',
    order='`unit`, then `copies`',
    columns=(
        Column('unit', UNIT, '`chunk` or `file`'),
        Column('copies', POSITIVE, 'occurrences'),
        Column('objects', POSITIVE, 'distinct chunks or files that occur so often'),
    ),
    sorted_by=(('unit', False), ('copies', False)),
)
PAGES = Table(
    name='pages',
    about='all pages',
    written_by='detect',
    order='archive, then offset as a number',
    columns=CHUNKS_OF_PAGE,
    derived_from=('labels',),
)
BAD_PAGES = Table(
    name='bad_pages',
    about='pages above the threshold',
    written_by='detect',
    order='worst first (`--rank`)',
    columns=CHUNKS_OF_PAGE,
    derived_from=('labels',),
)
NEIGHBORHOODS = Table(
    name='neighborhoods',
    about='all URL prefixes',
    written_by='detect',
    order='`prefix`',
    columns=CHUNKS_BELOW_PREFIX,
    sorted_by=(('prefix', False),),
    derived_from=('labels',),
)
BAD_NEIGHBORHOODS = Table(
    name='bad_neighborhoods',
    about='URL prefixes above the threshold',
    written_by='detect',
    order='worst first (`--rank`)',
    columns=CHUNKS_BELOW_PREFIX,
    derived_from=('labels',),
)
ORIGINS = Table(
    name='origins',
    about='for each bad site, the sites that share most labels with it',
    written_by='detect',
    order='`neighborhood`, `shared` descending, `other`',
    columns=(
        Column('neighborhood', TEXT, 'the bad site'),
        Column('other', TEXT, 'a site that shares labels with it'),
        Column('shared', COUNT, 'labels that both sites have'),
        Column('share', RATIO, '`shared` / labels of the bad site without common ones'),
        Column('first_here', DATE, 'first capture of a shared label on the bad site'),
        Column('first_there', DATE, 'first capture of a shared label on the other'),
        Column('earlier_here', COUNT, 'shared labels captured first on the bad site'),
        Column('earlier_there', COUNT, 'shared labels captured first on the other'),
    ),
    sorted_by=(('neighborhood', False), ('shared', True), ('other', False)),
    derived_from=('labels',),
)
FILE_MATCHES = Table(
    name='file_matches',
    about='records whose whole body is a labeled file',
    written_by='detect',
    order='archive, then offset as a number',
    columns=(RID, URL, HASH_OF),
    derived_from=('labels',),
)
LINKS = Table(
    name='links',
    about='links from one bad site to another',
    written_by='links',
    order='`source`, then `target`',
    columns=(
        Column('source', TEXT, 'the site that links'),
        Column('target', TEXT, 'the site that is linked to'),
        Column('links', COUNT, 'links'),
        Column('pages', COUNT, 'pages of `source` that have such a link'),
    ),
    sorted_by=(('source', False), ('target', False)),
    derived_from=('origins',),
    quick=True,
)
RINGS = Table(
    name='rings',
    about='sites that link to each other in a ring',
    written_by='links',
    order='`ring` (the largest first), then `site`',
    columns=(
        Column('ring', COUNT, 'number of the ring'),
        Column('sites', COUNT, 'sites in the ring'),
        Column('site', TEXT, 'one of its sites'),
    ),
    sorted_by=(('ring', False),),
    derived_from=('origins',),
    quick=True,
)
LABEL_CHANGES = Table(
    name='label_changes',
    about='labels whose copies differ between two runs',
    written_by='compare',
    order='`change`, then the largest difference',
    columns=(
        Column('change', TEXT, 'appeared, vanished, grew, or shrank'),
        HASH_OF,
        LENGTH,
        Column('before', COUNT, 'copies in the old run; empty if there are none'),
        Column('after', COUNT, 'copies in the new run; empty if there are none'),
        EXAMPLE,
        PREVIEW,
    ),
)
NEIGHBORHOOD_CHANGES = Table(
    name='neighborhood_changes',
    about='neighborhoods that are bad in either run and differ',
    written_by='compare',
    order='`change`, then the largest difference',
    columns=(
        Column('change', TEXT, 'turned bad, got worse, gone, …'),
        PREFIX,
        LEVEL,
        Column('before', RATIO, '`pooled` in the old run'),
        Column('after', RATIO, '`pooled` in the new run'),
        Column('bad_before', COUNT, '`bad` in the old run'),
        Column('bad_after', COUNT, '`bad` in the new run'),
    ),
)
JUDGEMENTS = Table(
    name='judgements',
    about='judgements of people on samples',
    written_by='review',
    order='time',
    columns=(
        Column('time', TEXT, 'time of the judgement'),
        Column('judge', TEXT, 'name of the judge'),
        Column('action', TEXT, '`judged`, or `undone`: takes the last one back'),
        Column('what', TEXT, 'chunks, neighborhoods or pages'),
        Column('item', TEXT, 'first column of the row that was judged'),
        Column('categories', TEXT, 'names of the categories'),
        Column('counts', TEXT, 'benign, unclear or bad'),
        Column('note', TEXT, 'a note of the judge'),
        Column('place', TEXT, 'place in the sample'),
        Column('stratum', TEXT, 'stratum of the item'),
        Column('size', TEXT, 'rows in the stratum'),
        Column('population', TEXT, 'rows in the table'),
        Column('sample', TEXT, 'how the sample was drawn'),
    ),
    only_added_to=True,
)
TABLES = {
    table.name: table
    for table in (
        LABELS,
        FILE_LABELS,
        FREQUENCY,
        PAGES,
        BAD_PAGES,
        NEIGHBORHOODS,
        BAD_NEIGHBORHOODS,
        ORIGINS,
        FILE_MATCHES,
        LINKS,
        RINGS,
        LABEL_CHANGES,
        NEIGHBORHOOD_CHANGES,
        JUDGEMENTS,
    )
}


def tables_of_command(command: str) -> list[str]:
    """Return the names of the tables that a command writes.

    >>> tables_of_command('links')
    ['links', 'rings']
    """
    return [table.name for table in TABLES.values() if table.written_by == command]


def column_type(table: str, column: str) -> type:
    """Return the Python type of a column: text if the schema lacks table or column.

    >>> column_type('labels', 'copies'), column_type('my_table', 'copies')
    (<class 'int'>, <class 'str'>)
    """
    known = TABLES.get(table)
    if known is None or column not in known.names:
        return str
    return known.kind(column).type
