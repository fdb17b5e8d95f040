"""`mr-reuse COMMAND …`, the same as `python -m mr_reuse.COMMAND …`."""

import importlib
import sys
from types import ModuleType

from mr_reuse import kernel
from mr_reuse.cli.command import command
from mr_reuse.errors import DONE, USAGE, UsageError
from mr_reuse.messages import did_you_mean, put, say

COMMANDS = {
    'discover': 'find what is copied in a crawl',
    'detect': 'find labeled chunks, and the neighborhoods that live on them',
    'report': 'write what a run has found into one HTML page',
    'show': 'print a chunk or a page from the archive it was found in',
    'review': 'judge a random sample of what was found, on a local web page',
    'links': 'find the links among bad sites, and the rings they make',
    'compare': 'tell what has changed between two runs',
    'export': 'copy the tables of a run into Parquet, JSON Lines or CSV',
    'labels': 'make and change label files',
    'stop': 'make and judge lists of stop chunks',
    'watch': 'follow the archives of a running crawler',
    'pack': 'make an archive of a directory tree',
    'synth': 'write a crawl with planted copies',
    'get': 'copy the results of a run from a cluster',
    'bundle': 'pack the code that tasks on a cluster need',
}


HELP = """\
`mr-reuse COMMAND --help` says what a command does, with an example;
`python -m mr_reuse.COMMAND` is the same as `mr-reuse COMMAND`.
"""


@command
def main(args: list[str] | None = None) -> int:
    """The command: another one, by its name."""
    name, *rest = (sys.argv[1:] if args is None else args) or ['']
    if name == 'help' and rest:
        name, rest = rest[0], ['--help']
    if name in COMMANDS:
        return module_of(name).main(rest)
    if name in ('-h', '--help', 'help'):
        put(listed())
        return DONE
    if name == '--version':
        put(f'{kernel.version()}\n')
        return DONE
    if name:
        hint = did_you_mean(name, COMMANDS) or '; see mr-reuse --help'
        raise UsageError(f'{name}: there is no such command{hint}')
    say(listed())
    return USAGE


def module_of(name: str) -> ModuleType:
    """The module of a command, which has `parser` and `main`."""
    module = importlib.import_module(f'mr_reuse.{name}')
    if hasattr(module, '__path__'):
        return importlib.import_module(f'mr_reuse.{name}.__main__')
    return module


def listed() -> str:
    """What commands there are."""
    lines = [f'  {name:<10}{what}' for name, what in COMMANDS.items()]
    return '\n'.join(['usage: mr-reuse COMMAND …', '', *lines, '', HELP])


if __name__ == '__main__':
    sys.exit(main())
