"""Lines of edges, and the jobs on them, run alone."""

import random

import graphs
import numpy as np
import pytest
from lone_jobs import run_job

from mr_reuse.components import edges, joining, stars, union_find
from mr_reuse.components.edges import EdgeCollector, Edges
from mr_reuse.components.jobs.alternate_stars import AlternateStars
from mr_reuse.components.jobs.connect_numbers import ConnectNumbers
from mr_reuse.components.joining import NumberJoiner

PAIRS = [(9, 4), (4, 9), (7, 7), (2, 4), (4, 2), (1 << 40, 1), (9, 4)]
DISTINCT = {(9, 4), (4, 2), (1 << 40, 1)}


def collect(most: int, *pieces: graphs.Pairs) -> tuple[list[tuple[int, int]], dict]:
    """The edges in the lines of a collector, and its statistics."""
    collector = EdgeCollector(most)
    lines = [
        line
        for pairs in pieces
        for line in collector.add(*np.array(pairs, np.uint64).T)
    ]
    lines += collector.finish()
    assert {key for key, _ in lines} <= {b'edge/0000'}
    columns = [graphs.unpack(value) for _, value in lines]
    return [pair for c in columns for pair in zip(*c, strict=True)], collector.stats


def test_collector():
    """Loops and repeated edges are dropped, the larger number comes first."""
    rows, stats = collect(100, PAIRS, PAIRS)
    assert sorted(rows) == sorted(DISTINCT)
    assert stats == {'edges': 3}


def test_full_collector():
    """Above its bound, it writes what it has, and repeats itself later."""
    rows, stats = collect(5, PAIRS, PAIRS)
    assert sorted(rows) == sorted([*DISTINCT, *DISTINCT])
    assert stats == {'edges': 6}


def test_no_edges():
    assert list(EdgeCollector().finish()) == []
    assert EdgeCollector().stats == {'edges': 0}


def test_long_lines_are_divided():
    count = 100_000
    numbers = np.arange(1, count + 1, dtype=np.uint64)
    lines = list(edges.pack_lines('edge', 3, Edges(numbers + 2**40, numbers + 2**50)))
    assert max(len(value) for _, value in lines) < 1_000_000
    rows = [
        row for _, value in lines for row in zip(*graphs.unpack(value), strict=True)
    ]
    assert rows == [(n + 2**40, n + 2**50) for n in range(1, count + 1)]


@pytest.mark.parametrize('job', [AlternateStars, ConnectNumbers])
@pytest.mark.parametrize(
    'value',
    [
        b'',
        b'1*1,1*1:',
        b'1*1,1*1:AQI=x',
        b'2*1,1*1:AQID',
        b'3*1:AQID',
        graphs.pack([[1, 2], [3, 4]])[:-4],
    ],
)
def test_damaged_lines(job, value):
    with pytest.raises(ValueError):
        run_job(job, [b'edge/0000\t' + value])


def test_numbers_above_the_total():
    lines = graphs.edge_lines([(1, 2), (3, 100)])
    assert graphs.component_rows(run_job(ConnectNumbers, lines, total=101)) == [
        (2, 1),
        (100, 3),
    ]
    with pytest.raises(ValueError, match='edge of 100: not below 100'):
        run_job(ConnectNumbers, lines, total=100)


def test_partitions_of_components():
    """They are ranges of the numbers, whoever joins them."""
    pairs = graphs.star(3, [12, 15, 31]) + graphs.star(25, [26])
    expected = [(b'component/0001', [(12, 3), (15, 3)])]
    expected += [(b'component/0002', [(26, 25)]), (b'component/0003', [(31, 3)])]
    for kind in ('any', 'stars'):
        lines = run_job(ConnectNumbers, graphs.edge_lines(pairs), width=10, edges=kind)
        found = [
            (key, list(zip(*graphs.unpack(value), strict=True)))
            for key, value in (line.split(b'\t') for line in sorted(lines))
            if key != b'@'
        ]
        assert found == expected


def test_stars_stay():
    """A round leaves stars around the smallest number as they are."""
    pairs = [*graphs.star(1, range(5, 50)), *graphs.star(2, range(60, 70)), (80, 3)]
    lines = run_job(AlternateStars, graphs.edge_lines(pairs), bits=3, most=7)
    rows = [
        row
        for line in lines
        if line.startswith(b'edge/')
        for row in zip(*graphs.unpack(line.split(b'\t')[1]), strict=True)
    ]
    assert sorted(rows) == sorted((max(pair), min(pair)) for pair in pairs)
    stats = b'{"edges": {"components": 3, "edges": 56, "largest": 46, "unsettled": 0}}'
    assert lines[-1] == b'@\t' + stats


@pytest.mark.parametrize('size', [1, 3, 1000], ids=lambda size: f'{size} rows a piece')
def test_stars_are_those_of_the_paper(size):
    """Groups of neighbors may be divided among pieces anywhere."""
    dice = random.Random(size)
    for _ in range(30):
        pairs = [(dice.randrange(30), dice.randrange(30)) for _ in range(40)]
        pairs = sorted({(max(p), min(p)) for p in pairs if p[0] != p[1]})
        both = sorted([*pairs, *((b, a) for a, b in pairs)])
        small = stars.make_small_stars(pieces(pairs, size))
        assert rows_of(small) == naive_small_stars(pairs)
        large = stars.LargeStars()
        assert rows_of(large.make(pieces(both, size))) == naive_large_stars(pairs)


@pytest.mark.parametrize('size', [1, 3, 1000], ids=lambda size: f'{size} rows a piece')
def test_stars_are_counted(size):
    pairs = [*graphs.star(1, range(5, 12)), *graphs.star(2, range(60, 70)), (80, 3)]
    both = sorted([*pairs, *(pair[::-1] for pair in pairs)])
    large = stars.LargeStars()
    made = rows_of(large.make(pieces(both, size)))
    assert made == {(max(pair), min(pair)) for pair in pairs}
    assert large.stats == {
        'edges': 18,
        'unsettled': 0,
        'components': 3,
        'largest': 11,
    }


@pytest.mark.parametrize('size', [1, 3, 1000], ids=lambda size: f'{size} rows a block')
def test_blocks_of_one_reducer(size, monkeypatch):
    """Each block of edges hooks roots that have numbers of earlier ones below them."""
    monkeypatch.setattr(joining, 'BLOCK', size)
    monkeypatch.setattr(union_find, 'BLOCK', 7)
    dice = random.Random(6)
    pairs = graphs.scatter(dice, [*graphs.path(300), *graphs.tree(dice, 100)], 10**6)
    joiner = NumberJoiner(10**6, 10**5)
    lines = [b'\t'.join(line) for line in joiner.add(pieces(pairs, 40))]
    expected = sorted(graphs.search(pairs).items())
    assert graphs.component_rows(lines) == expected
    assert joiner.stats['left_out'] == len(expected)


def pieces(pairs: graphs.Pairs, size: int) -> list[Edges]:
    starts = range(0, len(pairs), size)
    return [Edges(*np.array(pairs[n : n + size], np.uint64).T) for n in starts]


def rows_of(found) -> set[tuple[int, int]]:
    return {row for piece in found for row in zip(*map(list, piece), strict=True)}


def naive_neighbors(pairs: graphs.Pairs) -> dict[int, set[int]]:
    neighbors: dict[int, set[int]] = {}
    for a, b in pairs:
        neighbors.setdefault(a, set()).add(b)
        neighbors.setdefault(b, set()).add(a)
    return neighbors


def naive_small_stars(pairs: graphs.Pairs) -> set[tuple[int, int]]:
    """Join the smaller neighbors of each number, and itself, to the smallest."""
    made = set()
    for number, neighbors in naive_neighbors(pairs).items():
        group = {number, *(n for n in neighbors if n < number)}
        made |= {(n, min(group)) for n in group if n != min(group)}
    return made


def naive_large_stars(pairs: graphs.Pairs) -> set[tuple[int, int]]:
    """Join the larger neighbors of each number to the smallest of all, or itself."""
    made = set()
    for number, neighbors in naive_neighbors(pairs).items():
        least = min(number, *neighbors)
        made |= {(n, least) for n in neighbors if n > number}
    return made


def test_stars_around_the_largest():
    """The worst order of hooks: each edge hooks the center to a smaller number."""
    count = 200_000
    others = np.arange(count - 1)
    center = np.full(count - 1, count - 1)
    assert not union_find.connect(center, others, count).any()
    assert not union_find.connect(center, others[::-1], count).any()
