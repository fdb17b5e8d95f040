"""Pack the code that tasks on a cluster need, with all it depends on.

The first run with -r hadoop does this by itself, and keeps the bundle in ~/.cache. Here
it is for other ways to the nodes, or to look at.
"""

import argparse
import platform
import sys

from mr_reuse import kernel
from mr_reuse.cli import outputs
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine.clusters import bundling
from mr_reuse.messages import put


def parser() -> argparse.ArgumentParser:
    """The command line of bundle."""
    line = Parser(description=__doc__, example='bundle -o mr_reuse.tar.gz')
    line.add_argument(
        '-o',
        '--output',
        metavar='X.tar.gz',
        help='where it goes. Default: where runs with -r hadoop look for it',
    )
    line.add_argument('--force', action='store_true', help='replace X.tar.gz')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """The command: one archive with all that is installed beside this program."""
    options = parser().parse_args(args)
    name = options.output
    if name:
        outputs.must_be_new(name, options.force)
        bundling.write(bundling.files(), name)
    else:
        name = bundling.cached()
    version = '.'.join(platform.python_version_tuple()[:2])
    put(f'{name}: {kernel.version()}, for Python {version} on {platform.machine()}\n')


if __name__ == '__main__':
    sys.exit(main())
