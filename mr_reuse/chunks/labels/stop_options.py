"""The options of `stop eval`, `auto` and `share`."""

import argparse
from typing import Any

from mr_reuse.cli import outputs, values

A_LIST = f'a file with one hash per line, or {values.A_LABEL_FILE}'


def add_eval(commands: Any) -> None:
    """Add the subcommand `stop eval`."""
    parser = commands.add_parser(
        'eval',
        help='compare an automatic list with a list made by hand',
        description='Print the precision and recall of an automatic list, compared '
        'with a list made by hand.',
        example='stop eval short.txt by-hand.txt',
    )
    for name in ('auto', 'manual'):
        parser.add_argument(name, metavar=name.upper(), help=A_LIST)


def add_auto(commands: Any) -> None:
    """Add the subcommand `stop auto`."""
    parser = commands.add_parser(
        'auto',
        help='write the automatic list: widely copied chunks that are short',
        description='Write a stop list of the widely copied chunks that are short. Its '
        'columns are hash, copies and length; the most copied chunk is first.',
        example='stop auto RUN -o short.txt',
    )
    _add_run(parser)
    outputs.add_output(parser, 'LIST')
    parser.add_argument(
        '--shorter',
        type=values.parse_natural,
        default=100,
        metavar='N',
        help='list only chunks of at most N bytes. Default: %(default)s',
    )
    _add_threshold(parser)
    outputs.add_force(parser)


def add_share(commands: Any) -> None:
    """Add the subcommand `stop share`."""
    parser = commands.add_parser(
        'share',
        help='print the share of the chunks of a run that are on a list',
        description='Print the share of the chunks of a run that are on a list.',
        example='stop share short.txt RUN',
    )
    parser.add_argument('list', metavar='LIST', help=A_LIST)
    _add_run(parser)
    _add_threshold(parser)


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('run', metavar='RUN', help='a run directory of discover')


def _add_threshold(parser: argparse.ArgumentParser) -> None:
    """Add the option that replaces the threshold of the run."""
    parser.add_argument(
        '--threshold',
        type=values.parse_natural,
        metavar='N',
        help="use only chunks with more than N copies. Default: the run's threshold",
    )
