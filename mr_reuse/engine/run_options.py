"""The options that commands share, under the names that scripts rely on."""

import argparse
import logging

from mr_reuse import kernel
from mr_reuse.cli.values import positive
from mr_reuse.engine import clusters, conf

RUNNERS = ('local', 'inline', 'hadoop', 'emr', 'spark')


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


def check_run(given: argparse.Namespace) -> None:
    """Refuse a configuration that cannot be read; turn on what is to be told."""
    clusters.check(given)
    if given.conf:
        conf.check(given.conf, given.runner)
    if given.verbose:
        logging.getLogger('mrjob').addHandler(logging.StreamHandler())
        logging.getLogger('mrjob').setLevel(logging.INFO)
