"""Make label files of known content, and look into them, join and change them."""

import argparse
import sys

from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.labels import building, label_commands, label_sets, printing
from mr_reuse.cli import outputs
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.cli.values import pick


def parser() -> argparse.ArgumentParser:
    """The command line of labels."""
    line = Parser(
        description=__doc__,
        example='labels build wikipedia/ -o known.mrl\nlabels info known.mrl',
    )
    commands = line.add_subparsers(required=True, metavar='COMMAND', dest='command')
    label_commands.add_build(commands)
    label_commands.add_info(commands)
    label_commands.add_merge(commands)
    label_commands.add_subtract(commands)
    label_commands.add_export(commands)
    return line


@command
def main(args: list[str] | None = None) -> int | None:
    """The command: label files."""
    options = parser().parse_args(args)
    match options.command:
        case 'build':
            outputs.must_be_new(options.output, options.force)
            return building.build(chunk_options.discover_options_of(options))
        case 'info':
            printing.print_header(options.labels, options.json)
        case 'merge':
            label_sets.merge(options.labels, options.output, options.force)
        case 'subtract':
            files = options.labels, options.others
            label_sets.subtract(*files, options.output, options.force)
        case 'export':
            printing.export(pick(printing.ExportOptions, options))
    return None


if __name__ == '__main__':
    sys.exit(main())
