"""The text of `detect --dry-run` on the pages of a run, with the expected cost.

The driver matches a sample of the page lines with the labels, like a task. The estimate
therefore holds for machines like this one.
"""

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.chunks import chunk_steps
from mr_reuse.chunks.detect import joins
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.page_lines import URL, split_fields
from mr_reuse.engine import run_steps
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.pages import disk_space, estimate, forecast
from mr_reuse.pages.estimate import Estimate
from mr_reuse.shuffle import partitions, protocol
from mr_reuse.storage import Entry

SAMPLES = 12  # positions, at even distances in the page lines
SAMPLE_BYTES = 512 << 10  # of lines, read at each position
# Bytes on disk: matches in binary, for each byte in the shuffle; tables of pages and
# sites, for each byte of a row of a page; the row of a label.
MATCH_SHARE, TABLE_SHARE, LABEL_ROW = 0.75, 1.65, 220
PAGE_NUMBERS = 20  # bytes of a row of a page besides its rid and URL
COMPRESSED = 0.68  # of the shuffle, which Hadoop compresses


class Sample(NamedTuple):
    """The cost of matching a sample of page lines."""

    read: int  # bytes of lines
    seconds: float  # of one core
    matches: int  # bytes in the shuffle
    rows: int  # bytes of the rows of pages in a table


def format_forecast(
    folders: Sequence[str],
    labels: Labels,
    steps: Sequence[RunStep],
    output: str,
    runner: str,
) -> str:
    """Format the steps on the pages in some folders, and the expected cost."""
    jobs = ', '.join(run_steps.name_jobs(steps))
    lines = [f'would run {jobs} on the pages in {", ".join(folders)}, into {output}']
    parts = [part for folder in folders for part in storage.list_parts(folder)]
    sample = take_sample(parts, labels)
    if sample.read:
        size = sum(part.size for part in parts)
        expected = extrapolate(sample, size, len(labels.chunks), steps, runner)
        start = estimate.start_seconds(runner, len(steps), len(parts))
        lines.append(forecast.describe_cost(expected, expected.seconds + start, output))
        read = f'{min(sample.read, size) / 1e6:,.1f} of {size / 1e6:,.1f} MB'
        lines.append(f'(from a sample of {read} of page lines)')
    return '\n'.join(lines) + '\n'


def check_space(
    run: RunOptions, folders: Sequence[str], labels: Labels, steps: Sequence[RunStep]
) -> None:
    """Refuse to search the pages in some folders if the disk has too little space."""
    parts = [part for folder in folders for part in storage.list_parts(folder)]
    size = sum(part.size for part in parts)

    def expect() -> Estimate | None:
        sample = take_sample(parts, labels)
        count = len(labels.chunks)
        cost = extrapolate(sample, size, count, steps, run.runner)
        return cost if sample.read else None

    disk_space.check_space(run, size, expect)


def take_sample(parts: Sequence[Entry], labels: Labels) -> Sample:
    """Match a sample of page lines, and measure its cost."""
    options = joins.JoinOptions('both', False, partitions.MIN_BITS)
    join = joins.MemoryJoin(labels, options)
    lines = list(_lines_at_positions(parts))
    start = time.process_time()
    matches = [line for key, value in lines for line in join.add(key, value)]
    matches += join.finish()
    seconds = time.process_time() - start
    read = sum(len(key) + len(value) + 2 for key, value in lines)
    rows = sum(
        len(key) + len(split_fields(key, value)[URL]) + PAGE_NUMBERS
        for key, value in lines
    )
    return Sample(read, seconds, sum(len(value) for _, value in matches), rows)


def _lines_at_positions(parts: Sequence[Entry]) -> Iterator[protocol.Line]:
    """Yield page lines at even distances in part files, without the lines of tasks."""
    size = sum(part.size for part in parts)
    positions = [size * number // SAMPLES for number in range(SAMPLES)]
    part_start = end = 0
    for part in parts:
        while positions and positions[0] < part_start + part.size:
            # A sample begins behind the one before it, at the start of a line.
            offset = max(positions.pop(0), end) - part_start
            if offset < part.size:
                with storage.open_read(part.name, offset) as stream:
                    data = stream.read(SAMPLE_BYTES)
                first = data.find(b'\n') + 1 if offset else 0
                end = part_start + offset + len(data)
                whole = data[first : data.rfind(b'\n') + 1].splitlines()
                for key, value in protocol.read_lines(whole):
                    if key != protocol.LAST_KEY:
                        yield key, value
        part_start += part.size


def extrapolate(
    sample: Sample, size: int, labels: int, steps: Sequence[RunStep], runner: str
) -> Estimate:
    """Scale a sample to all page lines, and from matching to all steps.

    >>> steps = [chunk_steps.MATCHES, chunk_steps.MATCHES]
    >>> extrapolate(Sample(100, 2.0, 400, 100), 1000, 1, steps, 'local')
    Estimate(seconds=40.0, shuffle=4000, disk=4870)
    """
    scale = size / max(1, sample.read)
    matching = sum(step.cost for step in steps) / chunk_steps.MATCHES.cost
    matches = sample.matches * scale
    shuffle = matches * (COMPRESSED if runner in estimate.SHUFFLE_ROW_BYTES else 1)
    seconds = sample.seconds * scale * matching
    tables = sample.rows * scale * TABLE_SHARE + labels * LABEL_ROW
    return Estimate(seconds, int(shuffle), int(matches * MATCH_SHARE + tables))
