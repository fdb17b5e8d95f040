"""The options of `detect` alone: what is looked for, and what is bad."""

import argparse
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.cli.values import (
    A_LABEL_FILE,
    options_of,
    parse_levels,
    parse_natural,
    parse_positive,
    parse_ratio,
    parse_share,
)
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UsageError
from mr_reuse.pages import input_options
from mr_reuse.pages.input_options import InputOptions

JOINS = ('auto', 'map', 'reduce', 'bloom')


class MatchingOptions(NamedTuple):
    """The labels to look for, and the way to find them."""

    labels: str | None  # name of a label file
    join: str
    task_memory: int  # megabytes
    stop_scope: str
    distinct: bool


class DetectOptions(NamedTuple):
    """The options of `detect`."""

    run: RunOptions
    inputs: InputOptions
    matching: MatchingOptions
    rule: Rule
    recorded: dict[str, Any]  # all of them, as `run.json` has them


def add_matching(parser: argparse.ArgumentParser) -> None:
    """What is looked for, and how."""
    group = parser.add_argument_group('labels')
    group.add_argument(
        '-l',
        '--labels',
        metavar='LABELS',
        help=f'{A_LABEL_FILE}. Default: those that RUN was searched for before, or '
        'those that it has found',
    )
    group.add_argument(
        '--join',
        choices=JOINS,
        default='auto',
        help='how pages and labels meet: labels in the memory of every task (map), '
        'or a part of them in each reducer (reduce), which is asked only for what a '
        'Bloom filter does not rule out (bloom). Changes no result. '
        'Default: what fits',
    )
    group.add_argument(
        '--task-memory',
        type=parse_positive,
        default=400,
        metavar='MB',
        help='what a task may use: --join auto goes by it. Default: %(default)s',
    )
    group.add_argument(
        '--stop-scope',
        choices=SCOPES,
        default='both',
        help='where the stop chunks and short chunks of the label file are left out: '
        'of labels and pages (both), of labels only, or nowhere (none). '
        'Default: %(default)s',
    )
    group.add_argument(
        '--distinct',
        action='store_true',
        help='count a chunk once a page, however often the page has it',
    )
    group.add_argument(
        '--min-chunks',
        type=parse_positive,
        default=1,
        metavar='N',
        help='leave pages with fewer chunks out of all ratios',
    )


def add_thresholds(parser: argparse.ArgumentParser) -> None:
    """What is bad; given anew on a finished run, only the tables are made anew."""
    group = parser.add_argument_group('what is bad (takes seconds on a finished run)')
    group.add_argument(
        '--levels',
        type=parse_levels,
        default='all',
        metavar='all|N|site|domain',
        help='which neighborhoods: of all levels, of level N, whole hosts (site), or '
        'registered domains. Default: %(default)s',
    )
    group.add_argument(
        '--ratio',
        choices=('pooled', 'mean'),
        default='pooled',
        help='the share of the chunks of a neighborhood that are labels (pooled), or '
        'the mean of that share over its pages. Default: %(default)s',
    )
    for name in ('page', 'neighborhood'):
        group.add_argument(
            f'--{name}-threshold',
            type=parse_share,
            metavar='X',
            help=f'a {name} is bad if its ratio is above X. Default: mean + K standard '
            'deviations',
        )
    group.add_argument(
        '--sigmas', type=parse_ratio, metavar='K', help='see above. Default: 1'
    )
    group.add_argument(
        '--per-level',
        action='store_true',
        help='mean and deviation for each level of neighborhoods, not over all',
    )
    group.add_argument(
        '--rank',
        choices=('ratio', 'bad'),
        default='ratio',
        help='worst first by ratio, or by number of labeled chunks. '
        'Default: %(default)s',
    )
    group.add_argument(
        '--top', type=parse_positive, metavar='N', help='list only the first N bad ones'
    )
    group.add_argument(
        '--min-bad',
        type=parse_natural,
        default=0,
        metavar='N',
        help='list only neighborhoods with at least N labeled chunks; with --rank bad '
        'and without a threshold this alone decides',
    )


def rule_of(args: argparse.Namespace) -> Rule:
    """The rule for what is bad, of a command line.

    `--rank bad --min-bad N` sets the threshold to 0 if no other option sets it.
    """
    fixed = args.neighborhood_threshold
    if args.rank == 'bad' and args.min_bad and args.sigmas is None:
        fixed = Fraction(0) if fixed is None and not args.per_level else fixed
    if args.per_level and fixed is not None:
        raise UsageError(
            '--per-level: goes without --neighborhood-threshold, which is one for all'
        )
    sigmas = Fraction(1) if args.sigmas is None else args.sigmas
    return options_of(Rule, args)._replace(neighborhood_threshold=fixed, sigmas=sigmas)


def detect_options_of(args: argparse.Namespace) -> DetectOptions:
    """The options of a command line of `detect`."""
    return DetectOptions(
        run_options.read_run_options(args),
        input_options.input_options_of(args),
        options_of(MatchingOptions, args),
        rule_of(args),
        run_options.drop_unset(vars(args)),
    )
