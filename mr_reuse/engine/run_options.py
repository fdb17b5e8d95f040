"""The options of a run: folder, runner, configuration. Scripts rely on their names."""

import argparse
import logging
import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse import kernel
from mr_reuse.cli.parser import read_options
from mr_reuse.cli.values import parse_positive
from mr_reuse.engine import clusters, conf, runners

DEFAULTS = os.path.join(os.path.dirname(os.path.dirname(__file__)), 'mrjob.conf')


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

    @property
    def confs(self) -> list[str]:
        """The configuration files to read; later ones override earlier ones."""
        names = [self.conf] if self.conf else []
        return [DEFAULTS, *names] if self.runner == 'emr' else names


def add_runner(group: argparse._ActionsContainer) -> None:
    """Add the options that select a runner and its configuration."""
    group.add_argument(
        '-r',
        '--runner',
        choices=tuple(runners.CLASSES),
        default='local',
        help='local: all cores of this machine; inline: one process; hadoop: the '
        'Hadoop cluster for which this machine is configured; emr: a cluster that AWS '
        'starts for the run; spark: Spark, on this machine or on the master that a '
        'mrjob.conf names. Default: %(default)s',
    )
    group.add_argument(
        '-c',
        '--conf',
        metavar='FILE',
        help='a mrjob.conf, with the settings of the cluster',
    )


def add_run(
    parser: argparse.ArgumentParser,
    result: str = 'RUN',
    help_: str = 'the folder for results',
) -> None:
    """Add the options of a run: its folder, its runner, its messages."""
    parser.add_argument('--version', action='version', version=kernel.version())
    group = parser.add_argument_group('run')
    group.add_argument('-o', '--output', required=True, metavar=result, help=help_)
    add_runner(group)
    group.add_argument(
        '--tasks',
        type=parse_positive,
        metavar='N',
        help='number of tasks that read the input; changes no result',
    )
    group.add_argument(
        '--no-combine',
        action='store_true',
        help='send every single count to the reducers, without adding up within a '
        'task; slower, changes no result',
    )
    group.add_argument(
        '--force',
        action='store_true',
        help=f'use {result} even if it has other content',
    )
    group.add_argument(
        '--dry-run',
        action='store_true',
        help='only print the inputs and an estimate of time, shuffle and disk',
    )
    group.add_argument(
        '--prices',
        metavar='FILE',
        help='file with prices of machines for --dry-run -r emr, in the format of '
        'mr_reuse/engine/prices.tsv',
    )
    loud = group.add_mutually_exclusive_group()
    loud.add_argument(
        '-q', '--quiet', action='store_true', help='no progress, no summary'
    )
    loud.add_argument(
        '-v', '--verbose', action='store_true', help='print the messages of mrjob, too'
    )


def read_run_options(args: argparse.Namespace) -> RunOptions:
    """Read the run options from a parsed command line, and check them.

    Raises UserError for a folder that the runner cannot use, and for a mrjob.conf with
    errors. With `--verbose`, messages of mrjob go to standard error from now on.
    """
    options = read_options(RunOptions, args)
    clusters.check_output(options.runner, options.output)
    if options.conf:
        conf.check_config(options.conf, options.runner)
    if options.verbose:
        logging.getLogger('mrjob').addHandler(logging.StreamHandler())
        logging.getLogger('mrjob').setLevel(logging.INFO)
    return options


def drop_unset(values: Mapping[str, Any]) -> dict[str, Any]:
    """Drop options that are not set, and return the others as `run.json` keeps them.

    >>> drop_unset({'limit': None, 'filter': [], 'sigmas': Fraction(1, 2)})
    {'sigmas': '1/2'}
    """
    return {
        name: str(value) if isinstance(value, Fraction) else value
        for name, value in values.items()
        if value not in (None, [], '')
    }
