"""Find quilted pages: the steps `quilt_steps.FIND`."""

import sys

from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser
from mr_reuse.engine import run_options
from mr_reuse.errors import DONE
from mr_reuse.messages import write_stdout
from mr_reuse.pages import input_options
from mr_reuse.pages.documents.searching import run_search
from mr_reuse.quilts import quilt_options, summary
from mr_reuse.quilts.quilt_tables import (
    QUILT_SHARES,
    QUILT_SITES,
    QUILT_SOURCES,
    QUILTS,
)
from mr_reuse.quilts.run import find_quilts, plan_search
from mr_reuse.quilts.sweep import sweep
from mr_reuse.quilts.sweep_options import SWEEP, read_sweep_options, sweep_parser

EPILOG = f"""\
results in RUN:
  {QUILTS.file:<18} quilted pages, those with most sources first
  {QUILT_SOURCES.file:<18} the sources of each
  {QUILT_SHARES.file:<18} documents by their share of patch grams
  {QUILT_SITES.file:<18} hosts with quilts, and the hosts of their sources

{EXIT_CODES}
"""


def parser() -> Parser:
    """Return the parser of the command line."""
    line = Parser(
        description='Find pages that are stitched together from other pages. A gram is '
        'a sequence of 5 words. A patch gram is one that a few other pages have as '
        'well. A page is quilted if half of its grams are patch grams, and if it takes '
        'at least 4 other pages to find them all. Without INPUT, quilts reads the '
        'inputs of RUN.',
        example='quilts crawl/*.warc.gz -o RUN',
        epilog=EPILOG,
    )
    input_options.add_input_options(line, nargs='*')
    run_options.add_run(line)
    quilt_options.add_quilt_options(line)
    line.others[SWEEP] = sweep_parser()
    return line


@command
def main(args: list[str] | None = None) -> int:
    """Run the command: archives in, quilts out."""
    args = sys.argv[1:] if args is None else args
    if args[:1] == [SWEEP]:
        parsed = sweep_parser().parse_args(args[1:])
        name = sweep(read_sweep_options(parsed))
        if not parsed.quiet:
            write_stdout(f'{name}\n')
        return DONE
    options = quilt_options.read_quilt_options(parser().parse_args(args))
    search = plan_search(options)
    return run_search(search, summary.format_dry_run, find_quilts)


if __name__ == '__main__':
    sys.exit(main())
