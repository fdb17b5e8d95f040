"""The cost of a run on EMR: the machines that a mrjob.conf requests, times prices."""

import math
import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mr_reuse.engine import runners
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UserError
from mr_reuse.storage import text_files

BUILT_IN = os.path.join(os.path.dirname(__file__), 'prices.tsv')
# Time for which a cluster is paid in addition to the work.
START_SECONDS = 420.0  # until a cluster is up
STEP_SECONDS = 40.0  # for each step, however little work it has
IDLE_SECONDS = 600.0  # at the end: a cluster ends itself after ten minutes without work


class Price(NamedTuple):
    """The number of cores and the price of a type of machine."""

    cores: int
    dollars: float  # an hour


class Nodes(NamedTuple):
    """Machines of one type in a cluster."""

    role: str  # MASTER, CORE or TASK; a master runs no tasks
    type: str
    count: int
    spot: bool


class Cost(NamedTuple):
    """The duration and the price of a run."""

    hours: float  # from the request of the cluster until it ends
    dollars: float  # on demand, also for spot machines, whose prices vary


def read_prices(name: str) -> dict[str, Price]:
    """Read a table of prices, by type of machine.

    A row has the type, the cores, and dollars an hour in one or more columns, which are
    added up: the machine, and the fee of EMR. Raises UserError for any other row.

    >>> read_prices(BUILT_IN)['c5.2xlarge']
    Price(cores=8, dollars=0.425)
    """
    prices = {}
    for number, line in enumerate(text_files.read_lines(name), 1):
        fields = line.decode('utf-8', 'replace').split()
        if not fields or line.startswith((b'#', b'type')):
            continue
        try:
            kind, cores, *dollars = fields
            price = Price(int(cores), round(sum(map(float, dollars)), 6))
            if price.cores < 1 or not 0 < price.dollars < math.inf:
                raise ValueError
            prices[kind] = price
        except ValueError:
            raise UserError(
                f'{name}, line {number}: no price; give type, cores and dollars an hour'
            ) from None
    return prices


def cost_of(
    seconds: float, steps: int, nodes: Iterable[Nodes], prices: dict[str, Price]
) -> Cost:
    """Compute the cost of a run on a cluster that is started for it.

    `seconds` is the work for a single core.

    >>> nodes = [Nodes('MASTER', 'x', 1, False), Nodes('CORE', 'x', 3, False)]
    >>> cost_of(12 * 2380, 5, nodes, {'x': Price(4, 0.25)})
    Cost(hours=1.0, dollars=1.0)
    """
    nodes = list(nodes)
    cores = sum(prices[n.type].cores * n.count for n in nodes if n.role != 'MASTER')
    hours = (
        START_SECONDS + steps * STEP_SECONDS + seconds / max(1, cores) + IDLE_SECONDS
    ) / 3600
    return Cost(hours, hours * sum(prices[n.type].dollars * n.count for n in nodes))


def describe_nodes(nodes: Sequence[Nodes]) -> str:
    """Describe the machines of a cluster in a few words.

    >>> describe_nodes([Nodes('MASTER', 'x', 1, False), Nodes('TASK', 'y', 4, True)])
    '1 x, 4 y (spot)'
    """
    return ', '.join(f'{n.count} {n.type}{" (spot)" if n.spot else ""}' for n in nodes)


def describe_cost(options: RunOptions, seconds: float, steps: int) -> str:
    """Describe the cost of a run for `--dry-run`, or the reason why it is unknown.

    `seconds` is the work for a single core.
    """
    emr = runners.runner_class('emr')
    runner = emr(conf_paths=options.confs, cloud_tmp_dir=options.output)
    if known := runner.get_cluster_id():
        return f'the cost is unknown: the mrjob.conf names a cluster, {known}'
    table = options.prices or BUILT_IN
    prices, nodes = read_prices(table), runner.nodes()
    if missing := sorted({n.type for n in nodes} - set(prices)):
        return (
            f'the cost is unknown: no price of {missing[0]} in {table}; give --prices'
        )
    cost = cost_of(seconds, steps, nodes, prices)
    return (
        f'on {describe_nodes(nodes)}: {cost.hours:,.1f} hours, including start and end '
        f'of the cluster, and {cost.dollars:,.2f} dollars for the machines by {table} '
        '(on demand; without storage and traffic)'
    )
