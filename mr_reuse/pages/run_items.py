"""Names of pages, and the record of a run at a rid."""

import re
from collections.abc import Container

from mr_reuse.archives import rids
from mr_reuse.archives.items import Item
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.pages import moved_archives
from mr_reuse.pages.lookup import read_item

SCHEME = re.compile(r'[A-Za-z][A-Za-z0-9+-]*:(?!\d)')  # not HOST:PORT, ARCHIVE:OFFSET


def resolve_url(name: str, paths: Container[str]) -> str:
    """Return the URL of a page that a name means, '' if it has no scheme or is a rid.

    >>> names = 'http://a.org/x', 'urn:isbn:1', 'a.org:80/', 'crawl:7', 'http://b/a:7'
    >>> [resolve_url(name, ['http://b/a']) for name in names]
    ['http://a.org/x', 'urn:isbn:1', '', '', '']
    """
    is_rid = rids.split_rid(name)[0] in paths
    return name if SCHEME.match(name) and not is_rid else ''


def is_page_name(name: str, paths: Container[str]) -> bool:
    """Test whether a name is the rid or the URL of a page.

    >>> [is_page_name(name, ['a']) for name in ('a:7', 'http://a/', 'a/', 'b:7')]
    [True, True, False, False]
    """
    is_rid = rids.is_rid(name) and rids.split_rid(name)[0] in paths
    return is_rid or bool(resolve_url(name, paths))


def find_item(record: RunRecord, rid: str, table: str) -> Item:
    """Read the item at a rid; an error names a table with rids."""
    archive, _ = rids.split_rid(rid)
    if archive not in record.paths:
        raise UserError(
            f'{archive}: no input of this run has this name; see its inputs.txt'
        )
    try:
        item = read_item(rid, record.paths)
    except FileNotFoundError:
        raise UserError(moved_archives.check_archive(record, archive)) from None
    if not item:
        why = f'{rid}: no page begins at this offset; see {table}'
        raise UserError(moved_archives.check_archive(record, archive) or why)
    return item
