"""Components are those of a breadth-first search, however the edges are divided."""

import json
import random
from collections import Counter
from pathlib import Path

import graphs
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mr_reuse.components import connecting, files
from mr_reuse.components.connecting import Bounds, Components
from mr_reuse.engine import chain
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import RunDir

STEPS = (
    RunStep('23-stars', 'AlternateStars', 'edges -> fewer edges'),
    RunStep('24-components', 'ConnectNumbers', '-> components'),
)
# Numbers take 8 bytes or 4, and fill 2,500 partitions of the output or 5.
TOTAL, SMALL_TOTAL = 10**10, 2 * 10**7
DICE = random.Random(1)
GRAPHS = {
    'empty': [],
    'loops': [(3, 3), (4, 4), (4, 5), (6, 6)],
    'repeated': [(1, 2), (2, 1), (1, 2), (2, 1), (7, 2)] * 9,
    'path': graphs.path(1000),
    'paths': [edge for n in range(20) for edge in graphs.path(50, 100 * n)],
    'star around the largest': graphs.star(9999, range(800)),
    'stars': [
        edge
        for n in range(99)
        for edge in graphs.star(10 * n, range(10 * n + 1, 10 * n + 9))
    ],
    'band': graphs.band(400, 5),
    'clique': graphs.clique(range(45)),
    'tree': graphs.tree(DICE, 1000),
    'random': [(DICE.randrange(1000), DICE.randrange(1000)) for _ in range(700)],
    'ends of the range': [(0, TOTAL - 1), (5, TOTAL - 2), (TOTAL - 2, TOTAL // 2)],
}
# One reducer for all edges; rounds until it can take them; rounds until they are stars.
BOUNDS = [Bounds(), Bounds(mapper=100, reducer=200), Bounds(mapper=50, reducer=1)]


def done_with(folder: Path, pairs: graphs.Pairs, tasks: int) -> Done:
    """A step that has written these edges with so many tasks."""
    return Done(str(folder), graphs.write_edges(folder, pairs, tasks), 'made')


def connect(
    run: Path, found: Done, bounds: Bounds, runner: str = 'inline', total: int = TOTAL
) -> tuple[Components, bytes, list[bytes]]:
    """The components; their file for tasks, and the lines of the last step."""
    with RunDir(str(run)) as folder:
        (run / 'inputs.txt').touch()
        steps = Chain(folder, RunOptions(folder.path, runner, None, True))
        made = connecting.connect_numbers(steps, found, STEPS, total, bounds)
        data = Path(made.file).read_bytes()
    parts = sorted(Path(made.done.output).glob('part-*'))
    lines = [line for part in parts for line in part.read_bytes().splitlines()]
    return made, data, lines


def numbers_of(data: bytes) -> list[tuple[int, int]]:
    """The rows of a file for tasks: its two columns."""
    numbers, smallest = np.frombuffer(data, np.uint64).reshape(2, -1).tolist()
    return list(zip(numbers, smallest, strict=True))


def counts_of(pairs: graphs.Pairs) -> dict[str, int]:
    """What a breadth-first search counts."""
    smallest = graphs.search(pairs)
    sizes = Counter(smallest.values())
    return {
        'edges': len(pairs),
        'components': len(sizes),
        'numbers': len(sizes) + len(smallest),
        'left_out': len(smallest),
        'largest': 1 + max(sizes.values()) if sizes else 0,
    }


@pytest.mark.parametrize('is_scattered', [False, True], ids=['in order', 'scattered'])
@pytest.mark.parametrize('name', GRAPHS)
def test_graphs(name, is_scattered, tmp_path):
    pairs, total = GRAPHS[name], TOTAL
    if is_scattered:
        total = SMALL_TOTAL
        pairs = graphs.scatter(random.Random(2), pairs, total)
    expected = sorted(graphs.search(pairs).items())
    results = set()
    for number, bounds in enumerate(BOUNDS):
        for tasks in (1, 5):
            folder = tmp_path / f'{number}-{tasks}'
            folder.mkdir()
            pairs = [pair[::-1] for pair in reversed(pairs)]
            found = done_with(folder / 'edges', pairs, tasks)
            made, data, lines = connect(folder / 'run', found, bounds, total=total)
            assert numbers_of(data) == graphs.component_rows(lines) == expected
            counts = dict(made.counts)
            assert (counts.pop('rounds') > 1) == (
                len(pairs) > (bounds.reducer or 10**7)
            )
            assert counts == counts_of(pairs)
            results.add((data, *sorted(ln for ln in lines if ln[:1] != b'@')))
    assert len(results) == 1


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=90),
    st.integers(1, 4),
    st.integers(1, 12),
)
def test_any_graph(tmp_path_factory, pairs, tasks, most):
    folder = tmp_path_factory.mktemp('any')
    found = done_with(folder / 'edges', pairs, tasks)
    bounds = Bounds(mapper=most, reducer=most)
    made, data, _ = connect(folder / 'run', found, bounds, total=61)
    assert numbers_of(data) == sorted(graphs.search(pairs).items())
    assert made.counts['largest'] == counts_of(pairs)['largest']


@pytest.mark.parametrize(
    'tasks', [2, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 16))]
)
def test_forks(tasks, tmp_path, monkeypatch):
    """Tasks in forks of the driver give the bytes of tasks within it."""
    monkeypatch.setattr(chain.Step.__new__, '__defaults__', (-1, None, {}))
    pairs = graphs.scatter(random.Random(4), GRAPHS['path'], SMALL_TOTAL)
    found = done_with(tmp_path / 'edges', pairs, tasks)
    bounds = Bounds(mapper=50, reducer=1)
    forked = connect(tmp_path / 'forked', found, bounds, 'local')
    single = connect(tmp_path / 'single', found, Bounds())
    assert forked[0].counts['rounds'] > 2
    assert forked[1] == single[1]
    assert graphs.component_rows(forked[2]) == graphs.component_rows(single[2])


def test_long_path(tmp_path):
    """10^5 near-duplicates in a row, over 16 tasks with little memory."""
    pairs = graphs.scatter(random.Random(3), graphs.path(100_000), SMALL_TOTAL)
    found = done_with(tmp_path / 'edges', pairs, 16)
    made, data, _ = connect(
        tmp_path / 'run', found, Bounds(5_000, 20_000), total=SMALL_TOTAL
    )
    least = min(min(pair) for pair in pairs)
    rows = numbers_of(data)
    assert [n for n, _ in rows] == sorted({n for p in pairs for n in p} - {least})
    assert {smallest for _, smallest in rows} == {least}
    assert made.counts['rounds'] > 3


class Stopped(Exception):
    """In place of the end of the process."""


class StoppedChain(Chain):
    """A chain that stops before a step, from 0."""

    stop_before = 2

    def run_step(self, step, is_incomplete=False):
        if len(self.steps) == self.stop_before:
            raise Stopped
        return super().run_step(step, is_incomplete)


def attempts(run: Path) -> dict[str, str]:
    """The outputs of finished steps, each with a name that no other attempt has."""
    records = sorted(run.glob('*/_step.json'))
    return {p.parent.name: json.loads(p.read_text())['output'] for p in records}


def test_resume(tmp_path, monkeypatch):
    """A finished round is not run again, and a finished run runs nothing."""
    pairs = graphs.scatter(random.Random(5), graphs.path(2000), SMALL_TOTAL)
    found = done_with(tmp_path / 'edges', pairs, 4)
    bounds, run = Bounds(mapper=60, reducer=1), tmp_path / 'run'
    with monkeypatch.context() as patch:
        patch.setitem(globals(), 'Chain', StoppedChain)
        with pytest.raises(Stopped):
            connect(run, found, bounds)
    stopped = attempts(run)
    assert list(stopped) == ['23-stars', '23-stars-2']
    made, data, _ = connect(run, found, bounds)
    finished = attempts(run)
    rounds = ['23-stars', *(f'23-stars-{n}' for n in range(2, made.counts['rounds']))]
    assert sorted(finished) == sorted([*rounds, '24-components'])
    assert {name: finished[name] for name in stopped} == stopped
    again, same, _ = connect(run, found, bounds)
    assert (again.counts, same, attempts(run)) == (made.counts, data, finished)


def test_fewer_rounds_than_before(tmp_path):
    """Rounds that are no longer part of the run are removed."""
    found = done_with(tmp_path / 'edges', GRAPHS['path'], 2)
    for bounds, steps in ((BOUNDS[2], 3), (BOUNDS[0], 1)):
        connect(tmp_path / 'run', found, bounds)
        assert len(attempts(tmp_path / 'run')) >= steps
    assert list(attempts(tmp_path / 'run')) == ['24-components']


def test_other_edges(tmp_path):
    """Rounds run again if the edges are those of another attempt."""
    found = done_with(tmp_path / 'edges', GRAPHS['tree'], 2)
    connect(tmp_path / 'run', found, BOUNDS[2])
    before = attempts(tmp_path / 'run')
    other = done_with(tmp_path / 'other', GRAPHS['band'], 2)._replace(digest='other')
    _, data, _ = connect(tmp_path / 'run', other, BOUNDS[2])
    assert numbers_of(data) == sorted(graphs.search(GRAPHS['band']).items())
    after = attempts(tmp_path / 'run')
    assert all(before[name] != after[name] for name in before if name in after)


def test_files(tmp_path):
    """Tasks look numbers up in the mapped file."""
    pairs = [(4, 9), (9, 7), (3, 100)]
    made, data, lines = connect(
        tmp_path / 'run', done_with(tmp_path / 'edges', pairs, 1), Bounds()
    )
    (tmp_path / 'file').write_bytes(data)
    found = files.map_components(str(tmp_path / 'file'))
    assert [column.tolist() for column in found] == [[7, 9, 100], [4, 4, 3]]
    numbers = np.array([100, 3, 4, 7, 8], np.uint64)
    assert files.find_smallest(numbers, found).tolist() == [3, 3, 4, 4, 8]
    parts = sorted(map(str, Path(made.done.output).glob('part-*')))
    pieces = (rows.numbers for rows in files.read_components(parts))
    others = np.array([0, 8, 200], np.uint64)
    left_out = np.concatenate(list(files.merge_numbers(pieces, others)))
    assert left_out.tolist() == [0, 7, 8, 9, 100, 200]
    assert graphs.component_rows(lines) == [(7, 4), (9, 4), (100, 3)]
    empty = files.map_components(None)
    assert files.find_smallest(numbers, empty).tolist() == numbers.tolist()
