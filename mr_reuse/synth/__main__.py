"""Write a crawl with planted copies, and a key that says what was planted.

The same options give the same pages on every machine, so a crawl need not be kept: its
command line is enough. (Only the compressed bytes depend on the compression libraries.)
DIR gets crawl-00000.warc.gz, crawl-00001.warc.gz, ..., key.tsv and sites.tsv.

Most of the crawl is honest: sites with templates, whose pages are for the greater part
their own. Planted are, each in more than ten copies, slowly more in larger crawls:

  farm         chunks of a link farm: the subtree ~deals/ of members.webring.example
               holds little else (>90 % of its chunks), its neighbours ~anna/, ~oskar/
               and ~ruth/ are honest; from 2 GB on there are more such hosts
  mirror       paragraphs of the articles of www.openlore.example, copied by sites
               named *-lore-*.example with chunks of kind `ad` in between
  ring         products of www.fernshop.example, copied by eight sites named
               *-outlet-*.example; each links to the next one, every fourth to all
  file         files that many hosts serve byte for byte (a parked domain, an error
               page, robots.txt); `filechunk` are the chunks in them
  hot          a cookie notice and a licence, each on a great share of all pages
  boilerplate  chunks of at most 100 bytes, such as <p>&nbsp;</p>, everywhere
  template     what the pages of one honest site share: as many copies as it has use for
  nested       only with --hostile: <div> in <div> in <div>

key.tsv has a row for each of these that occurs more than once:

  kind  sha1  length  copies  pages  hosts  first_url

`copies`, `pages` and `hosts` are exact counts over the whole crawl, damaged records
included. A chunk is what lies between one `<p` or `<div` (followed by white space, `/`
or `>`) and the next, the tag belonging to the chunk it starts; rows of kind `file` are
about whole pages. A WET file has plain text and hence one chunk a page: its key has
rows of kind `file` only.

sites.tsv says of mirrors, of the ring, and of the two that they copied:

  site  copied_from  first_captured  links_to

Captures are in the order of their dates, over half a year. www.openlore.example comes
in the first five days, its mirrors a month to five months later. The shop and three
sites of the ring come in one night, the others weeks later; one of them comes hours
before the shop, so that its date says the contrary of the truth.

--damage breaks about one record in 200 and cuts the last archive off; damage.tsv says
where: archive, offset, kind, url. Kinds are flip (a byte in a gzip member), checksum,
cut, junk and zeros (in front of a record), length-short and length-long (the record
declares 20 bytes less or 200 more than it has), and cut-end.

--hostile adds pages that try to break a reader: addresses of 96, 97 and 300 components,
with spaces and with a line feed; 100,000 nested <div>; NULs; wrong charsets; a chunk of
5 MB; no body; a picture; all content encodings, a bomb, and encodings that lie; a trap
for crawlers. All are on hostile.example, and --size does not count them.
"""

import argparse
import sys
from pathlib import Path

from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.cli.values import natural
from mr_reuse.messages import say
from mr_reuse.synth import synth_options, writing
from mr_reuse.synth.records import FORMATS


def parser() -> argparse.ArgumentParser:
    """The command line of synth."""
    line = Parser(description=__doc__, example='synth -o CRAWL --size 20MB')
    add = line.add_argument
    add(
        '-o', '--output', metavar='DIR', type=Path, required=True, help='where to write'
    )
    add(
        '--size',
        type=synth_options.crawl_size,
        default='5MB',
        metavar='SIZE',
        help='of all bodies, 1MB to 100GB. Default: %(default)s',
    )
    add(
        '--seed',
        type=natural,
        default=1,
        metavar='N',
        help='another seed, another crawl. Default: %(default)s',
    )
    add(
        '--archives',
        type=synth_options.archive_count,
        metavar='N',
        help='how many. Default: one for 100 MB',
    )
    add(
        '--format',
        choices=FORMATS,
        default='warc',
        help='of the archives. Default: %(default)s',
    )
    add('--plain', action='store_true', help='write archives that are not gzipped')
    add('--damage', action='store_true', help='break some records; see damage.tsv')
    add('--hostile', action='store_true', help='add pages that try to break a reader')
    add('--force', action='store_true', help='write to DIR though it is not empty')
    add('-q', '--quiet', action='store_true', help='say nothing but errors')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """The command: from options to a crawl."""
    options = synth_options.synth_options_of(parser().parse_args(args))
    crawl = writing.write(options)
    if not options.quiet:
        say(writing.summarize(options, crawl))


if __name__ == '__main__':
    sys.exit(main())
