"""Pairs and groups of sites in words: which sites share how much.

A date shows which site was captured first in this crawl. It does not show who copied.
"""

from collections.abc import Iterator, Mapping, Sequence

from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.families import Families
from mr_reuse.chunks.site_groups import Sharing
from mr_reuse.chunks.site_hubs import MIN_OTHERS, Hub
from mr_reuse.chunks.site_pairs import (
    MAX_SHOWN,
    NO_FAMILIES,
    OF_CONNECTED,
    FirstPairs,
    PairsOfSite,
    are_of_one_owner,
    strip,
)
from mr_reuse.messages import command_line, format_bytes, format_count, format_share
from mr_reuse.storage import naming

MAX_NAME = 80  # letters of a name in a line
MAX_NAMES = 3  # of the sites of a group, and of the parts of a hub
MAX_HUBS = 3  # to print
OF_A_GROUP = (
    '(of a group: the smallest and the largest share; -: see the table of all pairs)'
)


def shorten(name: str) -> str:
    """Shorten a long name in its middle.

    >>> shorten('a' * 60 + '.' + 'b' * 60) == 'a' * 40 + '…' + 'b' * 39
    True
    """
    return name if len(name) <= MAX_NAME else f'{name[: MAX_NAME - 40]}…{name[-39:]}'


def name_sites(sites: Sequence[str]) -> str:
    """Name the first sites of a pair or group, and the number of the others.

    >>> name_sites('ab'), name_sites('abcd')
    ('a and b', 'a, b, c and 1 more')
    """
    if len(sites) == 2:
        return ' and '.join(map(shorten, sites))
    more = len(sites) - MAX_NAMES
    return ', '.join(map(shorten, sites[:MAX_NAMES])) + (f' and {more:,} more') * (
        more > 0
    )


def describe_shares(one: Sharing) -> str:
    """Describe what sites share, and its share of each.

    >>> pair = Sharing(('a.org', 'b.org'), 35125, 26_700_000, (0.76, 0.744))
    >>> describe_shares(pair)
    '35,125 chunks, 27 MB, 76.0 % of the chunks of a.org and 74.4 % of those of b.org'
    >>> describe_shares(Sharing(('a', 'b', 'c'), 10, 2000, (0.5, 0.1, 0.2)))
    '10 chunks, 2.0 kB in every pair, 10.0 to 50.0 % of the chunks of each'
    """
    count = f'{format_count(one.chunks, "chunk")}, {format_bytes(one.bytes)}'
    if one.is_group:
        share = format_range(min(one.shares), max(one.shares))
        return f'{count} in every pair, {share} of the chunks of each'
    names, shares = map(shorten, one.sites), map(format_share, one.shares)
    parts = zip(shares, ('the chunks', 'those'), names, strict=True)
    of_sites = ' and '.join(
        f'{share} of {what} of {name}' for share, what, name in parts
    )
    return f'{count}, {of_sites}'


def format_range(least: float, most: float) -> str:
    """Format the shares from the least to the most.

    >>> format_range(0.1, 0.1), format_range(0.1, 0.5), format_range(0.0001, 0.5)
    ('10.0 %', '10.0 to 50.0 %', 'under 0.1 % to 50.0 %')
    """
    first, last = format_share(least), format_share(most)
    if first == last:
        return first
    return f'{first.removesuffix(" %") if first[0].isdigit() else first} to {last}'


def describe_rare(
    chunks: Mapping[int, int], threshold: int, pairs: FirstPairs
) -> list[str]:
    """Describe the copies below a threshold, and the sites that share the most.

    `chunks` has the numbers of distinct chunks by their number of copies.

    >>> pair = Sharing(('a.org', 'b.org'), 10, 3000, (0.5, 1.0))
    >>> for line in describe_rare({1: 5, 2: 3, 11: 9}, 10, FirstPairs([pair], [])):
    ...     print(line)
    copied 2 to 10 times, too rarely for a label: 3 chunks (text that two sites share \
is usually among them)
    a.org and b.org share the most: 10 chunks, 3.0 kB, 50.0 % of the chunks of a.org \
and 100.0 % of those of b.org
    >>> describe_rare({1: 5}, 1, FirstPairs([], []))
    []
    """
    if threshold < 2:
        return []
    rare = sum(n for copies, n in chunks.items() if 2 <= copies <= threshold)
    times = '2 times' if threshold == 2 else f'2 to {threshold:,} times'
    line = f'copied {times}, too rarely for a label: {format_count(rare, "chunk")}'
    if not pairs:
        return [line]
    first = pairs.first
    owner = '' if pairs.apart else f', of one {pairs.owner},'
    return [
        f'{line} (text that two sites share is usually among them)',
        f'{name_sites(first.sites)}{owner} share the most: {describe_shares(first)}',
    ]


def describe_hub(hub: Hub) -> str:
    """Describe what a site shares with several others.

    >>> parts = [(('b',), 0.45), (('c', 'd', 'e'), 0.3), (('f',), 0.3), (('g',), 0.1)]
    >>> print(describe_hub(Hub('a.org', parts, 9)))
    a.org shares with 6 sites: up to 100.0 % of its distinct chunks (b 45.0 %, c and 2 \
others 30.0 %, f 30.0 % and 1 more)
    """
    named = [
        f'{name_part(sites)} {format_share(share)}'
        for sites, share in hub.parts[:MAX_NAMES]
    ]
    more = len(hub.parts) - MAX_NAMES
    return (
        f'{shorten(hub.site)} shares with {format_count(hub.others, "site")}: up to '
        f'{format_share(hub.most)} of its distinct chunks ({", ".join(named)}'
        + (f' and {more:,} more)' if more > 0 else ')')
    )


def name_part(sites: Sequence[str]) -> str:
    """Name the other sites of a part: the first one, and the number of the others."""
    more = len(sites) - 1
    others = f' and {format_count(more, "other")}' if more else ''
    return f'{shorten(sites[0])}{others}'


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
    lines += map(format_sharing, pairs.apart)
    if pairs.within:
        lines += [f'within one {pairs.owner}:', *map(format_sharing, pairs.within)]
    groups = any(one.is_group for one in pairs.apart + pairs.within)
    command = show_command(run, *pairs.first.sites[:2])
    return [
        *lines,
        '(of a: share of the distinct chunks of a; a first: chunks captured first on '
        'a in this crawl, which may visit a copy before its original)',
        *([OF_A_GROUP] if groups else []),
        *([describe_common(common)] if common else []),
        *describe_left_out(pairs),
        *format_hubs(pairs),
        '',
        f'to list what the first two share: {command}',
        f'all pairs: {naming.join(run, PAIRS.file)}',
        '',
    ]


def describe_left_out(pairs: FirstPairs) -> list[str]:
    """Describe the pairs that were read and are not listed; empty if all are."""
    if not pairs.left_out and pairs.is_all:
        return []
    return [
        f'(not in these lines: {describe_number(pairs)}; there are at most '
        f'{MAX_SHOWN} lines, and {OF_CONNECTED} of sites that lines connect)'
    ]


def describe_number(pairs: FirstPairs) -> str:
    """Describe the number of pairs that are not listed.

    >>> describe_number(FirstPairs([], [], pairs=1200))
    '1,200 of 1,200 pairs'
    >>> describe_number(FirstPairs([], [], pairs=1200, is_all=False))
    '1,200 of the first 1,200 pairs, and all later ones'
    """
    left = f'{pairs.left_out:,}'
    if pairs.is_all:
        return f'{left} of {format_count(pairs.pairs, "pair")}'
    return (
        f'{left} of the first {format_count(pairs.pairs, "pair")}, and all later ones'
    )


def format_hubs(pairs: FirstPairs) -> list[str]:
    """Format the first hubs; empty without any."""
    if not pairs.hubs:
        return []
    among = '' if pairs.is_all else f', among the first {pairs.pairs:,} pairs'
    more = len(pairs.hubs) - MAX_HUBS
    return [
        '',
        f'sites that share with {MIN_OTHERS} or more others{among} (up to: the sum of '
        'the shares, which may overlap):',
        *(f'  {describe_hub(hub)}' for hub in pairs.hubs[:MAX_HUBS]),
        *([f'  and {format_count(more, "more site")}'] if more > 0 else []),
    ]


def describe_common(chunks: int) -> str:
    """Describe the chunks that are on too many sites for a pair.

    >>> describe_common(1)
    '(not counted: 1 chunk on more than 100 sites)'
    """
    return f'(not counted: {format_count(chunks, "chunk")} on more than 100 sites)'


def format_sharing(one: Sharing) -> str:
    """Format a pair or a group as a line."""
    least, most = one.shares[:2]
    first = [f'{number:,}' for number in one.first] or ['-', '-']
    names = '  '.join(map(shorten, one.sites[:2]))
    if one.is_group:
        least, most = min(one.shares), max(one.shares)
        names = f'{len(one.sites)} sites with each other: {name_sites(one.sites)}'
    return (
        f'{one.chunks:>9,} {format_bytes(one.bytes):>8} {format_share(least):>8} '
        f'{format_share(most):>8} {first[0]:>9} {first[1]:>9}  {names}'
    )


def show_command(run: str, *sites: str) -> str:
    """Return the command line that lists what two sites share, or a site with all."""
    # A name that begins with a hyphen would be parsed as an option.
    ends = ['--'] if any(site.startswith('-') for site in sites) else []
    return command_line('show', run, *ends, *sites)


def format_pairs_of(
    site: str, pairs: PairsOfSite, families: Families = NO_FAMILIES
) -> Iterator[str]:
    """Yield lines on the pairs of a site, and on the number of others.

    >>> row = PAIRS.row('a.org', 'b.org', 10, 3000, 0.5, 1.0, 9, 0)
    >>> for line in format_pairs_of('b.org', PairsOfSite([row], 3, 3, 0.4, 1.3)):
    ...     print(*line.split())
    b.org shares chunks with 3 sites; those with the most:
    chunks size of its of theirs here first there first site
    10 3.0 kB 100.0 % 50.0 % 0 9 a.org
    and 2 more sites
    3 sites of other registered domains have 40.0 to 100.0 % of its distinct chunks \
together: several may have the same chunks
    """
    more = pairs.number - len(pairs.first)
    count = format_count(pairs.number, 'site')
    with_most = '; those with the most' if more else ''
    yield f'{site} shares chunks with {count}{with_most}:\n'
    yield (
        f'{"chunks":>9} {"size":>8} {"of its":>9} {"of theirs":>9} {"here first":>10} '
        f'{"there first":>11}  site\n'
    )
    for pair in pairs.first:
        here, there = (pair.a_share, pair.a_first), (pair.b_share, pair.b_first)
        other = pair.b
        if site == strip(pair.b):
            here, there, other = there, here, pair.a
        is_family = are_of_one_owner((pair.a, pair.b), families)
        family = f'  (same {families.noun})' if is_family else ''
        yield (
            f'{pair.chunks:>9,} {format_bytes(pair.bytes):>8} '
            f'{format_share(here[0]):>9} {format_share(there[0]):>9} '
            f'{here[1]:>10,} {there[1]:>11,}  {other}{family}\n'
        )
    if more:
        yield f'and {format_count(more, "more site")}\n'
    if pairs.strangers >= MIN_OTHERS:
        share = format_range(pairs.largest, min(1.0, pairs.total))
        owners = 'domains or families' if families.named else 'registered domains'
        yield (
            f'{pairs.strangers:,} sites of other {owners} have {share} of its distinct '
            'chunks together: several may have the same chunks\n'
        )
