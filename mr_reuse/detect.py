"""Find labeled chunks in pages, and neighborhoods that consist largely of them.

The steps are `chunk_steps.DETECT`. `chunk_steps.PAGES` precedes them unless a run has
hashed the pages already.
"""

import argparse
import sys

from mr_reuse.chunks import chunk_options
from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    BAD_PAGES,
    FILE_MATCHES,
    LABEL_COUNTS,
    NEIGHBORHOODS,
    ORIGINS,
    PAGES,
    PAIRS,
    PLACES,
)
from mr_reuse.chunks.detect import detect_options
from mr_reuse.chunks.detect.run import check_space, describe_work, detect
from mr_reuse.chunks.detect.work import plan_work
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import EXIT_CODES, Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import DONE
from mr_reuse.messages import write_stdout
from mr_reuse.pages import archives_options, input_options

EPILOG = f"""\
results in RUN:
  {BAD_NEIGHBORHOODS.file}  neighborhoods above the threshold, worst first
  {BAD_PAGES.file:<21}  the same for pages
  {NEIGHBORHOODS.file:<21}  all neighborhoods, with the number and share of labels
  {PAGES.file:<21}  all pages, with the number and share of labels
  {LABEL_COUNTS.file:<21}  the labels that occur, with their numbers of copies and hosts
  {PLACES.file:<21}  with --places: the pages that have each label
  {ORIGINS.file:<21}  the sites that share the most labels with each bad site
  {FILE_MATCHES.file:<21}  files that are labels as a whole
  {PAIRS.file:<21}  hosts that share at least ten chunks, unless RUN has it already
  stats.json             means, deviations, thresholds, histograms

{EXIT_CODES}
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(
        description='Find labeled chunks in pages, and bad neighborhoods: hosts and '
        'folders in which an unusually large share of the chunks are labels. Without '
        'INPUT, detect searches the pages of RUN without hashing them again. INPUT may '
        'also be another run.',
        example='detect crawl/*.warc.gz -l known.mrl -o RUN',
        epilog=EPILOG,
    )
    input_options.add_input_options(line, nargs='*')
    archives_options.add_archives(line)
    run_options.add_run(line)
    chunk_options.add_captures(line, 'those of RUN, or first with INPUT')
    detect_options.add_matching(line)
    detect_options.add_facts(line)
    detect_options.add_thresholds(line)
    chunk_options.add_pairs(line, 'that of RUN, otherwise host')
    return line


@command
def main(args: list[str] | None = None) -> int:
    """Run the command: labels and pages in, bad neighborhoods out."""
    options = detect_options.read_detect_options(parser().parse_args(args))
    work = plan_work(options)
    if options.run.dry_run:
        write_stdout(describe_work(work))
        return DONE
    check_space(work)
    with raise_interrupts(), RunDir(options.run.output, options.run.force) as run:
        return detect(Chain(run, options.run, work.declared), work)


if __name__ == '__main__':
    sys.exit(main())
