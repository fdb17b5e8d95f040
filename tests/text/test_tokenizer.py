"""The tokenizer against the letter of the standard, and the kernel against Python."""

import pytest
from hostile_pages import BODIES, PAGES
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_words import Tokenizer, words_of

from mr_reuse import kernel
from mr_reuse.text.charsets import encoding_of, guess_name
from mr_reuse.text.kernel_reader import KernelReader, find_labels, is_utf8, read_whole
from mr_reuse.text.meta_charset import declared_labels
from mr_reuse.text.page_tags import read_tags
from mr_reuse.text.page_words import WordRule
from mr_reuse.text.pure_reader import PureReader

RULES = [WordRule(s, w) for s in ('drop', 'keep') for w in ('unicode', 'paper')]
RULES += [WordRule('keep', 'unicode', 'fingerprints')]
UTF8 = encoding_of('utf-8')
CUTS = st.lists(st.floats(0, 1), max_size=4)
ENCODINGS = ['utf-8', 'windows-1252', 'windows-874', 'x-user-defined', 'replacement']
DECODED = ['gbk', 'shift_jis', 'iso-2022-jp', 'utf-16le', 'big5', 'euc-jp', 'euc-kr']
needs_kernel = pytest.mark.skipif(not kernel.load(), reason=kernel.version())


def rows(part):
    """Words with their lanes and places."""
    texts = [None] * len(part.hashes)
    if part.read_text:
        *texts, after = part.read_text().split(b'\n')
        assert after == b''
    places = part.find_offsets().tolist()
    return list(zip(texts, part.hashes.tolist(), places, strict=True))


def read_parts(reader, body, cuts):
    """The rows of a body that is cut at some shares of its length."""
    edges = [0, *sorted(int(share * len(body)) for share in cuts), len(body)]
    found = []
    for i, start in enumerate(edges[:-1]):
        is_last = i == len(edges) - 2
        found += rows(reader.read(body[start : edges[i + 1]], is_last))
    return found


@settings(max_examples=300)
@given(PAGES, st.sampled_from(RULES), CUTS)
def test_by_the_letter(page, rule, cuts):
    body = page.encode()
    places = [0]
    for char in page:
        places.append(places[-1] + len(char.encode()))
    expected = [
        (word.encode(), [places[start], places[stop]])
        for word, start, stop in words_of(page, True, rule.scripts, rule.words)
    ]
    found = read_parts(PureReader(UTF8, True, rule, True), body, cuts)
    assert [(word, place) for word, _, place in found] == expected


@needs_kernel
@settings(max_examples=300)
@given(BODIES, st.sampled_from(RULES), st.sampled_from(ENCODINGS), CUTS, st.booleans())
def test_kernel(body, rule, encoding, cuts, is_markup):
    encoding = encoding_of(encoding)
    expected = rows(PureReader(encoding, is_markup, rule, True).read(body, True))
    for with_text in (False, True):
        assert rows(read_whole(body, encoding, is_markup, rule, with_text)) == expected
    reader = KernelReader(encoding, is_markup, rule, keeps_text=False)
    found = read_parts(reader, body, cuts)
    assert [row[1:] for row in found] == [row[1:] for row in expected]
    reader = KernelReader(encoding, is_markup, rule, keeps_text=True)
    assert read_parts(reader, body, cuts) == expected


@needs_kernel
@given(BODIES, st.sampled_from(DECODED), CUTS)
def test_decoded_bodies(body, encoding, cuts):
    encoding = encoding_of(encoding)
    expected = rows(PureReader(encoding, True, RULES[0], True).read(body, True))
    assert rows(read_whole(body, encoding, True, RULES[0])) == expected
    found = read_parts(PureReader(encoding, True, RULES[0], True), body, cuts)
    assert found == expected


META = [b'<meta', b'<META ', b'<meta/', b' ', b'charset', b'=', b'CharSet=', b'"', b"'"]
META += [b'>', b'/', b'utf-8', b'gbk;', b'content=', b'http-equiv=', b'Content-Type']
META += [b'<!--', b'-->', b'<!', b'</', b'<?', b'<', b'a', b'\n', b'<meta charset="x">']
META += [
    b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
    b'\xe9',
]


@needs_kernel
@settings(max_examples=300)
@given(st.lists(st.sampled_from(META), max_size=40).map(b''.join))
def test_kernel_finds_labels(head):
    assert find_labels(head) == declared_labels(head)


@needs_kernel
@given(BODIES)
def test_kernel_knows_utf8(body):
    assert is_utf8(body) == (guess_name(body) == 'utf-8')


@needs_kernel
def test_wrong_arguments():
    words = kernel.load().Words
    with pytest.raises(ValueError, match='another size'):
        words(b'', b'', b'', 0x1B)
    with pytest.raises(ValueError, match='another size'):
        words(bytes(4 * 0x110000), b'amp', bytes(8), 0x1B)
    with pytest.raises(TypeError):
        words('', b'', b'', 0x1B)
    reader = words(bytes(4 * 0x110000), b'amp\n', bytes(8), 0x1B)
    with pytest.raises(ValueError, match='128 code points'):
        reader.start(b'x', True, True, 0)
    reader.start(b'', True, True, 0)
    for start, stop in [(-1, 1), (0, 4), (2, 1)]:
        with pytest.raises(ValueError, match='outside'):
            reader.read(b'abc', start, stop, True)
    with pytest.raises(TypeError):
        reader.read('abc', 0, 1, True)
    with pytest.raises(ValueError, match='without tables'):
        words.__new__(words).read(b'', 0, 0, True)


@settings(max_examples=300)
@given(PAGES)
def test_tags(page):
    tokenizer = Tokenizer(page, keeps_scripts=False)
    tokenizer.run()
    assert read_tags(page.encode()).decode() == tokenizer.tags
