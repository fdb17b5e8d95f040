"""The options of `detect` alone: labels to look for, and thresholds of badness."""

import argparse
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse.chunks import families
from mr_reuse.chunks.chunk_tables import PLACES
from mr_reuse.chunks.detect.badness import RANKS, RATIOS, Rule
from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.cli.parser import read_options
from mr_reuse.cli.values import (
    A_LABEL_FILE,
    parse_levels,
    parse_natural,
    parse_positive,
    parse_ratio,
    parse_share,
)
from mr_reuse.engine import run_options
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.pages import input_options
from mr_reuse.pages.input_options import InputOptions

NONE = 'none'
JOINS = ('auto', 'map', 'reduce', 'bloom')


class MatchingOptions(NamedTuple):
    """The labels to look for, and the way to match them."""

    labels: str | None  # name of a label file
    join: str
    task_memory: int  # megabytes
    stop_scope: str
    distinct: bool
    places: bool
    pairs: str | None  # unit of the pairs of sites


class FactOptions(NamedTuple):
    """The facts that the user states; None for those of the last `detect`."""

    source: list[str] | None  # hosts; NONE forgets the earlier ones
    families: str | None  # the name of a file, or NONE


class DetectOptions(NamedTuple):
    """The options of `detect`."""

    run: RunOptions
    inputs: InputOptions
    matching: MatchingOptions
    facts: FactOptions
    rule: Rule
    archives: str | None  # a folder with archives that have moved
    captures: str | None  # to keep of each URL; None for those of the run
    recorded: dict[str, Any]  # all options, in the form of `run.json`


def add_matching(parser: argparse.ArgumentParser) -> None:
    """Add the options for the labels and for matching them."""
    group = parser.add_argument_group('labels')
    group.add_argument(
        '-l',
        '--labels',
        metavar='LABELS',
        help=f'{A_LABEL_FILE}. Default: the labels of the last detect on RUN, or those '
        'that discover found in it',
    )
    group.add_argument(
        '--join',
        choices=JOINS,
        default='auto',
        help='way to match pages with labels: all labels in the memory of each task '
        '(map), a part of the labels in each reducer (reduce), or the same with a '
        'Bloom filter before the reducers (bloom). Changes no result. Default: map if '
        'the labels fit into --task-memory, otherwise bloom',
    )
    group.add_argument(
        '--task-memory',
        type=parse_positive,
        default=400,
        metavar='MB',
        help='memory of a task, for the choice of --join auto. Default: %(default)s',
    )
    add_stop_scope(group)
    group.add_argument(
        '--distinct',
        action='store_true',
        help='count repetitions of a chunk on a page only once',
    )
    group.add_argument(
        '--places',
        action='store_true',
        help=f'also write {PLACES.file}, with a row for each page that has a label. '
        'export RUN places writes it later',
    )
    group.add_argument(
        '--min-chunks',
        type=parse_positive,
        default=1,
        metavar='N',
        help='exclude pages with fewer than N chunks from all ratios. '
        'Default: %(default)s',
    )


def add_facts(parser: argparse.ArgumentParser) -> None:
    """Add the options for facts that no capture shows."""
    group = parser.add_argument_group('facts that you know (seconds on a finished run)')
    group.add_argument(
        '--source',
        type=parse_source,
        action='append',
        metavar='HOST',
        help='HOST is the true source of its texts, whatever the dates of capture are. '
        'May be repeated. Default: the sources of the last detect on RUN; '
        f'{NONE} forgets them',
    )
    group.add_argument(
        '--families',
        metavar='FILE',
        help='text file with the hosts or domains of one owner in each line, separated '
        'by blanks. They are not compared with each other, like the hosts of one '
        'registered domain. Default: the families of the last detect on RUN; '
        f'{NONE} forgets them',
    )


def parse_source(text: str) -> str:
    """Parse a host that the user names as a source.

    >>> parse_source('WWW.Zoo.org/'), parse_source('none')
    ('www.zoo.org', 'none')
    """
    try:
        return families.parse_host(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_thresholds(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide what is bad.

    On a finished run, other values of these options rewrite the tables only.
    """
    group = parser.add_argument_group('thresholds (seconds on a finished run)')
    group.add_argument(
        '--levels',
        type=parse_levels,
        default='all',
        metavar='all|N|site|domain',
        help='neighborhoods to judge: on all levels, on level N, whole hosts (site), '
        'or registered domains (domain). Default: %(default)s',
    )
    group.add_argument(
        '--ratio',
        choices=RATIOS,
        default='pooled',
        help='badness of a neighborhood: the share of labels among all its chunks '
        '(pooled), or the mean of this share over its pages (mean). '
        'Default: %(default)s',
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
        '--sigmas',
        type=parse_ratio,
        metavar='K',
        help='number of standard deviations K in these thresholds. Default: 1',
    )
    group.add_argument(
        '--per-level',
        action=argparse.BooleanOptionalAction,
        help='compute mean and deviation for each level of neighborhoods, or over all '
        'levels together, as in the paper. Default: --per-level; --no-per-level if RUN '
        'was made with --preset ccr2019',
    )
    group.add_argument(
        '--rank',
        choices=RANKS,
        default='ratio',
        help='order of the bad ones: by ratio, or by number of labeled chunks (bad). '
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
        help='list only neighborhoods with at least N labeled chunks. With --rank bad '
        'and without a threshold, all of these are bad',
    )


def read_rule(args: argparse.Namespace) -> Rule:
    """Return the rule of badness of a command line.

    `--rank bad --min-bad N` sets the threshold to 0 if no other option sets it.
    """
    threshold = args.neighborhood_threshold
    is_ranked = args.rank == 'bad' and args.min_bad
    if is_ranked and args.sigmas is None and threshold is None:
        threshold = Fraction(0)
    sigmas = Fraction(1) if args.sigmas is None else args.sigmas
    rule = read_options(Rule, args)
    return rule._replace(neighborhood_threshold=threshold, sigmas=sigmas)


def read_detect_options(args: argparse.Namespace) -> DetectOptions:
    """Return the options of a command line of `detect`."""
    return DetectOptions(
        run_options.read_run_options(args),
        input_options.read_input_options(args),
        read_options(MatchingOptions, args),
        read_options(FactOptions, args),
        read_rule(args),
        args.archives,
        args.captures,
        run_options.drop_unset(vars(args)),
    )


def add_stop_scope(line: Any) -> None:
    """Add the option that decides how stop chunks count."""
    line.add_argument(
        '--stop-scope',
        type=parse_scope,
        choices=SCOPES,
        default=SCOPES[0],
        help='count the stop chunks and short chunks of the label file neither as '
        'labels nor as chunks of a page (both), or only not as labels (labels). '
        'Default: %(default)s',
    )


def parse_scope(text: str) -> str:
    """Refuse `none`, a value of older versions; other texts are unchanged."""
    if text == 'none':
        raise argparse.ArgumentTypeError(
            'none would do the same as labels, as stop chunks are no labels; to count '
            'them as labels, run discover without --stop and with --min-len 0'
        )
    return text
