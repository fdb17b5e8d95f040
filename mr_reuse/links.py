"""Find the links among the bad sites of a run, and the rings of these links."""

import argparse
import sys

from mr_reuse.chunks.chunk_tables import LINKS, LINKS_UNREAD, RINGS
from mr_reuse.chunks.detect import link_step, link_tables
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.record import load_complete
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import DAMAGED, DONE, UserError
from mr_reuse.messages import say, warn, write_stdout
from mr_reuse.pages import archives_options, moved_archives
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import tables_of_command

EPILOG = f"""\
results in RUN:
  {LINKS.file:<16}  pairs of bad sites, with the numbers of links and of pages
  {RINGS.file:<16}  the sites of each ring, the largest ring first
  {LINKS_UNREAD.file}  missing archives with pages of bad sites, if there are any
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(
        description='Find the links among the bad sites of a run of detect, and the '
        'rings. In a ring, links lead from each site to all others, directly or '
        'through other sites of the ring.',
        example='links RUN',
        epilog=EPILOG,
    )
    line.add_argument('output', metavar='RUN', help='run directory of detect')
    run_options.add_runner(line)
    archives_options.add_archives(line)
    line.add_argument('-q', '--quiet', action='store_true', help='print no summary')
    return line


@command
def main(args: list[str] | None = None) -> int:
    """Run the command: bad sites in, tables of links and rings out."""
    parsed = parser().parse_args(args)
    options = run_options.read_run_options(parsed)
    record = moved_archives.find_moved(load_complete(options.output), parsed.archives)
    if not record.detect.matches:
        raise UserError(
            f'{options.output}: has no result of detect; run detect on it first'
        )
    with raise_interrupts(), RunDir(options.output) as run:
        chain = Chain(run, options)
        plan = link_step.plan_links(chain, record)
        moved_archives.warn_of_changes(record)
        # Tables are kept if they have links of archives that are missing now.
        has_more = not plan.unread.keys() <= link_tables.read_unread(run)
        if has_more and link_tables.has_links(run):
            warn(link_tables.describe_unread(run, plan.unread, is_kept=True))
            return DAMAGED
        parts = link_step.find_links(chain, plan)
        before = link_tables.digest_tables(run)
        links = link_tables.write_links(run.join(LINKS.file), parts)
        rings = link_tables.write_rings(run.join(RINGS.file), links)
        link_tables.write_unread(run.join(LINKS_UNREAD.file), plan.unread)
        is_new = link_tables.digest_tables(run) != before
        removed = (
            derived.remove_stale(run.path, tables_of_command('links')) if is_new else []
        )
        if not options.quiet:
            summary = link_tables.summarize(run, len(links.pairs), rings)
            write_stdout(summary if plan.bad else link_tables.NO_BAD_SITES)
        for line in removed:
            say(line)
        if plan.unread:
            warn(link_tables.describe_unread(run, plan.unread, is_kept=False))
            return DAMAGED
        return DONE


if __name__ == '__main__':
    sys.exit(main())
