"""Find the widely copied chunks of a crawl: the steps `chunk_steps.DISCOVER`."""

import sys

from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.chunk_tables import FILE_LABELS, FREQUENCY, LABELS, PAIRS
from mr_reuse.chunks.discover import summary
from mr_reuse.chunks.discover.roc_options import ROC, RocOptions, roc_parser
from mr_reuse.chunks.discover.run import discover, plan_discover
from mr_reuse.chunks.pairs import sites
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser, read_options
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import DONE
from mr_reuse.messages import write_stdout
from mr_reuse.pages import input_options, planning

EPILOG = f"""\
results in RUN:
  {LABELS.file:<15}  widely copied chunks, most copied first, with examples
  {FILE_LABELS.file}  the same for whole files
  {FREQUENCY.file:<15}  numbers of chunks and files by number of copies
  {PAIRS.file:<15}  hosts that share at least ten chunks, and how much
  labels.mrl       the labels for programs

{EXIT_CODES}
"""


def parser() -> Parser:
    """Return the parser of the command line."""
    line = Parser(
        description='Find the widely copied chunks of a crawl, and the pages that have '
        'them. Each page is cut into chunks at every <p> and <div>. A chunk with more '
        'copies than a threshold is a label. Without INPUT, discover reads the inputs '
        'of RUN again, with the same options.',
        example='discover crawl/*.warc.gz -o RUN',
        epilog=EPILOG,
    )
    input_options.add_input_options(line, nargs='*')
    run_options.add_run(line)
    chunk_options.add_captures(line, 'first; all with --preset ccr2019')
    chunk_options.add_recipe(line)
    chunk_options.add_labels(line)
    chunk_options.add_pairs(line, sites.HOST)
    input_options.add_old_run_option(line)
    line.others[ROC] = roc_parser()
    return line


@command
def main(args: list[str] | None = None) -> int:
    """Run the command: archives in, labels out."""
    args = sys.argv[1:] if args is None else args
    if args[:1] == [ROC]:
        from mr_reuse.review import roc  # noqa: PLC0415 (no run needs it)

        parsed = roc_parser().parse_args(args[1:])
        return roc.print_curve(read_options(RocOptions, parsed))
    options = chunk_options.read_discover_options(parser().parse_args(args))
    labeling = plan_discover(options)
    if options.run.dry_run:
        write_stdout(summary.format_dry_run(labeling.plan, labeling.declared))
        return DONE
    summary.check_space(labeling.plan, labeling.declared)
    with raise_interrupts(), RunDir(options.run.output, options.run.force) as run:
        planning.claim_run(run, labeling.plan)
        chain = Chain(run, options.run, labeling.declared)
        return discover(chain, labeling, options.recorded)


if __name__ == '__main__':
    sys.exit(main())
