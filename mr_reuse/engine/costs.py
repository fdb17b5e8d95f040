"""What a cluster of AWS costs: the machines that a mrjob.conf asks for, by a table."""

import math
import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mr_reuse.engine import conf, runners
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UserError
from mr_reuse.storage import text_files

OURS = os.path.join(os.path.dirname(__file__), 'prices.tsv')
START = 420.0  # seconds until a cluster is up
STEP = 40.0  # seconds that a step takes, however little it has to do
IDLE = 600.0  # seconds without work until it ends itself


class Price(NamedTuple):
    """What a machine has, and costs in dollars an hour."""

    cores: int
    dollars: float


class Nodes(NamedTuple):
    """Machines of one type in a cluster."""

    role: str  # MASTER, CORE or TASK; the first does no work
    type: str
    count: int
    spot: bool


class Cost(NamedTuple):
    """What a run costs."""

    hours: float  # from the first request to the end
    dollars: float  # as if no machine was a spot


def read_prices(name: str) -> dict[str, Price]:
    """The prices in a table: type, cores, dollars for the machine, dollars for EMR.

    >>> read_prices(OURS)['c5.2xlarge']
    Price(cores=8, dollars=0.425)
    """
    found = {}
    for number, line in enumerate(text_files.read_lines(name), 1):
        fields = line.decode('utf-8', 'replace').split()
        if not fields or line.startswith((b'#', b'type')):
            continue
        try:
            kind, cores, *dollars = fields
            price = Price(int(cores), round(sum(map(float, dollars)), 6))
            if price.cores < 1 or not 0 < price.dollars < math.inf:
                raise ValueError
            found[kind] = price
        except ValueError:
            raise UserError(
                f'{name}, line {number}: no price; give type, cores and dollars an hour'
            ) from None
    return found


def cost(
    seconds: float, steps: int, nodes: Iterable[Nodes], prices: dict[str, Price]
) -> Cost:
    """What so many seconds of a core cost on a cluster that is made for them.

    >>> nodes = [Nodes('MASTER', 'x', 1, False), Nodes('CORE', 'x', 3, False)]
    >>> cost(12 * 2380, 5, nodes, {'x': Price(4, 0.25)})
    Cost(hours=1.0, dollars=1.0)
    """
    nodes = list(nodes)
    cores = sum(prices[n.type].cores * n.count for n in nodes if n.role != 'MASTER')
    hours = (START + steps * STEP + seconds / max(1, cores) + IDLE) / 3600
    return Cost(hours, hours * sum(prices[n.type].dollars * n.count for n in nodes))


def told(nodes: Sequence[Nodes]) -> str:
    """A cluster for people.

    >>> told([Nodes('MASTER', 'x', 1, False), Nodes('TASK', 'y', 4, True)])
    '1 x, 4 y (spot)'
    """
    return ', '.join(
        f'{one.count} {one.type}{" (spot)" if one.spot else ""}' for one in nodes
    )


def line(options: RunOptions, seconds: float, steps: int) -> str:
    """What a run would cost, or why nobody can say."""
    emr = runners.runner('emr')
    runner = emr(conf_paths=conf.paths(options.conf), cloud_tmp_dir=options.output)
    if known := runner.get_cluster_id():
        return f'what it would cost is not known: the conf names a cluster, {known}'
    table = options.prices or OURS
    prices, nodes = read_prices(table), runner.nodes()
    if missing := sorted({one.type for one in nodes} - set(prices)):
        return (
            f'what it would cost is not known: no price of {missing[0]} in {table}; '
            'give --prices'
        )
    found = cost(seconds, steps, nodes, prices)
    return (
        f'on {told(nodes)} that would be {found.hours:,.1f} hours, start and end of '
        f'the cluster included, and {found.dollars:,.2f} dollars for the machines by '
        f'{table} (on demand; storage and traffic are not in it)'
    )
