"""Rows are divided by ranges of their keys, with bounds from samples."""

import random

import pytest

from mr_reuse.shuffle import ranges
from mr_reuse.shuffle.ranges import RangeCollector, Sample
from mr_reuse.storage import Entry


def write(folder, *files: list[bytes]) -> list[Entry]:
    entries = []
    for number, lines in enumerate(files):
        path = folder / f'part-{number:05d}'
        path.write_bytes(b''.join(line + b'\n' for line in lines))
        entries.append(Entry(str(path), False, path.stat().st_size))
    return entries


@pytest.mark.parametrize('parts', [1, 2, 7, 500])
def test_parts_are_in_order(parts, monkeypatch):
    """All rows arrive, those of a partition before those of the next."""
    monkeypatch.setattr(ranges, 'MAX_TEXTS', 5000)
    dice = random.Random(parts)
    keys = [b'%d' % dice.randrange(300) for _ in range(2000)]
    rows = [(key, dice.randbytes(4).hex().encode()) for key in keys]
    lines = [b'\0'.join(row) for row in rows]
    bounds = ranges.choose_bounds(dice.sample(lines, 400), parts)
    collector = RangeCollector({'t': bounds})
    made = [line for row in rows for line in collector.add('t', row)]
    assert len(made) > 1
    made += collector.finish()
    found = []
    for key in sorted({key for key, _ in made}, key=lambda key: int(key[2:], 16)):
        values = [value for of, value in made if of == key]
        found.append(list(ranges.sort_values(values)))
    assert [row for part in found for row in part] == [
        line.partition(b'\0')[2] for line in sorted(lines)
    ]
    assert len(found) <= parts
    if parts in (2, 7):
        assert max(map(len, found)) < 1.5 * 2000 / parts


def test_equal_rows_stay_together():
    bounds = ranges.choose_bounds([b'a', *50 * [b'b'], b'c'], 10)
    assert bounds == [b'b']
    assert [ranges.find_part(bounds, line) for line in (b'a', b'b', b'c')] == [0, 1, 1]


def test_small_sample_is_whole(tmp_path):
    lines = [b'%d\tx' % n for n in range(100)]
    sample = Sample(write(tmp_path, lines[:60], [], [*lines[60:], b'@\t{}']))
    assert sample.lines == [(b'%d' % n, b'x') for n in range(100)]
    assert sample.scale(7) == 7


def test_blocks_of_large_files(tmp_path):
    """The number of lines is about right, and no line is cut."""
    dice = random.Random(1)
    lines = [b'%05d\t%b' % (n, dice.randrange(200) * b'x') for n in range(30_000)]
    entries = write(tmp_path, lines[:1000], lines[1000:29_000], lines[29_000:])
    sample = Sample(entries, 100, 500)
    known = {tuple(line.split(b'\t')) for line in lines}
    assert 300 < len(sample.lines) < 2000
    assert set(sample.lines) <= known
    numbers = [int(number) for number, _ in sample.lines]
    assert min(numbers) < 1000 and max(numbers) > 29_000
    assert 24_000 < sample.scale(len(sample.lines)) < 36_000


def test_long_lines(tmp_path):
    """Lines that are longer than the blocks take no memory."""
    lines = [b'long\t' + 5000 * b'x', *(b'%d\tx' % n for n in range(999))] * 20
    sample = Sample(write(tmp_path, lines), 30, 400)
    assert 0 < sum(len(value) for _, value in sample.lines) < 30 * 800
    assert sample.scale(len(sample.lines)) > 10_000
