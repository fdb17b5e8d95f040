"""Estimate the cost of a run from a small sample of its input.

The driver processes the sample like a task. The estimate therefore holds for machines
like this one and for pages like those in the sample.
"""

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.archives import reader, slices
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.items import Item
from mr_reuse.archives.rids import offsets_of
from mr_reuse.archives.sources import Source
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.pages.filters import Filter
from mr_reuse.shuffle import packing
from mr_reuse.storage import Busy
from mr_reuse.storage.naming import is_remote

# Positions of samples, at even distances in the input. The chunks of a megabyte vary so
# much that twelve positions were wrong by a quarter.
SAMPLES, LEAST_SAMPLES = 64, 12
SAMPLE_BYTES = 512 << 10  # of an archive, read at each position
# The costs of steps are shares of the time of the first step with the kernel. Without
# it, the first step is longer, and the other steps hardly differ.
PURE_SHARE = 0.58
FULL_SHARE = 0.6  # of the steps have about as many tasks as the first; others a few
DRIVER_SECONDS = 0.5  # to start Python and write tables
# Seconds of a core to start a step, and to start each of its tasks.
START_SECONDS = {
    'inline': (0.03, 0.0),
    'local': (0.03, 0.04),
    'hadoop': (8.0, 1.5),  # a JVM for each task, and one for the job
    'spark': (5.5, 0.15),
}
# A digest with its numbers in the shuffle, which is compressed on Hadoop.
SHUFFLE_ROW_BYTES = {'hadoop': 23, 'emr': 23}
UNCOMPRESSED_ROW_BYTES = 33
DISK_ROW_BYTES = 32  # the same in a part file

# `lines_of` of a page job: turns the items of an archive into items with their lines.
# A line has `to_line()`, its key and value.
Work = Callable[[str, Iterable[Item]], Iterator[tuple[Item, Iterable[Any]]]]
Keys = Callable[[Any], np.ndarray]


class Sample(NamedTuple):
    """The cost of a sample of the input."""

    read: int  # bytes of archives
    seconds: float  # of one core
    lines: int  # bytes of page lines
    rows: int  # chunks
    distinct: int  # distinct chunks, counted at each position by itself
    files: int  # which are counted like chunks
    growth: float  # exponent with which distinct chunks grow with the input


Scale = Callable[[Sample, int, int, Sequence[RunStep], str], 'Estimate']


class Estimate(NamedTuple):
    """The expected cost of a run."""

    seconds: float  # of one core, without the start of tasks
    shuffle: int  # bytes of the largest step
    disk: int  # bytes in the run directory when the run has finished


def chunks_of(line: Any) -> np.ndarray:
    """Return the digests of the chunks of a page line."""
    return packing.unpack(line.packed).keys


def take_sample(
    sources: list[Source], work: Work, filter_: Filter, keys_of: Keys = chunks_of
) -> Sample:
    """Process a sample of the input, and measure its cost.

    `keys_of` returns the keys in a line, whose distinct ones are counted.
    """
    seconds = 0.0
    read = lines = rows = files = 0
    distinct = in_halves = 0
    for position in sample_positions(sources):
        keys: list[np.ndarray] = []
        starts: list[tuple[int, float]] = []
        for line in _lines_at(position, work, filter_, starts):
            lines += sum(map(len, line.to_line())) + 2
            keys.append(keys_of(line))
        if keys:
            # The time before the first item, such as that of opening, is not counted.
            first, start_time = starts[0]
            seconds += time.process_time() - start_time
            read += starts[-1][0] - first
            rows += sum(map(len, keys))
            files += len(keys)
            distinct += _distinct(keys)
            half = len(keys) // 2
            in_halves += _distinct(keys[:half]) + _distinct(keys[half:])
    growth = _growth(in_halves, distinct)
    return Sample(read, seconds, lines, rows, distinct, files, growth)


def sample_positions(sources: list[Source]) -> Iterator[tuple[Source, int]]:
    """Yield sources with offsets in them, at even distances in the input.

    >>> two = [Source('archive', n, n, '', s) for n, s in (('a', 100), ('b', 20))]
    >>> [(source.name, offset) for source, offset in sample_positions(two)][-3:]
    [('a', 90), ('b', 0), ('b', 10)]
    """
    size = sum(source.size for source in sources)
    count = count_positions(size, any(is_remote(source.path) for source in sources))
    positions = [size * number // count for number in range(count)]
    source_start = 0
    for source in sources:
        while positions and positions[0] < source_start + source.size:
            offset = positions.pop(0) - source_start
            if source.rows:
                rows = slices.cut(source.rows, offset, SAMPLE_BYTES)
                yield source._replace(rows=rows, size=slices.size_of(rows)), 0
                continue
            yield source, offset if source.kind == 'archive' else 0
            if source.kind != 'archive':  # a page is read from its beginning, once
                break
        source_start += source.size


def count_positions(size: int, are_remote: bool) -> int:
    """Choose the number of samples of an input. A remote one takes a request for each.

    >>> count_positions(10**9, False), count_positions(10**7, False)
    (64, 19)
    >>> count_positions(10**9, True), count_positions(0, False)
    (12, 12)
    """
    most = LEAST_SAMPLES if are_remote else SAMPLES
    return min(most, max(LEAST_SAMPLES, size // SAMPLE_BYTES))


def _lines_at(
    position: tuple[Source, int],
    work: Work,
    filter_: Filter,
    starts: list[tuple[int, float]],
) -> Iterator[Any]:
    """Yield the lines of the pages at a position.

    The offset and the processor time of each item are appended to `starts`, and the
    offset behind the last one.
    """
    source, start = position
    stats = ArchiveStats(source.name)
    wanted = filter_.item_test(stats)

    def items() -> Iterator[Item]:
        with contextlib.suppress(OSError, Busy):  # a file that cannot be read
            for item in reader.items_from_offset(source, start, stats, wanted):
                starts.append((_offset(item), time.process_time()))
                if _offset(item) > start + SAMPLE_BYTES and not source.rows:
                    return
                yield item
        first = starts[0][0] if starts else 0
        # The rows of a slice may be anywhere, and its size is theirs.
        end = first + source.size if source.rows else source.size
        starts.append((end, time.process_time()))

    for item, lines in work(source.name, items()):
        yield from lines if filter_.admits_type(item.type) else ()


def _offset(item: Item) -> int:
    return offsets_of(item.offset)[0]


def _distinct(keys: list[np.ndarray]) -> int:
    """Count distinct digests."""
    joined = np.concatenate(keys) if keys else np.zeros((0, 1), np.uint8)
    return len(packing.order_and_groups(joined)[1]) if len(joined) else 0


def _growth(in_halves: int, in_all: int) -> float:
    """Compute the exponent of growth, from counts in two halves and in both together.

    >>> _growth(20, 20), _growth(20, 10)
    (1.0, 0.0)
    """
    return 1 + math.log2(in_all / in_halves) if in_all else 1.0


def start_seconds(runner: str, steps: int, tasks: int) -> float:
    """Compute the seconds of a core that starting steps and their tasks takes.

    >>> start_seconds('hadoop', 5, 100)
    490.5
    """
    step, task = START_SECONDS.get(runner, START_SECONDS['hadoop'])
    return DRIVER_SECONDS + steps * (step + FULL_SHARE * tasks * task)


def sum_costs(steps: Iterable[RunStep]) -> float:
    """Sum the costs of steps.

    >>> sum_costs([RunStep('01-pages', 'HashChunks', '', 1.0)])
    1.0
    """
    share = 1.0 if kernel.load() else PURE_SHARE
    return sum(step.cost if step.cost == 1 else share * step.cost for step in steps)


def extrapolate(
    sample: Sample, size: int, tasks: int, steps: Sequence[RunStep], runner: str
) -> Estimate:
    """Scale a sample to an input of `size` bytes that is divided into tasks.

    >>> pages = RunStep('01-pages', 'HashChunks', '', 1.0)
    >>> extrapolate(Sample(100, 2.0, 50, 10, 4, 1, 0.5), 10_000, 4, [pages], 'hadoop')
    Estimate(seconds=200.0, shuffle=4140, disk=9480)
    """
    scale = size / max(1, sample.read)
    seconds = sample.seconds * scale * sum_costs(steps)
    # Each task sends its distinct chunks, and the reducers write those of the input.
    task_chunks = sample.distinct * (scale / tasks) ** sample.growth
    all_chunks = sample.distinct * scale**sample.growth
    row_bytes = SHUFFLE_ROW_BYTES.get(runner, UNCOMPRESSED_ROW_BYTES)
    files = sample.files * scale
    shuffle = (task_chunks * tasks + files) * row_bytes
    disk = sample.lines * scale + (all_chunks + files) * DISK_ROW_BYTES
    return Estimate(seconds, int(shuffle), int(disk))
