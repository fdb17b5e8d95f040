"""The tables of this system: their columns, their order, and their origin."""

from mr_reuse.tables.columns import (
    CHUNK_HASH,
    CHUNKS_BELOW_PREFIX,
    CHUNKS_OF_PAGE,
    COPIES,
    EXAMPLE,
    FILE_HASH,
    HOSTS,
    LENGTH,
    PREVIEW,
    RID,
    URL,
)
from mr_reuse.tables.schema import (
    COUNT,
    DATE,
    POSITIVE,
    RATIO,
    TEXT,
    UNIT,
    Column,
    Table,
)

LABELS = Table(
    name='labels',
    about='chunks that are labels, each with an example',
    written_by='discover',
    order='`copies` descending, then `hash`',
    columns=(
        CHUNK_HASH,
        LENGTH,
        COPIES,
        Column('pages', COUNT, 'number of pages with a copy'),
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
    columns=(FILE_HASH, LENGTH, COPIES, HOSTS, EXAMPLE),
    sorted_by=(('copies', True), ('hash', False)),
)
FREQUENCY = Table(
    name='frequency',
    about='number of chunks and files for each number of copies, before any threshold',
    written_by='discover',
    order='`unit`, then `copies`',
    columns=(
        Column('unit', UNIT, '`chunk` or `file`'),
        Column('copies', POSITIVE, 'number of copies'),
        Column(
            'objects',
            POSITIVE,
            'number of distinct chunks or files with so many copies',
        ),
    ),
    sorted_by=(('unit', False), ('copies', False)),
)
PAIRS = Table(
    name='pairs',
    about='sites that share at least ten chunks, whatever the number of copies',
    written_by='discover',
    order='`bytes` descending, then `a`, then `b`',
    columns=(
        Column(
            'a', TEXT, 'a host, or what `--pairs` names: a domain, a folder of a level'
        ),
        Column('b', TEXT, 'another one, which sorts after `a`'),
        Column(
            'chunks',
            COUNT,
            'number of distinct chunks on both; without short chunks, those on the '
            'stop list, and those on more than 100 hosts',
        ),
        Column('bytes', COUNT, 'sum of the lengths of these chunks'),
        Column(
            'a_share',
            RATIO,
            '`chunks` divided by the number of distinct chunks of `a`, without short '
            'chunks and those on the stop list',
        ),
        Column('b_share', RATIO, 'the same for `b`'),
        Column(
            'a_first',
            COUNT,
            'number of shared chunks whose first capture on `a` is earlier than that '
            'on `b`; both need a date',
        ),
        Column('b_first', COUNT, 'the same for `b`'),
    ),
    sorted_by=(('bytes', True), ('a', False), ('b', False)),
)
LABEL_COUNTS = Table(
    name='label_counts',
    about='labels of `detect` that occur in the pages, each with an example',
    written_by='detect',
    order='`copies` descending, then `hash`',
    columns=LABELS.columns,
    sorted_by=LABELS.sorted_by,
    derived_from=('labels',),
)
PLACES = Table(
    name='places',
    about='for each label, the pages that have it; only with `--places`, or after '
    '`export RUN places`',
    written_by='detect',
    order='`hash`, then archive, then offset as a number',
    columns=(
        CHUNK_HASH,
        RID,
        URL,
        Column('date', DATE, 'date of the capture, as in the archive'),
    ),
    sorted_by=(('hash', False),),
    derived_from=('labels', 'label_counts'),
    is_quick=True,
    rebuilt_by=('export', '', 'places'),
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
    about='all neighborhoods',
    written_by='detect',
    order='`prefix`',
    columns=CHUNKS_BELOW_PREFIX,
    sorted_by=(('prefix', False),),
    derived_from=('labels',),
)
BAD_NEIGHBORHOODS = Table(
    name='bad_neighborhoods',
    about='neighborhoods above the threshold',
    written_by='detect',
    order='worst first (`--rank`)',
    columns=CHUNKS_BELOW_PREFIX,
    derived_from=('labels',),
)
ORIGINS = Table(
    name='origins',
    about='for each bad site, the sites that share the most labels with it',
    written_by='detect',
    order='`neighborhood`, then `shared` descending, then `other`',
    columns=(
        Column('neighborhood', TEXT, 'the bad site'),
        Column('other', TEXT, 'a site that shares labels with the bad site'),
        Column(
            'shared',
            COUNT,
            'number of shared labels, without those on more than 100 sites',
        ),
        Column(
            'share',
            RATIO,
            '`shared` divided by the number of labels of the bad site, without those '
            'on more than 100 sites',
        ),
        Column(
            'first_here',
            DATE,
            'date of the first capture of a shared label on the bad site',
        ),
        Column('first_there', DATE, 'the same on the other site'),
        Column(
            'earlier_here',
            COUNT,
            'number of shared labels that were captured first on the bad site, of '
            'those with a date on both sites',
        ),
        Column(
            'earlier_there',
            COUNT,
            'number of shared labels that were captured first on the other site, of '
            'those with a date on both sites',
        ),
        Column(
            'same_time',
            COUNT,
            'number of shared labels that were captured first on both sites in the '
            'same second',
        ),
        Column(
            'chunk_share',
            RATIO,
            '`shared` divided by the number of labels of the bad site, without those '
            'on more than 100 sites, and of its chunks that are no labels, repeats '
            'counted',
        ),
        Column(
            'relation',
            TEXT,
            '`family` if both sites belong to one owner; `source here` or `source '
            'there` if the user named the bad site or the other as a source; '
            'otherwise empty',
        ),
    ),
    sorted_by=(('neighborhood', False), ('shared', True), ('other', False)),
    newer=('0', '', ''),
    derived_from=('labels',),
)
FILE_MATCHES = Table(
    name='file_matches',
    about='records whose whole body is a labeled file',
    written_by='detect',
    order='archive, then offset as a number',
    columns=(RID, URL, FILE_HASH),
    derived_from=('labels',),
)
LINKS = Table(
    name='links',
    about='links from one bad site to another',
    written_by='links',
    order='`source`, then `target`',
    columns=(
        Column('source', TEXT, 'site whose pages have the links'),
        Column('target', TEXT, 'site to which the links lead'),
        Column('links', COUNT, 'number of links'),
        Column('pages', COUNT, 'number of pages of `source` with such a link'),
    ),
    sorted_by=(('source', False), ('target', False)),
    derived_from=('bad_neighborhoods',),
    is_quick=True,
)
RINGS = Table(
    name='rings',
    about='sets of bad sites in which links lead from each site to all others',
    written_by='links',
    order='`ring`, then `site`',
    columns=(
        Column('ring', COUNT, 'number of the ring; 1 is the largest ring'),
        Column('sites', COUNT, 'number of sites in the ring'),
        Column('site', TEXT, 'a site in the ring'),
    ),
    sorted_by=(('ring', False),),
    derived_from=('bad_neighborhoods',),
    is_quick=True,
)
LINKS_UNREAD = Table(
    name='links_unread',
    about='archives that were missing when `links` read the pages of bad sites; only '
    'if any were',
    written_by='links',
    order='`archive`',
    columns=(
        Column('archive', TEXT, 'name of the archive, as in `rid`'),
        Column(
            'pages', COUNT, 'number of pages of bad sites in it, which have no links'
        ),
    ),
    sorted_by=(('archive', False),),
    derived_from=('bad_neighborhoods',),
    is_quick=True,
)
TABLES = (
    LABELS,
    FILE_LABELS,
    FREQUENCY,
    PAIRS,
    LABEL_COUNTS,
    PLACES,
    PAGES,
    BAD_PAGES,
    NEIGHBORHOODS,
    BAD_NEIGHBORHOODS,
    ORIGINS,
    FILE_MATCHES,
    LINKS,
    RINGS,
    LINKS_UNREAD,
)
