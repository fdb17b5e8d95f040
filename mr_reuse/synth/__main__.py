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
import contextlib
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TextIO

from tqdm import tqdm

from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.cli.values import natural
from mr_reuse.errors import UserError
from mr_reuse.messages import python, say
from mr_reuse.synth.archives import DAMAGE_HEADER, Archives
from mr_reuse.synth.crawl import Crawl
from mr_reuse.synth.key import KEY_HEADER, SITES_HEADER, rows
from mr_reuse.synth.records import FORMATS, texts
from mr_reuse.synth.schedule import SPAN

SMALLEST, LARGEST = 10**6, 10**11
BYTES_PER_ARCHIVE = 10**8
MOST_ARCHIVES = 100_000
UNITS = {'': 10**6, 'MB': 10**6, 'GB': 10**9}
OURS = re.compile(r'crawl-\d{5}\.(arc|warc|warc\.wet)(\.gz)?|(key|sites|damage)\.tsv')


@command
def main(args: list[str] | None = None) -> None:
    options = parser().parse_args(args)
    options.archives = options.archives or -(-options.size // BYTES_PER_ARCHIVE)
    with all_or_nothing(options.output, options.force) as folder:
        crawl = write(options, folder)
    if not options.quiet:
        say(summary(options, crawl))


def parser() -> argparse.ArgumentParser:
    made = Parser(description=__doc__, example='synth -o CRAWL --size 20MB')
    add = made.add_argument
    add(
        '-o', '--output', metavar='DIR', type=Path, required=True, help='where to write'
    )
    add(
        '--size',
        type=size_of,
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
        type=archives_of,
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
    return made


def size_of(text: str) -> int:
    """Bytes of a size as people type it.

    >>> size_of('20MB'), size_of('1.5 gb'), size_of('5')
    (20000000, 1500000000, 5000000)
    """
    found = re.fullmatch(r'(\d+(?:\.\d+)?) *(|MB|GB)', text.strip().upper(), re.ASCII)
    size = int(Fraction(found[1]) * UNITS[found[2]]) if found else 0
    if not SMALLEST <= size <= LARGEST:
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a size from 1MB to 100GB, such as 20MB'
        )
    return size


def archives_of(text: str) -> int:
    """A number of archives.

    >>> archives_of('12')
    12
    """
    if not (text.isdecimal() and 1 <= int(text) <= MOST_ARCHIVES):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a whole number from 1 to {MOST_ARCHIVES:,}'
        )
    return int(text)


def write(options: argparse.Namespace, folder: Path) -> Crawl:
    """Write archives, key and, if wanted, the list of damage."""
    with contextlib.ExitStack() as stack:
        damage = None
        if options.damage:
            damage = stack.enter_context(text_file(folder / 'damage.tsv'))
            damage.write(DAMAGE_HEADER)
        form, gzipped = FORMATS[options.format], not options.plain
        archives = Archives(folder, form, gzipped, options.seed, damage)
        stack.callback(archives.close)
        # what finished sites shared comes in while the rest is still being counted
        finished = stack.enter_context(text_file(folder / 'finished.tsv'))
        crawl = Crawl(options.seed, options.size, finished.writelines, options.hostile)
        write_archives(options, crawl, archives)
    write_key(folder, crawl, options.format)
    with text_file(folder / 'sites.tsv') as sites:
        sites.write(SITES_HEADER)
        sites.writelines(site.row() for site in crawl.sites.values())
    return crawl


def write_archives(
    options: argparse.Namespace, crawl: Crawl, archives: Archives
) -> None:
    """Write all pages, spread evenly over the archives."""
    hide = options.quiet or None  # None: unless someone looks
    bar = tqdm(total=options.size, unit='B', unit_scale=True, disable=hide)
    done = 0
    for serial, page in enumerate(crawl.pages()):
        number = done * options.archives // options.size + 1
        archives.open_up_to(min(number, options.archives), page.second)
        archives.add(page, serial)
        bar.update(crawl.written - done)
        done = crawl.written
    bar.close()
    archives.open_up_to(options.archives, SPAN)
    if options.damage:
        archives.cut()


def write_key(folder: Path, crawl: Crawl, form: str) -> None:
    """Write the key: first what is planted all over the crawl, then site by site."""
    finished = folder / 'finished.tsv'
    with text_file(folder / 'key.tsv') as key:
        key.write(KEY_HEADER)
        key.writelines(rows(texts(crawl.key) if form == 'wet' else crawl.key))
        if form != 'wet':
            with open(finished, encoding='utf-8') as lines:
                shutil.copyfileobj(lines, key)
    finished.unlink()


def text_file(path: Path) -> TextIO:
    return open(path, 'w', encoding='utf-8', newline='\n')


@contextlib.contextmanager
def all_or_nothing(out: Path, force: bool) -> Iterator[Path]:
    """A folder whose files move to `out` once they are complete."""
    new = not out.exists()
    if not (new or out.is_dir()):
        raise UserError(f'{out}: a file, not a folder; name another with -o')
    if not (new or force) and any(out.iterdir()):
        raise UserError(
            f'{out}: not empty; name another folder with -o, or give --force'
        )
    out.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix='.synth-', dir=out) as name:
            yield Path(name)
            replace_ours(out, Path(name))
    except BaseException:
        if new:
            shutil.rmtree(out)
        raise


def replace_ours(out: Path, folder: Path) -> None:
    """Put the files of a folder in place of those that an earlier run left."""
    for old in out.iterdir():
        if OURS.fullmatch(old.name):
            old.unlink()
    for file in sorted(folder.iterdir()):  # the key last
        file.replace(out / file.name)


def summary(options: argparse.Namespace, crawl: Crawl) -> str:
    """What was written, and what to type next."""
    out = shlex.quote(str(options.output))
    plural = '' if options.archives == 1 else 's'
    also = ', and what is broken in damage.tsv' if options.damage else ''
    return (
        f'{out}: {crawl.made:,} pages, {crawl.written / 10**6:,.1f} MB,'
        f' in {options.archives:,} archive{plural};'
        f' what is planted is in key.tsv and sites.tsv{also}\n'
        f'next: {python()} -m mr_reuse.discover {out}/crawl-* -o RUN'
    )


if __name__ == '__main__':
    sys.exit(main())
