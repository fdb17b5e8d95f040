"""The command line of `quilts sweep`."""

import argparse
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.cli.parser import MODULE, Default, Parser, read_options
from mr_reuse.cli.values import parse_positive, parse_share
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UsageError
from mr_reuse.pages.input_options import InputOptions
from mr_reuse.quilts.quilt_options import GramRecipe, QuiltOptions, QuiltRule
from mr_reuse.quilts.quilt_tables import QUILT_SWEEP
from mr_reuse.quilts.steps import SWEPT_M

SWEEP = 'sweep'  # the subcommand; a file of this name is `./sweep`


class Values(NamedTuple):
    """The values of each parameter, ascending."""

    k: list[int] = [3, 4, 5, 6, 7, 8, 9, 10]
    m: list[int] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
    c: list[int] = [2, 3, 4, 5, 6, 7, 8, 9, 10]
    alpha: list[Fraction] = [Fraction(n, 10) for n in range(1, 10)]


def parse_list(parse: Callable[[str], Any]) -> Callable[[str], list]:
    """Return the type of an option whose value is a list, with commas.

    >>> parse_list(parse_positive)('7,3,7')
    [3, 7]
    """

    def parse_values(text: str) -> list:
        return sorted(set(map(parse, text.split(','))))

    return parse_values


def sweep_parser() -> Parser:
    """Return the parser of `quilts sweep`."""
    line = Parser(
        prog=f'{MODULE}quilts {SWEEP}',
        description='Count the quilted pages for other values of k, m, c and alpha, '
        f'one at a time, and write {QUILT_SWEEP.file}. The others have the values of '
        'the run. The archives are read again for each other k, and for nothing else.',
        example=f'quilts {SWEEP} RUN\nquilts {SWEEP} RUN --k 5 --alpha 0.3,0.5,0.7',
    )
    line.add_argument('output', metavar='RUN', help='a run of quilts')
    numbers, shares = parse_list(parse_positive), parse_list(parse_share)
    for name, parse, text in (
        ('k', numbers, '3 to 10'),
        ('m', numbers, '10, 20, … 100'),
        ('c', numbers, '2 to 10'),
        ('alpha', shares, '0.1, 0.2, … 0.9'),
    ):
        line.add_argument(
            f'--{name}',
            type=parse,
            default=getattr(Values(), name),
            metavar='LIST',
            help=f'values of {name}, with commas. Default: {text}',
        )
    run_options.add_runner(line)
    line.add_argument('-q', '--quiet', action='store_true', help='print no progress')
    return line


class SweepOptions(NamedTuple):
    """The options of `quilts sweep`."""

    run: RunOptions
    values: Values


def read_sweep_options(args: argparse.Namespace) -> SweepOptions:
    """Return the options of a command line; raise UsageError for impossible values."""
    values = read_options(Values, args)
    if values.m[0] < 2:
        raise UsageError(f'--m {values.m[0]}: give 2 or more')
    return SweepOptions(run_options.read_run_options(args), values)


def check_values(values: Values, rule: QuiltRule) -> None:
    """Refuse an m for which the run has kept no lists of documents."""
    kept = max(rule.m, SWEPT_M)
    if values.m[-1] > kept:
        raise UsageError(
            f'--m {values.m[-1]}: the run has lists of up to {kept} documents; run '
            'quilts with this --m first'
        )


def options_of_run(run: RunOptions, recorded: dict[str, Any]) -> QuiltOptions:
    """Return the options of quilts from the record of a run, for another command."""
    rule = {
        name: Fraction(value) if name in ('alpha', 'delta') else value
        for name, value in recorded.items()
        if name in QuiltRule._fields
    }
    recipe = {k: v for k, v in recorded.items() if k in GramRecipe._fields}
    inputs = InputOptions([], '', None, [], Default('length'))
    return QuiltOptions(
        run,
        inputs,
        GramRecipe(**recipe),
        QuiltRule(**rule),
        recorded['captures'],
        recorded,
    )
