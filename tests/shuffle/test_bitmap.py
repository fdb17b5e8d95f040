"""Bitmaps pass all digests that were added, and few others."""

import numpy as np
import pytest

from mr_reuse.shuffle import bitmap
from mr_reuse.shuffle.bitmap import Bitmap


def digests(seed: int, count: int) -> np.ndarray:
    """Sorted random digests."""
    keys = np.random.default_rng(seed).integers(0, 256, (count, 20)).astype(np.uint8)
    return keys[np.lexsort(keys.T[::-1])]


@pytest.mark.parametrize('count', [0, 1, 2, 5000])
def test_no_false_negatives(count):
    keys = digests(1, count)
    bits = bitmap.bits_for(count)
    filled = Bitmap(bitmap.make_empty(bits)).add(keys)
    assert filled.may_contain(keys).all()
    others = digests(2, 100_000)
    assert filled.may_contain(others).mean() <= 0.08


def test_union_of_blocks():
    """The bitmaps of several tasks are as one bitmap of all digests."""
    bits, parts = 19, [digests(seed, 1000) for seed in range(4)]
    whole, pieces = bitmap.make_empty(bits), []
    for part in parts:
        Bitmap(whole).add(part)
        pieces += Bitmap(bitmap.make_empty(bits)).add(part).blocks()
    assert len(pieces) == 8  # 64 KB each
    assert (bitmap.unite_blocks(bits, pieces) == whole).all()
    assert bitmap.unite_blocks(bits, []).sum() == 0


def test_size():
    """64 MB are the most, whatever the number of digests."""
    assert len(bitmap.make_empty(bitmap.bits_for(10**12))) == 64 << 20


def test_first_bits_decide():
    keys = np.frombuffer(b'\0\0\x07aa\0\0\x07zz\0\0\x08aa', np.uint8).reshape(-1, 5)
    filled = Bitmap(bitmap.make_empty(21)).add(keys[:1])
    assert filled.may_contain(keys).tolist() == [True, True, False]
