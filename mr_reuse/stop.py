"""Make and judge lists of stop chunks, which are everywhere and say nothing."""

import argparse
import sys
from typing import Any

from mr_reuse.chunks.labels import stop_evaluation, stop_lists
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.messages import put, say

A_LIST = f'hashes, one a line, or {values.A_LABEL_FILE}'


def parser() -> argparse.ArgumentParser:
    """The command line of stop."""
    made = Parser(
        description=__doc__,
        example='stop auto RUN -o short.txt\nstop eval short.txt by-hand.txt',
    )
    commands = made.add_subparsers(required=True, metavar='COMMAND', dest='command')
    for add in (add_eval, add_auto, add_share):
        add(commands)
    return made


def add_eval(commands: Any) -> None:
    """The command line of `stop eval`."""
    made = commands.add_parser(
        'eval',
        help='how well an automatic list agrees with one made by hand',
        description='Print how well an automatic list agrees with one made by hand.',
        example='stop eval short.txt by-hand.txt',
    )
    for name in ('auto', 'manual'):
        made.add_argument(name, metavar=name.upper(), help=A_LIST)


def add_auto(commands: Any) -> None:
    """The command line of `stop auto`."""
    made = commands.add_parser(
        'auto',
        help='the automatic list: the short ones of the widely copied chunks',
        description='Write a stop list of the widely copied chunks that are short: '
        'hash, copies and length, most copied first.',
        example='stop auto RUN -o short.txt',
    )
    made.add_argument('run', metavar='RUN', help='a run directory of discover')
    made.add_argument(
        '-o', '--output', metavar='LIST', help='where to. Default: standard output'
    )
    made.add_argument(
        '--shorter',
        type=values.natural,
        default=100,
        metavar='N',
        help='chunks of at most N bytes. Default: %(default)s',
    )
    add_threshold(made)
    made.add_argument('--force', action='store_true', help='replace what has that name')


def add_share(commands: Any) -> None:
    """The command line of `stop share`."""
    made = commands.add_parser(
        'share',
        help='how much of a run a list covers',
        description='Print which share of the chunks of a run is on a list.',
        example='stop share short.txt RUN',
    )
    made.add_argument('list', metavar='LIST', help=A_LIST)
    made.add_argument('run', metavar='RUN', help='a run directory of discover')
    add_threshold(made)


def add_threshold(made: argparse.ArgumentParser) -> None:
    """The option of the number of copies."""
    made.add_argument(
        '--threshold',
        type=values.natural,
        metavar='N',
        help="only chunks with more than N copies. Default: the run's threshold",
    )


@command
def main(args: list[str] | None = None) -> None:
    """The command: stop lists."""
    given = parser().parse_args(args)
    if given.command == 'eval':
        put(stop_evaluation.compare_lists(given.auto, given.manual))
        return
    counts = stop_lists.counts_of(given.run, given.threshold)
    if given.command == 'share':
        put(stop_evaluation.measure_coverage(given.list, counts, given.run))
        return
    with outputs.new(given.output, given.force) as stream:
        count = stop_lists.write_list(stream, counts, given.shorter)
    if given.output:
        say(f'{given.output}: {count:,} hashes')


if __name__ == '__main__':
    sys.exit(main())
