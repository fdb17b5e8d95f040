"""Fingerprints by their definition, the kernel against Python, parts, and estimates."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import reference_styles as reference
from hostile_pages import BODIES
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.algorithms.agreement import count_agreeing
from mr_reuse.text import page_tags
from mr_reuse.text.noise import fingerprints, parameters
from mr_reuse.text.noise.fingerprints import (
    find_fingerprint,
    find_fingerprint_of_parts,
)
from mr_reuse.text.noise.grams import hash_grams
from mr_reuse.text.noise.keys import shorten_values
from mr_reuse.text.noise.parameters import PREPROCESSORS, StyleRule
from mr_reuse.text.noise.preprocessors import make_preprocessor
from mr_reuse.text.noise.pure_fingerprints import EMPTY, PureFingerprints, find_values
from mr_reuse.text.page_tags import read_tags

SCRIPT = Path(__file__).with_name('make_parameters.py')
CUTS = st.lists(st.floats(0, 1), max_size=6)
SEEDS = st.integers(0, 2**32)
ALPHABETS = [b' ', b'<>', b'<> ="/\nab', bytes(range(256)), b'<a href="x">&amp;\n']
# Lengths around the ends of n-grams, of hashes at a time, and of what waits.
LENGTHS = [0, 1, 31, 32, 33, 40, 511, 512, 543, 5000, 16384, 16700, 40_000]
RULES = st.builds(
    StyleRule,
    st.sampled_from([1, 2, 7, 32, 33, 256]),
    st.sampled_from([1, 2, 3, 50, 64, 100, 127, 128]),
    st.sampled_from(PREPROCESSORS),
)
needs_kernel = pytest.mark.skipif(not kernel.load(), reason=kernel.version())


@pytest.fixture(params=['kernel', 'pure'])
def way(request, monkeypatch):
    """Each test runs with the kernel and without."""
    if request.param == 'pure':
        monkeypatch.setenv(kernel.PURE, '1')
    elif not kernel.load():
        pytest.skip(kernel.version())


@pytest.fixture
def hasty(monkeypatch):
    """Open tags hardly wait, so most of them count before they end."""
    monkeypatch.setattr(page_tags, 'HELD', 3)


def cut(body, cuts):
    edges = [0, *sorted(int(share * len(body)) for share in cuts), len(body)]
    return [body[a:b] for a, b in zip(edges[:-1], edges[1:], strict=True)]


def finders(rule):
    """The object of Python, and that of the kernel with each of its ways."""
    yield 'pure', PureFingerprints(rule)
    for name in ('avx512', 'plain') if kernel.load() else ():
        finder = fingerprints._make_finder(rule)
        if finder.choose(name):
            yield name, finder


def check(body, rule, cuts):
    expected = PureFingerprints(rule).page(body)
    for name, finder in finders(rule):
        assert finder.page(body) == expected, name
        for part in cut(body, cuts):
            finder.add(part)
        assert finder.take() == expected, name
        assert finder.take() == b'', name
        assert finder.page(body) == expected, name
    return expected


def test_parameters_from_their_seed(tmp_path):
    subprocess.run([sys.executable, SCRIPT, tmp_path], check=True)
    made = (tmp_path / 'parameters.txt').read_bytes()
    assert made == (parameters.HERE / 'parameters.txt').read_bytes()
    found = parameters.read_parameters()
    assert (found.multiplier, found.mixer) == (reference.MULTIPLIER, reference.MIXER)
    assert sorted(found.order) == [*range(128)]
    assert list(found.order) == reference.shuffle('order', 128)


def test_values_are_shuffles():
    """Each function of a dimension moves bits, and is a bijection."""
    found = parameters.read_parameters()
    assert len(set(found.masks)) == len(set(found.shuffles)) == 128
    assert all(sorted(bits) == [*range(64)] for bits in found.shuffles)
    hashes = np.random.default_rng(1).integers(0, 2**64, 128, np.uint64)
    expected = [reference.sigma(i, h) for i, h in enumerate(hashes.tolist())]
    assert find_values(hashes, np.arange(128), 128).tolist() == expected


def test_printed_parameters():
    """What is printed suffices to make a fingerprint."""
    text = parameters.format_parameters(StyleRule(8, 100, 'full'), p=20)
    lines = dict(line.split(' ', 1) for line in text.splitlines())
    assert (lines['n'], lines['m'], lines['preprocessor']) == ('8', '100', 'full')
    assert int(lines['multiplier'], 16) == reference.MULTIPLIER
    assert int(lines['mixer'], 16) == reference.MIXER
    probed = [*map(int, lines['probed'].split())]
    assert probed == [i for i in reference.shuffle('order', 128) if i < 100][:20]
    for i in range(100):
        mask, shuffle = lines[str(i)].split()
        assert int(mask, 16) == reference.mask(i)
        assert [*bytes.fromhex(shuffle)] == reference.shuffle(f'shuffle {i}', 64)
    assert '100' not in lines


def test_noise():
    """The example of the specification; bytes from 0x80 on are text in any charset."""
    example = b'<a href="x1">Hi</a>\n'
    noise = make_preprocessor('noise').read(example, True)[0]
    assert noise == b'< =""></>\n'
    every = bytes(range(256))
    assert make_preprocessor('noise').read(every, True)[0] == bytes(reference.KEPT)
    assert make_preprocessor('full').read(every, True)[0] == every


@given(BODIES)
def test_tags_of_any_bytes(body):
    assert read_tags(body) == reference.noise_of(body, 'tags')


def test_tags():
    assert read_tags(b'<A b=/><A b= /><a b=c/ ><i/ /></I/><x=y/><x\0\xe9\xc9 />') == (
        b'<a><a><a><i/></i/><x=y/><x\xef\xbf\xbd\xe9\xc9/>'
    )
    for encoding in ('utf-16-le', 'utf-16-be'):  # a zero byte is behind each `<`
        assert read_tags('<p>é</p>'.encode(encoding)) == b''


@pytest.mark.usefixtures('way', 'hasty')
@given(BODIES, RULES, CUTS)
@settings(max_examples=60, deadline=None)
def test_by_definition(body, rule, cuts):
    noise = reference.noise_of(body, rule.preprocessor)
    expected = reference.fingerprint(noise, rule.n, rule.m)
    assert find_fingerprint(body, rule).tolist() == expected
    assert find_fingerprint_of_parts(cut(body, cuts), rule).tolist() == expected


@pytest.mark.usefixtures('way')
def test_longer_page():
    body = bytes(np.random.default_rng(2).choice([*b'<> ="/\nab'], 5000).tolist())
    for rule in (StyleRule(), StyleRule(9, 100, 'full'), StyleRule(7, 64, 'tags')):
        noise = reference.noise_of(body, rule.preprocessor)
        expected = reference.fingerprint(noise, rule.n, rule.m)
        assert find_fingerprint(body, rule).tolist() == expected


@needs_kernel
@pytest.mark.usefixtures('hasty')
@given(st.sampled_from(ALPHABETS), st.sampled_from(LENGTHS), RULES, CUTS, SEEDS)
@settings(max_examples=150, deadline=None)
def test_kernel(alphabet, length, rule, cuts, seed):
    letters = np.frombuffer(alphabet, np.uint8)
    random = np.random.default_rng(seed)
    check(letters[random.integers(0, len(letters), length)].tobytes(), rule, cuts)


@needs_kernel
@pytest.mark.usefixtures('hasty')
@given(BODIES, RULES, CUTS)
@settings(max_examples=300, deadline=None)
def test_kernel_on_markup(body, rule, cuts):
    check(body, rule, cuts)


@pytest.mark.parametrize('before', [b'', b'<p>', b'<p>' * 5461, b'<p>' * 5555])
@pytest.mark.parametrize('name', [b'a' * 100_000, b'q\0' * 20_000])
@pytest.mark.parametrize('after', [b'', b'>', b'/>' + b'<br>' * 20, b' b="'])
def test_long_tags(before, name, after):
    """An open tag counts only if it ends, however long its name is."""
    rule = StyleRule(preprocessor='tags')
    found = check(before + b'<' + name + after, rule, [0.3, 0.5, 0.9])
    noise = before
    if b'>' in after:
        noise += b'<' + name.replace(b'\0', '\ufffd'.encode()) + after
    assert found == PureFingerprints(rule._replace(preprocessor='full')).page(noise)


@pytest.mark.usefixtures('way')
def test_short_pages():
    rule = StyleRule()
    assert len(find_fingerprint(b'', rule)) == 0
    assert len(find_fingerprint(b'<' * 31 + b'text', rule)) == 0
    found = find_fingerprint(b'<' * 32 + b'text', rule)
    assert np.count_nonzero(found != EMPTY) == 1
    assert found.tolist() == find_fingerprint(b'<' * 99, rule).tolist()


def test_memory():
    """A tag of any length takes little of it."""
    pieces = [b'<p>', b'<', *[b'name' * (1 << 14)] * 160, b'>']
    tracemalloc.start()
    finder = PureFingerprints(StyleRule(preprocessor='tags'))
    for piece in pieces:
        finder.add(piece)
    finder.take()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6_000_000 < sum(map(len, pieces)) / 1.5


@pytest.mark.parametrize('m', [128, 100])
def test_dimensions_are_uniform(m):
    """Also for noise of few letters. A chi-squared of five deviations is rare."""
    random = np.random.default_rng(5)
    for alphabet in (b' \n', b'<>/ ="\n', bytes(range(256))):
        letters = np.frombuffer(alphabet, np.uint8)
        noise = letters[random.integers(0, len(letters), 16_384)]
        hashes = np.unique(hash_grams(noise, 32))
        assert len(hashes) == 16_384 - 31
        counts = np.bincount((hashes % np.uint64(m)).astype(int), minlength=m)
        expected = len(hashes) / m
        chi_squared = float(((counts - expected) ** 2).sum() / expected)
        assert abs(chi_squared - (m - 1)) < 5 * (2 * (m - 1)) ** 0.5


@pytest.mark.usefixtures('way')
def test_estimates():
    """The bias and the error of the estimates are those of theory.

    The variance is that of Li, Owen and Zhang, One Permutation Hashing (2012).
    """
    random = np.random.default_rng(6)
    errors, variances, biases = [], [], []
    rule = StyleRule(n=8, preprocessor='full')
    for _ in range(400):
        parts = [random.bytes(random.integers(100, 2000)) for _ in range(3)]
        one, other = parts[0] + parts[1], parts[0] + parts[2]
        sets = [reference.grams_of(page, 8) for page in (one, other)]
        share, union = reference.jaccard(*sets), len(sets[0] | sets[1])
        rows = np.stack([find_fingerprint(page, rule) for page in (one, other)])
        agreeing, both_empty = (int(x[1]) for x in count_agreeing(rows[0], rows))
        errors.append(agreeing / (128 - both_empty) - share)
        biases.append(agreeing / 128 - share)
        filled = 128 - both_empty
        rest = 1 / (union - 1)
        variances.append(share * (1 - share) * ((1 + rest) / filled - rest))
    theory = np.mean(variances) ** 0.5
    rmse = np.mean(np.square(errors)) ** 0.5
    print(f'bias {np.mean(errors):+.4f}, RMSE {rmse:.4f}, theory {theory:.4f}')
    assert abs(np.mean(errors)) < 3 * theory / len(errors) ** 0.5
    assert abs(rmse / theory - 1) < 3 / (2 * len(errors)) ** 0.5
    assert np.mean(biases) < np.mean(errors) + 1e-12  # empty dimensions agree with none


@pytest.mark.usefixtures('way')
@pytest.mark.parametrize('bits', [8, 12, 16, 24])
def test_false_agreements(bits):
    """Pages without a common n-gram agree as often as random keys do."""
    random = np.random.default_rng(7)
    rule = StyleRule(preprocessor='full')
    pages = [random.bytes(3000) for _ in range(400)]
    rows = np.stack([find_fingerprint(page, rule) for page in pages])
    keys = shorten_values(rows, bits)
    assert ((keys == np.iinfo(keys.dtype).max) == (rows == EMPTY)).all()
    found = [
        int(count_agreeing(row, keys[i + 1 :]).agreeing.sum())
        for i, row in enumerate(keys)
    ]
    pairs = 400 * 399 / 2
    expected = pairs * 128 / 2**bits
    print(f'{bits} bits: {sum(found)} agreements of {pairs:.0f} pairs, {expected:.2f}')
    assert sum(found) <= 2 * expected + 3
    assert bits == 24 or sum(found) >= expected / 2


@needs_kernel
def test_wrong_arguments():
    kind = kernel.load().Fingerprints
    masks, shuffles = bytes(8), bytes(64)
    for n, m, preprocessor in [(0, 1, 0), (257, 1, 0), (1, 0, 0), (1, 2, 0), (1, 1, 3)]:
        with pytest.raises(ValueError, match='outside their ranges'):
            kind(n, m, preprocessor, 1, 1, masks, shuffles)
    with pytest.raises(ValueError, match='above 63'):
        kind(1, 1, 0, 1, 1, masks, b'\x40' + bytes(63))
    finder = kind(1, 1, 0, 1, 1, masks, shuffles)
    for call in (finder.page, finder.add):
        with pytest.raises(TypeError):
            call('')
    empty = kind.__new__(kind)
    for call in (empty.take, lambda: empty.page(b'')):
        with pytest.raises(ValueError, match='without parameters'):
            call()
    assert not finder.choose('no such instructions')
