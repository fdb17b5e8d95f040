"""Copy the results of a run from a cluster to this machine.

The copy records where the rest of the run is, so `show` works with the copy too.
"""

import argparse
import sys

from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine import run_copies
from mr_reuse.engine.record import load_complete
from mr_reuse.messages import write_stdout
from mr_reuse.storage import naming


def parser() -> argparse.ArgumentParser:
    """Define the command line of get."""
    line = Parser(description=__doc__, example='get hdfs:///user/me/RUN')
    line.add_argument('run', metavar='RUN', help='a run directory, on hdfs:// or s3://')
    line.add_argument(
        '-o',
        '--output',
        metavar='FOLDER',
        help='the folder for the copy. Default: the last part of the name RUN, in the '
        'current folder',
    )
    line.add_argument('--force', action='store_true', help='replace files in FOLDER')
    line.add_argument(
        '-q', '--quiet', action='store_true', help='do not list the files'
    )
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Copy tables and label files, but not the output of steps."""
    options = parser().parse_args(args)
    record = load_complete(options.run)
    folder = options.output or naming.last_component(options.run)
    run_copies.check_folder(folder, options.run, options.force)
    for name in run_copies.copy_run(options.run, folder, record):
        if not options.quiet:
            write_stdout(f'{name}\n')


if __name__ == '__main__':
    sys.exit(main())
