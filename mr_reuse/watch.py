"""Follow the archives that a running crawler writes, and tell what is copied.

One JSON object a line on standard output for each page that has a label:

    {"event": "match", "time": …, "rid": …, "url": …, "date": …, "bad": 12, "total": 15,
     "contains": 0.8, "file": false, "labels": […],
     "site": {"prefix": …, "pages": 4, "bad": 40, …}}

With `"file": true` all of it is a known file, be it a picture or so short that it
has no chunk which counts. `site` is the sum over the pages of that host so far. Damage
is an event too. What was told is kept in the state file, so the same command goes on.
"""

import argparse
import sys
from fractions import Fraction

from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.crawlers import watching
from mr_reuse.crawlers.watching import STATE, Watch, WatchOptions
from mr_reuse.messages import say


def parser() -> argparse.ArgumentParser:
    """The command line of watch."""
    line = Parser(description=__doc__, example='watch crawls/ -l known.mrl')
    add = line.add_argument
    add('folder', metavar='DIR', help='where the crawler writes WARC files')
    add('-l', '--labels', required=True, metavar='LABELS', help=values.A_LABEL_FILE)
    add(
        '--state',
        metavar='FILE',
        help=f'where to note what was told. Default: {STATE} in DIR',
    )
    add(
        '--above',
        type=values.ratio,
        default=Fraction(0),
        metavar='X',
        help='tell only pages of whose chunks a share above X is labeled, and known '
        'files, which are known as a whole. Default: 0',
    )
    add(
        '--min-bad',
        type=values.natural,
        default=0,
        metavar='N',
        help='tell only what has at least N labeled chunks, also of known files. '
        'Default: 0',
    )
    add('--stop-scope', choices=SCOPES, default=SCOPES[0], help='as for detect')
    add(
        '--interval',
        type=values.ratio,
        default=Fraction(2),
        metavar='S',
        help='seconds between two looks. Default: 2',
    )
    add(
        '--once',
        action='store_true',
        help='take all archives for finished, and end when they are read',
    )
    add('-q', '--quiet', action='store_true', help='no summary at the end')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """The command: follow archives until it is interrupted."""
    parsed = parser().parse_args(args)
    outputs.must_be_folder(parsed.folder)
    watch = Watch(values.pick(WatchOptions, parsed))
    watch.state.lock()
    try:
        watching.follow(watch, None if parsed.once else float(parsed.interval))
    finally:
        watch.state.close()
        if not parsed.quiet:
            say(watch.summary())


if __name__ == '__main__':
    sys.exit(main())
