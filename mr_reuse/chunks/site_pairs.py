"""The first rows of the table of pairs, in words: which sites share how much.

A pair says what two sites share, and which of them was captured first. It says nothing
of who copied. Sites of one registered domain usually belong together, as do those that
the user named as one family, so their pairs are listed apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.families import Families
from mr_reuse.messages import command_line, format_bytes, format_count, format_share
from mr_reuse.storage import naming
from mr_reuse.tables.table_files import read_rows

MAX_PAIRS = 10  # to print, of each kind
OF_GROUP = 4  # of these, pairs of sites that other pairs connect
MAX_SCANNED = 100_000  # rows to read for the first pairs
MAX_NAME = 80  # letters of a name in a line
LEAST_CHUNKS = 10  # of a pair in the table

Pair = PAIRS.row


class FirstPairs(NamedTuple):
    """The first pairs of a table, those of one owner apart."""

    apart: list[Any]  # sites of different owners
    within: list[Any]  # of one registered domain or family

    def __bool__(self) -> bool:
        return bool(self.apart or self.within)

    @property
    def first(self) -> Any:
        """The pair that shares the most; one of different domains if there is any."""
        return (self.apart or self.within)[0]


NO_PAIRS = FirstPairs([], [])
NO_FAMILIES = Families()


def is_of_one_owner(pair: Any, families: Families) -> bool:
    """Test whether two sites have the same registered domain, or are of one family.

    >>> pair = Pair('www.a.org', 'm.a.org:81', 10, 2000, 0.5, 0.5, 0, 0)
    >>> other = pair._replace(a='a.com')
    >>> is_of_one_owner(pair, Families()), is_of_one_owner(other, Families())
    (True, False)
    >>> is_of_one_owner(other, Families([['a.com', 'a.org']]))
    True
    >>> is_of_one_owner(pair._replace(a='b.org/x', b='b.org/y'), Families())
    True
    """
    return families.owner_of(pair.a) == families.owner_of(pair.b)


class Selection:
    """The first pairs of one kind, only a few of each group.

    Pairs connect sites to groups. Twenty copies of a site make 190 pairs, which would
    hide all others.
    """

    def __init__(self, most: int, of_group: int):
        self.rows: list[Any] = []
        self._most, self._of_group = most, of_group
        self._above: dict[str, str] = {}  # another site of the group, up to a top one
        self._counts: dict[str, int] = {}  # of the rows of a group, by its top site

    @property
    def is_full(self) -> bool:
        """True if no other pair is needed."""
        return len(self.rows) == self._most

    def add(self, row: Any) -> None:
        """Add a row, and keep it if its group has not enough rows."""
        one, other = self._top(row.a), self._top(row.b)
        count = self._counts.get(one, 0)
        if one != other:
            count += self._counts.pop(other, 0)
            self._above[other] = one
        if count < self._of_group and not self.is_full:
            self.rows.append(row)
            count += 1
        self._counts[one] = count

    def _top(self, site: str) -> str:
        """Return the site that stands for the group of a site."""
        while (above := self._above.get(site, site)) != site:
            self._above[site] = self._above.get(above, above)
            site = above
        return site


def take_first(
    rows: Iterable[Any], most: int, of_group: int, families: Families = NO_FAMILIES
) -> FirstPairs:
    """Take rows in order until `most` are of different owners.

    Of sites that pairs connect, only `of_group` rows are taken.

    >>> names = 'a.org m.a.org', 'a.org b', 'a.org c', 'b c', 'c m.a.org', 'd e', 'f g'
    >>> rows = [Pair(*name.split(), 10, 2000, 0.5, 0.5, 0, 0) for name in names]
    >>> first = take_first(rows, 3, 2)
    >>> [pair.a + '-' + pair.b for pair in first.apart]
    ['a.org-b', 'a.org-c', 'd-e']
    >>> [pair.b for pair in first.within]
    ['m.a.org']
    """
    apart, within = Selection(most, of_group), Selection(most, of_group)
    for row in islice(rows, MAX_SCANNED):
        (within if is_of_one_owner(row, families) else apart).add(row)
        if apart.is_full:
            break
    return FirstPairs(apart.rows, within.rows)


def has_pairs(run: str) -> bool:
    """Test whether a run has the table, which runs of older versions lack."""
    return storage.exists(naming.join(run, PAIRS.file))


def read_first(run: str, families: Families) -> FirstPairs:
    """Read the first pairs of a run; none if it has no table of them."""
    if not has_pairs(run):
        return NO_PAIRS
    return take_first(read_rows(run, PAIRS), MAX_PAIRS, OF_GROUP, families)


def find_pairs(run: str, *sites: str) -> Iterator[Any]:
    """Yield the pairs with some sites, those with the most bytes first.

    A folder is a site with or without its last slash.
    """
    wanted = set(map(strip, sites))
    if has_pairs(run):
        for pair in read_rows(run, PAIRS):
            if wanted <= {strip(pair.a), strip(pair.b)}:
                yield pair


def strip(site: str) -> str:
    """Remove the last slash of a site, which hosts do not have in the table."""
    return site.rstrip('/')


def describe_shares(pair: Any) -> str:
    """Describe what two sites share, and its share of each.

    >>> describe_shares(Pair('a.org', 'b.org', 35125, 26_700_000, 0.76, 0.744, 0, 0))
    '35,125 chunks, 27 MB, 76.0 % of the chunks of a.org and 74.4 % of those of b.org'
    """
    shares = format_share(pair.a_share), format_share(pair.b_share)
    return (
        f'{format_count(pair.chunks, "chunk")}, {format_bytes(pair.bytes)}, '
        f'{shares[0]} of the chunks of {shorten(pair.a)} and '
        f'{shares[1]} of those of {shorten(pair.b)}'
    )


def describe_rare(chunks: Mapping[int, int], threshold: int, pairs: FirstPairs) -> str:
    """Describe the copies below a threshold, and the sites that share the most.

    `chunks` has the numbers of distinct chunks by their number of copies.

    >>> pair = Pair('a.org', 'b.org', 10, 3000, 0.5, 1.0, 0, 0)
    >>> print(describe_rare({1: 5, 2: 3, 10: 4, 11: 9}, 10, FirstPairs([pair], [])))
    copied 2 to 10 times, too rarely for a label: 7 chunks; a.org and b.org \
share the most: 10 chunks, 3.0 kB, 50.0 % of the chunks of a.org and 100.0 % of \
those of b.org
    >>> describe_rare({1: 5}, 1, NO_PAIRS)
    ''
    """
    if threshold < 2:
        return ''
    rare = sum(n for copies, n in chunks.items() if 2 <= copies <= threshold)
    times = '2 times' if threshold == 2 else f'2 to {threshold:,} times'
    line = f'copied {times}, too rarely for a label: {format_count(rare, "chunk")}'
    if not pairs:
        return line
    first = pairs.first
    domain = '' if pairs.apart else ', of one domain or family,'
    return (
        f'{line}; {shorten(first.a)} and {shorten(first.b)}{domain} share the most: '
        f'{describe_shares(first)}'
    )


def format_section(run: str, pairs: FirstPairs, common: int) -> list[str]:
    """Format the first pairs of a run as lines for a summary, the last one empty.

    `common` is the number of chunks that are on too many sites for a pair.
    """
    if not pairs:
        return []
    lines = ['sites that share the most chunks, however few copies these have:']
    lines.append(
        f'{"chunks":>9} {"size":>8} {"of a":>8} {"of b":>8} {"a first":>9} '
        f'{"b first":>9}  sites a and b'
    )
    lines += map(format_pair, pairs.apart)
    if pairs.within:
        lines += ['within one domain or family:', *map(format_pair, pairs.within)]
    command = show_command(run, pairs.first.a, pairs.first.b)
    return [
        *lines,
        '(of a: share of all chunks of a; a first: chunks captured on a first, which '
        f'does not show who copied; at most {OF_GROUP} pairs of a group are here)',
        *([describe_common(common)] if common else []),
        '',
        f'to list what the first two share: {command}',
        f'all pairs: {naming.join(run, PAIRS.file)}',
        '',
    ]


def describe_common(chunks: int) -> str:
    """Describe the chunks that are on too many sites for a pair.

    >>> describe_common(1)
    '(not counted: 1 chunk on more than 100 sites)'
    """
    return f'(not counted: {format_count(chunks, "chunk")} on more than 100 sites)'


def format_pair(pair: Any) -> str:
    """Format a pair as a line."""
    shares = f'{format_share(pair.a_share):>8} {format_share(pair.b_share):>8}'
    return (
        f'{pair.chunks:>9,} {format_bytes(pair.bytes):>8} {shares} '
        f'{pair.a_first:>9,} {pair.b_first:>9,}  {shorten(pair.a)}  {shorten(pair.b)}'
    )


def show_command(run: str, one: str, other: str) -> str:
    """Return the command line that lists what two sites share."""
    # A name that begins with a hyphen would be parsed as an option.
    ends = ['--'] if '-' in (one[:1], other[:1]) else []
    return command_line('show', run, *ends, one, other)


def shorten(name: str) -> str:
    """Shorten a long name in its middle.

    >>> shorten('a' * 60 + '.' + 'b' * 60) == 'a' * 40 + '…' + 'b' * 39
    True
    """
    return name if len(name) <= MAX_NAME else f'{name[: MAX_NAME - 40]}…{name[-39:]}'


def format_pairs_of(
    site: str, pairs: Sequence[Any], more: int, families: Families = NO_FAMILIES
) -> Iterator[str]:
    """Yield lines on the pairs of a site, and on the number of others.

    >>> pair = Pair('a.org', 'b.org', 10, 3000, 0.5, 1.0, 9, 0)
    >>> for line in format_pairs_of('b.org', [pair], 2):
    ...     print(*line.split())
    b.org shares chunks with 3 sites; those with the most:
    chunks size of its of theirs here first there first site
    10 3.0 kB 100.0 % 50.0 % 0 9 a.org
    and 2 more sites
    """
    count = len(pairs) + more
    with_most = '; those with the most' if more else ''
    yield f'{site} shares chunks with {format_count(count, "site")}{with_most}:\n'
    yield (
        f'{"chunks":>9} {"size":>8} {"of its":>9} {"of theirs":>9} {"here first":>10} '
        f'{"there first":>11}  site\n'
    )
    for pair in pairs:
        here, there = (pair.a_share, pair.a_first), (pair.b_share, pair.b_first)
        other = pair.b
        if site == strip(pair.b):
            here, there, other = there, here, pair.a
        is_family = is_of_one_owner(pair, families)
        family = '  (same domain or family)' if is_family else ''
        yield (
            f'{pair.chunks:>9,} {format_bytes(pair.bytes):>8} '
            f'{format_share(here[0]):>9} {format_share(there[0]):>9} '
            f'{here[1]:>10,} {there[1]:>11,}  {other}{family}\n'
        )
    if more:
        yield f'and {format_count(more, "more site")}\n'
