"""Print a chunk or a page from its archive, or what sites have in common.

Two sites stand for the chunks that they share: show lists the longest, with the first
capture on each site. For one site it lists the sites that share chunks with it.

A URL stands for its page: show lists its captures, its labels, and other hosts that
have them. For a neighborhood it lists the labels with the most copies, each with the
number of other hosts that have it. Both need the results of detect.

In a run of quilts, a rid or a URL may stand for a quilted page: show prints its text.
Each patch is in brackets, with the number and the colour of its source, and a table of
the sources follows.

In a run of phrases, a rid or a URL may stand for a near-duplicate: show prints the
document that is kept, the resemblance of the two, the pairs of near-duplicates between
them, and the first words that differ. Of any other document it prints the text, with
the popular phrases of its sample in brackets, each with its number of documents, and a
covering set: documents that together have these phrases.

In a run of styles, a number stands for a style: show prints the features that its
pages share, the markup that is common to them, its prototype, some pages, and its
domains. (style:NUMBER stands for it as well, and has to be used from 100000 on.) Of a
page it prints the style, and the documents that are most like it.

A page that is quilted is shown by its patches, and any other page by its chunks. If
the run has none, a near-duplicate is shown by its class, a page of a style by its
style, and any other page by quilts before phrases before styles. --as chooses another
view.

With --where, list all captures that have a chunk or are a file, the earliest first.

The bytes are read from the archive by offset, and their hash is checked. If the archive
was moved, --archives names the folder where it is now. Hash, URL, date and rid are
written to standard error. On a terminal, control characters and
characters that change the direction of text appear as numbers. Otherwise the bytes are
written unchanged.
"""

import argparse
import sys

from mr_reuse.chunks import evidence
from mr_reuse.chunks.profiles import views
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.cli.values import parse_positive
from mr_reuse.engine.record import load_complete
from mr_reuse.errors import UsageError
from mr_reuse.messages import make_visible, say, write_stdout
from mr_reuse.pages import archives_options, moved_archives
from mr_reuse.pages.documents.showing import choice, terminal
from mr_reuse.phrases.showing import page_view as phrase_view
from mr_reuse.quilts.showing import page_view as quilt_view
from mr_reuse.styles.showing import page_view as style_view

EXAMPLES = """\
show RUN 9fbeaff55fc7
show RUN 9fbeaff55fc7 --where
show RUN crawl/a.warc.gz:283624
show RUN a.org b.org
show RUN members.webring.example/~deals/
show RUN http://members.webring.example/~deals/1.html
show RUN http://drum-patch.example/ --as quilts
show RUN crawl/a.warc.gz:283624 --as phrases
show RUN 3
show RUN http://drum-patch.example/ --as styles
"""
SYSTEMS = (quilt_view.VIEW, phrase_view.VIEW, style_view.VIEW)  # beside chunks
DEFAULT_TOP, MAX_TOP = 20, 10_000  # chunks or sites to list


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(description=__doc__, example=EXAMPLES)
    line.add_argument('run', metavar='RUN', help='a run directory')
    line.add_argument(
        'what',
        metavar='HASH|RID|PREFIX|URL|STYLE',
        help='the hash of a chunk or a file (for a label, six digits are enough), '
        'a page as ARCHIVE:OFFSET, or a neighborhood: a URL prefix as in the tables of '
        'detect; or the URL of a page; or the number of a style',
    )
    line.add_argument(
        'other',
        metavar='SITE',
        nargs='?',
        help='another site, to list the chunks that both have',
    )
    line.add_argument(
        '--top',
        type=parse_positive,
        default=DEFAULT_TOP,
        metavar='N',
        help='number of chunks that two sites share to list, or of sites that share '
        'chunks with a site. Default: %(default)s',
    )
    line.add_argument(
        '--where',
        action='store_true',
        help='list all captures with this hash (copies, date, URL, rid), searched or '
        'not, and not the bytes',
    )
    line.add_argument(
        '--as',
        dest='view',
        choices=(choice.CHUNKS, *(view.system for view in SYSTEMS)),
        help='show a page by its chunks, its patches, its phrases, or its style. '
        'Default: see above',
    )
    archives_options.add_archives(line)
    line.add_argument('-q', '--quiet', action='store_true', help='print only the bytes')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Run the command: a hash, rid or prefix in, its evidence out."""
    options = parser().parse_args(args)
    if options.top > MAX_TOP:
        raise UsageError(f'--top {options.top}: at most {MAX_TOP:,}; the table has all')
    run = options.run
    record = moved_archives.find_moved(load_complete(run), options.archives)
    names = [name for name in (options.what, options.other) if name is not None]
    asked = [*names, '--where'] if options.where else names
    if view := choice.choose_view(SYSTEMS, run, record, asked, options.view):
        style = terminal.find_style()
        terminal.print_lines(view.list_page(run, record, names[0], style))
        return
    if view := views.describe(run, record, names, options.where, options.top):
        for text in view.lines:
            write_stdout(text)
        if (note := view.make_note()) and not options.quiet:
            say(note)
        return
    shown = views.find_bytes(run, record, options.what)
    for note in () if options.quiet else shown.notes:
        say(make_visible(note))
    evidence.write_blocks(shown.blocks, shown.rid)


if __name__ == '__main__':
    sys.exit(main())
