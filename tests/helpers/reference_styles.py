"""What fingerprints of styles are, said a second time.

The parameters are made anew from their seed. N-grams are a set of strings, and each of
them is hashed by itself. Nothing here imports the package.
"""

import hashlib
import string
from functools import cache

from reference_words import Tokenizer

SEED = 'Tracking Web Spam with Hidden Style Similarity'
EMPTY = 2**64 - 1
KEPT = [b for b in range(128) if chr(b) not in string.ascii_letters + string.digits]


def digest(name):
    return hashlib.sha256(f'{SEED} {name}'.encode()).digest()


def number(name):
    return int.from_bytes(digest(name)[:8], 'big')


@cache
def shuffle(name, count):
    return sorted(range(count), key=lambda i: digest(f'{name} {i}'))


MULTIPLIER, MIXER = (number(name) & ~7 | 5 for name in ('multiplier', 'mixer'))


@cache
def mask(dimension):
    return number(f'mask {dimension}')


def hash_gram(gram):
    value = 0
    for byte in gram:
        value = (value * MULTIPLIER + byte) % 2**64
    value ^= value >> 32
    value = value * MIXER % 2**64
    return value ^ value >> 29


def sigma(dimension, value):
    value ^= mask(dimension)
    bits = shuffle(f'shuffle {dimension}', 64)
    return sum((value >> bit & 1) << place for place, bit in enumerate(bits))


def noise_of(body, preprocessor):
    if preprocessor == 'full':
        return body
    if preprocessor == 'noise':
        return bytes(byte for byte in body if byte in KEPT)
    # Bytes from 0x80 on are letters of no kind, so that no charset matters.
    tokenizer = Tokenizer(body.decode('utf-8', 'surrogateescape'), keeps_scripts=False)
    tokenizer.run()
    return tokenizer.tags.encode('utf-8', 'surrogateescape')


def grams_of(noise, n):
    return {noise[i : i + n] for i in range(len(noise) - n + 1)}


def fingerprint(noise, n, m):
    grams = grams_of(noise, n)
    least = [EMPTY] * m if grams else []
    for gram in grams:
        value = hash_gram(gram)
        least[value % m] = min(least[value % m], sigma(value % m, value))
    return least


def jaccard(one, other):
    return len(one & other) / len(one | other)
