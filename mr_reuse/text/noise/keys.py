"""Keys: the values of a fingerprint in fewer bits.

The highest bits of least values are mostly 0, and the hashes of a dimension agree in
some bits. So a value is multiplied by an odd number, and the highest bits of the
product are the key. It takes 1, 2, 4 or 8 bytes. A key with all bits set says that the
dimension is empty. A key that would have all bits set is one less.
"""

import numpy as np

from mr_reuse.text.noise.pure_fingerprints import EMPTY

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
LEAST_BITS, MOST_BITS = 8, 64


def key_type(bits: int) -> np.dtype:
    """Return the type that holds keys of so many bits.

    >>> key_type(8), key_type(12), key_type(64)
    (dtype('uint8'), dtype('uint16'), dtype('uint64'))
    """
    size = next(size for size in (1, 2, 4, 8) if bits <= 8 * size)
    return np.dtype(f'u{size}')


def shorten_values(values: np.ndarray, bits: int) -> np.ndarray:
    """Return the keys of fingerprints, which may be one row or many.

    >>> values = np.array([1, 2**32, EMPTY, 0], np.uint64)
    >>> [f'{key:x}' for key in shorten_values(values, 16)]
    ['9e37', '7f4a', 'ffff', '0']
    >>> [f'{key:x}' for key in shorten_values(values, 12)]
    ['9e3', '7f4', 'ffff', '0']
    """
    kind = key_type(bits)
    empty = np.iinfo(kind).max
    keys = (values * MULTIPLIER >> np.uint64(64 - bits)).astype(kind)
    keys[keys == empty] = empty - 1
    keys[values == EMPTY] = empty
    return keys
