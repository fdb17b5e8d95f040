"""The ties of a bad site in `origins.tsv`: the sites that it may have copied.

It is certain that two sites have the same chunks. Which of them had a chunk first is
inferred from the dates of capture, which are those of the crawler's visits.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from mr_reuse.chunks.chunk_tables import ORIGINS

Origin = ORIGINS.row

MIN_SHARE = 0.25  # of the labels of a site, shared with another
MIN_FIRST = 0.9  # share of the dated chunks that one site had first
# Chunks with two dates. By chance, one site is first with 9 or 10 of 10 once in a
# hundred times, and with 2 of 2 once in four; and 2 chunks may be of a single page.
MIN_DATED = 10
MIN_LEAD = 24 * 3600  # seconds between first captures; with less, it may be one visit
DATE_LENGTH = len('2020-01-01T00:00:00')  # without the time zone, which is UTC
CLEAR, WEAK, UNKNOWN, FEW = 'clear', 'weak', 'open', 'few'


class Tie(NamedTuple):
    """A bad site `here` and another site `there` with the same chunks."""

    here: str
    there: str
    shared: int
    share: float
    first: int  # chunks that were captured there first, of those with two dates
    dated: int
    seconds: int | None  # from the first capture there to that here
    sure: str  # CLEAR or WEAK: there was first; UNKNOWN or FEW: the order is open
    rivals: Sequence[str] = ()  # other possible sources of a clear copy

    @property
    def is_copy(self) -> bool:
        """True if the other site was first."""
        return self.sure in (CLEAR, WEAK)


class Site(NamedTuple):
    """A bad site: its most informative tie, and whether it was first in all ties."""

    tie: Tie
    is_first: bool = False
    # If the order is open: all such ties, by first capture. If the site was first: the
    # sites that were captured within a day or have no dates. Each may be the source.
    near: Sequence[Tie] = ()


def seconds_between(first: str, second: str) -> int | None:
    """Return the seconds between two dates, None if either is unknown.

    >>> seconds_between('2020-01-01T00:00:00Z', '2020-01-02T00:00:01Z')
    86401
    >>> seconds_between('', '2020-01-02T00:00:01Z') is None
    True
    """
    try:
        # strptime takes fifty times as long. Only Python 3.11 and later parse the Z.
        dates = [datetime.fromisoformat(date[:DATE_LENGTH]) for date in (first, second)]
    except ValueError:
        return None
    return int((dates[1] - dates[0]).total_seconds())


def tie_of(row: Origin) -> Tie:
    """Grade a row of `origins.tsv`.

    >>> row = ('b/', 'a/', 50, 0.5, '2020-03-01T00:00:00Z', '2020-01-01T00:00:00Z')
    >>> tie_of(Origin(*row, 0, 50)).sure, tie_of(Origin(*row, 30, 20)).sure
    ('clear', 'open')
    >>> tie_of(Origin(*row, 0, 9)).sure
    'few'
    """
    dated = row.earlier_here + row.earlier_there
    seconds = seconds_between(row.first_there, row.first_here)
    sure = UNKNOWN
    if dated < MIN_DATED:
        sure = FEW
    elif (
        seconds is not None and row.earlier_there >= MIN_FIRST * dated and seconds >= 0
    ):
        sure = CLEAR if seconds >= MIN_LEAD else WEAK
    cells = row.neighborhood, row.other, row.shared, row.share or 0.0
    return Tie(*cells, row.earlier_there, dated, seconds, sure)


def was_first(row: Origin) -> bool:
    """Return True if the bad site itself had most of the shared chunks first."""
    dated = row.earlier_here + row.earlier_there
    return dated >= MIN_DATED and row.earlier_here >= MIN_FIRST * dated


def capture_key(row: Origin) -> tuple:
    """Return the sort key of the first capture there; unknown dates are last."""
    return row.first_there or '~', row.other  # '~' sorts after all digits


def source(near: Sequence[Origin]) -> Tie | None:
    """Find the source of a site among others; None if the site is no copy.

    The source is the first captured of the sites that had the chunks before this site,
    since the others may be copies of it. Any other site is a rival, that is another
    possible source, unless it was captured a day or more after the source, or after
    this site. With rivals, the site is clearly a copy, but the source is open.

    >>> def row(there, date, first=50, dated=50):
    ...     dates = '2020-09-01T00:00:00Z', f'2020-{date}:00:00Z' if date else ''
    ...     return Origin('x/', there, 50, 0.5, *dates, dated - first, first)
    >>> def names(*rows):
    ...     tie = source(rows)
    ...     return tie and (tie.there, tie.sure, *tie.rivals)

    A chain: b/ copied a/, c/ copied b/, and x/ copied any of them.

    >>> names(row('c/', '03-01T00'), row('b/', '02-01T00'), row('a/', '01-01T00'))
    ('a/', 'clear')

    The copy a/ was captured three hours before the shop b/; c/ a day after a/.

    >>> names(row('b/', '01-01T03'), row('c/', '01-02T00'), row('a/', '01-01T00'))
    ('a/', 'clear', 'b/')

    Half of b/ was captured before x/. The date of c/ is unknown. d/ came after x/.

    >>> names(row('a/', '01-01T00'), row('b/', '01-01T00', 25), row('c/', '', 0, 0))
    ('a/', 'clear', 'b/', 'c/')
    >>> names(row('a/', '01-01T00'), row('d/', '01-01T00', 2))
    ('a/', 'clear')

    All captures within a day before x/ are a hint.

    >>> names(row('a/', '08-31T20'), row('b/', '08-31T22'))
    ('a/', 'weak')
    >>> names(row('b/', '01-01T00', 25)) is None
    True
    """
    copied = [row for row in near if tie_of(row).is_copy]
    if not copied:
        return None
    first = min(copied, key=capture_key)
    tie = tie_of(first)
    if tie.sure == WEAK:
        return tie

    def is_later(row: Origin) -> bool:
        after = seconds_between(first.first_there, row.first_there)
        return was_first(row) or (after is not None and after >= MIN_LEAD)

    others = sorted((row for row in near if not is_later(row)), key=capture_key)
    return tie._replace(rivals=[row.other for row in others if row is not first])


def judge(rows: Iterable[Origin]) -> Site | None:
    """Judge a bad site by its rows, those with the most shared labels first.

    Sites that share less than half as much as the first row are ignored. Returns None
    for a site that has little in common with any other.

    >>> row = ('a/', 'b/', 50, 0.5, '2020-01-01T00:00:00Z')
    >>> day, later = (Origin(*row, f'2020-01-0{n}T00:00:00Z', 50, 0) for n in (1, 2))
    >>> [(site.is_first, len(site.near)) for site in (judge([day]), judge([later]))]
    [(True, 1), (True, 0)]
    """
    rows = [row for row in rows if (row.share or 0.0) >= MIN_SHARE]
    near = [row for row in rows if 2 * row.shared >= rows[0].shared]
    if not near:
        return None
    if tie := source(near):
        return Site(tie)
    dated = [row for row in near if tie_of(row).sure != FEW]
    others = sorted((row for row in dated if not was_first(row)), key=capture_key)
    if others:
        return Site(tie_of(others[0]), near=[tie_of(row) for row in others])
    ties = [tie_of(row) for row in sorted(dated, key=capture_key)]
    soon = [tie for tie in ties if tie.seconds is None or tie.seconds > -MIN_LEAD]
    return Site(tie_of(near[0]), bool(dated), soon)
