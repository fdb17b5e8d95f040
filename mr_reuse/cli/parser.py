"""The argument parser of all commands.

Help has the same text on every Python, since the documentation contains it. A mistake
is reported in one line, like all other errors.
"""

import argparse
import textwrap
from typing import NoReturn, TypeVar

from mr_reuse.errors import UsageError
from mr_reuse.messages import suggest_name, write_stdout

REQUIRED = 'the following arguments are required: '
EXIT_CODES = (
    'exit code: 0 done, 1 failed, 2 wrong usage, 3 done but some input was damaged'
)
MODULE = 'python -m mr_reuse.'
NARGS = {'+': '{}…', '*': '[{}…]', '?': '[{}]', argparse.PARSER: '{} …'}
Options = TypeVar('Options', bound=tuple)


class Help(argparse.HelpFormatter):
    """Formatter of `--help`: a short usage, and paragraphs wrapped unless indented."""

    def _format_usage(self, usage, actions, groups, prefix):
        words = [self._prog]
        for action in actions:
            if not action.option_strings:
                name = self._metavar_formatter(action, action.dest)(1)[0]
                words.append(NARGS.get(action.nargs, '{}').format(name))
        options = [action for action in actions if action.option_strings]
        for action in options:
            if action.required:
                value = self._format_args(action, action.dest)
                words.append(f'{action.option_strings[0]} {value}')
        if any(not action.required and action.dest != 'help' for action in options):
            words.append('[option…]')
        return ('usage: ' if prefix is None else prefix) + ' '.join(words) + '\n\n'

    def _format_action_invocation(self, action):
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, action.dest.upper())
        return f'{", ".join(action.option_strings)} {value}'

    def _fill_text(self, text, width, indent):
        filled = [
            part if '\n ' in f'\n{part}' else '\n'.join(self._split_lines(part, width))
            for part in text.strip('\n').split('\n\n')
        ]
        return textwrap.indent('\n\n'.join(filled), indent)

    def _split_lines(self, text, width):
        return textwrap.wrap(' '.join(text.split()), width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """The parser of a command or subcommand.

    Each line of `example` begins with the name of the command. `others` holds the
    parsers of other forms of the command, by the word that is then the first argument.
    """

    def __init__(self, example: str, epilog: str = '', **more):
        lines = [f'{MODULE}{line}' for line in example.splitlines()]
        head = 'examples' if lines[1:] else 'example'
        text = '\n  '.join([f'{head}:', *lines])
        name = MODULE + example.split(maxsplit=1)[0]
        more = {'prog': name, 'formatter_class': Help} | more
        super().__init__(epilog=f'{text}\n\n{epilog}'.strip(), **more)
        self.others: dict[str, Parser] = {}

    def parse_known_args(self, args=None, namespace=None):
        namespace, rest = super().parse_known_args(args, namespace)
        if rest and rest[0].startswith('-'):
            name = rest[0].partition('=')[0]
            hint = suggest_name(name, self._option_string_actions)
            self.error(f'{name}: no such option{hint}')
        if rest:
            self.error(f'{rest[0]!r}: one argument too many')
        return namespace, rest

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            known = list(action.choices)
            hint = suggest_name(str(value), known)
            why = f'{value!r} is not one of {", ".join(known)}{hint}'
            raise argparse.ArgumentError(action, why)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError, where argparse would print the usage and exit."""
        if message.startswith(REQUIRED):
            message = f'{message.removeprefix(REQUIRED)}: missing'
        message = message.removeprefix('argument ')
        raise UsageError(message if ';' in message else f'{message}; see --help')

    def _print_message(self, message, file=None):
        write_stdout(message)


def read_options(kind: type[Options], args: argparse.Namespace) -> Options:
    """Return the named tuple of options that a parsed command line holds.

    An option that the command line lacks keeps its default.

    >>> from typing import NamedTuple
    >>> Size = NamedTuple('Size', [('width', int), ('height', int)])
    >>> read_options(Size, argparse.Namespace(width=3, height=2, depth=1))
    Size(width=3, height=2)
    """
    return kind(**{k: v for k, v in vars(args).items() if k in kind._fields})


class Default(str):
    """A default value. Its type distinguishes it from the same text, typed."""


class Once(argparse.Action):
    """Refuse a second use of an option, whose first value would be lost."""

    def __call__(self, parser, namespace, values, option_string=None):
        if getattr(namespace, self.dest) != self.default:
            raise argparse.ArgumentError(self, 'given twice; give it once')
        setattr(namespace, self.dest, values)
