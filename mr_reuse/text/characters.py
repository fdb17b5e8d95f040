"""Which characters are parts of words, and their lower case, by tables of the package.

The tables are of one version of Unicode, so words do not depend on the version of
Python.
"""

from functools import cache
from pathlib import Path

import numpy as np

VERSION = '17.0.0'  # of Unicode, as in unicode.txt
SEPARATOR, LETTER, MARK, ALONE = range(4)  # ALONE: each such letter is a word
CLASS_BITS = 2
CLASSES = {'L': LETTER, 'M': MARK, 'S': ALONE}
HERE = Path(__file__).parent


@cache
def character_table(rule: str) -> np.ndarray:
    """Return the entry of each code point: its lower case, and its class in two bits.

    >>> table = character_table('unicode')
    >>> [int(table[ord(c)]) & 3 for c in ' a7é́漢ー'], chr(table[ord('É')] >> CLASS_BITS)
    ([0, 1, 1, 1, 2, 3, 1], 'é')
    >>> [int(character_table('paper')[ord(c)]) & 3 for c in '́漢']
    [0, 1]
    """
    lower = np.arange(0x110000, dtype=np.uint32)
    classes = np.zeros(len(lower), np.uint32)
    for line in (HERE / 'unicode.txt').read_text(encoding='utf-8').splitlines():
        match line.split():
            case ['lower', first, last, step, distance]:
                lower[int(first, 16) : int(last, 16) + 1 : int(step)] += np.uint32(
                    int(distance) % 2**32
                )
            case [first, last, ('L' | 'M' | 'S') as kind]:
                classes[int(first, 16) : int(last, 16) + 1] = CLASSES[kind]
    if rule == 'paper':
        classes = np.array([SEPARATOR, LETTER, SEPARATOR, LETTER], np.uint32)[classes]
    return lower << np.uint32(CLASS_BITS) | classes
