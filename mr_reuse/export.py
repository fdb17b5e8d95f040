"""Copy the tables of a run into Parquet, JSON Lines or CSV, for other programs.

With `places`, first write places.tsv, the table of all pages that have each label,
unless RUN has it. Only this table is copied then, and --format may be left out.

With --annotation, write what the run has found of each host and of each URL. The files
annotation_hosts and annotation_urls can be joined with the indexes of Common Crawl.
"""

import argparse
import sys
from tempfile import TemporaryDirectory

from mr_reuse import storage
from mr_reuse.chunks import annotation
from mr_reuse.chunks.chunk_tables import PLACES
from mr_reuse.chunks.detect import found_table
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.record import load_complete, load_record
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import UsageError
from mr_reuse.messages import format_count, warn, write_stdout
from mr_reuse.tables import exporting, run_tables

EXAMPLES = """\
export RUN --format parquet
export RUN --format csv --table labels -o DIR
export RUN places
export RUN --annotation
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(description=__doc__, example=EXAMPLES)
    line.add_argument('output', metavar='RUN', help='a run directory')
    line.add_argument(
        'made',
        nargs='?',
        choices=(PLACES.name,),
        metavar=PLACES.name,
        help=f'write {PLACES.file}, after detect; a job lists the pages',
    )
    line.add_argument(
        '--format',
        choices=exporting.FORMATS,
        help='format of the copies; parquet needs pyarrow',
    )
    line.add_argument(
        '-o',
        '--output',
        dest='folder',
        metavar='DIR',
        help='the folder for the copies. Default: RUN',
    )
    chosen = line.add_mutually_exclusive_group()
    chosen.add_argument(
        '--table',
        action='append',
        metavar='NAME',
        help='copy only this table, such as labels; an option for each table',
    )
    chosen.add_argument(
        '--annotation',
        action='store_true',
        help='write only the annotations of hosts and URLs. Default of --format: '
        f'{annotation.FORMAT}',
    )
    line.add_argument('--force', action='store_true', help='replace existing copies')
    run_options.add_runner(line)
    line.add_argument(
        '-q', '--quiet', action='store_true', help='no progress, no list of copies'
    )
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Copy all tables of a run, or those that are named. On an error, copy none."""
    options = parser().parse_args(args)
    names = options.table
    form = options.format or (annotation.FORMAT if options.annotation else None)
    if options.made and options.annotation:
        raise UsageError(f'--annotation: cannot be combined with {options.made}')
    if not (options.made or form):
        raise UsageError('--format: missing; see --help')
    if options.made:
        choices = run_options.read_run_options(options)
        record = load_complete(options.output)
        with raise_interrupts(), RunDir(options.output) as run:
            done = found_table.write_missing_places(Chain(run, choices), record)
        if not options.quiet:
            write_stdout(f'{done}\n')
        if not form:
            return
        names = names or [options.made]
    record = load_record(options.output)
    write = exporting.import_writer(form)
    folder = options.folder or options.output
    with TemporaryDirectory() as scratch:
        tables = (
            annotation.name_tables(scratch)
            if options.annotation
            else exporting.choose_tables(options.output, names)
        )
        copies = exporting.name_copies(tables, folder, form, options.force)
        of_detect = tables.keys() & run_tables.tables_of_command('detect')
        if (of_detect or options.annotation) and record.detect.rule is None:
            why = 'the tables of detect were made with other labels; run detect again'
            warn(f'{options.output}: {why}')
        if options.annotation:
            annotation.write_tables(options.output, record, tables)
        storage.make_dir(folder)
        counts = exporting.write_copies(copies, write, options.quiet)
    if not options.quiet:
        for copy, count in zip(copies, counts, strict=True):
            write_stdout(f'{copy.name}: {format_count(count, "row")}\n')


if __name__ == '__main__':
    sys.exit(main())
