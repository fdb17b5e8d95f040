"""Pack the code for tasks on a cluster, with all packages that it depends on.

The first run with -r hadoop packs such a bundle by itself and keeps it in ~/.cache. Use
this command to inspect a bundle, or to copy it to the nodes in another way.
"""

import argparse
import platform
import sys

from mr_reuse import kernel
from mr_reuse.cli import outputs
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine.clusters import bundling
from mr_reuse.messages import write_stdout


def parser() -> argparse.ArgumentParser:
    """Define the command line of bundle."""
    line = Parser(description=__doc__, example='bundle -o mr_reuse.tar.gz')
    line.add_argument(
        '-o',
        '--output',
        metavar='X.tar.gz',
        help='the bundle to write. Default: the bundle in ~/.cache that -r hadoop uses',
    )
    line.add_argument('--force', action='store_true', help='replace X.tar.gz')
    return line


@command
def main(args: list[str] | None = None) -> None:
    """Write a bundle of the installed packages, and print its name."""
    options = parser().parse_args(args)
    name = options.output
    if name:
        outputs.refuse_existing(name, options.force)
        bundling.write_bundle(bundling.list_files(), name)
    else:
        name = bundling.cached_bundle()
    version = '.'.join(platform.python_version_tuple()[:2])
    write_stdout(
        f'{name}: {kernel.version()}, for Python {version} on {platform.machine()}\n'
    )


if __name__ == '__main__':
    sys.exit(main())
