"""Print a chunk or a page from the archive it was found in, or what a site has copied.

With --where print which pages have a chunk, or are a file.

The bytes are read from the archive by offset, and hash to the key. What they are and
where they are from is told on standard error. On a terminal, what is hidden in them or
turns letters around stands as a number; elsewhere bytes stay bytes.
"""

import argparse
import sys

from mr_reuse.chunks import evidence, run_lookup
from mr_reuse.chunks.detect import copied_chunks, copies
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
"""


def parser() -> argparse.ArgumentParser:
    """The command line of show."""
    line = Parser(description=__doc__, example=EXAMPLES)
    line.add_argument('run', metavar='RUN', help='a run directory of discover')
    line.add_argument(
        'what',
        metavar='HASH|RID|PREFIX',
        help='the hash of a chunk or a file (of a label, six digits are enough), '
        'a page as ARCHIVE:OFFSET, or a neighborhood, as detect lists it or by a URL',
    )
    line.add_argument(
        '--where',
        action='store_true',
        help='not the bytes, but all pages that have them: copies, date, URL, rid',
    )
    line.add_argument('-q', '--quiet', action='store_true', help='only the bytes')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """The command: evidence for a finding."""
    options = parser().parse_args(args)
    run, name, record = options.run, options.what, load_complete(options.run)
    if run_lookup.is_hash(name):
        digest = run_lookup.full_digest(run, record, name)
        if options.where:
            for line in copies.table(record.pages, digest):
                write_stdout(line)
            return
        found = evidence.of_digest(run, record, digest)
    elif options.where:
        raise UsageError(f'{name}: --where wants the hash of a chunk or a file')
    elif prefix := run_lookup.prefix_of(name, record.paths):
        write_stdout(copied_chunks.text(copied_chunks.Matches(run, record), prefix))
        return
    else:
        found = evidence.of_page(record, name)
    for note in () if options.quiet else found.notes:
        say(make_visible(note))
    evidence.write(found.blocks, found.rid)


if __name__ == '__main__':
    sys.exit(main())
