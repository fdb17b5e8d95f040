"""The characters of a body, and where in its bytes each of them is."""

import codecs
from collections.abc import Callable

import numpy as np

from mr_reuse.text.charsets import Encoding
from mr_reuse.text.word_edges import utf8_lengths

LOWER_HALF = ''.join(map(chr, range(128)))
FIRST_ESCAPED = 0xDC80  # a byte that is no UTF-8, as Python's surrogateescape writes it
LAST_ESCAPED = 0xDCFF
Places = Callable[
    [], np.ndarray
]  # where each character begins, and the end of the last


class SingleBytes:
    """A character for each byte."""

    def __init__(self, upper: str):
        self._table = LOWER_HALF + upper
        self._at = 0

    def decode(self, data: bytes, is_last: bool) -> tuple[str, Places]:
        """Return the characters of bytes that follow those of the last call."""
        del is_last
        start, self._at = self._at, self._at + len(data)
        text, _ = codecs.charmap_decode(data, 'strict', self._table)
        return text, lambda: _edges(np.arange(start, start + len(data) + 1))


class Utf8:
    """UTF-8. A byte that belongs to no character becomes a lone surrogate."""

    def __init__(self):
        self._decoder = codecs.getincrementaldecoder('utf-8')('surrogateescape')
        self._at = 0

    def decode(self, data: bytes, is_last: bool) -> tuple[str, Places]:
        """As in the other classes."""
        held = len(self._decoder.getstate()[0])
        text = self._decoder.decode(data, is_last)
        start = self._at - held
        self._at += len(data)

        def places() -> tuple[np.ndarray, np.ndarray]:
            if text.isascii():
                return _edges(np.arange(start, start + len(text) + 1))
            codes = np.frombuffer(text.encode('utf-32-le', 'surrogatepass'), '<u4')
            lengths = utf8_lengths(codes)
            lengths[(codes >= FIRST_ESCAPED) & (codes <= LAST_ESCAPED)] = 1
            return _edges(start + np.concatenate([[0], np.cumsum(lengths)]))

        return text, places


class MultiBytes:
    """Any other codec of Python. Only one that is fed byte by byte says where it is."""

    def __init__(self, codec: str):
        self._codec = codec
        self._decoder = codecs.getincrementaldecoder(codec)('replace')
        self._at = 0

    def decode(self, data: bytes, is_last: bool) -> tuple[str, Places]:
        """As in the other classes."""
        state, at = self._decoder.getstate(), self._at
        self._at += len(data)

        def places() -> tuple[np.ndarray, np.ndarray]:
            return self._find_places(state, data, (at, is_last))

        return self._decoder.decode(data, is_last), places

    def _find_places(self, state, data: bytes, where: tuple[int, bool]):
        """Decode again, byte by byte."""
        decoder = codecs.getincrementaldecoder(self._codec)('replace')
        decoder.setstate(state)
        at, is_last = where
        start = at - len(state[0])
        edges = []
        for byte in [*data, None] if is_last else data:
            if byte is None:
                count = len(decoder.decode(b'', True))
            else:
                at += 1
                count = len(decoder.decode(bytes([byte])))
            edges += [(start, at)] * count
            # A byte that neither gives a character nor is kept switches the codec.
            if count or not decoder.getstate()[0]:
                start = at - len(decoder.getstate()[0])
        found = np.array(edges, np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]


def make_decoder(encoding: Encoding) -> SingleBytes | Utf8 | MultiBytes:
    """Return the decoder of an encoding.

    >>> from mr_reuse.text.charsets import encoding_of
    >>> text, places = make_decoder(encoding_of('gbk')).decode(b'a\\x81\\x40b', True)
    >>> text, [edges.tolist() for edges in places()]
    ('a丂b', [[0, 1, 3], [1, 3, 4]])
    """
    if encoding.name == 'utf-8':
        return Utf8()
    if encoding.codec:
        return MultiBytes(encoding.codec)
    return SingleBytes(encoding.upper)


def _edges(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return places[:-1], places[1:]
