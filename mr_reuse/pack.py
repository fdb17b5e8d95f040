"""Make an archive of directory trees: one response record for each file.

The same trees give the same bytes: files come in the order of their paths, dates
are those of the files, record IDs follow from the URLs.
"""

import argparse
import sys
from collections import Counter

from mr_reuse.archives import tree_packing
from mr_reuse.archives.tree_packing import PackOptions
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.errors import DAMAGED, DONE
from mr_reuse.messages import say

BASE_URL = 'http://file-tree/'


def parser() -> argparse.ArgumentParser:
    """The command line of pack."""
    line = Parser(
        description=__doc__, example='pack /usr/share/doc -o docs.warc.gz --split 120MB'
    )
    add = line.add_argument
    add('folders', nargs='+', metavar='DIR', help='a directory tree')
    add('-o', '--output', required=True, metavar='X.warc.gz', help='the archive')
    add(
        '--base-url',
        default=BASE_URL,
        type=values.parse_base_url,
        metavar='URL',
        help='what URLs begin with. Default: %(default)s',
    )
    add(
        '--split',
        type=values.parse_size,
        metavar='SIZE',
        help='write X-00000.warc.gz … of about that payload each, such as 120MB',
    )
    add(
        '--all',
        action='store_true',
        dest='take_all',
        help='take all files, not only texts',
    )
    add('--force', action='store_true', help='replace what has that name')
    add('-q', '--quiet', action='store_true', help='no summary')
    return line


@command
def main(args: list[str] | None = None) -> int:
    """The command: from directory trees to archives."""
    parsed = parser().parse_args(args)
    options = values.options_of(PackOptions, parsed)
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
