"""`mr-reuse COMMAND …`, the same as `python -m mr_reuse.COMMAND …`."""

import importlib
import sys

from mr_reuse import compiled
from mr_reuse.cli import put, say
from mr_reuse.errors import DONE, USAGE

COMMANDS = {
    'discover': 'find what is copied in a crawl',
    'labels': 'make and change label files',
    'stop': 'judge stop lists',
    'detect': 'find labeled chunks, and the neighborhoods that live on them',
    'report': 'write what a run has found into one HTML page',
    'show': 'print a chunk or a page from the archive it was found in',
    'bundle': 'pack the code that tasks on a cluster need',
    'get': 'copy the results of a run from a cluster',
    'links': 'the links among bad sites, and the rings they make',
    'watch': 'follow the archives of a running crawler',
    'compare': 'what has changed between two runs',
    'synth': 'write a crawl with planted copies',
    'pack': 'make an archive of a directory tree',
}


def main(args: list[str] | None = None) -> int:
    args = sys.argv[1:] if args is None else args
    if args and args[0] in COMMANDS:
        return importlib.import_module(f'mr_reuse.{args[0]}').main(args[1:])
    if args == ['--version']:
        put(f'{compiled.version()}\n')
        return DONE
    if args and not args[0].startswith('-'):
        say(f'{args[0]}: no such command')
    lines = [f'  {name:<10}{what}' for name, what in COMMANDS.items()]
    say('\n'.join(['usage: mr-reuse COMMAND …', '', *lines]))
    return DONE if args in (['-h'], ['--help']) else USAGE


if __name__ == '__main__':
    sys.exit(main())
