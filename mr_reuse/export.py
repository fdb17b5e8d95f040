"""Copy the tables of a run into Parquet, JSON Lines or CSV, for other programs."""

import argparse
import sys

from mr_reuse import storage
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine.record import load_record
from mr_reuse.messages import format_count, warn, write_stdout
from mr_reuse.tables import exporting, run_tables

EXAMPLES = """\
export RUN --format parquet
export RUN --format csv --table labels -o DIR
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(description=__doc__, example=EXAMPLES)
    line.add_argument('run', metavar='RUN', help='a run of discover or detect')
    line.add_argument(
        '--format',
        required=True,
        choices=exporting.FORMATS,
        help='format of the copies; parquet needs pyarrow',
    )
    line.add_argument(
        '-o', '--output', metavar='DIR', help='the folder for the copies. Default: RUN'
    )
    line.add_argument(
        '--table',
        action='append',
        metavar='NAME',
        help='copy only this table, such as labels; an option for each table',
    )
    line.add_argument('--force', action='store_true', help='replace existing copies')
    line.add_argument(
        '-q', '--quiet', action='store_true', help='no progress, no list of copies'
    )
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Copy all tables of a run, or those that are named. On an error, copy none."""
    options = parser().parse_args(args)
    record = load_record(options.run)
    write = exporting.import_writer(options.format)
    tables = exporting.choose_tables(options.run, options.table)
    folder = options.output or options.run
    copies = exporting.name_copies(tables, folder, options.format, options.force)
    if (
        tables.keys() & run_tables.tables_of_command('detect')
        and record.detect.rule is None
    ):
        why = 'the tables of detect were made with other labels; run detect again'
        warn(f'{options.run}: {why}')
    storage.make_dir(folder)
    counts = exporting.write_copies(copies, write, options.quiet)
    if not options.quiet:
        for copy, count in zip(copies, counts, strict=True):
            write_stdout(f'{copy.name}: {format_count(count, "row")}\n')


if __name__ == '__main__':
    sys.exit(main())
