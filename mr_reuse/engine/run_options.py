"""The options that commands share, under the names that scripts rely on."""

import argparse
import logging
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse import kernel
from mr_reuse.cli.values import pick, positive
from mr_reuse.engine import clusters, conf

RUNNERS = ('local', 'inline', 'hadoop', 'emr', 'spark')


class RunOptions(NamedTuple):
    """The folder of a run, and the way its jobs are executed.

    Options with a default are those that some commands do not have.
    """

    output: str
    runner: str
    conf: str | None  # name of a mrjob.conf
    quiet: bool
    tasks: int | None = None
    no_combine: bool = False
    force: bool = False
    dry_run: bool = False
    prices: str | None = None
    verbose: bool = False


def add_runner(group: argparse._ActionsContainer) -> None:
    """What runs the jobs."""
    group.add_argument(
        '-r',
        '--runner',
        choices=RUNNERS,
        default='local',
        help='local: all cores of this machine; inline: one process; hadoop: the '
        'cluster that this machine is set up for; emr: one that AWS makes; spark: '
        'Spark, on this machine or where a mrjob.conf says. Default: %(default)s',
    )
    group.add_argument(
        '-c', '--conf', metavar='FILE', help='a mrjob.conf: what a cluster wants'
    )


def add_run(
    parser: argparse.ArgumentParser,
    result: str = 'RUN',
    help_: str = 'the folder for results',
) -> None:
    """Where and how the work is done."""
    parser.add_argument('--version', action='version', version=kernel.version())
    group = parser.add_argument_group('run')
    group.add_argument('-o', '--output', required=True, metavar=result, help=help_)
    add_runner(group)
    group.add_argument(
        '--tasks', type=positive, metavar='N', help='map tasks; changes no result'
    )
    group.add_argument(
        '--no-combine', action='store_true', help='count without combining in tasks'
    )
    group.add_argument(
        '--force',
        action='store_true',
        help=f'take {result} even if other things are in it',
    )
    group.add_argument(
        '--dry-run',
        action='store_true',
        help='only say what would be done, and about what it would take',
    )
    group.add_argument(
        '--prices',
        metavar='FILE',
        help='what machines cost, for --dry-run -r emr: a table as '
        'mr_reuse/engine/prices.tsv',
    )
    loud = group.add_mutually_exclusive_group()
    loud.add_argument(
        '-q', '--quiet', action='store_true', help='no progress, no summary'
    )
    loud.add_argument(
        '-v', '--verbose', action='store_true', help='tell what mrjob says as well'
    )


def run_options_of(args: argparse.Namespace) -> RunOptions:
    """The run options of a command line; with `--verbose`, log what mrjob logs.

    Refuses a folder that the runner cannot use, and a mrjob.conf that cannot be read.
    """
    options = pick(RunOptions, args)
    clusters.check(options.runner, options.output)
    if options.conf:
        conf.check(options.conf, options.runner)
    if options.verbose:
        logging.getLogger('mrjob').addHandler(logging.StreamHandler())
        logging.getLogger('mrjob').setLevel(logging.INFO)
    return options


def record_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """All options that are set, as `run.json` keeps them.

    >>> record_options({'limit': None, 'filter': [], 'sigmas': Fraction(1, 2)})
    {'sigmas': '1/2'}
    """
    return {
        name: str(value) if isinstance(value, Fraction) else value
        for name, value in values.items()
        if value not in (None, [], '')
    }
