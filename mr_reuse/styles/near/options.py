"""The command line of `styles near`."""

from fractions import Fraction
from typing import Any

from mr_reuse.cli.parser import MODULE, Default, Parser
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.pages.input_options import InputOptions
from mr_reuse.styles.style_options import ClusterRule, Recipe, StyleOptions
from mr_reuse.styles.style_tables import NEAR

NEAR_COMMAND = 'near'


def near_parser() -> Parser:
    """Return the parser of `styles near`."""
    line = Parser(
        prog=f'{MODULE}styles {NEAR_COMMAND}',
        description='Sort all documents by their similarity to one page, with the '
        f'fingerprints of the run, write {NEAR.file}, and print the greatest gaps. '
        'Pages above a gap often have the same template.',
        example=f'styles {NEAR_COMMAND} RUN http://a.org/\n'
        f'styles {NEAR_COMMAND} RUN page.html',
    )
    line.add_argument('output', metavar='RUN', help='a run of styles')
    line.add_argument(
        'page', metavar='PAGE', help='the rid or URL of a document, or a file of HTML'
    )
    run_options.add_runner(line)
    line.add_argument('-q', '--quiet', action='store_true', help='print no progress')
    return line


def options_of_run(run: RunOptions, recorded: dict[str, Any]) -> StyleOptions:
    """Return the options of styles from the record of a run, for another command."""
    ignore = recorded.get('ignore')
    return StyleOptions(
        run,
        InputOptions([], '', None, [], Default('length')),
        Recipe(
            recorded['n'],
            recorded['m'],
            recorded['preprocessor'],
            recorded['key_bits'],
        ),
        ClusterRule(
            recorded['t'],
            recorded['p'],
            bool(recorded.get('normalize_empty')),
            bool(recorded.get('exact')),
            None if ignore is None else Fraction(ignore),
        ),
        recorded['captures'],
        recorded,
    )
