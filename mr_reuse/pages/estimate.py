"""What a run will take, from a small part of its input.

The sample is worked on as a task would do it, so the estimate is for machines like this
one and for pages like these.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import kernel
from mr_reuse.archives import reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.items import Item
from mr_reuse.archives.rids import offsets_of
from mr_reuse.archives.sources import Source
from mr_reuse.pages.filters import Filter
from mr_reuse.shuffle import packing

PLACES = 12  # from which the sample is taken, all over the input
BYTES = 1 << 20  # of archives, from each of them
# All other steps need this part of the time of the first, which the kernel makes short;
# see docs/performance.md.
OTHER_STEPS = {'kernel': 0.57, 'pure': 0.43}
STARTED = 3  # steps have about as many tasks as the first; the others have a few
# Seconds of a core: to begin a step, with what it has in any case, and one more task.
START = {
    'inline': (0.0, 0.0),
    'local': (0.0, 0.07),
    'hadoop': (8.0, 1.5),  # each task is a JVM, and so is what leads them
    'spark': (5.5, 0.15),
}
COUNT = 23  # bytes of a digest and its numbers in the shuffle, compressed
KEPT = 32  # the same in a part file

# From the items of an archive to the lines of each, as the page job of a system has
# them; a line has `pair()`, its key and value, and `packed`, its columns.
Work = Callable[[str, Iterable[Item]], Iterator[tuple[Item, Iterable[Any]]]]


class Sample(NamedTuple):
    """What a part of the input took."""

    read: int  # bytes of archives
    seconds: float  # of one core
    lines: int  # bytes of page lines
    rows: int  # chunks
    distinct: int  # among those of each place
    growth: float  # exponent with which distinct chunks grow with the input


class Estimate(NamedTuple):
    """What a run will take."""

    seconds: float  # of one core, without the start of tasks
    shuffle: int  # bytes of the largest step
    disk: int  # bytes that are left in the run directory


def take(sources: list[Source], work: Work, filter_: Filter) -> Sample:
    """Work on a small part of the input."""
    seconds = 0.0
    read = lines = rows = 0
    distinct = in_halves = 0
    for source, start in places(sources):
        packed: list[bytes] = []
        begun: list[tuple[int, float]] = []
        end = start
        for page, at in _pages((source, start), work, filter_, begun):
            lines += sum(map(len, page.pair())) + 2
            packed.append(page.packed)
            end = at
        if packed:
            first, began = begun[0]
            seconds += time.process_time() - began
            here = [packing.unpack(line).keys for line in packed]
            read += end - first or source.size
            rows += sum(map(len, here))
            distinct += _distinct(here)
            half = len(here) // 2
            in_halves += _distinct(here[:half]) + _distinct(here[half:])
    growth = _growth(in_halves, distinct)
    return Sample(read, seconds, lines, rows, distinct, growth)


def places(sources: list[Source]) -> Iterator[tuple[Source, int]]:
    """Sources, and offsets in them, at even distances in the whole input.

    >>> two = [Source('archive', n, n, '', s) for n, s in (('a', 100), ('b', 20))]
    >>> [(one.name, at) for one, at in places(two)][-3:]
    [('a', 90), ('b', 0), ('b', 10)]
    """
    size = sum(one.size for one in sources)
    wanted = [size * number // PLACES for number in range(PLACES)]
    begins = 0
    for source in sources:
        while wanted and wanted[0] < begins + source.size:
            at = wanted.pop(0) - begins
            yield source, at if source.kind == 'archive' else 0
            if source.kind != 'archive':
                break
        begins += source.size


def _pages(
    place: tuple[Source, int],
    work: Work,
    filter_: Filter,
    begun: list[tuple[int, float]],
) -> Iterator[tuple[Any, int]]:
    """The lines of some pages of an input, and where in it they are.

    In `begun` comes where the first item is, and when it was found.
    """
    source, start = place
    stats = ArchiveStats(source.name)
    wanted = filter_.item_test(stats)

    def near() -> Iterator[Item]:
        for item in reader.items_from(source, start, stats, wanted):
            if _offset(item) > start + BYTES:
                return
            begun.append((_offset(item), time.process_time()))
            yield item

    for item, lines in work(source.name, near()):
        for line in lines if filter_.admits_type(item.type) else ():
            yield line, _offset(item)


def _offset(item: Item) -> int:
    return offsets_of(item.place)[0]


def _distinct(keys: list[np.ndarray]) -> int:
    joined = np.concatenate(keys) if keys else np.zeros((0, 1), np.uint8)
    return len(packing.order_and_groups(joined)[1]) if len(joined) else 0


def _growth(in_halves: int, in_all: int) -> float:
    """With which exponent a number grows, by what halves have and what both have.

    >>> _growth(20, 20), _growth(20, 10)
    (1.0, 0.0)
    """
    return 1 + math.log2(in_all / in_halves) if in_all else 1.0


def starting(runner: str, steps: int, tasks: int) -> float:
    """Seconds of a core that it takes to begin steps, and tasks in them.

    >>> starting('hadoop', 5, 100)
    490.0
    """
    step, task = START.get(runner, START['hadoop'])
    return steps * step + STARTED * tasks * task


def estimate(sample: Sample, size: int, tasks: int) -> Estimate:
    """What so many bytes in so many tasks take, if all is as in the sample.

    >>> estimate(Sample(100, 2.0, 50, 10, 4, 0.5), 10_000, 4)[1:]
    (1840, 6280)
    """
    scale = size / max(1, sample.read)
    others = OTHER_STEPS['kernel' if kernel.load() else 'pure']
    seconds = sample.seconds * scale * (1 + others)
    of_a_task = sample.distinct * (scale / tasks) ** sample.growth
    of_all = sample.distinct * scale**sample.growth
    shuffle, disk = of_a_task * tasks * COUNT, sample.lines * scale + of_all * KEPT
    return Estimate(seconds, int(shuffle), int(disk))
