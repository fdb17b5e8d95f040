"""The sites of pages: hosts, registered domains, or folders of one level."""

import functools

import numpy as np

from mr_reuse.archives import domains, urls
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest

HOST, DOMAIN = 'host', 'domain'  # the other values of --pairs are levels, from 2 on


def site_at(url: str, unit: str) -> str:
    """Return the site of a page, '' if it has none.

    A host and a domain are written without a slash, a folder like a neighborhood.

    >>> url = 'http://www.a.org:8080/x/y/z'
    >>> [site_at(url, unit) for unit in ('host', 'domain', '3', '4')]
    ['www.a.org:8080', 'a.org', 'www.a.org:8080/x/y/', '']
    >>> site_at('dns:a.org', 'domain')
    ''
    """
    if unit in (HOST, DOMAIN):
        host = urls.url_host(url)
        return domains.registered_domain(host) if host and unit == DOMAIN else host
    folders = urls.enclosing_neighborhoods(urls.neighborhood_of(url))
    level = int(unit)
    return folders[level - 1] if level <= len(folders) else ''


class Sites:
    """The sites of some pages, numbered in the order in which they appear."""

    def __init__(self, unit: str):
        self._site_at = functools.partial(site_at, unit=unit)
        self._by_host = unit in (HOST, DOMAIN)
        self._numbers: dict[str, int] = {}
        self._by_start: dict[bytes, int] = {}  # by all of a URL before the path
        self._digests = bytearray()
        self.size = 0  # bytes of the names

    def number(self, url: bytes) -> int:
        """Return the number of the site of a page, -1 if it has none."""
        if not self._by_host or not url.startswith((b'http://', b'https://')):
            return self._number(url.decode())
        # Nearly all URLs of a host begin with the same bytes.
        end = url.find(b'/', 8)
        start = url[:end]
        if end < 0 or start.endswith(b'/'):  # http:////host/
            return self._number(url.decode())
        number = self._by_start.get(start)
        if number is None:
            number = self._number(url.decode())
            if len(start) < urls.MAX_REMEMBERED:
                self._by_start[start] = number
        return number

    def _number(self, url: str) -> int:
        name = self._site_at(url)
        if not name:
            return -1
        number = self._numbers.setdefault(name, len(self._numbers))
        if number * NAME_WIDTH == len(self._digests):
            self._digests += name_digest(name)
            self.size += len(name)
        return number

    @property
    def names(self) -> list[bytes]:
        """All names, by number."""
        return list(map(to_bytes, self._numbers))

    @property
    def digests(self) -> np.ndarray:
        """The digests of all names, by number."""
        return packing.make_rows(bytes(self._digests), NAME_WIDTH).keys
