"""List the labels and neighborhoods that differ between two runs.

A chunk that is a label in one of the runs can appear, vanish, grow, shrink, or fall
below the threshold. It has moved if no host that had it has it now, and another host
does. A neighborhood can turn bad or good, get worse or better while it is bad in both
runs, or be in one of the two crawls only.
"""

import argparse
import sys

from mr_reuse import storage
from mr_reuse.chunks.change_tables import LABEL_CHANGES, NEIGHBORHOOD_CHANGES
from mr_reuse.chunks.compare import run_comparison
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.messages import write_stdout
from mr_reuse.storage import naming

EPILOG = f"""\
results in DIR:
  {LABEL_CHANGES.file:<24}  all labels that differ, with the kind of change
  {NEIGHBORHOOD_CHANGES.file}  the same for neighborhoods
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    line = Parser(
        description=__doc__,
        example='compare RUN_OF_MAY RUN_OF_JUNE -o CHANGES',
        epilog=EPILOG,
    )
    line.add_argument('old', metavar='OLD_RUN', help='run of the earlier crawl')
    line.add_argument('new', metavar='NEW_RUN', help='run of the later crawl')
    line.add_argument(
        '-o', '--output', metavar='DIR', help='write tables of all changes into DIR'
    )
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Run the command: two runs in, their differences out."""
    options = parser().parse_args(args)
    old, new, folder = options.old, options.new, options.output
    run_comparison.check_recipes(old, new)
    if folder:
        storage.make_dir(folder)
    kinds = run_comparison.find_comparable(old, new)
    write_stdout(
        '\n'.join(run_comparison.compare_rows(kind, old, new, folder) for kind in kinds)
    )
    if folder:
        names = [naming.join(folder, kind.result.file) for kind in kinds]
        write_stdout(f'\nall of them: {", ".join(names)}\n')


if __name__ == '__main__':
    sys.exit(main())
