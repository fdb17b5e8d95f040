"""What the rows of `origins.tsv` say of a bad site: from whom it may have copied.

That two sites have the same chunks is certain. Which of them had a chunk first is
told by dates of capture, and these say when the crawler came by.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from mr_reuse.tables.run_tables import ORIGINS

Origin = ORIGINS.row


MUCH = 0.25  # of the labels of a site
MOSTLY = 0.9  # of the chunks with two dates were captured first on the same side
# Chunks with two dates. By mere chance, 9 of 10 are first on one side once in a hundred
# times, 2 of 2 in every fourth; and so few may well come from a single page.
ENOUGH = 10
FAR = 24 * 3600  # seconds between first captures: no longer the same visit
SECONDS = len('2020-01-01T00:00:00')
CLEAR, WEAK, UNKNOWN, FEW = 'clear', 'weak', 'open', 'few'


class Tie(NamedTuple):
    """A bad site and another with the same chunks."""

    here: str
    there: str
    shared: int
    share: float
    first: int  # chunks that were captured there first, of those with two dates
    dated: int
    seconds: int | None  # between the first captures, there and here
    sure: str  # CLEAR or WEAK: it was there first; UNKNOWN, FEW: nobody can tell
    rivals: Sequence[str] = ()  # who may be the source of a clear copy as well

    @property
    def is_copy(self) -> bool:
        """Whether the other one was first."""
        return self.sure in (CLEAR, WEAK)


class Site(NamedTuple):
    """A bad site: the tie that says most of it, and whether it was first in all."""

    tie: Tie
    is_first: bool = False
    # Where it is open who was first: all such, the first first. If this one was: who
    # came within a day, and may be the source as well.
    near: Sequence[Tie] = ()


def seconds_between(first: str, second: str) -> int | None:
    """Seconds from a date to another, None if one of them is not known.

    >>> seconds_between('2020-01-01T00:00:00Z', '2020-01-02T00:00:01Z')
    86401
    >>> seconds_between('', '2020-01-02T00:00:01Z') is None
    True
    """
    try:
        # Not strptime, which takes fifty times as long; the Z came with Python 3.11.
        dates = [datetime.fromisoformat(date[:SECONDS]) for date in (first, second)]
    except ValueError:
        return None
    return int((dates[1] - dates[0]).total_seconds())


def tie(row: Origin) -> Tie:
    """What a row of `origins.tsv` says.

    >>> row = ('b/', 'a/', 50, 0.5, '2020-03-01T00:00:00Z', '2020-01-01T00:00:00Z')
    >>> tie(Origin(*row, 0, 50)).sure, tie(Origin(*row, 30, 20)).sure
    ('clear', 'open')
    >>> tie(Origin(*row, 0, 9)).sure
    'few'
    """
    dated = row.earlier_here + row.earlier_there
    seconds = seconds_between(row.first_there, row.first_here)
    sure = UNKNOWN
    if dated < ENOUGH:
        sure = FEW
    elif seconds is not None and row.earlier_there >= MOSTLY * dated and seconds >= 0:
        sure = CLEAR if seconds >= FAR else WEAK
    cells = row.neighborhood, row.other, row.shared, row.share or 0.0
    return Tie(*cells, row.earlier_there, dated, seconds, sure)


def was_first(row: Origin) -> bool:
    """Whether the bad site itself had most of what it shares first."""
    dated = row.earlier_here + row.earlier_there
    return dated >= ENOUGH and row.earlier_here >= MOSTLY * dated


def captured(row: Origin) -> tuple:
    """What sorts by first capture, unknown ones last."""
    return row.first_there or '~', row.other


def source(near: Sequence[Origin]) -> Tie | None:
    """From which of some others a site has its chunks; None if there is none.

    That is the one that was captured first, of those that had them before the site:
    the later ones may have copied from it too. Any other may be the source as well,
    unless it came a day or more after that one, or after the site itself. Then it is
    clear that the site is a copy, and open of which.

    >>> def row(there, date, first=50, dated=50):
    ...     dates = '2020-09-01T00:00:00Z', f'2020-{date}:00:00Z' if date else ''
    ...     return Origin('x/', there, 50, 0.5, *dates, dated - first, first)
    >>> def told(*rows):
    ...     found = source(rows)
    ...     return found and (found.there, found.sure, *found.rivals)

    A chain: b/ copied a/, c/ copied b/, and x/ any of them.

    >>> told(row('c/', '03-01T00'), row('b/', '02-01T00'), row('a/', '01-01T00'))
    ('a/', 'clear')

    The copy a/ was captured three hours before the shop b/; c/ a day after a/.

    >>> told(row('b/', '01-01T03'), row('c/', '01-02T00'), row('a/', '01-01T00'))
    ('a/', 'clear', 'b/')

    Half of b/ was captured before x/, and c/ nobody knows when; d/ came after x/.

    >>> told(row('a/', '01-01T00'), row('b/', '01-01T00', 25), row('c/', '', 0, 0))
    ('a/', 'clear', 'b/', 'c/')
    >>> told(row('a/', '01-01T00'), row('d/', '01-01T00', 2))
    ('a/', 'clear')

    Within a day before x/, all is a hint.

    >>> told(row('a/', '08-31T20'), row('b/', '08-31T22'))
    ('a/', 'weak')
    >>> told(row('b/', '01-01T00', 25)) is None
    True
    """
    copied = [row for row in near if tie(row).is_copy]
    if not copied:
        return None
    first = min(copied, key=captured)
    found = tie(first)
    if found.sure == WEAK:
        return found

    def is_later(row: Origin) -> bool:
        after = seconds_between(first.first_there, row.first_there)
        return was_first(row) or (after is not None and after >= FAR)

    others = sorted((row for row in near if not is_later(row)), key=captured)
    return found._replace(rivals=[row.other for row in others if row is not first])


def judged(rows: Iterable[Origin]) -> Site | None:
    """What the rows of a bad site say: from whom it copied, or with whom it shares.

    Others that share less than half as much as the most are left aside. A site that
    has little in common with any one says nothing.

    >>> row = ('a/', 'b/', 50, 0.5, '2020-01-01T00:00:00Z')
    >>> day, later = (Origin(*row, f'2020-01-0{n}T00:00:00Z', 50, 0) for n in (1, 2))
    >>> [(site.is_first, len(site.near)) for site in (judged([day]), judged([later]))]
    [(True, 1), (True, 0)]
    """
    rows = [row for row in rows if (row.share or 0.0) >= MUCH]
    near = [row for row in rows if 2 * row.shared >= rows[0].shared]
    if not near:
        return None
    if found := source(near):
        return Site(found)
    telling = [row for row in near if tie(row).sure != FEW]
    others = sorted((row for row in telling if not was_first(row)), key=captured)
    if others:
        return Site(tie(others[0]), near=[tie(row) for row in others])
    ties = [tie(row) for row in sorted(telling, key=captured)]
    soon = [one for one in ties if one.seconds is None or one.seconds > -FAR]
    return Site(tie(near[0]), bool(telling), soon)
