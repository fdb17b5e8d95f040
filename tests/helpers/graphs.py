"""Made graphs, their components by breadth-first search, and their lines.

Nothing here imports the code that packs lines or finds components.
"""

import base64
import json
import random
from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

Pairs = Sequence[tuple[int, int]]
ROWS = 50  # of a line


def path(length: int, first: int = 0) -> list[tuple[int, int]]:
    return [(n, n + 1) for n in range(first, first + length - 1)]


def star(center: int, others: Iterable[int]) -> list[tuple[int, int]]:
    return [(center, other) for other in others]


def band(count: int, width: int) -> list[tuple[int, int]]:
    """Each number is joined to the next ones."""
    return [(n, n + step) for n in range(count) for step in range(1, width + 1)]


def clique(numbers: Sequence[int]) -> list[tuple[int, int]]:
    return [(a, b) for a in numbers for b in numbers if a < b]


def tree(dice: random.Random, count: int) -> list[tuple[int, int]]:
    return [(dice.randrange(n), n) for n in range(1, count)]


def scatter(dice: random.Random, pairs: Pairs, total: int) -> list[tuple[int, int]]:
    """Rename the numbers to random ones below `total`, and shuffle edges and ends."""
    old = sorted({number for pair in pairs for number in pair})
    new = dict(zip(old, dice.sample(range(total), len(old)), strict=True))
    ends = [(new[a], new[b]) for a, b in pairs]
    dice.shuffle(ends)
    return [pair if dice.random() < 0.5 else pair[::-1] for pair in ends]


def search(pairs: Pairs) -> dict[int, int]:
    """The smallest number of the component of each number that is not the smallest."""
    neighbors: dict[int, list[int]] = {}
    for a, b in pairs:
        neighbors.setdefault(a, []).append(b)
        neighbors.setdefault(b, []).append(a)
    smallest: dict[int, int] = {}
    for start in sorted(neighbors):
        if start in smallest:
            continue
        smallest[start] = start
        queue = deque([start])
        while queue:
            for other in neighbors[queue.popleft()]:
                if other not in smallest:
                    smallest[other] = start
                    queue.append(other)
    return {number: least for number, least in smallest.items() if number != least}


def pack(columns: Iterable[Sequence[int]]) -> bytes:
    """The value of a line, with all numbers in 8 bytes."""
    arrays = [array('Q', column) for column in columns]
    head = ','.join(f'{len(column)}*8' for column in arrays)
    data = b''.join(column.tobytes() for column in arrays)
    return head.encode() + b':' + base64.b64encode(data)


def unpack(value: bytes) -> list[list[int]]:
    """The columns of the value of a line."""
    head, data = value.split(b':')
    raw, start, columns = base64.b64decode(data, validate=True), 0, []
    for shape in head.split(b','):
        length, width = map(int, shape.split(b'*'))
        ends = range(start + width, start + width * (length + 1), width)
        columns.append([int.from_bytes(raw[e - width : e], 'little') for e in ends])
        start += length * width
    assert start == len(raw)
    return columns


def edge_lines(pairs: Pairs) -> list[bytes]:
    starts = range(0, len(pairs), ROWS)
    pieces = [zip(*pairs[start : start + ROWS], strict=True) for start in starts]
    return [b'edge/0000\t' + pack(piece) for piece in pieces]


def write_edges(folder: Path, pairs: Pairs, files: int) -> list[dict]:
    """Write the output of a step with so many tasks; return their statistics."""
    folder.mkdir()
    share, stats = -(-len(pairs) // files), []
    for number in range(files):
        piece = pairs[number * share : (number + 1) * share]
        stats.append({'edges': {'edges': len(piece)}, 'others': 7})
        lines = [*edge_lines(piece), b'other/0000\tline of another kind']
        lines.append(b'@\t' + json.dumps(stats[-1]).encode())
        part = folder / f'part-{number:05d}'
        part.write_bytes(b''.join(line + b'\n' for line in lines))
    return stats


def component_rows(lines: Iterable[bytes]) -> list[tuple[int, int]]:
    """The rows of the output of the last step, in the order of its partitions."""
    pairs = [line.rstrip(b'\n').split(b'\t') for line in lines]
    kept = [pair for pair in pairs if pair[0].startswith(b'component/')]
    kept.sort(key=lambda pair: pair[0])  # stable: the lines of a partition stay
    columns = [unpack(value) for _, value in kept]
    return [row for piece in columns for row in zip(*piece, strict=True)]
