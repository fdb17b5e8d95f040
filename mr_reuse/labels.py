"""Make label files of known content or hashes; describe, combine and export them."""

import argparse
import sys

from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.labels import building, label_sets, labels_options, printing
from mr_reuse.cli import outputs
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(
        description=__doc__,
        example='labels build wikipedia/ -o known.mrl\nlabels info known.mrl',
    )
    commands = line.add_subparsers(required=True, metavar='COMMAND', dest='command')
    labels_options.add_build(commands)
    labels_options.add_info(commands)
    labels_options.add_merge(commands)
    labels_options.add_subtract(commands)
    labels_options.add_export(commands)
    labels_options.add_import(commands)
    return line


@command
def main(args: list[str] | None = None) -> int | None:
    """Run the subcommand of a command line."""
    options = parser().parse_args(args)
    match options.command:
        case 'build':
            outputs.refuse_existing(options.output, options.force)
            return building.build(chunk_options.read_discover_options(options))
        case 'info':
            printing.print_header(options.labels, options.json)
        case 'merge':
            label_sets.merge(options.labels, options.output, options.force)
        case 'subtract':
            files = options.labels, options.others
            label_sets.subtract(*files, options.output, options.force)
        case 'import':
            label_sets.import_list(labels_options.read_import_options(options))
        case 'export':
            printing.export(labels_options.read_export_options(options))
    return None


if __name__ == '__main__':
    sys.exit(main())
