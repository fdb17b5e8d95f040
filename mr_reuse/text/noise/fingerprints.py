"""The fingerprint of a page: the least value of each dimension, or EMPTY.

    preprocessors       a body to its noise
    grams               noise to the hashes of its n-grams
    pure_fingerprints   hashes to least values
    keys                these to fewer bits, and how many two pages share

The noise of a page with fewer than n bytes has no n-gram, and the page no fingerprint.
"""

from collections.abc import Iterable
from functools import cache

import numpy as np

from mr_reuse import kernel
from mr_reuse.text.noise.parameters import PREPROCESSORS, StyleRule, read_parameters
from mr_reuse.text.noise.pure_fingerprints import PureFingerprints


def find_fingerprint(body: bytes, rule: StyleRule) -> np.ndarray:
    """Return m values of 64 bits, or none for a page that has no n-gram.

    `body` has no content encoding.

    >>> rule = StyleRule(n=8, m=2)
    >>> find_fingerprint(b'<a href="x1">Hi</a>', rule).tolist()
    [7164202444775521242, 14187631494532840893]
    >>> len(find_fingerprint(b'<p>', rule))
    0
    """
    return np.frombuffer(_shared_finder(rule).page(body), np.uint64)


def find_fingerprint_of_parts(pieces: Iterable[bytes], rule: StyleRule) -> np.ndarray:
    """Return the same of a body that comes in pieces, in bounded memory.

    >>> rule = StyleRule(n=8, m=2)
    >>> find_fingerprint_of_parts([b'<a href="x', b'1">Hi</a>'], rule).tolist()
    [7164202444775521242, 14187631494532840893]
    """
    finder = _make_finder(rule)
    for piece in pieces:
        finder.add(piece)
    return np.frombuffer(finder.take(), np.uint64)


def _make_finder(rule: StyleRule):
    loaded = kernel.load()
    if loaded is None:
        return PureFingerprints(rule)
    found = read_parameters()
    masks = np.array(found.masks, np.uint64).tobytes()
    numbers = found.multiplier, found.mixer
    how = rule.n, rule.m, PREPROCESSORS.index(rule.preprocessor)
    return loaded.Fingerprints(*how, *numbers, masks, b''.join(found.shuffles))


_pure_finder = cache(PureFingerprints)
_kernel_finder = cache(_make_finder)


def _shared_finder(rule: StyleRule):
    """Return what makes fingerprints of bodies that are read in one call."""
    return _pure_finder(rule) if kernel.load() is None else _kernel_finder(rule)
