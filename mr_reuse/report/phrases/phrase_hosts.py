"""The section of hosts whose pages have many popular shingles, and of monsters."""

from typing import Any, NamedTuple

from mr_reuse.phrases.hosts import LEAST_MEAN, LEAST_PAGES, MONSTER_DEVIATION
from mr_reuse.phrases.phrase_tables import PHRASE_HOSTS
from mr_reuse.report import inert
from mr_reuse.report.phrases import host_plots
from mr_reuse.report.phrases.counts import Facts
from mr_reuse.report.phrases.page_counts import damaged
from mr_reuse.report.run import Run
from mr_reuse.text.polynomials import SHINGLES

MAX_DRAWN = 1_000  # hosts in the plots
MAX_LISTED = 20  # hosts in the table


class Host(NamedTuple):
    """A host, with the popular shingles of its documents."""

    name: str
    pages: int
    mean: float
    deviation: float
    is_monster: bool


class Hosts(NamedTuple):
    """The hosts that the report shows, those with the most pages first."""

    drawn: list[Host]
    monsters: list[Host]


def read_hosts(run: Run) -> Hosts:
    """Read the hosts with the most pages, and the monsters with the most pages.

    Of a very large table only the first rows are read.
    """
    hosts = Hosts([], [])
    for row in run.first_rows(PHRASE_HOSTS):
        host = parse_host(row)
        if not host:
            raise damaged(run, PHRASE_HOSTS)
        if len(hosts.drawn) < MAX_DRAWN:
            hosts.drawn.append(host)
        if host.is_monster and len(hosts.monsters) < MAX_LISTED:
            hosts.monsters.append(host)
        if len(hosts.drawn) == MAX_DRAWN and len(hosts.monsters) == MAX_LISTED:
            break
    return hosts


def parse_host(row: Any) -> Host | None:
    """Parse a row of the table. Return None for one that cannot be.

    >>> row = PHRASE_HOSTS.row('h', 10, '36.500000000', '3.000000000', 1)
    >>> parse_host(row)
    Host(name='h', pages=10, mean=36.5, deviation=3.0, is_monster=True)
    >>> parse_host(row._replace(mean='nan')), parse_host(row._replace(pages=0))
    (None, None)
    """
    try:
        mean, deviation = float(row.mean), float(row.std)
    except ValueError:
        return None
    if not (row.pages and 0 <= mean <= SHINGLES and 0 <= deviation <= SHINGLES):
        return None
    return Host(row.host, row.pages, mean, deviation, bool(row.monster))


def section(run: Run, facts: Facts, hosts: Hosts) -> dict[str, Any]:
    """Return the hosts in plots and in a table."""
    names = [host.name for host in hosts.monsters or hosts.drawn]
    command = ''
    if names and not names[0].startswith('-'):
        line = '-o', run.path, '--covers-of', names[0]
        command = inert.command('phrases', *line)
    return {
        'counts': facts.counts,
        'rules': (LEAST_PAGES, LEAST_MEAN, MONSTER_DEVIATION),
        'drawn': hosts.drawn,
        'monsters': hosts.monsters,
        'others': [host for host in hosts.drawn if not host.is_monster][:MAX_LISTED],
        'figures': host_plots.draw_hosts(hosts.drawn) if hosts.drawn else [],
        'command': command,
    }
