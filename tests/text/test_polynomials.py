"""The polynomials of the package, and fingerprints by their definition."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import reference_phrases as reference
from hypothesis import given
from hypothesis import strategies as st

from mr_reuse.text import rabin
from mr_reuse.text.polynomials import read_polynomials

SCRIPT = Path(__file__).with_name('make_polynomials.py')
SIMPLE = 0x1B  # x^64 + x^4 + x^3 + x + 1
VECTORS = {
    b'': 0x000000000000001B,
    b'a': 0x0000000000001EBB,
    b'abc': 0x000000001EBE938D,
    b'The quick brown fox': 0xEFA1C7CD498ECD3D,
}
NUMBERS = st.integers(0, 2**64 - 1)
TEXTS = st.lists(st.binary(min_size=1, max_size=40), max_size=30)


def test_all_are_primitive():
    polynomials = reference.OF_WORDS, reference.OF_PHRASES, *reference.OF_SHINGLES
    assert len(set(polynomials)) == 86
    assert all(map(reference.is_primitive, polynomials))


def test_others_are_not_primitive():
    """The order of x is 85, a factor of 2^64 - 1, modulo the cyclotomic polynomial."""
    cyclotomic = 0x18C63DEF7DEF78C63
    assert reference.power(2, 85, cyclotomic) == 1
    assert not reference.is_primitive(cyclotomic)
    assert not reference.is_primitive(1 << 64 | 1)
    assert reference.is_primitive(1 << 64 | SIMPLE)


def test_file():
    assert [len(line) for line in reference.LINES] == [16] * 86 + [0]
    expected = reference.OF_WORDS, reference.OF_PHRASES, *reference.OF_SHINGLES
    found = read_polynomials()
    ours = found.of_words, found.of_phrases, *found.of_shingles
    assert [1 << 64 | polynomial for polynomial in ours] == [*expected]


def test_file_can_be_made_again(tmp_path):
    subprocess.run([sys.executable, SCRIPT, tmp_path], check=True)
    made = (tmp_path / 'polynomials.txt').read_bytes()
    assert made == reference.FILE.read_bytes()


def test_known_vectors():
    for data, expected in VECTORS.items():
        assert rabin.fingerprint(data, SIMPLE) == expected
        assert reference.fingerprint(data, 1 << 64 | SIMPLE) == expected


def test_small_degree():
    """Of bytes that are as long as the degree, all fingerprints differ."""
    assert len({reference.fingerprint(bytes([n]), 0x11D) for n in range(256)}) == 256


@given(st.binary(max_size=99), st.binary(max_size=20), NUMBERS.map(lambda n: n | 1))
def test_by_long_division(data, more, polynomial):
    expected = reference.fingerprint(data + more, 1 << 64 | polynomial)
    assert rabin.fingerprint(data + more, polynomial) == expected
    start = rabin.fingerprint(data, polynomial)
    assert rabin.add_bytes(start, more, polynomial) == expected


@given(st.lists(NUMBERS, max_size=9), NUMBERS, st.integers(0, 200))
def test_products(numbers, polynomial, power):
    table = rabin.product_table(polynomial, power)
    found = rabin.multiply(np.array(numbers, np.uint64), table).tolist()
    whole = 1 << 64 | polynomial
    assert found == [reference.remainder(n << power, whole) for n in numbers]


@given(TEXTS, NUMBERS)
def test_words_of_a_text(words, polynomial):
    stops = np.cumsum([len(word) + 1 for word in words], dtype=np.int64) - 1
    starts = stops - [len(word) for word in words]
    text = b' '.join(words)
    found = rabin.fingerprint_words(text, starts, stops, polynomial).tolist()
    whole = 1 << 64 | polynomial
    assert found == [reference.fingerprint(word, whole) for word in words]
