"""Groups and hubs of random tables of pairs, against what they are by definition."""

import itertools
import random

import pytest

from mr_reuse.chunks import pair_texts, site_groups, site_pairs
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.families import Families

Pair = PAIRS.row


def table(groups) -> list:
    """The rows of groups of sites, each with its numbers of chunks and bytes."""
    rows = [
        Pair(a, b, chunks, size, 0.5, 0.5, 0, 0)
        for names, chunks, size in groups
        for a, b in itertools.combinations(sorted(names), 2)
    ]
    return sorted(rows, key=lambda row: (-row.bytes, row.a, row.b))


def groups_of(rows) -> list:
    blocks = site_groups.Blocks(iter(rows), 10_000)
    return [one for block in blocks for one in site_groups.merge(block)]


@pytest.mark.parametrize('seed', range(20))
def test_groups_of_any_pairs(seed):
    """Each row is in one pair or group; every two sites of a group share as much."""
    dice = random.Random(seed)
    names = [f's{n:02}' for n in range(12)]
    rows = [
        Pair(a, b, dice.choice([10, 10, 11]), dice.choice([900, 900, 901]), 1, 1, 0, 0)
        for a, b in itertools.combinations(names, 2)
        if dice.random() < seed / 20
    ]
    rows.sort(key=lambda row: (-row.bytes, row.a, row.b))
    found = [
        Pair(a, b, one.chunks, one.bytes, 1, 1, 0, 0)
        for one in groups_of(rows)
        for a, b in itertools.combinations(one.sites, 2)
    ]
    assert sorted(found) == sorted(rows)
    assert sum(one.pairs for one in groups_of(rows)) == len(rows)


@pytest.mark.parametrize('seed', range(20))
def test_groups_that_were_made(seed):
    """Groups without a common pair are found whole, even of the same size."""
    dice = random.Random(seed)
    names = [f's{n:03}' for n in range(200)]
    dice.shuffle(names)
    made, start = [], 0
    while start < 150:
        end = start + dice.choice([2, 2, 3, 5, 20])
        # Two groups may have a site in common.
        members = names[start - (start > 0 and dice.random() < 0.3) : end]
        made.append((members, dice.choice([10, 20]), dice.choice([1000, 1500, 2000])))
        start = end
    found = {(one.sites, one.chunks, one.bytes) for one in groups_of(table(made))}
    assert found == {(tuple(sorted(names)), *numbers) for names, *numbers in made}


def test_order_is_that_of_the_table():
    groups = [('abc', 10, 900), ('de', 12, 950), ('fg', 10, 900), ('xy', 9, 800)]
    found = [''.join(one.sites) for one in groups_of(table(groups))]
    assert found == ['de', 'abc', 'fg', 'xy']


def test_order_of_names_by_bytes():
    """A byte that is no UTF-8 sorts otherwise in a table than in a text."""
    names = ['a/\uffee', 'a/\udcff', 'b']
    rows = [
        Pair(a, b, 10, 900, 1, 1, 0, 0) for a, b in itertools.combinations(names, 2)
    ]
    [one] = groups_of(rows)
    assert sorted(one.sites) == sorted(names)


def test_many_rows_of_one_size():
    """A hub with thousands of pairs of the same size takes no quadratic time."""
    rows = [Pair('a', f'b{n:05}', 10, 900, 1, 1, 0, 0) for n in range(20_000)]
    assert len(groups_of(rows[:9_000])) == 9_000
    first = site_pairs.take_first(rows, 10, 4)
    assert (len(first.apart), first.left_out, first.is_all) == (4, 19_996, True)
    [hub] = first.hubs
    assert (hub.site, hub.others, hub.most) == ('a', 20_000, 1.0)


def test_families_are_listed_apart():
    """A group within one family is apart; one with a stranger is not."""
    groups = [(['a.org', 'm.a.org', 'z.net'], 20, 2000), (['b.org', 'b.net'], 10, 900)]
    families = Families([['b.org', 'b.net']])
    first = site_pairs.take_first(table(groups), 10, 4, families)
    assert [one.sites for one in first.apart] == [('a.org', 'm.a.org', 'z.net')]
    assert [one.sites for one in first.within] == [('b.net', 'b.org')]


def test_lines():
    """What is left out is said with its number, and hubs come last."""
    copies = [([f's{n}', f's{m}'], 20, 9000 + 9 * n + m)
              for n in range(9) for m in range(n)]  # fmt: skip
    mirror = [(['m.org', f'o{n}.org'], 30, 500 - n) for n in range(5)]
    rows = table([*copies, *mirror, ('vwxyz', 10, 400)])
    lines = pair_texts.format_section('RUN', site_pairs.take_first(rows, 10, 4), 7)
    # 36 pairs of the copies, 5 of the mirror, 10 of the group.
    told = '(not in these lines: 33 of 51 pairs; there are at most 10 lines, and 4 of '
    assert f'{told}sites that lines connect)' in lines
    assert '(not counted: 7 chunks on more than 100 sites)' in lines
    group = '10 400 bytes 50.0 % 50.0 % - - 5 sites with each other: v, w, x and 2 more'
    assert group.split() in [line.split() for line in lines]
    start = lines.index(
        'sites that share with 3 or more others (up to: the sum of the shares, which '
        'may overlap):'
    )
    assert lines[start + 1 : start + 3] == [
        '  m.org shares with 5 sites: up to 100.0 % of its distinct chunks (o0.org '
        '50.0 %, o1.org 50.0 %, o2.org 50.0 % and 2 more)',
        '',
    ]
