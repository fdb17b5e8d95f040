"""The options of `stop eval`, `auto` and `share`."""

import argparse
from typing import Any

from mr_reuse.cli import values

A_LIST = f'hashes, one a line, or {values.A_LABEL_FILE}'


def add_eval(commands: Any) -> None:
    """The command line of `stop eval`."""
    parser = commands.add_parser(
        'eval',
        help='how well an automatic list agrees with one made by hand',
        description='Print how well an automatic list agrees with one made by hand.',
        example='stop eval short.txt by-hand.txt',
    )
    for name in ('auto', 'manual'):
        parser.add_argument(name, metavar=name.upper(), help=A_LIST)


def add_auto(commands: Any) -> None:
    """The command line of `stop auto`."""
    parser = commands.add_parser(
        'auto',
        help='the automatic list: the short ones of the widely copied chunks',
        description='Write a stop list of the widely copied chunks that are short: '
        'hash, copies and length, most copied first.',
        example='stop auto RUN -o short.txt',
    )
    parser.add_argument('run', metavar='RUN', help='a run directory of discover')
    parser.add_argument(
        '-o', '--output', metavar='LIST', help='where to. Default: standard output'
    )
    parser.add_argument(
        '--shorter',
        type=values.parse_natural,
        default=100,
        metavar='N',
        help='chunks of at most N bytes. Default: %(default)s',
    )
    _add_threshold(parser)
    parser.add_argument(
        '--force', action='store_true', help='replace what has that name'
    )


def add_share(commands: Any) -> None:
    """The command line of `stop share`."""
    parser = commands.add_parser(
        'share',
        help='how much of a run a list covers',
        description='Print which share of the chunks of a run is on a list.',
        example='stop share short.txt RUN',
    )
    parser.add_argument('list', metavar='LIST', help=A_LIST)
    parser.add_argument('run', metavar='RUN', help='a run directory of discover')
    _add_threshold(parser)


def _add_threshold(parser: argparse.ArgumentParser) -> None:
    """The option that replaces the threshold of the run."""
    parser.add_argument(
        '--threshold',
        type=values.parse_natural,
        metavar='N',
        help="only chunks with more than N copies. Default: the run's threshold",
    )
