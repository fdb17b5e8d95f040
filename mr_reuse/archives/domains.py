"""The registered domain of a host, by the public suffix list."""

import re
from functools import lru_cache
from importlib.metadata import version
from typing import Any

LIST_VERSION = f'publicsuffixlist {version("publicsuffixlist")}'
PORT = re.compile(r':\d*$')
ADDRESS = re.compile(r'\[.*\]|[\d.]+')


@lru_cache(maxsize=1)
def _suffixes() -> Any:
    # It takes 0.1 s, and not every command or task needs it.
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415

    return PublicSuffixList()


@lru_cache(maxsize=10_000)
def registered_domain(host: str) -> str:
    """Return the registered domain of a host, without its port.

    An IP address, or a host without a registered domain, is returned itself.

    >>> list(map(registered_domain, ['www.example.co.uk:8080', 'alice.github.io']))
    ['example.co.uk', 'alice.github.io']
    >>> list(map(registered_domain, ['198.189.134.200', '[::1]:81', 'localhost']))
    ['198.189.134.200', '[::1]', 'localhost']
    """
    name = PORT.sub('', host)
    if ADDRESS.fullmatch(name):
        return name
    return _suffixes().privatesuffix(name.strip('.')) or name
