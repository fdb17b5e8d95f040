"""The options of `synth`, and the types of their values."""

import argparse
import re
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from mr_reuse.cli import values
from mr_reuse.cli.parser import read_options

SMALLEST, LARGEST = 10**6, 10**11  # bytes
BYTES_PER_ARCHIVE = 10**8
MAX_ARCHIVES = 100_000
UNITS = {'': 10**6, 'MB': 10**6, 'GB': 10**9}


class SynthOptions(NamedTuple):
    """The options of `synth`."""

    output: Path
    size: int  # bytes of all bodies
    seed: int
    archives: int
    format: str
    plain: bool  # not gzipped
    damage: bool
    hostile: bool
    quilts: bool
    phrases: bool
    styles: bool
    force: bool
    quiet: bool


def read_synth_options(args: argparse.Namespace) -> SynthOptions:
    """Return the options of a parsed command line of `synth`."""
    options = read_options(SynthOptions, args)
    return options._replace(archives=args.archives or archives_for(args.size))


def output_folder(text: str) -> Path:
    """Parse the name of a folder on this machine."""
    return Path(values.parse_local(text))


def crawl_size(text: str) -> int:
    """Parse a size in MB or GB, into bytes.

    >>> crawl_size('20MB'), crawl_size('1.5 gb'), crawl_size('5')
    (20000000, 1500000000, 5000000)
    """
    match = re.fullmatch(r'(\d+(?:\.\d+)?) *(|MB|GB)', text.strip().upper(), re.ASCII)
    size = int(Fraction(match[1]) * UNITS[match[2]]) if match else 0
    if not SMALLEST <= size <= LARGEST:
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a size from 1MB to 100GB, such as 20MB'
        )
    return size


def archive_count(text: str) -> int:
    """Parse a number of archives.

    >>> archive_count('12')
    12
    """
    if not (text.isdecimal() and 1 <= int(text) <= MAX_ARCHIVES):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a whole number from 1 to {MAX_ARCHIVES:,}'
        )
    return int(text)


def archives_for(size: int) -> int:
    """Return the number of archives for a size: one for 100 MB.

    >>> archives_for(10**6), archives_for(10**8 + 1)
    (1, 2)
    """
    return -(-size // BYTES_PER_ARCHIVE)
