"""Write the tables of the package that phrase_floor.c needs to a file.

    python bench/phrase_tables.py FILE

They are polynomials, characters, character references, and single-byte encodings.
"""

import sys

import numpy as np

from mr_reuse.text import charsets
from mr_reuse.text.characters import character_table
from mr_reuse.text.kernel_reader import _packed_names
from mr_reuse.text.polynomials import read_polynomials

LABEL_WIDTH = 24  # bytes of a label; an encoding is a number from 0, UTF-8 is -1
# Encodings of several bytes, in the order of phrase_floor.c: numbers from -2 downwards.
SEVERAL = ['gbk', 'gb18030', 'big5', 'euc-jp', 'euc-kr', 'iso-2022-jp', 'shift_jis']
SEVERAL += ['utf-16le', 'utf-16be']


def pack_labels() -> tuple[bytes, bytes]:
    """Return the labels with their encodings, and the characters of these."""
    rows, uppers = [], []
    numbers = {'utf-8': -1} | {name: -2 - n for n, name in enumerate(SEVERAL)}
    for label, declared in charsets._names().items():
        name = charsets.IN_META.get(declared, declared)
        if name not in numbers:
            numbers[name] = len(uppers)
            uppers.append([*map(ord, charsets.encoding_of(name).upper)])
        rows.append((label.encode(), numbers[name]))
    kind = np.dtype([('label', f'S{LABEL_WIDTH}'), ('number', '<i8')])
    return np.array(rows, kind).tobytes(), np.array(uppers, np.uint32).tobytes()


def main() -> None:
    names, values = _packed_names()
    polynomials = read_polynomials()
    numbers = polynomials.of_words, polynomials.of_phrases, *polynomials.of_shingles
    parts = [
        np.array(numbers, np.uint64).tobytes(),
        character_table('unicode').tobytes(),
        names,
        values,
        *pack_labels(),
    ]
    with open(sys.argv[1], 'wb') as file:
        file.write(np.array([*map(len, parts)], np.uint64).tobytes())
        file.write(b''.join(part + bytes(-len(part) % 8) for part in parts))


if __name__ == '__main__':
    main()
