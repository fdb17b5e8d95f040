"""The registered domain of a host, by the public suffix list."""

import re
from functools import lru_cache
from importlib.metadata import version

from publicsuffixlist import PublicSuffixList

LIST = f'publicsuffixlist {version("publicsuffixlist")}'
PORT = re.compile(r':\d*$')
ADDRESS = re.compile(r'\[.*\]|[\d.]+')


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # takes a tenth of a second: not every task needs it


@lru_cache(maxsize=10_000)
def domain(host: str) -> str:
    """The registered domain of a host, whatever the port; the host where there is none.

    >>> domain('www.shop.example.co.uk:8080'), domain('alice.github.io')
    ('example.co.uk', 'alice.github.io')
    >>> domain('198.189.134.200'), domain('[::1]:81'), domain('localhost')
    ('198.189.134.200', '[::1]', 'localhost')
    """
    name = PORT.sub('', host)
    if ADDRESS.fullmatch(name):
        return name
    return _suffixes().privatesuffix(name.strip('.')) or name
