"""Options that select the inputs and records of a run."""

import argparse
from typing import Any, NamedTuple

from mr_reuse.cli.parser import Default, Once, read_options
from mr_reuse.cli.values import parse_positive
from mr_reuse.pages.filters import LOOP_RULES


class InputOptions(NamedTuple):
    """The options that select inputs and records.

    Options that some commands lack have a default.
    """

    inputs: list[str]
    base_url: str
    limit: int | None
    filter: list[str]  # KIND=VALUE
    recursion: str
    add: str | None = None  # an older run whose counts are added


def add_input_options(parser: argparse.ArgumentParser, nargs: str = '+') -> None:
    """Add the options that select inputs and records."""
    group = parser.add_argument_group('input')
    group.add_argument(
        'inputs',
        nargs=nargs,
        metavar='INPUT',
        help='WARC, ARC or WET files, gzipped or not; folders of them; patterns '
        'with *; folders of HTML files; text files with such names, one per line; '
        'crawls of Common Crawl, such as cc:CC-MAIN-2026-30; tables of records, as CSV '
        'or Parquet',
    )
    group.add_argument(
        '--base-url',
        default='',
        metavar='URL',
        help='URL prefix for the names in a text file',
    )
    group.add_argument(
        '--limit', type=parse_positive, metavar='N', help='read only the first N inputs'
    )
    group.add_argument(
        '--filter',
        action='append',
        default=[],
        metavar='KIND=VALUE',
        help='read only records with this status, type, host or prefix (of the URL), '
        'such as status=200,404 for either; an option for each further condition',
    )
    group.add_argument(
        '--recursion',
        choices=LOOP_RULES,
        default=Default('length'),
        help='leave out pages of crawler loops: URLs with more than 96 parts between '
        'slashes (length), or with repeated parts (repeats). Default: %(default)s',
    )


def add_old_run_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names an older run."""
    parser.add_argument(
        '--add',
        action=Once,
        metavar='OLD_RUN',
        help='count the inputs together with those of OLD_RUN',
    )


def read_input_options(args: argparse.Namespace) -> InputOptions:
    """Return the input options of a command line."""
    return read_options(InputOptions, args)


def describe_option(name: str, value: Any) -> str:
    """Format an option as on a command line.

    >>> describe_option('filter', ['status=200', 'host=a.org'])
    '--filter status=200 --filter host=a.org'
    >>> describe_option('base_url', '')
    'no --base-url'
    """
    option = f'--{name.replace("_", "-")}'
    values = value if isinstance(value, list) else [value]
    words = [f'{option} {value}' for value in values if value not in (None, '')]
    return ' '.join(words) or f'no {option}'
