"""Phrases and shingles by their definitions, the kernel against Python, parts too."""

import numpy as np
import pytest
import reference_phrases as reference
from hostile_pages import BODIES
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import kernel
from mr_reuse.text import kernel_reader, page_words, shingles
from mr_reuse.text.page_words import HTML, PLAIN, WordRule, iter_words, read_words
from mr_reuse.text.pure_shingles import PureShingles

RULE = WordRule('keep', 'unicode', 'fingerprints')
WORDS = 'a', 'b', 'cc', 'eightlet', 'sixteencharacter', 'seventeenletters1'
WORDS += 'é', 'x' * 99
SEEDS = st.integers(0, 2**32)
# Lengths around the ends of groups, of batches, and of vectors.
LENGTHS = st.sampled_from([*range(12), 63, 64, 65, 255, 256, 260, 261, 1023, 1024])
LENGTHS |= st.sampled_from([1028, 1029, 2047, 2048, 2052, 2053, 5000])
needs_kernel = pytest.mark.skipif(not kernel.load(), reason=kernel.version())


@pytest.fixture(params=['kernel', 'pure'])
def way(request, monkeypatch):
    """Each test runs with the kernel and without."""
    if request.param == 'pure':
        monkeypatch.setenv(kernel.PURE, '1')
    elif not kernel.load():
        pytest.skip(kernel.version())


def read(words, **options):
    return read_words(' '.join(words).encode(), 'utf-8', PLAIN, RULE, **options)


def of_words(*words):
    return shingles.find_shingles(read(words).fingerprints()).tolist()


def random_words(length, kinds, seed):
    random = np.random.default_rng(seed)
    some = random.integers(0, 2**64, kinds, np.uint64)
    return some[random.integers(0, kinds, length)]


def finders():
    """The object of the kernel with all instructions of this CPU."""
    for name in ('gfni', 'plain'):
        finder = shingles._make_finder()
        if finder.choose(name):
            yield name, finder


@pytest.mark.usefixtures('way')
def test_by_definition():
    random = np.random.default_rng(3)
    for count in range(12):
        words = random.choice(WORDS, count).tolist()
        encoded = [word.encode() for word in words]
        expected = reference.shingles_of(encoded) if encoded else []
        page = read(words).fingerprints()
        found = shingles.find_shingles(page)
        assert found.tolist() == [phrase for _, phrase in expected]
        values = shingles.shingle_values(found).tolist() if encoded else []
        assert values == [value for value, _ in expected]
        phrases = map(reference.phrase_fingerprint, reference.phrase_texts(encoded))
        assert shingles.find_phrases(page).tolist() == [*phrases]


@pytest.mark.usefixtures('way')
@given(BODIES)
@settings(max_examples=50, deadline=None)
def test_fingerprints_of_words(body):
    page = read_words(body, 'utf-8', HTML, RULE, with_text=True)
    expected = [reference.fingerprint(w, reference.OF_WORDS) for w in page.words()]
    assert page.fingerprints().tolist() == expected


def test_phrases_of_few_words():
    assert reference.phrase_texts(list('abc')) == [
        *map(tuple, ('abcab', 'bcabc', 'cabca'))
    ]
    assert reference.phrase_texts(['a']) == [('a',) * 5]


@pytest.mark.usefixtures('way')
def test_circles():
    """Rotations have the same shingles, and so has a word and its repetitions."""
    assert of_words('w') == of_words('w', 'w', 'w') == of_words(*'w' * 7)
    assert len({*of_words('w')}) == 1
    assert of_words(*'abc') == of_words(*'bca') == of_words(*'cabcab')
    assert of_words(*'abc') != of_words(*'acb')
    assert of_words() == []
    page = random_words(3000, 900, 1)
    expected = shingles.find_shingles(page).tolist()
    for steps in (1, 4, 1500, 2999):
        assert shingles.find_shingles(np.roll(page, steps)).tolist() == expected


def test_functions_are_bijections():
    """The values of the numbers with a single bit are independent, but for the 1."""
    bits = np.array([0, *(1 << bit for bit in range(64))], np.uint64)
    values = shingles.shingle_values(np.repeat(bits[:, None], 84, axis=1))
    for column in (values[1:] ^ values[0]).T.tolist():
        independent = {}
        for number in column:
            rest = number
            while rest and (top := rest.bit_length()) in independent:
                rest ^= independent[top]
            assert rest
            independent[rest.bit_length()] = rest


@needs_kernel
@given(LENGTHS, st.sampled_from([1, 2, 5, 300, 10**6]), SEEDS)
@settings(max_examples=60, deadline=None)
def test_kernel(length, kinds, seed):
    """The same bytes, and the same for parts, whatever the instructions are."""
    words = random_words(length, kinds, seed)
    pure, data = PureShingles(), words.tobytes()
    expected, phrases = pure.page(data), pure.phrases(data)
    random = np.random.default_rng(seed)
    edges = [0, *np.sort(random.integers(0, length + 1, 3)).tolist(), length]
    parts = [words[a:b].tobytes() for a, b in zip(edges[:-1], edges[1:], strict=True)]
    for name, finder in [('pure', pure), *finders()]:
        assert finder.page(data) == expected, name
        assert finder.phrases(data) == phrases, name
        for part in parts:
            finder.add(part)
        assert finder.take() == expected, name
        assert finder.take() == b'', name


@needs_kernel
def test_all_bits():
    """Phrases and values with all bits set or none."""
    for phrase in (0, 2**64 - 1):
        words = np.full(7, phrase, np.uint64).tobytes()
        expected = PureShingles().page(words)
        assert {finder.page(words) for _, finder in finders()} == {expected}


CHARSETS = st.sampled_from(['', 'utf-8', 'koi8-r', 'shift_jis', 'utf-16le'])


@needs_kernel
@settings(deadline=None, max_examples=50)
@given(BODIES, CHARSETS, st.sampled_from([HTML, PLAIN]))
def test_page_in_one_call(body, charset, kind):
    """The shingles of a page are those of its words, which are read apart."""
    words = read_words(body, charset, kind, RULE).fingerprints()
    expected = len(words), PureShingles().page(words.tobytes())
    assert shingles.find_shingles_of_page(body, charset, kind, RULE) == expected


@needs_kernel
def test_page_without_a_finder():
    words = kernel_reader._make_words('unicode')
    with pytest.raises(TypeError, match='a Shingles with polynomials is expected'):
        words.shingles(b'x', 0, 1, b'', True, True, words)


@pytest.mark.usefixtures('way')
def test_parts_of_a_body(monkeypatch):
    body = '<p>One caf&eacute; 漢字 <script>x</script> two'.encode() * 40
    whole = read_words(body, '', HTML, RULE).fingerprints()
    expected = shingles.find_shingles(whole).tolist()
    for size in (7, 100, 10_000):
        monkeypatch.setattr(page_words, 'PIECE', size)
        parts = list(iter_words([body], '', HTML, RULE))
        assert len(parts) > len(body) // size
        words = [part.fingerprints() for part in parts]
        assert np.concatenate(words).tolist() == whole.tolist()
        assert shingles.find_shingles_of_parts(iter(words)).tolist() == expected
        distinct = shingles.distinct_phrases(iter(words)).tolist()
        assert distinct == sorted({*shingles.find_phrases(whole).tolist()})


@pytest.mark.usefixtures('way')
@pytest.mark.parametrize(
    'text', ['to be or not to be or not to be that is', 'a b', 'a']
)
def test_places(text, monkeypatch):
    """Each phrase stands where it begins first, with its words; in parts as well."""
    words = text.encode().split()
    texts = reference.phrase_texts(words)
    phrases = [reference.phrase_fingerprint(text) for text in texts]
    expected = {
        phrase: (phrases.index(phrase), b' '.join(text))
        for phrase, text in zip(phrases, texts, strict=True)
    }
    page = read(text.split(), with_text=True)
    wanted = np.array([*phrases, 5], np.uint64)
    assert shingles.place_phrases([page], wanted) == expected
    assert shingles.place_phrases([page], wanted[:1]) == {
        phrases[0]: expected[phrases[0]]
    }
    assert shingles.place_phrases([page], wanted[-1:]) == {}
    for size in (1, 3, 8):
        monkeypatch.setattr(page_words, 'PIECE', size)
        parts = iter_words([text.encode()], 'utf-8', PLAIN, RULE, with_text=True)
        assert shingles.place_phrases(parts, wanted) == expected


@pytest.mark.usefixtures('way')
def test_places_in_nothing():
    assert shingles.place_phrases([read([])], np.array([5], np.uint64)) == {}


@needs_kernel
def test_wrong_arguments():
    kind = kernel.load().Shingles
    with pytest.raises(ValueError, match='84 polynomials'):
        kind(0x1B, bytes(8))
    finder = kind(0x1B, bytes(84 * 8))
    for call in (finder.page, finder.add, finder.phrases):
        with pytest.raises(ValueError, match='no whole words'):
            call(bytes(7))
        with pytest.raises(TypeError):
            call('')
    with pytest.raises(ValueError, match='no whole words'):
        kind.__new__(kind).page(b'')
    with pytest.raises(ValueError, match='without polynomials'):
        kind.__new__(kind).take()
    assert not finder.choose('no such instructions')
