"""Print a chunk or a page from its archive, or the labels that a site has copied.

A URL stands for its page: show lists its captures, its labels, and other hosts that
have them. For a neighborhood it lists the labels with the most copies, each with the
number of other hosts that have it.

With --where, list all pages that have a chunk, or all captures of a file.

The bytes are read from the archive by offset, and their hash is checked. Their hash,
URL, date and rid are written to standard error. On a terminal, control characters and
characters that change the direction of text appear as numbers. Otherwise the bytes are
written unchanged.
"""

import argparse
import sys

from mr_reuse.chunks import evidence, run_lookup
from mr_reuse.chunks.detect import copied_chunks, copies
from mr_reuse.chunks.profiles import page_profile
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine.record import load_complete
from mr_reuse.errors import UsageError
from mr_reuse.messages import make_visible, say, write_stdout

EXAMPLES = """\
show RUN 9fbeaff55fc7
show RUN 9fbeaff55fc7 --where
show RUN crawl/a.warc.gz:283624
show RUN members.webring.example/~deals/
show RUN http://members.webring.example/~deals/1.html
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(description=__doc__, example=EXAMPLES)
    line.add_argument('run', metavar='RUN', help='a run directory of discover')
    line.add_argument(
        'what',
        metavar='HASH|RID|PREFIX|URL',
        help='the hash of a chunk or a file (for a label, six digits are enough), '
        'a page as ARCHIVE:OFFSET, or a neighborhood: a URL prefix as in the tables of '
        'detect; or the URL of a page',
    )
    line.add_argument(
        '--where',
        action='store_true',
        help='list all pages with this hash (copies, date, URL, rid), not the bytes',
    )
    line.add_argument('-q', '--quiet', action='store_true', help='print only the bytes')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Run the command: a hash, rid or prefix in, its evidence out."""
    options = parser().parse_args(args)
    run, name, record = options.run, options.what, load_complete(options.run)
    if run_lookup.is_hash(name):
        digest = run_lookup.find_full_digest(run, record, name)
        if options.where:
            for line in copies.format_table(record.pages, digest):
                write_stdout(line)
            if record.passed_over and not options.quiet:
                say(
                    f'these are all captures; --captures {record.kept_captures} counts '
                    'one of each URL'
                )
            return
        shown = evidence.find_evidence(run, record, digest)
    elif options.where:
        raise UsageError(f'{name}: not a hash; give --where a hash')
    elif url := run_lookup.resolve_url(name, record.paths):
        for line in page_profile.describe_page(run, record, url):
            write_stdout(line)
        return
    elif prefix := run_lookup.resolve_prefix(name, record.paths):
        write_stdout(
            copied_chunks.format_profile(copied_chunks.Matches(run, record), prefix)
        )
        return
    else:
        shown = evidence.find_page(record, name)
    for note in () if options.quiet else shown.notes:
        say(make_visible(note))
    evidence.write_blocks(shown.blocks, shown.rid)


if __name__ == '__main__':
    sys.exit(main())
