"""Tables that `export --annotation` makes, to join with the indexes of Common Crawl.

Most columns begin with `reuse_`, since a join adds those of other annotations.
"""

from mr_reuse.tables.schema import COUNT, RATIO, TEXT, Column, Table

ANNOTATION_HOSTS = Table(
    name='annotation_hosts',
    about='hosts, by their keys in the host index of Common Crawl',
    written_by='export',
    order='`surt_host_name`',
    columns=(
        Column(
            'surt_host_name',
            TEXT,
            'key of the host: `org,example` for `example.org` and `www.example.org`',
        ),
        Column('reuse_pages', COUNT, 'number of pages of the host'),
        Column(
            'reuse_bad',
            COUNT,
            'number of their chunks that are labels, without pages with fewer than '
            '`--min-chunks` chunks',
        ),
        Column(
            'reuse_total',
            COUNT,
            'number of all chunks of these pages, stop chunks excluded',
        ),
        Column(
            'reuse_pooled',
            RATIO,
            '`reuse_bad` divided by `reuse_total`; empty if that is 0',
        ),
        Column(
            'reuse_mean',
            RATIO,
            'mean of `reuse_contains` over these pages; empty without such pages',
        ),
        Column(
            'reuse_is_bad',
            COUNT,
            '1 if the host is in `bad_neighborhoods`, else 0; empty if `--levels` left '
            'hosts out',
        ),
        Column(
            'reuse_pairs',
            COUNT,
            'number of hosts with which it shares at least ten chunks, by `pairs`; '
            'empty if `--pairs` chose other units',
        ),
        Column(
            'reuse_labels',
            COUNT,
            'number of distinct labels on the host; empty if the run has no `places`',
        ),
    ),
    sorted_by=(('surt_host_name', False),),
    derived_from=('pages', 'bad_neighborhoods', 'pairs', 'places'),
)
ANNOTATION_URLS = Table(
    name='annotation_urls',
    about='pages, by their keys in the URL index of Common Crawl',
    written_by='export',
    order='`url_surtkey`, then `url`, then `reuse_rid`',
    columns=(
        Column(
            'url_surtkey',
            TEXT,
            'key of the URL: `org,example)/a` for `http://www.example.org/a`',
        ),
        Column('url', TEXT, 'URL of the page'),
        Column('reuse_rid', TEXT, 'record id of the page, `ARCHIVE:OFFSET`'),
        Column('reuse_bad', COUNT, 'number of chunks that are labels'),
        Column('reuse_total', COUNT, 'number of all chunks, stop chunks excluded'),
        Column(
            'reuse_contains',
            RATIO,
            '`reuse_bad` divided by `reuse_total`; empty if that is 0',
        ),
        Column('reuse_is_bad', COUNT, '1 if the page is in `bad_pages`, else 0'),
    ),
    sorted_by=(('url_surtkey', False), ('url', False), ('reuse_rid', False)),
    derived_from=('pages', 'bad_pages'),
)
TABLES = (ANNOTATION_HOSTS, ANNOTATION_URLS)
