"""Make an archive of directory trees: one response record for each file.

The same files give the same bytes: records are in the order of paths, their dates are
those of the files, and record IDs are computed from URL, date and content.

With --hosts-from-folders, the folders in DIR are named after the hosts of the pages in
them, as `wget -r` and HTTrack name them. DIR/a.org/x/index.html becomes
http://a.org/x/index.html, and a folder a.org:8080 or a.org+8080 has a port. A question
mark in a name begins the query. Escapes such as %20 stay as they are. The bytes decide
whether a file is text, since a page may be called a.php?id=1. Files at the top of DIR,
and in folders that are not named like a host, are left out and counted.
"""

import argparse
import sys
from collections import Counter

from mr_reuse.archives.packing import run
from mr_reuse.archives.packing.run import BASE_URL, PackOptions
from mr_reuse.archives.packing.trees import UNREADABLE
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser, read_options
from mr_reuse.errors import DAMAGED, DONE
from mr_reuse.messages import say


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(
        description=__doc__, example='pack /usr/share/doc -o docs.warc.gz --split 120MB'
    )
    add = line.add_argument
    add(
        'folders',
        nargs='+',
        type=values.parse_local,
        metavar='DIR',
        help='a folder, with all its subfolders',
    )
    add(
        '-o',
        '--output',
        required=True,
        type=values.parse_local,
        metavar='X.warc.gz',
        help='the archive to write',
    )
    add(
        '--base-url',
        type=values.parse_base_url,
        metavar='URL',
        help=f'prefix of all URLs. Default: {BASE_URL}',
    )
    add(
        '--hosts-from-folders',
        action='store_true',
        help='take the host of each URL from the name of a folder in DIR',
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
    run.check_output(options)
    for folder in options.folders:
        outputs.require_folder(folder)
    trees = run.find_trees(options)
    writer = run.pack(trees, options)
    left_out = sum((tree.counts for tree in trees), Counter())
    if not parsed.quiet:
        say(run.summarize(writer, left_out))
    return DAMAGED if left_out[UNREADABLE] else DONE


if __name__ == '__main__':
    sys.exit(main())
