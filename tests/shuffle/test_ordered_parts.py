"""Rows that reducers wrote in order are read in order, from any part files."""

import base64
import random
import tracemalloc
from pathlib import Path

import pytest

from mr_reuse.shuffle import ordered_parts, partitions

STATS = b'@\t{"n": 1}\n'


def line(part: int, *rows: bytes, unit: str = 'row') -> bytes:
    value = base64.b64encode(b'\n'.join(rows))
    return f'{unit}/{part:04x}\t'.encode() + value + b'\n'


def write_parts(folder: Path, *files: list[bytes]) -> list[str]:
    names = []
    for number, lines in enumerate(files):
        (folder / f'part-{number:05d}').write_bytes(b''.join(lines))
        names.append(str(folder / f'part-{number:05d}'))
    return names


def read(names: list[str], unit: str = 'row') -> list[bytes]:
    return list(ordered_parts.read_in_order(names, unit))


def test_no_rows(tmp_path):
    assert read([]) == []
    assert read(write_parts(tmp_path, [], [STATS])) == []


def test_order_of_partitions(tmp_path):
    """Keys as text are not always in the order of their numbers."""
    names = write_parts(
        tmp_path,
        [line(0x10000, b'last'), line(2, b'b', b'b'), line(2, b'c\td'), STATS],
        [line(0xFFFF, b'e'), line(0, b''), line(1, b'\xff\t')],
    )
    assert read(names) == [b'', b'\xff\t', b'b', b'b', b'c\td', b'e', b'last']


def test_other_units(tmp_path):
    """Of each unit only its own lines are read, whatever the others contain."""
    lines = [line(0, b'a'), b'other/0000\t!!\n', line(1, b'b'), b'no number\tx\n']
    lines += [line(0, b'z', unit='rows')]
    names = write_parts(tmp_path, [*lines, STATS])
    assert read(names) == [b'a', b'b']
    assert read(names, 'rows') == [b'z']


def test_trailing_tabs(tmp_path):
    """Hadoop ends lines with a tab."""
    lines = [line(1, b'a').replace(b'\n', b'\t\n'), line(0, b'b\t')]
    assert read(write_parts(tmp_path, lines)) == [b'b\t', b'a']


@pytest.mark.parametrize('is_sorted', [True, False])
@pytest.mark.parametrize('files', [1, 7, 150])
def test_thousands_of_partitions(tmp_path, files, is_sorted):
    """Partitions in any file, in files with and without an order of keys."""
    dice = random.Random(files)
    partition_rows = {
        part: [b'%06d %d\t%d' % (part, row, row) for row in range(dice.randint(1, 3))]
        for part in dice.sample(range(1 << 16), 3000)
    }
    order = sorted(partition_rows) if is_sorted else list(partition_rows)
    content: list[list[bytes]] = [[] for _ in range(files)]
    for part in order:
        rows = partition_rows[part]
        content[dice.randrange(files)] += [line(part, row) for row in rows]
    found = read(write_parts(tmp_path, *content))
    assert found == sorted(row for rows in partition_rows.values() for row in rows)


def test_rows_come_back(tmp_path, monkeypatch):
    """Rows of several lines a partition, through the function for reducers."""
    monkeypatch.setattr(partitions, 'MAX_LINE', 100)
    rows = [b'%04d\t\xc3\xbc\0' % number for number in range(1000)]
    packed = [
        list(ordered_parts.pack_rows('row', part, rows[part * 100 : part * 100 + 100]))
        for part in range(10)
    ]
    assert all(len(lines) > 5 for lines in packed)
    lines = [
        key + b'\t' + value + b'\n' for part in packed[::-1] for key, value in part
    ]
    assert read(write_parts(tmp_path, lines[:40], lines[40:])) == rows


def test_memory(tmp_path):
    """64 MB of rows in lines of 64 kB."""
    row = b'x' * 64_000
    names = write_parts(
        tmp_path, [line(part // 10, row) for part in range(1000, 0, -1)]
    )
    tracemalloc.start()
    assert sum(map(len, ordered_parts.read_in_order(names, 'row'))) == 64_000_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.parametrize(
    'damaged',
    [
        b'row/0000\n',
        b'row/\tYQ==\n',
        b'row/00zz\tYQ==\n',
        b'row/0000\tYQ=\n',
        b'row/0000\tY!!!Q==\n',
        b'\n',
        b'row/00',
    ],
    ids='value number hex base64 letter empty cut'.split(),
)
def test_damaged_lines(tmp_path, damaged):
    names = write_parts(tmp_path, [line(1, b'b'), damaged])
    with pytest.raises(ValueError):
        read(names)


def test_file_that_became_shorter(tmp_path):
    [name] = write_parts(tmp_path, [line(0, b'a'), line(1, b'b')])
    rows = ordered_parts.read_in_order([name], 'row')
    assert next(rows) == b'a'
    Path(name).write_bytes(line(0, b'a'))
    with pytest.raises(OSError, match='shorter'):
        list(rows)
