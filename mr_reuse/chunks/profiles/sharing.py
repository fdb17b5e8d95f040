"""Describe whether the site of a page or folder shares chunks with other sites.

The labels of a page are only the widely copied chunks. Two sites may share all of a
page without a label.
"""

from mr_reuse.chunks import pair_texts, site_pairs
from mr_reuse.chunks.pairs.sites import HOST, site_at
from mr_reuse.engine.record import RunRecord


def unit_of_pairs(record: RunRecord) -> str:
    """Return the unit of the pairs of a run: `host`, `domain` or a level."""
    return str((record.pairs or {}).get('unit', HOST))


def find_site(run: str, record: RunRecord, url: str) -> str:
    """Return the site of a URL as in `pairs.tsv`; '' without one, or without a table.

    A folder ends with a slash.
    """
    has_pairs = site_pairs.has_pairs(run)
    return site_at(url, unit_of_pairs(record)) if has_pairs else ''


def describe_sharing(run: str, site: str) -> str:
    """Describe where the chunks of a site are listed that are no labels."""
    number = sum(1 for _ in site_pairs.find_pairs(run, site))
    if not number:
        where = describe_no_pairs(site)
    else:
        sites = 'site that shares' if number == 1 else f'{number:,} sites that share'
        command = pair_texts.show_command(run, site)
        where = f'to list the {sites} chunks with {site}: {command}'
    return f'(chunks with few copies are not listed here; {where})'


def describe_no_pairs(site: str) -> str:
    """Describe a site without a pair.

    >>> describe_no_pairs('a.org')
    'a.org shares ten or more chunks with no other site'
    """
    return f'{site} shares ten or more chunks with no other site'
