"""The table of damage in archives."""

from collections.abc import Mapping
from typing import Any

from mr_reuse.archives import archive_stats
from mr_reuse.messages import make_visible

ROWS = 20  # lines to print


def format_damage(accounts: list[Mapping[str, Any]]) -> str:
    """Format the damage that was not read, by archive and cause.

    >>> print(format_damage([{'archive': 'a.warc', 'damage': {'empty file': [0, 0]}}]))
    damaged input; everything else was read:
     records        bytes  cause, archive
           0            0  empty file, a.warc
    """
    lines = [
        f'{records:>8,} {size:>12,}  {cause}, {make_visible(stats["archive"])}'
        for stats in accounts
        for cause, (records, size) in sorted(stats['damage'].items())
    ]
    head = 'damaged input; everything else was read:'
    more = len(lines) - ROWS
    shown = lines[:ROWS]
    if more > 0:
        sums = archive_stats.sum_stats(list(accounts), 'damage')
        shown.append(
            f'{"…":>8} {"…":>12}  and {more:,} more, see run.json; totals by cause:'
        )
        shown += [f'{n:>8,} {s:>12,}  {cause}' for cause, (n, s) in sums.items()]
    return '\n'.join([head, f'{"records":>8} {"bytes":>12}  cause, archive', *shown])
