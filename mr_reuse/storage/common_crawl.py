"""Files of Common Crawl by name, read only: cc:crawl-data/….

The name leaves open from where a file is read, so the tables of a run are the same for
the web server of Common Crawl, for its bucket, and for a mirror.
"""

import os
from typing import BinaryIO

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.storage.base import Entry
from mr_reuse.storage.web import WebStore

VARIABLE = 'MR_REUSE_COMMON_CRAWL'  # environment variable with the place to read from
WEB = 'https://data.commoncrawl.org/'
BUCKET = 's3://commoncrawl/'  # which wants requests with a signature
PREFIX = 'cc:'
TOP = 'crawl-data/'


class CommonCrawl(WebStore):
    """Files of Common Crawl. There are no folders."""

    reason = 'Common Crawl cannot be written to'

    def status(self, name: str) -> Entry | None:
        entry = storage.status(locate(name))
        return entry and entry._replace(name=name)

    def open_read(self, name: str, offset: int = 0, length: int = 0) -> BinaryIO:
        return storage.open_read(locate(name), offset, length)

    def canonical_name(self, name: str) -> str:
        locate(name)  # refuses a wrong name
        return name


def locate(name: str) -> str:
    """Return the full name of a file, at the place that the environment names.

    >>> locate('cc:crawl-data/a.gz').removeprefix(base())
    'crawl-data/a.gz'
    """
    path = name.removeprefix(PREFIX)
    if not path.startswith(TOP) or '..' in path.split('/'):
        raise UserError(
            f'{name}: not a name of Common Crawl; write cc:CC-MAIN-2026-30, '
            f'cc:CC-MAIN-2026-30/wet, cc:CC-NEWS-2026-06 or {PREFIX}{TOP}…'
        )
    return f'{base()}{path}'


def base() -> str:
    """Return the place from which files are read, with a slash at its end."""
    return f'{(os.environ.get(VARIABLE) or WEB).rstrip("/")}/'


def store_for(name: str) -> CommonCrawl:
    """Return the store of a file."""
    return CommonCrawl()
