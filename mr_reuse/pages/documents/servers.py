"""Servers of documents: which two documents are on different ones."""

import hashlib
import ipaddress
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mr_reuse.archives.domains import PORT, registered_domain
from mr_reuse.archives.urls import url_host

MAX_KNOWN = 10_000  # servers that are remembered
NONE, HOST, DOMAIN, IP = UNITS = ('none', 'host', 'domain', 'ip')  # of --foreign


class Server(NamedTuple):
    """What tells the server of a document; a number of 0 stands for nothing."""

    name: int  # of its host or domain; without a host, it is foreign to all others
    address: int = 0  # if addresses are compared


def parse_address(text: str) -> str:
    """Return the bytes of an address in hexadecimal digits; '' if it is none.

    >>> parse_address('192.0.2.1'), parse_address('192.0.2.01'), parse_address('-')
    ('c0000201', '', '')
    >>> parse_address('2001:DB8::1') == parse_address('2001:db8:0::1')
    True
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ''
    scope = getattr(address, 'scope_id', None)
    return address.packed.hex() + (f'%{scope}' if scope else '')


def server_of(url: str, ip: str, unit: str) -> Server:
    """Return the server of a document.

    >>> one, other = server_of('http://a.org/', '', 'host'), server_of('x:', '', 'host')
    >>> one.name > 0, one.address, other
    (True, 0, Server(name=0, address=0))
    """
    return server_of_host(url_host(url), ip, unit)


@lru_cache(MAX_KNOWN)
def server_of_host(host: str, ip: str, unit: str) -> Server:
    """Return the server of a document with this host.

    >>> server_of_host('www.a.org', '', 'domain') == server_of_host('a.org', '', 'host')
    True
    """
    if not host:
        return Server(0)
    if unit == HOST:
        return Server(_digest(host))
    address = parse_address(ip) if unit == IP else ''
    domain = _digest(domain_of(host))
    return Server(domain, _digest(address) if address else 0)


def domain_of(host: str) -> str:
    """Return the registered domain of a host, or the host itself, without a port.

    A dot at the end of the host does not belong to the domain.

    >>> domain_of('www.a.org.:81'), domain_of('localhost.'), domain_of('[::1]:81')
    ('a.org', 'localhost', '[::1]')
    """
    return registered_domain(PORT.sub('', host)).strip('.')


def _digest(name: str) -> int:
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    return int.from_bytes(digest, 'little') or 1


def are_foreign(
    name: np.ndarray, address: np.ndarray, names: np.ndarray, addresses: np.ndarray
) -> np.ndarray:
    """Return a mask of the pairs of documents on different servers.

    The arguments are the numbers of `Server` of the one, and of the other documents.
    If both addresses are known, they decide; else the names do.

    >>> def compare(one, other):
    ...     return bool(are_foreign(*map(np.array, (*one, *other))))
    >>> compare(Server(1), Server(1)), compare(Server(1), Server(2))
    (False, True)
    >>> compare(Server(1, 7), Server(2, 7)), compare(Server(1, 7), Server(1, 8))
    (False, True)
    >>> compare(Server(1, 7), Server(1)), compare(Server(0), Server(0))
    (False, True)
    """
    is_other = np.where(
        (address != 0) & (addresses != 0), address != addresses, name != names
    )
    return is_other | (name == 0) | (names == 0)
