"""The tables of this system."""

from mr_reuse.tables.columns import RID, URL
from mr_reuse.tables.schema import COUNT, POSITIVE, RATIO, TEXT, Column, Table

STYLE = Column('style', POSITIVE, 'number of the style, from 1 in the order of styles')

STYLES = Table(
    'styles',
    'styles: clusters of at least two documents with similar markup',
    'styles',
    'greatest score first',
    (
        STYLE,
        Column('pages', COUNT, 'number of documents'),
        Column('hosts', COUNT, 'number of hosts; a page without one is one by itself'),
        Column('domains', COUNT, 'number of registered domains, likewise'),
        Column('mean', TEXT, 'mean similarity of two different documents'),
        Column('score', TEXT, '`mean` times `domains`'),
        Column('rid', TEXT, 'record id of the prototype, the most like the others'),
        Column('url', TEXT, 'URL of the prototype'),
    ),
    (('style', False),),
)
STYLE_MEMBERS = Table(
    'style_members',
    'the documents of each style',
    'styles',
    'styles as in styles, then most similar to the prototype first',
    (
        STYLE,
        RID,
        URL,
        Column('similarity', TEXT, 'similarity to the prototype'),
    ),
    (('style', False), ('similarity', True)),
)
STYLE_FEATURES = Table(
    'style_features',
    'features of the first and the largest styles, which few other documents have',
    'styles',
    'styles as in styles, kinds as below; of a kind the rarest in others first',
    (
        STYLE,
        Column('kind', TEXT, '`generator`, `path`, `class`, `tag` or `skeleton`'),
        Column(
            'value',
            TEXT,
            'name of the program that the pages name, pattern of their paths, name of '
            'a class or of a tag, or sequence of start tags',
        ),
        Column('share', RATIO, 'share of up to 10 pages of the style that have it'),
        Column(
            'others',
            RATIO,
            'share of up to 100 documents that have it, of those that are not in the '
            'style; empty without such documents',
        ),
    ),
)
STYLE_CURVES = Table(
    'style_curves',
    'how similar all documents are to the prototypes of the first styles',
    'styles',
    'styles as in styles, then most similar first',
    (
        STYLE,
        Column('similarity', TEXT, 'similarity to the prototype'),
        Column('documents', POSITIVE, 'number of documents with this similarity'),
    ),
    (('style', False), ('similarity', True)),
)
NEAR = Table(
    'near',
    'documents by their similarity to one page',
    'styles',
    'most similar first',
    (
        Column('similarity', TEXT, 'similarity to the page'),
        RID,
        URL,
    ),
    (('similarity', True),),
    derived_from=('styles',),
    is_quick=True,
    rebuilt_by=('styles', 'near', '', 'URL'),
)
SPREAD = Table(
    'spread',
    'pages, hosts and domains that have the style of known pages, and are not known',
    'styles',
    'pages, hosts, then domains; most similar first',
    (
        Column('unit', TEXT, 'page, host or domain'),
        Column('name', TEXT, 'URL of the page, or name of the host or domain'),
        STYLE,
        Column(
            'similarity',
            TEXT,
            'similarity to the nearest known page of the style; of a host or domain '
            'the greatest of its pages',
        ),
        Column('known', POSITIVE, 'number of known pages in the style'),
    ),
    derived_from=('styles',),
    is_quick=True,
    rebuilt_by=('styles', 'spread', '', 'KNOWN'),
)
STYLE_MATCHES = Table(
    'style_matches',
    'documents that are alike a member of a style in a style file',
    'styles',
    'most similar first, then by record id',
    (
        RID,
        URL,
        Column('style', POSITIVE, 'number of the style in the file'),
        Column('similarity', TEXT, 'similarity to the nearest known document'),
        Column('known_rid', TEXT, 'record id of the nearest known document'),
        Column('known_url', TEXT, 'its URL'),
    ),
    (('similarity', True),),
    rebuilt_by=('styles', 'match', 'FILE.msf', '-o', ''),
)

TABLES = (STYLES, STYLE_MEMBERS, STYLE_FEATURES, STYLE_CURVES)
TABLES += (NEAR, SPREAD, STYLE_MATCHES)
