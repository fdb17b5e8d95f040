"""The options of `labels build`, `info`, `merge`, `subtract` and `export`."""

import argparse
from typing import Any, NamedTuple

from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.labels import label_files
from mr_reuse.cli import outputs, values
from mr_reuse.cli.parser import EXIT_CODES, read_options
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
    """Add the subcommand `labels build`."""
    parser = commands.add_parser(
        'build',
        help='label every chunk and file of known content',
        description='Label every chunk and every file of known content. The steps are '
        'in the folder X.mrl.run. After an interruption, the same command continues.',
        example='labels build wikipedia/ -o known.mrl',
        epilog=EXIT_CODES,
    )
    input_options.add_input_options(parser)
    run_options.add_run(parser, 'X.mrl', 'the label file to make')
    chunk_options.add_recipe(parser)
    chunk_options.add_stops(parser.add_argument_group('labels'))


def add_info(commands: Any) -> None:
    """Add the subcommand `labels info`."""
    parser = commands.add_parser(
        'info',
        help='print the contents and the recipe of a label file',
        description='Print the numbers of labels in a label file, and its recipe.',
        example='labels info known.mrl',
    )
    _add_label_file(parser)
    parser.add_argument('--json', action='store_true', help='print a JSON object')


def add_merge(commands: Any) -> None:
    """Add the subcommand `labels merge`."""
    parser = commands.add_parser(
        'merge',
        help='combine all labels of several label files',
        description='Make a label file of all labels and all stop chunks of several '
        'label files. A chunk that is a label in one file and a stop chunk in another '
        'is both in the result.',
        example='labels merge a.mrl b.mrl -o both.mrl',
    )
    _add_label_file(parser, nargs='+')
    _add_result(parser)


def add_subtract(commands: Any) -> None:
    """Add the subcommand `labels subtract`."""
    parser = commands.add_parser(
        'subtract',
        help='remove the labels of another file',
        description='Make a label file of the labels of A that are not in B as a '
        'chunk, a file or a stop chunk. The stop chunks of A are kept.',
        example='labels subtract a.mrl b.mrl -o rest.mrl',
    )
    _add_label_file(parser, metavar='A.mrl')
    parser.add_argument(
        'others',
        metavar='B',
        help=f'{values.A_LABEL_FILE}, or a file with one hash per line',
    )
    _add_result(parser)


def add_export(commands: Any) -> None:
    """Add the subcommand `labels export`."""
    parser = commands.add_parser(
        'export',
        help='print the hashes of a label file as text',
        description='Print the hashes of a label file, one per line. A line has the '
        'kind (chunk, file or stop), a tab, and the hash.',
        example='labels export known.mrl -o known.txt',
    )
    _add_label_file(parser)
    outputs.add_output(parser)
    parser.add_argument(
        '--kind',
        choices=label_files.KINDS,
        action='append',
        help='print only hashes of this kind (may be repeated)',
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument('--plain', action='store_true', help='print only the hashes')
    form.add_argument(
        '--format',
        choices=('text', 'json'),
        default='text',
        help='Default: %(default)s',
    )
    outputs.add_force(parser)


def read_export_options(args: argparse.Namespace) -> ExportOptions:
    """Return the options of a command line of `labels export`."""
    return read_options(ExportOptions, args)


def _add_result(parser: argparse.ArgumentParser) -> None:
    """Add the options for the label file that a subcommand makes."""
    parser.add_argument(
        '-o', '--output', required=True, metavar='X.mrl', help='the label file to make'
    )
    outputs.add_force(parser)


def _add_label_file(parser: argparse.ArgumentParser, **details: Any) -> None:
    """Add the argument for the label file, or the label files, to read."""
    details = {'metavar': 'X.mrl', **details}
    parser.add_argument('labels', help=values.A_LABEL_FILE, **details)
