"""Follow the archives that a running crawler writes, and report copied content.

Prints a JSON object, one per line, for each page that has a label:

    {"event": "match", "seq": 7, "time": …, "rid": …, "url": …, "date": …, "bad": 12,
     "total": 15, "contains": 0.8, "file": false, "labels": […],
     "site": {"prefix": …, "pages": 4, "bad": 40, …}}

`"file": true` means that the document as a whole is a known file. It may have no
chunks, such as a picture or a very short page. `site` has the sums over all pages of
the host so far. Damaged records are reported as events, too.

The same command resumes after the last event. `seq` numbers all events. After a kill,
the last lines may be printed again: drop an event if its `seq` is not larger than that
of the event before.
"""

import argparse
import sys
from fractions import Fraction

from mr_reuse.chunks.detect.detect_options import add_stop_scope
from mr_reuse.cli import outputs, values
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser, read_options
from mr_reuse.crawlers import watching
from mr_reuse.crawlers.watching import STATE, Watch, WatchOptions
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.messages import say


def parser() -> argparse.ArgumentParser:
    """Return the parser of `watch`."""
    line = Parser(description=__doc__, example='watch crawls/ -l known.mrl')
    add = line.add_argument
    add(
        'folder',
        type=values.parse_local,
        metavar='DIR',
        help='folder into which the crawler writes WARC files',
    )
    add('-l', '--labels', required=True, metavar='LABELS', help=values.A_LABEL_FILE)
    add(
        '--state',
        metavar='FILE',
        help=f'file that records the printed events. Default: {STATE} in DIR',
    )
    add(
        '--above',
        type=values.parse_ratio,
        default=Fraction(0),
        metavar='X',
        help='report only known files, and pages with a share of labels above X. '
        'Default: 0',
    )
    add(
        '--min-bad',
        type=values.parse_natural,
        default=0,
        metavar='N',
        help='report only pages and known files with at least N labeled chunks. '
        'Default: 0',
    )
    add_stop_scope(line)
    add(
        '--interval',
        type=values.parse_ratio,
        default=Fraction(2),
        metavar='S',
        help='seconds between two scans of DIR. Default: 2',
    )
    add(
        '--once',
        action='store_true',
        help='treat all archives as complete, read them and exit',
    )
    add('-q', '--quiet', action='store_true', help='print no summary at the end')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """The `watch` command: follow archives until it is interrupted."""
    parsed = parser().parse_args(args)
    outputs.require_folder(parsed.folder)
    watch = Watch(read_options(WatchOptions, parsed))
    with raise_interrupts():
        watch.state.lock()
        try:
            watching.follow(watch, None if parsed.once else float(parsed.interval))
        finally:
            watch.state.unlock()
            if not parsed.quiet:
                say(watch.summary())


if __name__ == '__main__':
    sys.exit(main())
