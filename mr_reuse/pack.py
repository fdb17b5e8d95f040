"""Make an archive of directory trees: one response record for each file.

The same files give the same bytes: records are in the order of paths, their dates are
those of the files, and record IDs are computed from the URLs.
"""

import argparse
import sys
from collections import Counter

from mr_reuse.archives import tree_packing
from mr_reuse.archives.tree_packing import PackOptions
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser, read_options
from mr_reuse.errors import DAMAGED, DONE
from mr_reuse.messages import say

BASE_URL = 'http://file-tree/'


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(
        description=__doc__, example='pack /usr/share/doc -o docs.warc.gz --split 120MB'
    )
    add = line.add_argument
    add('folders', nargs='+', metavar='DIR', help='a folder, with all its subfolders')
    add(
        '-o',
        '--output',
        required=True,
        metavar='X.warc.gz',
        help='the archive to write',
    )
    add(
        '--base-url',
        default=BASE_URL,
        type=values.parse_base_url,
        metavar='URL',
        help='prefix of all URLs. Default: %(default)s',
    )
    add(
        '--split',
        type=values.parse_size,
        metavar='SIZE',
        help='write several archives, X-00000.warc.gz and so on, each with about this '
        'size of pages, such as 120MB',
    )
    add(
        '--all',
        action='store_true',
        dest='take_all',
        help='pack files of all types, not only texts',
    )
    add('--force', action='store_true', help='replace existing archives')
    add('-q', '--quiet', action='store_true', help='print no summary')
    return line


@command
def main(args: list[str] | None = None) -> int:
    """Run the command: directory trees in, archives out."""
    parsed = parser().parse_args(args)
    options = read_options(PackOptions, parsed)
    tree_packing.check_output(options)
    for folder in options.folders:
        outputs.require_folder(folder)
    trees = tree_packing.find_trees(options)
    writer = tree_packing.pack(trees, options)
    left_out = sum((tree.counts for tree in trees), Counter())
    if not parsed.quiet:
        say(tree_packing.summarize(writer, left_out))
    return DAMAGED if left_out['unreadable'] else DONE


if __name__ == '__main__':
    sys.exit(main())
