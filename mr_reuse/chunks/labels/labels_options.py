"""The options of `labels build`, `info`, `merge`, `subtract` and `export`."""

import argparse
from typing import Any, NamedTuple

from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.labels import label_text
from mr_reuse.cli import values
from mr_reuse.cli.parser import EXIT_CODES
from mr_reuse.engine import run_options
from mr_reuse.pages import input_options


class ExportOptions(NamedTuple):
    """The options of `labels export`."""

    labels: str
    output: str | None
    kind: list[str] | None
    plain: bool
    format: str
    force: bool


def add_build(commands: Any) -> None:
    """The command line of `labels build`."""
    parser = commands.add_parser(
        'build',
        help='label every chunk and file of known content',
        description='Label every chunk and every file of known content. What is done '
        'on the way is in X.mrl.run: after an interruption the same command goes on.',
        example='labels build wikipedia/ -o known.mrl',
        epilog=EXIT_CODES,
    )
    input_options.add_input_options(parser)
    run_options.add_run(parser, 'X.mrl', 'the label file to make')
    chunk_options.add_recipe(parser)
    chunk_options.add_stops(parser.add_argument_group('labels'))


def add_info(commands: Any) -> None:
    """The command line of `labels info`."""
    parser = commands.add_parser(
        'info',
        help='what a label file holds, and what made it',
        description='Print what a label file holds, and what made it.',
        example='labels info known.mrl',
    )
    parser.add_argument('labels', metavar='X.mrl', help=values.A_LABEL_FILE)
    parser.add_argument('--json', action='store_true', help='as a JSON object')


def add_merge(commands: Any) -> None:
    """The command line of `labels merge`."""
    parser = commands.add_parser(
        'merge',
        help='all labels of several label files',
        description='Make a label file of all labels and all stop chunks of some '
        'others. A chunk that is a label in one and a stop chunk in another is both '
        'in the result.',
        example='labels merge a.mrl b.mrl -o both.mrl',
    )
    parser.add_argument('labels', nargs='+', metavar='X.mrl', help=values.A_LABEL_FILE)
    _add_output(parser)


def add_subtract(commands: Any) -> None:
    """The command line of `labels subtract`."""
    parser = commands.add_parser(
        'subtract',
        help='labels without those of another file',
        description='Make a label file of the labels of A that are not in B, neither '
        'as a chunk, nor as a file, nor as a stop chunk. The stop chunks of A stay.',
        example='labels subtract a.mrl b.mrl -o rest.mrl',
    )
    parser.add_argument('labels', metavar='A.mrl', help=values.A_LABEL_FILE)
    parser.add_argument(
        'others', metavar='B', help=f'{values.A_LABEL_FILE}, or hashes, one a line'
    )
    _add_output(parser)


def add_export(commands: Any) -> None:
    """The command line of `labels export`."""
    parser = commands.add_parser(
        'export',
        help='the hashes of a label file as text',
        description='Print the hashes of a label file, a line each: chunk, file or '
        'stop, a tab, the hash.',
        example='labels export known.mrl -o known.txt',
    )
    parser.add_argument('labels', metavar='X.mrl', help=values.A_LABEL_FILE)
    parser.add_argument(
        '-o', '--output', metavar='FILE', help='where to. Default: standard output'
    )
    parser.add_argument(
        '--kind',
        choices=label_text.KINDS,
        action='append',
        help='only hashes of this kind (may be given several times)',
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument('--plain', action='store_true', help='only the hash on a line')
    form.add_argument(
        '--format', choices=('text', 'json'), default='text', help='Default: text'
    )
    parser.add_argument(
        '--force', action='store_true', help='replace what has that name'
    )


def export_options_of(args: argparse.Namespace) -> ExportOptions:
    """The options of a command line of `labels export`."""
    return values.options_of(ExportOptions, args)


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        '-o', '--output', required=True, metavar='X.mrl', help='the label file to make'
    )
    parser.add_argument(
        '--force', action='store_true', help='replace what has that name'
    )
