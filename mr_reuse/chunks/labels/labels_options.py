"""The options of `labels build`, `info`, `merge`, `subtract` and `export`."""

import argparse
from typing import Any, NamedTuple

from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
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


def add_import(commands: Any) -> None:
    """Add the subcommand `labels import`."""
    parser = commands.add_parser(
        'import',
        help='make a label file of a list of hashes',
        description='Make a label file of a list of hashes, one per line, such as the '
        'output of `labels export`. The words chunk, file or stop may stand before a '
        'hash. Without one, it is that of a chunk. The list has to be made with the '
        'options below, which nothing can verify.',
        example='labels import known.txt -o known.mrl',
    )
    parser.add_argument('list', metavar='LIST', help='a file with one hash per line')
    _add_result(parser)
    chunk_options.add_recipe(parser)
    parser.add_argument(
        '--min-len',
        type=values.parse_natural,
        default=100,
        metavar='N',
        help='chunks of at most N bytes are stop chunks, also those on the list, since '
        'it has no lengths. Default: %(default)s',
    )


class ImportOptions(NamedTuple):
    """The options of `labels import`."""

    list: str
    output: str
    force: bool
    min_len: int
    recipe: Recipe
    has_hash: bool  # whether the user named the digest


def read_import_options(args: argparse.Namespace) -> ImportOptions:
    """Return the options of a command line of `labels import`."""
    recipe = chunk_options.read_recipe(args)
    typed = args.list, args.output, args.force, args.min_len
    return ImportOptions(*typed, recipe, bool(args.hash))


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
