"""What fixes the fingerprints of styles: numbers that are data of the package.

The hash of an n-gram is that of `grams`. Its remainder modulo m is its dimension. In a
dimension, the value of a hash is a shuffle of its bits: bit number i of the value is
bit `shuffle[i]` of the hash, which was combined with the mask by exclusive or. The
lowest bit has the number 0. `tests/text/make_parameters.py` makes the file.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

DIMENSIONS = 128  # at most
LONGEST = 256  # n-gram, in bytes
PREPROCESSORS = ('noise', 'tags', 'full')
HERE = Path(__file__).parent


class StyleRule(NamedTuple):
    """How a fingerprint is made: of n-grams, in m dimensions.

    With fewer dimensions than 128, they are the first ones.
    """

    n: int = 32  # 1 to LONGEST
    m: int = 128  # 1 to DIMENSIONS
    preprocessor: str = 'noise'


class Parameters(NamedTuple):
    """The numbers of the file."""

    multiplier: int
    mixer: int
    order: tuple[int, ...]  # of dimensions, as they are probed
    masks: tuple[int, ...]
    shuffles: tuple[bytes, ...]


@cache
def read_parameters() -> Parameters:
    """Return the parameters of the package.

    >>> found = read_parameters(); f'{found.multiplier:016x}', len(found.masks)
    ('6494a01eb5372b05', 128)
    """
    text = (HERE / 'parameters.txt').read_text(encoding='ascii')
    multiplier, mixer, order, *dimensions = map(str.split, text.splitlines())
    return Parameters(
        int(multiplier[1], 16),
        int(mixer[1], 16),
        tuple(map(int, order[1:])),
        tuple(int(mask, 16) for _, mask, _ in dimensions),
        tuple(bytes.fromhex(shuffle) for *_, shuffle in dimensions),
    )


def probed_dimensions(m: int, p: int) -> tuple[int, ...]:
    """Return the p dimensions of m that are probed.

    >>> probed_dimensions(128, 4), probed_dimensions(50, 4)
    ((59, 53, 85, 99), (38, 49, 7, 43))
    """
    return tuple(i for i in read_parameters().order if i < m)[:p]


def format_parameters(rule: StyleRule, p: int) -> str:
    """Format all that fixes the fingerprints of a rule, and what is probed.

    A line has a name and its values. Those of dimensions are named by numbers, and have
    a mask and a shuffle: two hexadecimal digits for each bit, from the lowest one on.

    >>> lines = format_parameters(StyleRule(m=2), p=1).splitlines()
    >>> lines[:7]
    ['preprocessor noise', 'n 32', 'm 2', 'multiplier 6494a01eb5372b05', \
'mixer 738af4907a2cb31d', 'probed 0', '0 c8cf7bc3a9b0ee17 \
213b27110918333225141f2c16241b2830120731010d3e1e341d26380e0319353f232a2b293d3a0a1a05\
02202239371c06102d362f0415170b08133c0f000c2e']
    >>> len(lines)
    8
    """
    found = read_parameters()
    lines = [
        f'preprocessor {rule.preprocessor}',
        f'n {rule.n}',
        f'm {rule.m}',
        f'multiplier {found.multiplier:016x}',
        f'mixer {found.mixer:016x}',
        f'probed {" ".join(map(str, probed_dimensions(rule.m, p)))}',
    ]
    for i in range(rule.m):
        lines.append(f'{i} {found.masks[i]:016x} {found.shuffles[i].hex()}')
    return '\n'.join([*lines, ''])
