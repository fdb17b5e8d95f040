"""The command line of `styles match`."""

import argparse
from typing import Any, NamedTuple

from mr_reuse.cli.parser import EXIT_CODES, MODULE, Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.pages import input_options
from mr_reuse.pages.documents import document_options
from mr_reuse.pages.input_options import InputOptions
from mr_reuse.styles.style_options import parse_up_to
from mr_reuse.styles.style_tables import STYLE_MATCHES
from mr_reuse.text.noise import keys
from mr_reuse.text.noise.parameters import DIMENSIONS, LONGEST, PREPROCESSORS

MATCH_COMMAND = 'match'
EPILOG = f"""\
results in RUN:
  {STYLE_MATCHES.file:<18} documents that are alike a known one, most similar first

{EXIT_CODES}
"""
# The options of `styles` that a style file has, with the types of their values.
NUMBERS = {
    'n': parse_up_to(LONGEST),
    'm': parse_up_to(DIMENSIONS),
    't': parse_up_to(DIMENSIONS),
    'p': parse_up_to(DIMENSIONS),
    'key_bits': parse_up_to(keys.MOST_BITS, keys.LEAST_BITS),
}
SAME = 'that of FILE.msf; another one is refused'


class MatchOptions(NamedTuple):
    """The options of `styles match`."""

    run: RunOptions
    inputs: InputOptions
    known: str  # a style file, or a run
    captures: str  # to keep of each URL
    exact: bool
    typed: dict[str, Any]  # options that the style file has as well
    recorded: dict[str, Any]  # all options, in the form of `run.json`


def match_parser() -> Parser:
    """Return the parser of `styles match`."""
    line = Parser(
        prog=f'{MODULE}styles {MATCH_COMMAND}',
        description='List the documents that are alike a member of a style that is '
        f'known from another crawl, in {STYLE_MATCHES.file}. Without INPUT, it reads '
        'the inputs of RUN.',
        example=f'styles {MATCH_COMMAND} known.msf crawl/*.warc.gz -o RUN',
        epilog=EPILOG,
    )
    line.add_argument(
        'known',
        metavar='FILE.msf',
        help='the style file of a run of styles, or the run itself',
    )
    input_options.add_input_options(line, nargs='*')
    run_options.add_run(line)
    group = line.add_argument_group('documents')
    document_options.add_captures_option(group)
    group.add_argument(
        '--exact',
        action='store_true',
        help='compare with all known documents that agree in a probed dimension, even '
        'if there are more than 1,000 of them',
    )
    _add_typed_options(line)
    return line


def _add_typed_options(line: argparse.ArgumentParser) -> None:
    """Add the options that the style file has."""
    group = line.add_argument_group('fingerprints')
    for name, kind in NUMBERS.items():
        option = f'--{name.replace("_", "-")}'
        group.add_argument(option, type=kind, metavar='N', help=SAME)
    group.add_argument('--preprocessor', choices=PREPROCESSORS, help=SAME)
    group.add_argument(
        '--normalize-empty', action='store_true', default=None, help=SAME
    )


def read_match_options(args: argparse.Namespace) -> MatchOptions:
    """Return the options of a command line."""
    names = *NUMBERS, 'preprocessor', 'normalize_empty'
    typed = {name: getattr(args, name) for name in names}
    return MatchOptions(
        run_options.read_run_options(args),
        input_options.read_input_options(args),
        args.known,
        args.captures,
        args.exact,
        run_options.drop_unset(typed),
        run_options.drop_unset(vars(args)),
    )
