"""Which pages, hosts and domains have the style of known pages, and are not known."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms.agreement import count_agreeing
from mr_reuse.archives.urls import url_host
from mr_reuse.messages import to_bytes
from mr_reuse.pages.documents.servers import domain_of
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.sorting import DIGITS, Keyed
from mr_reuse.styles.describing import Member
from mr_reuse.tables.decimals import format_decimal

PAGE, HOST, DOMAIN = UNITS = ('page', 'host', 'domain')


class Known(NamedTuple):
    """The names that are known; hosts and domains include those of known pages."""

    names: set[str]  # as they are in the list: rids, URLs and hosts
    hosts: set[str]
    domains: set[str]

    def names_of(self, member: Member) -> list[str]:
        """Return the known names of a page; without one, the page is not known.

        >>> known = collect_known(['b.org', 'http://b.org/x'], [])
        >>> known.names_of(Member(0, '', 0, 'a:0', 'http://b.org/'))
        ['b.org']
        """
        names = member.rid, member.url, url_host(member.url)
        return [name for name in names if name in self.names]


def collect_known(names: Iterable[str], urls: Iterable[str]) -> Known:
    """Return what is known, given the names of a list and the URLs of its rids.

    >>> known = collect_known(['http://www.a.org/x', 'b.org'], [])
    >>> sorted(known.hosts), sorted(known.domains)
    (['b.org', 'www.a.org'], ['a.org', 'b.org'])
    """
    found = set(names)
    hosts = {url_host(name) or name for name in found} | set(map(url_host, urls))
    hosts = {host for host in hosts if host and '/' not in host}
    return Known(found, hosts, set(map(domain_of, hosts)))


class Spread(NamedTuple):
    """A row of the table."""

    unit: str
    name: str
    style: int
    similarity: Fraction
    known: int

    def to_row(self) -> Keyed:
        """Make the row, with its sort key.

        >>> Spread('host', 'a.org', 3, Fraction(1, 2), 7).to_row()[1]
        b'host\\ta.org\\t3\\t0.500000000\\t7'
        """
        similarity = format_decimal(self.similarity)
        key = b'%d%b%b\t%0*d' % (
            UNITS.index(self.unit),
            sorting.descending(int(similarity.replace('.', ''))),
            to_bytes(self.name),
            *(DIGITS, self.style),
        )
        cells = self.unit, self.name, self.style, similarity, self.known
        return key, to_bytes('\t'.join(map(str, cells)))


def spread_style(
    style: int, members: list[Member], keys: np.ndarray, known: Known, normalizes: bool
) -> Iterator[Spread]:
    """Yield the rows of a style."""
    is_known = np.array([bool(known.names_of(member)) for member in members], bool)
    count = int(is_known.sum())
    if not count or is_known.all():
        return
    numbers = np.array([member.number for member in members], np.int64)
    near = find_nearest(keys[numbers[~is_known]], keys[numbers[is_known]], normalizes)
    others = (m for m, skip in zip(members, is_known.tolist(), strict=True) if not skip)
    greatest: dict[tuple[str, str], Fraction] = {}
    for member, similarity in zip(others, near, strict=True):
        yield Spread(PAGE, member.url, style, similarity, count)
        host = url_host(member.url)
        names = ((HOST, host, known.hosts), (DOMAIN, domain_of(host), known.domains))
        for unit, name, others_known in names:
            if host and name not in others_known:
                before = greatest.get((unit, name), Fraction(0))
                greatest[unit, name] = max(before, similarity)
    for (unit, name), similarity in greatest.items():
        yield Spread(unit, name, style, similarity, count)


def find_nearest(
    rows: np.ndarray, known: np.ndarray, normalizes: bool
) -> list[Fraction]:
    """Return the similarity of each row to the nearest known one.

    >>> rows = np.array([[1, 2], [1, 255]], np.uint8)
    >>> find_nearest(rows, np.array([[1, 255], [3, 3]], np.uint8), False)
    [Fraction(1, 2), Fraction(1, 2)]
    >>> find_nearest(rows, np.array([[1, 255], [3, 3]], np.uint8), True)
    [Fraction(1, 2), Fraction(1, 1)]
    """
    m = rows.shape[1]
    agreeing, counted = (np.zeros(len(rows), np.int64) for _ in range(2))
    counted += m
    for one in known:
        found = count_agreeing(one, rows)
        more = found.agreeing.astype(np.int64)
        of = m - found.both_empty.astype(np.int64) if normalizes else counted * 0 + m
        is_nearer = more * counted > agreeing * of
        agreeing[is_nearer], counted[is_nearer] = more[is_nearer], of[is_nearer]
    pairs = zip(agreeing.tolist(), counted.tolist(), strict=True)
    return [Fraction(*pair) for pair in pairs]
