"""Make an archive of directory trees: one response record for each file.

The same trees give the same bytes: files come in the order of their paths, dates
are those of the files, record IDs follow from the URLs.
"""

import argparse
import os
import re
import sys
import time
import uuid
from collections import Counter
from contextlib import closing
from glob import escape, glob
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import deflate

from mr_reuse.archives.trees import Page, Tree
from mr_reuse.cli import outputs
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.errors import DAMAGED, DONE, UsageError, UserError
from mr_reuse.messages import say

BASE_URL = 'http://file-tree/'
ENDING = '.warc.gz'
MAX_TIME = 253_402_300_799  # the end of 9999, the last year that WARC-Date can say
UNITS = {'': 1, 'K': 10**3, 'M': 10**6, 'G': 10**9, 'T': 10**12}


def parse_size(text: str) -> int:
    """Read a size in bytes, in decimal units.

    >>> parse_size('120MB'), parse_size('1.5 g'), parse_size('4096')
    (120000000, 1500000000, 4096)
    """
    found = re.fullmatch(r'(\d+(?:\.\d+)?)\s*([KMGT]?)B?', text.strip().upper())
    size = float(found[1]) * UNITS[found[2]] if found else 0
    if not 1 <= size < 1 << 60:
        raise argparse.ArgumentTypeError(f'{text!r} is not a size such as 120MB')
    return int(size)


def url_base(text: str) -> str:
    """Check the URL that paths are put behind.

    >>> url_base('http://docs.example')
    'http://docs.example/'
    """
    parts = urlsplit(text)
    if not (parts.scheme and parts.netloc and re.fullmatch('[!-~]+', text)):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not a URL such as http://docs.example/'
        )
    return text if text.endswith('/') else f'{text}/'


def record(page: Page) -> bytes:
    """Format one response record.

    By hand: warcio hashes each body twice, which takes as long as compressing it.
    """
    length = f'Content-Length: {len(page.body)}\r\n\r\n'
    http = f'HTTP/1.1 200 OK\r\nContent-Type: {page.content_type}\r\n{length}'.encode()
    date = time.gmtime(min(max(page.mtime, 0), MAX_TIME))
    head = (
        'WARC/1.0\r\nWARC-Type: response\r\n'
        f'WARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, page.url)}>\r\n'
        f'WARC-Date: {time.strftime("%Y-%m-%dT%H:%M:%SZ", date)}\r\n'
        f'WARC-Target-URI: {page.url}\r\n'
        'Content-Type: application/http; msgtype=response\r\n'
        f'Content-Length: {len(http) + len(page.body)}\r\n\r\n'
    ).encode()
    return b'%b%b%b\r\n\r\n' % (head, http, page.body)


class Archives:
    """Writes pages to one archive, or to many of about `split` bytes of payload.

    They lie in `folder` until `finish` moves them where they belong, all at once.
    """

    def __init__(self, name: str, split: int | None, folder: str):
        self.stem, self.split, self.folder = name.removesuffix(ENDING), split, folder
        self.names: list[str] = []
        self.pages = self.payload = self._in_part = 0
        self._file = None

    def add(self, page: Page) -> None:
        size = len(page.body)
        full = self.split and self._in_part and self._in_part + size > self.split
        if self._file is None or full:
            self._open_next()
        self._file.write(deflate.gzip_compress(record(page)))
        self._in_part += size
        self.payload += size
        self.pages += 1

    def _open_next(self) -> None:
        self.close()
        number = f'-{len(self.names):05}' if self.split else ''
        self.names.append(self.stem + number + ENDING)
        unfinished = os.path.join(self.folder, os.path.basename(self.names[-1]))
        self._file = open(unfinished, 'wb')  # noqa: SIM115
        self._in_part = 0

    def close(self) -> None:
        if self._file:
            self._file.close()

    def finish(self) -> None:
        self.close()
        for name in self.names:
            os.replace(os.path.join(self.folder, os.path.basename(name)), name)


def earlier_output(name: str, split: int | None) -> list[str]:
    """Find what an earlier run with these options has left."""
    number = '-' + 5 * '[0-9]' if split else ''
    return sorted(glob(escape(name.removesuffix(ENDING)) + number + ENDING))


def check_output(options: argparse.Namespace) -> None:
    """Refuse an output that could not be written or that would be lost."""
    out = options.output
    if not out.endswith(ENDING):
        raise UsageError(f'{out}: its name has to end in {ENDING}')
    if not os.path.isdir(os.path.dirname(out) or '.'):
        raise UserError(f'{os.path.dirname(out)}: no such folder; make it first')
    if (found := earlier_output(out, options.split)) and not options.force:
        raise UserError(f'{found[0]}: exists; name another file, or give --force')


def find_trees(options: argparse.Namespace) -> list[Tree]:
    """Make sure of all that can be known of the folders before one is read."""
    trees: dict[bytes, Tree] = {}
    for folder in options.folders:
        outputs.must_be_folder(folder)
        inside = os.path.realpath(folder) + os.sep
        if options.all and os.path.realpath(options.output).startswith(inside):
            raise UsageError(f'{options.output}: lies in {folder}; name another place')
        tree = Tree(folder, options.base_url, options.all)
        if tree.name in trees:
            raise UsageError(f'{folder}: has the name of another; pack it by itself')
        trees[tree.name] = tree
    return list(trees.values())


def summary(archives: Archives, counts: Counter[str]) -> str:
    """Tell in one line what was packed and what was not."""
    names = archives.names
    where = names[0] if len(names) == 1 else f'{names[0]} … {names[-1]}'
    left = ', '.join(f'{what}: {counts[what]:,}' for what in sorted(counts))
    packed = f'{where}: {archives.pages:,} pages, {archives.payload:,} bytes'
    return f'{packed}; left out: {left}' if left else packed


def parser() -> argparse.ArgumentParser:
    """The command line of pack."""
    made = Parser(
        description=__doc__, example='pack /usr/share/doc -o docs.warc.gz --split 120MB'
    )
    add = made.add_argument
    add('folders', nargs='+', metavar='DIR', help='a directory tree')
    add('-o', '--output', required=True, metavar='X.warc.gz', help='the archive')
    add(
        '--base-url',
        default=BASE_URL,
        type=url_base,
        metavar='URL',
        help='what URLs begin with. Default: %(default)s',
    )
    add(
        '--split',
        type=parse_size,
        metavar='SIZE',
        help='write X-00000.warc.gz … of about that payload each, such as 120MB',
    )
    add('--all', action='store_true', help='take all files, not only texts')
    add('--force', action='store_true', help='replace what has that name')
    add('-q', '--quiet', action='store_true', help='no summary')
    return made


def pack(options: argparse.Namespace, trees: list[Tree]) -> Archives:
    """Write the archives; nothing is left where this fails."""
    old = earlier_output(options.output, options.split)
    folder = os.path.dirname(options.output) or '.'
    with TemporaryDirectory(prefix='.pack-', dir=folder) as unfinished:
        archives = Archives(options.output, options.split, unfinished)
        with closing(archives):
            for tree in trees:
                for page in tree.pages():
                    archives.add(page)
        if not archives.names:
            what = 'files' if options.all else 'HTML, XML or text files'
            raise UserError(f'{", ".join(options.folders)}: no {what} in it')
        archives.finish()
    for name in set(old) - set(archives.names):
        # Left of a longer run, and it would be taken for a part of this one.
        os.remove(name)
    return archives


@command
def main(args: list[str] | None = None) -> int:
    options = parser().parse_args(args)
    check_output(options)
    trees = find_trees(options)
    archives = pack(options, trees)
    counts = sum((tree.counts for tree in trees), Counter())
    if not options.quiet:
        say(summary(archives, counts))
    return DAMAGED if counts['unreadable'] else DONE


if __name__ == '__main__':
    sys.exit(main())
