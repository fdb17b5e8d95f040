"""The ties of a bad site in `origins.tsv`: the sites that have the same chunks.

It is certain that two sites have the same chunks, and which of them was captured first.
Dates of capture are those of the crawler's visits, so they do not prove who copied. A
site has copies from another only if the user named the other as the source.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from mr_reuse.chunks.chunk_tables import ORIGINS
from mr_reuse.chunks.detect.origin_table import is_close
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.families import Families

Origin = ORIGINS.row

MIN_FIRST = 0.9  # share of the dated chunks that one site had first
# Chunks with two dates. By chance, one site is first with 9 or 10 of 10 once in a
# hundred times, and with 2 of 2 once in four; and 2 chunks may be of a single page.
MIN_DATED = 10
MIN_LEAD = 24 * 3600  # seconds between first captures; with less, it may be one visit
DATE_LENGTH = len('2020-01-01T00:00:00')  # without the time zone, which is UTC
CLEAR, WEAK, UNKNOWN, FEW = 'clear', 'weak', 'open', 'few'
SAME, FAMILY = 'same', 'family'
NAMED, GIVEN = 'named', 'given'
NO_FACTS = Facts()


class Tie(NamedTuple):
    """A bad site `here` and another site `there` with the same chunks."""

    here: str
    there: str
    shared: int
    share: float
    first: int  # chunks that were captured there first, of those with two dates
    dated: int
    seconds: int | None  # from the first capture there to that here
    # CLEAR or WEAK: there was first. SAME: both at once. UNKNOWN or FEW: the order is
    # open. FAMILY: the sites belong to one owner. NAMED: the user named the other site
    # as the source. GIVEN: the user named the bad site as a source.
    sure: str
    rivals: Sequence[str] = ()  # sites that may have been first as well
    of_chunks: float = 0.0  # share of all chunks of the bad site; 0 if unknown
    source: str = ''  # the host that the user named, if NAMED or GIVEN

    @property
    def is_later(self) -> bool:
        """True if the other site was first."""
        return self.sure in (CLEAR, WEAK)

    @property
    def has_first(self) -> bool:
        """True if the other site was first, or is the source that the user named."""
        return self.is_later or self.sure == NAMED


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
    >>> orders = (0, 50, 0), (30, 20, 0), (0, 9, 0), (0, 2, 48)
    >>> [tie_of(Origin(*row, *order, 0.5, '')).sure for order in orders]
    ['clear', 'open', 'few', 'same']
    """
    dated = count_dated(row)
    seconds = seconds_between(row.first_there, row.first_here)
    sure = UNKNOWN
    if dated < MIN_DATED:
        sure = FEW
    elif row.same_time >= MIN_FIRST * dated:
        sure = SAME
    elif (
        seconds is not None and row.earlier_there >= MIN_FIRST * dated and seconds >= 0
    ):
        sure = CLEAR if seconds >= MIN_LEAD else WEAK
    cells = row.neighborhood, row.other, row.shared, row.share or 0.0
    numbers = row.earlier_there, dated, seconds
    return Tie(*cells, *numbers, sure, of_chunks=row.chunk_share or 0.0)


def count_dated(row: Origin) -> int:
    """Count the shared chunks with a date on both sites."""
    return row.earlier_here + row.earlier_there + row.same_time


def credit_family(row: Origin, first: str) -> Origin:
    """Return a row with the order in which the whole family had the chunks.

    `first` is the first capture of another host of the family, '' without a date. If
    it is not after the first capture there, the other site was not before the family.

    >>> row = ('a.org/', 'b/', 50, 0.5, '2020-03-01T00:00:00Z', '2020-02-01T00:00:00Z')
    >>> row = Origin(*row, 0, 50, 0, 0.5, '')
    >>> credited = credit_family(row, '2020-01-01T00:00:00Z')
    >>> credited.first_here, credited.earlier_here, credited.earlier_there
    ('2020-01-01T00:00:00Z', 50, 0)
    >>> credit_family(row, '2020-02-02T00:00:00Z') == row
    True
    """
    if not first or (row.first_there and row.first_there < first):
        return row
    dated = count_dated(row)
    first_here = min(filter(None, (first, row.first_here)))
    same = dated if first_here == row.first_there else 0
    orders = {'earlier_here': dated - same, 'earlier_there': 0, 'same_time': same}
    return row._replace(first_here=first_here, **orders)


def was_first(row: Origin) -> bool:
    """Return True if the bad site itself had most of the shared chunks first."""
    dated = count_dated(row)
    return dated >= MIN_DATED and row.earlier_here >= MIN_FIRST * dated


def capture_key(row: Origin) -> tuple:
    """Return the sort key of the first capture there; unknown dates are last."""
    return row.first_there or '~', row.other  # '~' sorts after all digits


def source(
    near: Sequence[Origin], families: Families = NO_FACTS.families
) -> Tie | None:
    """Find the site that was captured first of those before a site; None without any.

    Any other site is a rival, that may have been first as well, unless it was captured
    a day or more after the first, or after this site, or is of the family of the first.

    >>> def row(there, date, first=50, dated=50):
    ...     dates = '2020-09-01T00:00:00Z', f'2020-{date}:00:00Z' if date else ''
    ...     orders = dated - first, first, 0
    ...     return Origin('x/', there, 50, 0.5, *dates, *orders, 0.5, '')
    >>> def names(*rows):
    ...     tie = source(rows)
    ...     return tie and (tie.there, tie.sure, *tie.rivals)

    A chain: first a/, then b/, then c/, then x/.

    >>> names(row('c/', '03-01T00'), row('b/', '02-01T00'), row('a/', '01-01T00'))
    ('a/', 'clear')

    b/ was captured three hours after a/, and c/ a day after a/.

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
    copied = [row for row in near if tie_of(row).is_later]
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
    names = [row.other for row in others if row is not first]
    rivals = [name for name in names if not families.same(name, first.other)]
    return tie._replace(rivals=rivals)


def judge(rows: Iterable[Origin], facts: Facts = NO_FACTS) -> Site | None:
    """Judge a bad site by its rows, those with the most shared labels first.

    Sites that share less than half as much as the first row are ignored. Returns None
    for a site that has little in common with any other.

    >>> row = ('a/', 'b/', 50, 0.5, '2020-01-01T00:00:00Z')
    >>> days = [f'2020-01-0{n}T00:00:00Z' for n in (1, 2)]
    >>> day, later = (Origin(*row, date, 50, 0, 0, 0.5, '') for date in days)
    >>> [(site.is_first, len(site.near)) for site in (judge([day]), judge([later]))]
    [(True, 1), (True, 0)]
    >>> [judge([later], Facts([name])).tie.sure for name in ('a', 'b')]
    ['given', 'named']
    """
    families, rows = facts.families, list(rows)
    if host := facts.source_of(rows[0].neighborhood):
        return Site(tie_of(rows[0])._replace(sure=GIVEN, source=host))
    rows = list(filter(is_close, rows))
    family = [row for row in rows if families.same(row.neighborhood, row.other)]
    strange = [row for row in rows if row not in family]
    if named := [row for row in strange if facts.source_of(row.other)]:
        host = facts.source_of(named[0].other)
        return Site(tie_of(named[0])._replace(sure=NAMED, source=host))
    near = [row for row in strange if 2 * row.shared >= strange[0].shared]
    if not near:
        return Site(tie_of(family[0])._replace(sure=FAMILY)) if family else None
    if first := min((row.first_there for row in family if row.first_there), default=''):
        near = [credit_family(row, first) for row in near]
    if tie := source(near, families):
        return Site(tie)
    dated = [row for row in near if tie_of(row).sure != FEW]
    others = sorted((row for row in dated if not was_first(row)), key=capture_key)
    if others:
        return Site(tie_of(others[0]), near=[tie_of(row) for row in others])
    ties = [tie_of(row) for row in sorted(dated, key=capture_key)]
    soon = [tie for tie in ties if tie.seconds is None or tie.seconds > -MIN_LEAD]
    return Site(tie_of(near[0]), bool(dated), soon)
