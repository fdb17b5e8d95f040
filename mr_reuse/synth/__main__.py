"""Write a crawl with planted copies, and tables that list these copies.

The same options produce the same pages on every machine, so a crawl need not be kept:
its command line is enough. Only the compressed bytes depend on the compression
libraries. The files in DIR are crawl-00000.warc.gz, crawl-00001.warc.gz, and so on,
key.tsv and sites.tsv.

Most sites of the crawl are honest: apart from their templates, their content is
original. The planted chunks and files have more than ten copies each. In larger crawls
the number grows slowly. They are of these kinds:

  farm         chunks of a link farm: the subtree ~deals/ of members.webring.example
               contains little else (>90 % of its chunks); its neighbors ~anna/, ~oskar/
               and ~ruth/ are honest; crawls of 2 GB or more have several such hosts
  mirror       paragraphs of the articles of www.openlore.example, copied by sites
               named *-lore-*.example, with chunks of kind `ad` in between
  ring         products of www.fernshop.example, copied by eight sites named
               *-outlet-*.example; each links to the next one, every fourth to all
  file         files that are identical on many hosts (a parked domain, an error page,
               robots.txt); the chunks in them are of kind `filechunk`
  hot          a cookie notice and a license, both on a large share of all pages
  boilerplate  chunks of at most 100 bytes, such as <p>&nbsp;</p>, on many pages
  template     chunks that the pages of one honest site share, in any number of copies
  nested       chunks of nested <div>, only with --hostile

key.tsv has a row for each of these chunks and files with two or more copies:

  kind  sha1  length  copies  pages  hosts  first_url

`copies`, `pages` and `hosts` are exact counts over the whole crawl, including damaged
records. A chunk begins with a tag `<p` or `<div` (followed by white space, `/` or `>`)
and ends before the next one. Rows of kind `file` are about whole files. The pages of a
WET file are plain text of one chunk, so key.tsv then has only rows of kind `file`.

sites.tsv lists the mirrors, the sites of the ring, and the two sites that they copied:

  site  copied_from  first_captured  links_to

Captures are in the order of their dates, over half a year. www.openlore.example is
captured in the first five days, and its mirrors one to five months later. The shop and
three sites of the ring are captured in one night, the other sites weeks later. One site
of the ring is captured hours before the shop, so its date is misleading.

--damage breaks about one record in 200 and truncates the last archive. damage.tsv lists
archive, offset, kind and url. The kinds are flip (a byte in a gzip member), checksum,
cut (a truncated record), junk and zeros (before a record), length-short and
length-long (the record declares 20 bytes less or 200 more than it has), and cut-end
(the end of the last archive is missing).

--hostile adds pages that are difficult to read: URLs with 96, 97 and 300 parts between
slashes, with spaces and with a line feed; 100,000 nested <div>; null bytes; wrong
charsets; a chunk of 5 MB; an empty body; a picture; all content encodings, false
encodings, and a gzip bomb (a few bytes that inflate to a large body); a trap for
crawlers, with longer and longer URLs. All are on hostile.example, and --size does not
count them.
"""

import argparse
import sys

from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.cli.values import parse_natural
from mr_reuse.messages import say
from mr_reuse.synth import synth_options, writing
from mr_reuse.synth.phrases.description import DESCRIPTION as PHRASES
from mr_reuse.synth.quilts.description import DESCRIPTION as QUILTS
from mr_reuse.synth.records import FORMATS
from mr_reuse.synth.styles.description import DESCRIPTION as STYLES


def parser() -> argparse.ArgumentParser:
    """Return the parser of `synth`."""
    about = f'{__doc__}{QUILTS}{PHRASES}{STYLES}'
    line = Parser(description=about, example='synth -o CRAWL --size 20MB')
    add = line.add_argument
    add(
        '-o',
        '--output',
        metavar='DIR',
        type=synth_options.output_folder,
        required=True,
        help='output folder',
    )
    add(
        '--size',
        type=synth_options.crawl_size,
        default='5MB',
        metavar='SIZE',
        help='total size of all bodies, 1MB to 100GB. Default: %(default)s',
    )
    add(
        '--seed',
        type=parse_natural,
        default=1,
        metavar='N',
        help='seed of the random content. Default: %(default)s',
    )
    add(
        '--archives',
        type=synth_options.archive_count,
        metavar='N',
        help='number of archives. Default: one per 100 MB',
    )
    add(
        '--format',
        choices=FORMATS,
        default='warc',
        help='format of the archives. Default: %(default)s',
    )
    add('--plain', action='store_true', help='do not gzip the archives')
    add('--damage', action='store_true', help='damage some records; see damage.tsv')
    add('--hostile', action='store_true', help='add pages that are difficult to read')
    add('--quilts', action='store_true', help='add quilted pages; see quilts.tsv')
    add('--phrases', action='store_true', help='add pages with common phrases')
    add('--styles', action='store_true', help='add pages of common templates')
    add('--force', action='store_true', help='write to DIR even if it is not empty')
    add('-q', '--quiet', action='store_true', help='print only errors')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """The `synth` command: write a crawl."""
    options = synth_options.read_synth_options(parser().parse_args(args))
    crawl = writing.write(options)
    if not options.quiet:
        say(writing.summarize(options, crawl))


if __name__ == '__main__':
    sys.exit(main())
