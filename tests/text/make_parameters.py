#!/usr/bin/env python3
"""Make `mr_reuse/text/noise/parameters.txt`, which fixes the fingerprints of styles.

    tests/text/make_parameters.py FOLDER   # mr_reuse/text/noise, or another to compare

All numbers come from SHA-256 of `SEED NAME`. The file has two odd multipliers, the
dimensions in the order in which they are probed, and for each dimension a mask and a
shuffle of 64 bits.
"""

import hashlib
import sys
from pathlib import Path

SEED = 'Tracking Web Spam with Hidden Style Similarity'
DIMENSIONS = 128
BITS = 64


def make_parameters(folder: Path) -> None:
    """Write the file of data."""
    order = shuffle('order', DIMENSIONS)
    lines = [
        f'multiplier {make_odd("multiplier"):016x}',
        f'mixer {make_odd("mixer"):016x}',
        f'order {" ".join(map(str, order))}',
    ]
    for dimension in range(DIMENSIONS):
        bits = bytes(shuffle(f'shuffle {dimension}', BITS)).hex()
        lines.append(f'{dimension} {number(f"mask {dimension}"):016x} {bits}')
    (folder / 'parameters.txt').write_text('\n'.join([*lines, '']))


def digest(name: str) -> bytes:
    return hashlib.sha256(f'{SEED} {name}'.encode()).digest()


def number(name: str) -> int:
    return int.from_bytes(digest(name)[:8], 'big')


def make_odd(name: str) -> int:
    """Return a number that is 5 modulo 8: its powers repeat as late as possible."""
    return number(name) & ~7 | 5


def shuffle(name: str, count: int) -> list[int]:
    return sorted(range(count), key=lambda place: digest(f'{name} {place}'))


if __name__ == '__main__':
    make_parameters(Path(sys.argv[1]))
