"""The words of a page by the kernel, where it could be compiled."""

from functools import cache
from html.entities import html5

import numpy as np

from mr_reuse import kernel
from mr_reuse.text.characters import character_table
from mr_reuse.text.charsets import Encoding
from mr_reuse.text.decoding import MultiBytes
from mr_reuse.text.pure_reader import Part
from mr_reuse.text.word_edges import utf8_lengths

OFFSETS, TEXTS = 1, 2  # what the kernel is asked for besides hashes


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
    return loaded.Words(_packed_table(words), *_packed_names())


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
    data, find_places = body, None
    if _is_decoded(encoding):
        text, find_places = MultiBytes(encoding.codec).decode(body, True)
        data = text.encode()
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

    lanes, _, text = read(TEXTS if with_text else 0)
    return Part(
        _rows(lanes, np.uint64),
        (lambda: text) if with_text else (lambda: read(TEXTS)[2]),
        find_offsets,
    )


def reads_parts(encoding: Encoding) -> bool:
    """Return whether `KernelReader` can read bodies of an encoding."""
    return not _is_decoded(encoding)


def _is_decoded(encoding: Encoding) -> bool:
    """Return whether Python decodes a body for the kernel."""
    return encoding.codec not in ('', 'utf-8')


class KernelReader:
    """Reads a body in parts, as PureReader does."""

    def __init__(self, encoding: Encoding, is_markup: bool, rule):
        self._words = _make_words(rule.words)
        upper = _packed_upper(encoding.upper)
        self._words.start(upper, is_markup, rule.scripts == 'keep', OFFSETS)
        self._left = b''

    def read(self, data: bytes, is_last: bool) -> Part:
        """Return the words that end in the bytes that follow those of the last call."""
        data = self._left + data
        came = self._words.read(data, 0, len(data), is_last)
        self._left = data[came:]
        lanes, spans, _ = self._words.take()
        return Part(_rows(lanes, np.uint64), None, lambda: _rows(spans, np.int64))


def _rows(data: bytes, kind: type) -> np.ndarray:
    return np.frombuffer(data, kind).reshape(-1, 2)
