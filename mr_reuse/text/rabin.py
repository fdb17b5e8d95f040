"""Rabin fingerprints of degree 64.

The bits of a number, or of bytes, are the coefficients of a polynomial over the numbers
0 and 1. The fingerprint of bytes is the remainder of `1, the bytes, 64 zeros` after a
division by a polynomial. An addition is an exclusive or, so the product of a number and
a power of x is the sum of the products of its bytes. Tables hold these.
"""

from functools import cache, lru_cache

import numpy as np

BLOCK = 8
DEGREE = 8 * BLOCK
ALL = 2**DEGREE - 1
AT_ONCE = 1 << 14  # numbers, as the indexes of their bytes take eight times as much
FEW = 8  # words of so many blocks left are hashed one by one


def fingerprint(data: bytes, polynomial: int) -> int:
    """Return the fingerprint of bytes. The polynomial has no leading x^64.

    >>> [f'{fingerprint(data, 0x1b):x}' for data in (b'', b'a', b'abc')]
    ['1b', '1ebb', '1ebe938d']
    """
    return add_bytes(polynomial, data, polynomial)


def add_bytes(state: int, data: bytes, polynomial: int) -> int:
    """Return the fingerprint of some bytes and `data`, given that of the former."""
    table = _byte_table(polynomial)
    for byte in data:
        state = (state << 8 & ALL) ^ table[state >> (DEGREE - 8) ^ byte]
    return state


@cache
def _byte_table(polynomial: int) -> list[int]:
    return product_table(polynomial, DEGREE)[0].tolist()


def powers_of_x(polynomial: int, count: int) -> list[int]:
    """Return the remainders of 1, x, x^2, and so on.

    >>> powers_of_x(0x1b, 66)[63:] == [2**63, 0x1b, 0x36]
    True
    """
    found = [1]
    while len(found) < count:
        value = found[-1] << 1
        found.append(value & ALL ^ polynomial if value > ALL else value)
    return found


@lru_cache(maxsize=8)
def product_table(polynomial: int, power: int) -> np.ndarray:
    """Return the remainders of a byte times x^`power`: a row for each place of a byte.

    The first row is of the lowest byte of a number.
    """
    table = np.zeros((BLOCK, 256), np.uint64)
    powers = powers_of_x(polynomial, power + DEGREE)[power:]
    for bit, value in enumerate(powers):
        row, size = table[bit // 8], 1 << bit % 8
        row[size : 2 * size] = row[:size] ^ np.uint64(value)
    return table


def multiply(numbers: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the remainders of numbers times the power of x of a table.

    >>> multiply(np.array([1, 2, 3], np.uint64), product_table(0x1b, 64)).tolist()
    [27, 54, 45]
    """
    result = np.zeros(len(numbers), np.uint64)
    for start in range(0, len(numbers), AT_ONCE):
        part = result[start : start + AT_ONCE]
        places = byte_columns(numbers[start : start + AT_ONCE])
        for row, column in zip(table, places, strict=True):
            part ^= row.take(column)
    return result


def byte_columns(numbers: np.ndarray) -> np.ndarray:
    """Return the bytes of numbers as indexes: a row for each place, lowest first."""
    data = np.ascontiguousarray(numbers, '<u8').view(np.uint8).reshape(-1, BLOCK)
    return data.T.astype(np.intp)


def fingerprint_words(
    text: bytes, starts: np.ndarray, stops: np.ndarray, polynomial: int
) -> np.ndarray:
    """Return the fingerprints of the words of a text.

    >>> starts, stops = np.array([0, 2]), np.array([1, 5])
    >>> found = fingerprint_words(b'a abc', starts, stops, 0x1b)
    >>> [f'{word:x}' for word in found.tolist()]
    ['1ebb', '1ebe938d']
    """
    result = np.full(len(starts), polynomial, np.uint64)
    blocks = np.ndarray((len(text) + 1,), '>u8', text + bytes(BLOCK), strides=(1,))
    table = product_table(polynomial, DEGREE)
    places, left, which = starts, stops - starts, np.arange(len(starts))
    while len(which) > FEW:
        state, block = result[which], blocks[places].astype(np.uint64)
        is_short = left < BLOCK
        bits = np.where(is_short, 8 * left, DEGREE - 8).astype(np.uint64)
        unused = np.uint64(DEGREE) - bits
        # The bits of the state that do not fit join the block.
        joined = np.where(is_short, state >> unused ^ block >> unused, state ^ block)
        kept = np.where(is_short, state << bits, np.uint64(0))
        result[which] = multiply(joined, table) ^ kept
        more = left > BLOCK
        places, left, which = places[more] + BLOCK, left[more] - BLOCK, which[more]
    for word, at, size in zip(which, places.tolist(), left.tolist(), strict=True):
        data = text[at : at + size]
        result[word] = add_bytes(int(result[word]), data, polynomial)
    return result
