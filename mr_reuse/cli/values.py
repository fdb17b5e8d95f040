"""What the values of options mean, and which are refused."""

import argparse
import re
from fractions import Fraction
from typing import TypeVar
from urllib.parse import urlsplit

A_LABEL_FILE = 'a label file, or a run of discover'
LEVELS = ('all', 'site', 'domain')
UNITS = {'': 1, 'K': 10**3, 'M': 10**6, 'G': 10**9, 'T': 10**12}
Options = TypeVar('Options', bound=tuple)


def pick(kind: type[Options], args: argparse.Namespace) -> Options:
    """Make a named tuple of options from a parsed command line.

    An option that the command line lacks keeps its default.

    >>> from typing import NamedTuple
    >>> Size = NamedTuple('Size', [('width', int), ('height', int)])
    >>> pick(Size, argparse.Namespace(width=3, height=2, depth=1))
    Size(width=3, height=2)
    """
    return kind(**{k: v for k, v in vars(args).items() if k in kind._fields})


class Default(str):
    """The value of an option that the command line lacks, told from one given."""


class Once(argparse.Action):
    """Refuses an option that is given twice: the first one would be lost."""

    def __call__(self, parser, namespace, values, option_string=None):
        if getattr(namespace, self.dest) != self.default:
            raise argparse.ArgumentError(self, 'given twice; give it once')
        setattr(namespace, self.dest, values)


def natural(text: str) -> int:
    """A whole number, not negative.

    >>> natural('7')
    7
    """
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f'{text!r} is not a whole number from 0 on')
    return int(text)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not (text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f'{text!r} is not a whole number from 1 on')
    return int(text)


def rate(text: str) -> float:
    """A share between 0 and 1, without both ends."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f'{text!r} is not between 0 and 1')
    return found


def ratio(text: str) -> Fraction:
    """A decimal number, not negative, without rounding.

    >>> ratio('0.163')
    Fraction(163, 1000)
    """
    if not re.fullmatch(r'\d{1,9}(\.\d{0,18})?|\.\d{1,18}', text):
        raise argparse.ArgumentTypeError(f'{text!r} is not a number such as 0.163')
    return Fraction(text)


def share(text: str) -> Fraction:
    """A ratio that is at most 1.

    >>> share('0.5')
    Fraction(1, 2)
    """
    found = ratio(text)
    if found > 1:
        raise argparse.ArgumentTypeError(f'{text!r} is above 1, which is all; give 0.5')
    return found


def levels(text: str) -> str:
    """Which neighborhoods: all, site, domain, or a level by its number.

    >>> levels('07')
    '7'
    """
    if text.isdecimal() and text.isascii() and int(text):
        return str(int(text))
    if text not in LEVELS:
        names = ', '.join(LEVELS)
        raise argparse.ArgumentTypeError(f'{text!r} is none of {names}, 1, 2, …')
    return text


def size(text: str) -> int:
    """A size in bytes, in decimal units.

    >>> size('120MB'), size('1.5 g'), size('4096')
    (120000000, 1500000000, 4096)
    """
    match = re.fullmatch(r'(\d+(?:\.\d+)?)\s*([KMGT]?)B?', text.strip().upper())
    count = float(match[1]) * UNITS[match[2]] if match else 0
    if not 1 <= count < 1 << 60:
        raise argparse.ArgumentTypeError(f'{text!r} is not a size such as 120MB')
    return int(count)


def base_url(text: str) -> str:
    """A URL in front of paths, which ends in a slash.

    >>> base_url('http://docs.example')
    'http://docs.example/'
    """
    parts = urlsplit(text)
    if not (parts.scheme and parts.netloc and re.fullmatch('[!-~]+', text)):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a URL such as http://docs.example/'
        )
    return text if text.endswith('/') else f'{text}/'
