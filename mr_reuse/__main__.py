"""`mr-reuse COMMAND …`, the same as `python -m mr_reuse.COMMAND …`."""

import importlib
import sys
from types import ModuleType

from mr_reuse import kernel
from mr_reuse.cli.command import command
from mr_reuse.errors import DONE, USAGE, UsageError
from mr_reuse.messages import say, suggest_name, write_stdout
from mr_reuse.systems import COMMANDS

HELP = """\
`mr-reuse COMMAND --help` describes a command and gives an example.
`python -m mr_reuse.COMMAND` is the same as `mr-reuse COMMAND`.
"""


@command
def main(args: list[str] | None = None) -> int:
    """The `mr-reuse` command: run another command by its name."""
    name, *rest = (sys.argv[1:] if args is None else args) or ['']
    if name == 'help' and rest:
        name, rest = rest[0], ['--help']
    if name in COMMANDS:
        return import_command(name).main(rest)
    if name in ('-h', '--help', 'help'):
        write_stdout(list_commands())
        return DONE
    if name == '--version':
        write_stdout(f'{kernel.version()}\n')
        return DONE
    if name:
        hint = suggest_name(name, COMMANDS) or '; see mr-reuse --help'
        raise UsageError(f'{name}: no such command{hint}')
    say(list_commands())
    return USAGE


def import_command(name: str) -> ModuleType:
    """Import the module of a command, which has `parser` and `main`."""
    module = importlib.import_module(f'mr_reuse.{name}')
    if hasattr(module, '__path__'):
        return importlib.import_module(f'mr_reuse.{name}.__main__')
    return module


def list_commands() -> str:
    """Return the usage with all commands, a line each."""
    width = max(map(len, COMMANDS)) + 2
    lines = [f'  {name:<{width}}{purpose}' for name, purpose in COMMANDS.items()]
    return '\n'.join(['usage: mr-reuse COMMAND …', '', *lines, '', HELP])


if __name__ == '__main__':
    sys.exit(main())
