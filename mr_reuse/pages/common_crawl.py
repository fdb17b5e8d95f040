"""Names of the crawls of Common Crawl, and the lists of their archives."""

import re

from mr_reuse.errors import UserError

CRAWL = re.compile(r'cc:(CC-MAIN-\d{4}(?:-\d{2,4})?)(?:/(\w*))?')
NEWS = re.compile(r'cc:CC-NEWS-(\d{4})-(\d{2})(?:/(\w*))?')
KINDS = ('warc', 'wet', 'robotstxt', 'non200responses')
NEWS_KINDS = ('warc',)


def expand_crawl(name: str) -> str:
    """Return the name of the list of archives for the name of a crawl.

    Any other name is returned as it is.

    >>> expand_crawl('cc:CC-MAIN-2026-30/wet')
    'cc:crawl-data/CC-MAIN-2026-30/wet.paths.gz'
    >>> expand_crawl('cc:CC-NEWS-2026-06'), expand_crawl('cc:crawl-data/a.warc.gz')
    ('cc:crawl-data/CC-NEWS/2026/06/warc.paths.gz', 'cc:crawl-data/a.warc.gz')
    """
    if match := CRAWL.fullmatch(name):
        folder, kind, kinds = match[1], match[2], KINDS
    elif match := NEWS.fullmatch(name):
        folder, kind, kinds = f'CC-NEWS/{match[1]}/{match[2]}', match[3], NEWS_KINDS
    else:
        return name
    kind = kind or kinds[0]
    if kind not in kinds:
        problem = f'no such files; name one of {", ".join(kinds)}'
        if kind == 'wat':
            problem = 'WAT files have metadata and no pages; name wet, or no kind'
        raise UserError(f'{name}: {problem}')
    return f'cc:crawl-data/{folder}/{kind}.paths.gz'


def is_list(name: str) -> bool:
    """Test whether a name is that of a list of Common Crawl.

    >>> is_list('cc:crawl-data/CC-MAIN-2026-30/wet.paths.gz'), is_list('wet.paths.gz')
    (True, False)
    """
    return name.startswith('cc:') and name.endswith('.paths.gz')
