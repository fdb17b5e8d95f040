"""Options that say what is read."""

import argparse

from mr_reuse.cli.values import positive
from mr_reuse.pages.filters import RECURSION


def add_inputs(parser: argparse.ArgumentParser, nargs: str = '+') -> None:
    """What is read."""
    group = parser.add_argument_group('input')
    group.add_argument(
        'inputs',
        nargs=nargs,
        metavar='INPUT',
        help='WARC, ARC or WET files, gzipped or not; folders and globs of those; a '
        'folder of HTML files; a text file with such names',
    )
    group.add_argument(
        '--base-url',
        default='',
        metavar='URL',
        help='what is put in front of the names in a list',
    )
    group.add_argument(
        '--limit', type=positive, metavar='N', help='read only the first N inputs'
    )
    group.add_argument(
        '--filter',
        action='append',
        default=[],
        metavar='KIND=VALUE',
        help='only records with this status=, type=, host= or prefix= (may be given '
        'several times; values of one kind are alternatives: status=200,404)',
    )
    group.add_argument(
        '--recursion',
        choices=RECURSION,
        default='length',
        help='leave out the URLs of crawler loops: paths of more than 96 components '
        '(length), or with repeated components. Default: %(default)s',
    )
