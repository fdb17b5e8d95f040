"""Damage in archives: the archives that a record names, and the table for people."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.archives import archive_stats
from mr_reuse.engine import part_files
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import make_visible

ROWS = 20  # lines to print
MAX_ARCHIVES = 10_000  # in a record: those with the greatest losses

Account = Mapping[str, Any]  # the statistics of an archive


class DamageCounts(NamedTuple):
    """Numbers of all damaged archives."""

    archives: int = 0
    causes: int = 0  # the causes of each archive, added up
    unread: int = 0  # archives of which nothing could be read


class Damage(NamedTuple):
    """The damaged archives with the greatest losses, and the numbers of all."""

    archives: list[Account]  # by name
    counts: DamageCounts

    @property
    def recorded_counts(self) -> dict[str, int] | None:
        """The numbers, for a record; None if they follow from its archives."""
        is_whole = len(self.archives) == self.counts.archives
        return None if is_whole else self.counts._asdict()


def collect(accounts: Iterable[Account], others: DamageCounts | None = None) -> Damage:
    """Collect the damage of archives; `others` are not among them, and only counted.

    >>> damaged = {'archive': 'a', 'damage': {'empty file': [0, 0]}}
    >>> collect([damaged, {'archive': 'b', 'counts': {'pages': 7}}]).counts
    DamageCounts(archives=1, causes=1, unread=1)
    """
    archives, causes, unread = others or DamageCounts()

    def damaged() -> Iterator[Account]:
        nonlocal archives, causes, unread
        for account in accounts:
            if damage := account.get('damage'):
                archives += 1
                causes += len(damage)
                unread += archive_stats.is_unread(account)
                yield account

    worst = heapq.nsmallest(MAX_ARCHIVES, damaged(), key=_rank)
    worst.sort(key=lambda account: account['archive'])
    return Damage(worst, DamageCounts(archives, causes, unread))


def _rank(account: Account) -> tuple[int, int, str]:
    """Return the sort key of an archive: the greatest losses first."""
    losses = account['damage'].values()
    records, size = (sum(loss[place] for loss in losses) for place in (0, 1))
    return -records, -size, account['archive']


def read_accounts(parts: Iterable[str]) -> Iterator[Account]:
    """Yield the statistics of archives that the tasks of a page job have written."""
    for task in part_files.read_all_stats(parts):
        yield from task.get('accounts', ())


def find_refused(run: RunDir, step: str) -> Iterator[str]:
    """Yield the names of archives that a finished page job could not open."""
    finished = run.read_step(step)
    # An older version has not counted them.
    if finished and any(task.get('refused', 1) for task in finished.stats):
        parts = storage.list_part_names(run.join(finished.output))
        for account in read_accounts(parts):
            if archive_stats.is_refused(account):
                yield account['archive']


def of_record(record: RunRecord) -> Damage:
    """Return the damage that a record has."""
    found = collect(record.damaged or ())
    if record.damage_counts:
        return found._replace(counts=DamageCounts(**record.damage_counts))
    return found


def join(old: Damage, accounts: Iterable[Account]) -> Damage:
    """Add the damage of further archives to that of an older run."""
    kept = collect(old.archives).counts
    others = (n - m for n, m in zip(old.counts, kept, strict=True))
    return collect([*old.archives, *accounts], DamageCounts(*others))


def format_damage(damage: Damage, sums: Mapping[str, list[int]]) -> str:
    """Format the damage, by archive and cause. `sums` are the losses by cause.

    >>> found = collect([{'archive': 'a.warc', 'damage': {'empty file': [0, 0]}}])
    >>> print(format_damage(found, {}))
    damaged input; everything else was read:
     records        bytes  cause, archive
           0            0  empty file, a.warc
    """
    lines = [
        f'{records:>8,} {size:>12,}  {cause}, {make_visible(account["archive"])}'
        for account in damage.archives
        for cause, (records, size) in sorted(account['damage'].items())
    ]
    head = 'damaged input; everything else was read:'
    shown = lines[:ROWS]
    more = damage.counts.causes - len(shown)
    if more > 0:
        shown.append(
            f'{"…":>8} {"…":>12}  and {more:,} more, see run.json; totals by cause:'
        )
        shown += [f'{n:>8,} {s:>12,}  {c}' for c, (n, s) in sorted(sums.items())]
    return '\n'.join([head, f'{"records":>8} {"bytes":>12}  cause, archive', *shown])
