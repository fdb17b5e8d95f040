"""Types of option values. Each converts a text, or refuses it with a reason."""

import argparse
import re
from fractions import Fraction
from urllib.parse import urlsplit

from mr_reuse.storage import naming

A_LABEL_FILE = 'a label file, or a run of discover'
LEVELS = ('all', 'site', 'domain')
UNITS = {'': 1, 'K': 10**3, 'M': 10**6, 'G': 10**9, 'T': 10**12}


def parse_local(text: str) -> str:
    """Parse the name of a file or folder on this machine.

    >>> parse_local('file:///tmp/x'), parse_local('x')
    ('/tmp/x', 'x')
    """
    if naming.is_remote(text):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not on this machine; name a local path, and copy it later'
        )
    return naming.path_of(text)


def parse_natural(text: str) -> int:
    """Parse a whole number that is not negative.

    >>> parse_natural('7')
    7
    """
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f'{text!r} is not a whole number, 0 or more')
    return int(text)


def parse_positive(text: str) -> int:
    """Parse a whole number that is at least 1."""
    if not (text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f'{text!r} is not a whole number, 1 or more')
    return int(text)


def parse_rate(text: str) -> float:
    """Parse a number above 0 and below 1."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f'{text!r} is not between 0 and 1')
    return number


def parse_ratio(text: str) -> Fraction:
    """Parse a decimal number that is not negative, without rounding.

    >>> parse_ratio('0.163')
    Fraction(163, 1000)
    """
    if not re.fullmatch(r'\d{1,9}(\.\d{0,18})?|\.\d{1,18}', text):
        raise argparse.ArgumentTypeError(f'{text!r} is not a number such as 0.163')
    return Fraction(text)


def parse_share(text: str) -> Fraction:
    """Parse a decimal number from 0 to 1, without rounding.

    >>> parse_share('0.5')
    Fraction(1, 2)
    """
    number = parse_ratio(text)
    if number > 1:
        raise argparse.ArgumentTypeError(f'{text!r} is above 1; for 50 % give 0.5')
    return number


def parse_levels(text: str) -> str:
    """Parse a choice of neighborhoods: all, site, domain, or the number of a level.

    >>> parse_levels('07')
    '7'
    """
    if text.isdecimal() and text.isascii() and int(text):
        return str(int(text))
    if text not in LEVELS:
        names = ', '.join(LEVELS)
        raise argparse.ArgumentTypeError(f'{text!r} is not one of {names}, 1, 2, …')
    return text


def parse_unit(text: str) -> str:
    """Parse a kind of site: host, domain, or the number of a level, of which 1 is host.

    >>> parse_unit('domain'), parse_unit('1'), parse_unit('02')
    ('domain', 'host', '2')
    """
    if text in ('host', 'domain'):
        return text
    if text.isdecimal() and text.isascii() and int(text):
        return 'host' if int(text) == 1 else str(int(text))
    raise argparse.ArgumentTypeError(f'{text!r} is not one of host, domain, 1, 2, …')


def parse_size(text: str) -> int:
    """Parse a size with a decimal unit, into bytes.

    >>> parse_size('120MB'), parse_size('1.5 g'), parse_size('4096')
    (120000000, 1500000000, 4096)
    """
    match = re.fullmatch(r'(\d+(?:\.\d+)?)\s*([KMGT]?)B?', text.strip().upper())
    count = float(match[1]) * UNITS[match[2]] if match else 0
    if not 1 <= count < 1 << 60:
        raise argparse.ArgumentTypeError(f'{text!r} is not a size such as 120MB')
    return int(count)


def parse_base_url(text: str) -> str:
    """Parse the URL of a folder, and add the slash at its end if it is missing.

    >>> parse_base_url('http://docs.example')
    'http://docs.example/'
    """
    parts = urlsplit(text)
    if not (parts.scheme and parts.netloc and re.fullmatch('[!-~]+', text)):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a URL such as http://docs.example/'
        )
    return text if text.endswith('/') else f'{text}/'
