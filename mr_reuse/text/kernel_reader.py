"""The words of a page by the kernel, where it could be compiled."""

from collections.abc import Callable
from functools import cache
from html.entities import html5

import numpy as np

from mr_reuse import kernel
from mr_reuse.text.characters import character_table
from mr_reuse.text.charsets import Encoding
from mr_reuse.text.decoding import MultiBytes
from mr_reuse.text.polynomials import read_polynomials
from mr_reuse.text.pure_reader import Part
from mr_reuse.text.word_edges import utf8_lengths

OFFSETS, TEXTS = 1, 2  # what the kernel is asked for besides hashes
FINGERPRINTS = 4  # what it is asked for in place of lanes


def is_utf8(body: bytes) -> bool:
    """Return whether a body is UTF-8; its last character may be incomplete."""
    return _shared_words('unicode').is_utf8(body, 0, len(body))


def find_labels(head: bytes) -> list[bytes]:
    """Return the labels of encodings in the `meta` tags of the head of a page."""
    return _shared_words('unicode').labels(head)


def _make_words(words: str):
    """Return an object of the kernel that reads words."""
    loaded = kernel.load()
    assert loaded is not None
    polynomial = read_polynomials().of_words
    return loaded.Words(_packed_table(words), *_packed_names(), polynomial)


_shared_words = cache(_make_words)  # for bodies that are read in one call


@cache
def _packed_table(words: str) -> bytes:
    return character_table(words).tobytes()


@cache
def _packed_names() -> tuple[bytes, bytes]:
    names = sorted(html5)
    codes = [[*map(ord, html5[name]), 0][:2] for name in names]
    return '\n'.join([*names, '']).encode(), np.array(codes, np.uint32).tobytes()


@cache
def _packed_upper(upper: str) -> bytes:
    return np.array([ord(char) for char in upper], np.uint32).tobytes()


def read_whole(
    body: bytes, encoding: Encoding, is_markup: bool, rule, with_text: bool = False
) -> Part:
    """Return the words of a body. It is read again for offsets, and for other texts."""
    data, find_places = _decode(body, encoding)
    words = _shared_words(rule.words)
    how = (_packed_upper(encoding.upper), is_markup, rule.scripts == 'keep')

    def read(wants: int) -> tuple[bytes, bytes, bytes]:
        return words.page(data, *how, wants)

    def find_offsets() -> np.ndarray:
        spans = _rows(read(OFFSETS)[1], np.int64)
        if not find_places:
            return spans
        codes = np.frombuffer(data.decode().encode('utf-32-le'), '<u4')
        starts = np.concatenate([[0], np.cumsum(utf8_lengths(codes))])
        first, last = np.searchsorted(starts, spans).T
        begins, ends = find_places()
        return np.stack([begins[first], ends[last - 1]], axis=1)

    wants = _wanted_hashes(rule)
    hashes, _, text = read(wants | TEXTS if with_text else wants)
    return Part(
        _split_hashes(hashes, rule),
        (lambda: text) if with_text else (lambda: read(TEXTS)[2]),
        find_offsets,
    )


def read_shingles(
    body: bytes, encoding: Encoding, is_markup: bool, rule, finder
) -> tuple[int, bytes]:
    """Return the number of words of a body, and its phrases that a Shingles finds."""
    data, _ = _decode(body, encoding)
    how = _packed_upper(encoding.upper), is_markup, rule.scripts == 'keep'
    return _shared_words(rule.words).shingles(data, 0, len(data), *how, finder)


def _decode(
    body: bytes, encoding: Encoding
) -> tuple[bytes, Callable[[], tuple[np.ndarray, np.ndarray]] | None]:
    """Return what the kernel reads; if it is another text, also where that was."""
    if not _is_decoded(encoding):
        return body, None
    text, find_places = MultiBytes(encoding.codec).decode(body, True)
    return text.encode(), find_places


def reads_parts(encoding: Encoding) -> bool:
    """Return whether `KernelReader` can read bodies of an encoding."""
    return not _is_decoded(encoding)


def _is_decoded(encoding: Encoding) -> bool:
    """Return whether Python decodes a body for the kernel."""
    return encoding.codec not in ('', 'utf-8')


class KernelReader:
    """Reads a body in parts, as PureReader does."""

    def __init__(self, encoding: Encoding, is_markup: bool, rule, keeps_text: bool):
        self._words = _make_words(rule.words)
        self._rule = rule
        self._keeps_text = keeps_text
        self._open: list[bytes] = []  # the text of the word that may go on
        wants = OFFSETS | _wanted_hashes(rule) | (TEXTS if keeps_text else 0)
        upper = _packed_upper(encoding.upper)
        self._words.start(upper, is_markup, rule.scripts == 'keep', wants)
        self._left = b''

    def read(self, data: bytes, is_last: bool) -> Part:
        """Return the words that end in the bytes that follow those of the last call."""
        data = self._left + data
        came = self._words.read(data, 0, len(data), is_last)
        self._left = data[came:]
        hashes, spans, text = self._words.take()
        ended = self._end_words(text) if self._keeps_text else None
        return Part(
            _split_hashes(hashes, self._rule),
            None if ended is None else lambda: ended,
            lambda: _rows(spans, np.int64),
        )

    def _end_words(self, text: bytes) -> bytes:
        """Return the text of words that end in a part, given what follows the last."""
        end = text.rfind(b'\n') + 1
        if not end:
            self._open.append(text)
            return b''
        ended = b''.join([*self._open, text[:end]])
        self._open = [text[end:]]
        return ended


def _wanted_hashes(rule) -> int:
    return FINGERPRINTS if rule.hashes == 'fingerprints' else 0


def _split_hashes(data: bytes, rule) -> np.ndarray:
    if rule.hashes == 'fingerprints':
        return np.frombuffer(data, np.uint64)
    return _rows(data, np.uint64)


def _rows(data: bytes, kind: type) -> np.ndarray:
    return np.frombuffer(data, kind).reshape(-1, 2)
