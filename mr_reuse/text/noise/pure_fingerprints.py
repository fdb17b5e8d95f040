"""The fingerprint of a page in Python, which defines the result of the kernel.

A fingerprint has the least value of each dimension. EMPTY says that there is none: the
one hash that would have this value counts as none.

Few hashes can have a least value. The highest bits of such a value are 0. So a few bits
of a hash, other ones in each dimension, tell whether its value is computed. The bits in
which the hashes of a dimension agree are left out of that.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from mr_reuse.text.noise.grams import AT_ONCE, hash_grams
from mr_reuse.text.noise.parameters import StyleRule, read_parameters
from mr_reuse.text.noise.preprocessors import make_preprocessor

EMPTY = np.uint64(2**64 - 1)
BYTES = 8  # of a hash
PASSING = 6  # so many hashes of a dimension pass a test, or up to twice as many
MANY = 512  # hashes of which repeated ones are left out


class Test(NamedTuple):
    """Which bits of a hash have to be how, by dimension, and which of a value are 0."""

    masks: np.ndarray
    bits: np.ndarray
    zeros: np.ndarray


@cache
def value_tables(m: int) -> np.ndarray:
    """Return what each byte of a hash contributes to its value, by exclusive or.

    The axes are dimensions, places of bytes, and values of a byte. The lowest byte
    contributes the mask as well.
    """
    found = read_parameters()
    tables = np.zeros((m, BYTES, 256), np.uint64)
    for shuffle, mask, table in zip(found.shuffles, found.masks, tables, strict=False):
        single = np.zeros(64, np.uint64)
        single[list(shuffle)] = np.uint64(1) << np.arange(64, dtype=np.uint64)
        for bit in range(8):
            half = 1 << bit
            table[:, half : 2 * half] = table[:, :half] ^ single[bit::8, None]
        table[0] ^= np.bitwise_xor.reduce(single[_bits_of(mask)])
    return tables


def _bits_of(number: int) -> np.ndarray:
    return np.array([number >> bit & 1 for bit in range(64)], bool)


def find_values(hashes: np.ndarray, dimensions: np.ndarray, m: int) -> np.ndarray:
    """Return the values of hashes, each in a dimension.

    >>> found = find_values(np.zeros(1, np.uint64), np.array([0]), 128)
    >>> f'{found[0]:016x}'
    'b1ec4c991679cef7'
    """
    tables = value_tables(m).ravel()
    starts = dimensions * (BYTES * 256)
    columns = hashes.astype('<u8').view(np.uint8).reshape(-1, BYTES)
    result = tables.take(starts + columns[:, 0])
    for place in range(1, BYTES):
        result ^= tables.take(starts + 256 * place + columns[:, place])
    return result


@cache
def _make_test(m: int, zeros: int) -> Test:
    """Return the test whether a value begins with so many zeros.

    Bits that all hashes of a dimension share do not count.
    """
    found = read_parameters()
    shared = (m & -m) - 1
    test = np.zeros((3, m), np.uint64)
    for i in range(m):
        shuffle = found.shuffles[i]
        free = [j for j in range(64) if not shared >> shuffle[j] & 1]
        places = free[len(free) - zeros :]
        mask = sum(1 << shuffle[j] for j in places)
        test[:, i] = mask, found.masks[i] & mask, sum(1 << j for j in places)
    return Test(*test)


class State(NamedTuple):
    """What is known of a page so far."""

    least: np.ndarray  # value of each dimension
    noise: bytes  # the last bytes, with which later n-grams begin
    count: int  # of n-grams


class PureFingerprints:
    """Makes fingerprints. The kernel has the same."""

    def __init__(self, rule: StyleRule):
        self._rule = rule
        self._start()

    def _start(self) -> None:
        self._preprocessor = make_preprocessor(self._rule.preprocessor)
        self._state = State(np.full(self._rule.m, EMPTY), b'', 0)
        self._before: State | None = None  # an open tag, which may turn out to be none

    def page(self, body: bytes) -> bytes:
        """Return the fingerprint of a whole body; nothing if it has no n-gram."""
        self._start()
        self._read(body, True)
        return self._end()

    def add(self, data: bytes) -> None:
        """Add bytes of a body behind those of the last call."""
        self._read(data, False)

    def take(self) -> bytes:
        """Return the fingerprint of the body whose bytes came; begin another one."""
        self._read(b'', True)
        return self._end()

    def _end(self) -> bytes:
        found = self._state.least.tobytes() if self._state.count else b''
        self._start()
        return found

    def _read(self, data: bytes, is_last: bool) -> None:
        noise, sure = self._preprocessor.read(data, is_last)
        if sure:
            self._before = None
            self._offer(noise[:sure])
        if sure < len(noise):
            self._before = self._before or self._state
            self._offer(noise[sure:])
        if is_last and self._before:
            self._state = self._before

    def _offer(self, noise: bytes) -> None:
        n = self._rule.n
        least, before, count = self._state
        least = least.copy()
        data = np.frombuffer(before + noise, np.uint8)
        for start in range(0, len(data) - n + 1, AT_ONCE):
            hashes = hash_grams(data[start : start + AT_ONCE + n - 1], n)
            count += len(hashes)
            _lower(least, hashes, count)
        rest = data[max(0, len(data) - n + 1) :].tobytes()
        self._state = State(least, rest, count)


def _lower(least: np.ndarray, hashes: np.ndarray, count: int) -> None:
    """Lower the values of dimensions to those of hashes. `count` came in all."""
    m = len(least)
    dimensions = _dimensions_of(hashes, m)
    test = _make_test(m, max(0, (count // (m * PASSING)).bit_length() - 1))
    found = hashes & test.masks.take(dimensions)
    _lower_each(least, hashes[found == test.bits.take(dimensions)])
    is_large = least & test.zeros != 0
    if is_large.any():  # there, a value may be the least although it did not pass
        _lower_each(least, hashes[is_large.take(dimensions)])


def _lower_each(least: np.ndarray, hashes: np.ndarray) -> None:
    if len(hashes) > MANY:
        hashes = np.sort(hashes)  # np.unique is slower
        hashes = hashes[np.append(True, hashes[1:] != hashes[:-1])]
    dimensions = _dimensions_of(hashes, len(least))
    np.minimum.at(least, dimensions, find_values(hashes, dimensions, len(least)))


def _dimensions_of(hashes: np.ndarray, m: int) -> np.ndarray:
    is_power = not m & (m - 1)  # of two
    rests = hashes & np.uint64(m - 1) if is_power else hashes % np.uint64(m)
    return rests.view(np.int64)
