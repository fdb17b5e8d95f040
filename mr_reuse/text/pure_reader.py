"""The words of a page in Python, which defines the result of the kernel."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from mr_reuse.text.characters import SEPARATOR, character_table
from mr_reuse.text.charsets import Encoding
from mr_reuse.text.decoding import make_decoder
from mr_reuse.text.markup import Markup
from mr_reuse.text.phrase_hash import WordFingerprints
from mr_reuse.text.word_edges import Words, find_words
from mr_reuse.text.word_hashes import BLOCK, WordLanes

NO_PLACES = [np.zeros(0, np.int64)] * 2
WORD_HASHES = {'lanes': WordLanes, 'fingerprints': WordFingerprints}
Spans = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Part(NamedTuple):
    """The words of a part of a page."""

    hashes: np.ndarray  # a row of lanes, or a fingerprint, for each word
    read_text: Callable[[], bytes] | None  # None if it is not kept
    find_offsets: Callable[[], np.ndarray]


class WordHash(Protocol):
    """A hash of words that takes bytes in blocks of eight."""

    start: Any  # the state before a word

    def add(self, state: Any, data: bytes) -> Any:
        """Go on with whole blocks, or with the last bytes of a word."""

    def of_words(
        self, text: bytes, starts: np.ndarray, stops: np.ndarray
    ) -> np.ndarray:
        """Return the hashes of the words of a text."""


class OpenWord:
    """A word that may go on in the next part. Without its text it takes a few bytes."""

    def __init__(self, span: np.ndarray, keeps_text: bool, hashing: WordHash):
        self.text: list[bytes] | None = [] if keeps_text else None
        self.span = span  # in the body
        self._hashing = hashing
        self._state = hashing.start
        self._rest = b''

    def add(self, data: bytes, stop: int) -> None:
        """Add bytes of the word in lower case, which end at a place in the body."""
        self.span[0, 1] = stop
        if self.text is not None:
            self.text.append(data)
        data = self._rest + data
        whole = len(data) // BLOCK * BLOCK
        self._state = self._hashing.add(self._state, data[:whole])
        self._rest = data[whole:]

    def hashes(self) -> np.ndarray:
        """Return the hashes of the word."""
        state = self._hashing.add(self._state, self._rest)
        return np.array([state], np.uint64)


class PureReader:
    """Reads a body in parts."""

    def __init__(self, encoding: Encoding, is_markup: bool, rule, keeps_text: bool):
        self._hashing = WORD_HASHES[rule.hashes]()
        self._decoder = make_decoder(encoding)
        self._markup = Markup(rule.scripts == 'keep') if is_markup else None
        self._table = character_table(rule.words)
        self._keeps_text = keeps_text
        self._left = ''  # characters that are not read yet, and where they are
        self._left_places = NO_PLACES
        self._open: OpenWord | None = None
        self._kind = SEPARATOR  # of the open word

    def read(self, data: bytes, is_last: bool) -> Part:
        """Return the words that end in the bytes that follow those of the last call."""
        text, find_places = self._decoder.decode(data, is_last)
        left, text = self._left_places, self._left + text

        def places() -> list[np.ndarray]:
            both = zip(left, find_places(), strict=True)
            return [np.concatenate(arrays) for arrays in both]

        outs, lengths, came = [text], [len(text)], len(text)
        if self._markup:
            came = self._markup.read(text, is_last)
            outs, lengths = self._markup.take()
        self._left = text[came:]
        self._left_places = NO_PLACES
        if self._left:
            self._left_places = [array[came:] for array in places()]
        words = find_words(''.join(outs), self._table, self._kind)
        self._kind = SEPARATOR if is_last else words.open

        def spans(first: np.ndarray, last: np.ndarray) -> np.ndarray:
            return _find_spans(outs, lengths, places(), (first, last))

        return self._assemble(words, spans, is_last)

    def _assemble(self, words: Words, spans: Spans, is_last: bool) -> Part:
        """Finish the word that was open before, and open the last one."""
        lower, starts, stops, first, last, end, _ = words
        finished = None
        if self._open:
            stop = int(stops[0]) if len(stops) else len(lower)
            if stop:
                at = last[:1] if len(stops) else np.array([end])
                self._open.add(lower[:stop], spans(at, at)[0, 1])
            if len(stops) or is_last:
                finished, self._open = self._open, None
            stops, last = stops[1:], last[1:]
        if len(starts) > len(stops):
            if is_last:
                stops, last = np.append(stops, len(lower)), np.append(last, end)
            else:
                span = spans(first[-1:], np.array([end]))
                self._open = OpenWord(span, self._keeps_text, self._hashing)
                self._open.add(lower[starts[-1] :], span[0, 1])
                starts, first = starts[:-1], first[:-1]
        hashes = self._hashing.of_words(lower, starts, stops)
        if finished:
            hashes = np.concatenate([finished.hashes(), hashes])

        def read_text() -> bytes:
            edges = zip(starts.tolist(), stops.tolist(), strict=True)
            found = [lower[start:stop] for start, stop in edges]
            if finished:
                found.insert(0, b''.join(finished.text or []))
            return b'\n'.join([*found, b''])

        def find_offsets() -> np.ndarray:
            found = spans(first, last)
            return np.concatenate([finished.span, found]) if finished else found

        return Part(hashes, read_text if self._keeps_text else None, find_offsets)


def _find_spans(outs, lengths, places, edges) -> np.ndarray:
    """Return where characters of the text are in the body: the first and last of words.

    >>> outs, lengths = ['a', ' ', 'b', 'é'], [1, 3, 1, 8]
    >>> at = np.array([0, 2]), np.array([0, 3])
    >>> _find_spans(outs, lengths, (np.arange(13), np.arange(1, 14)), at).tolist()
    [[0, 1], [4, 13]]
    """
    takes = np.array(lengths, np.int64)
    gives = np.fromiter(map(len, outs), np.int64, len(outs))
    text_starts = np.cumsum(gives) - gives
    page_starts = np.cumsum(takes) - takes
    result = np.empty((len(edges[0]), 2), np.int64)
    for column, chars in enumerate(edges):
        parts = np.searchsorted(text_starts, chars, 'right') - 1
        inside = chars - text_starts[parts]
        replaced = takes[parts] - 1 if column else 0
        is_same = takes[parts] == gives[parts]
        at = page_starts[parts] + np.where(is_same, inside, replaced)
        result[:, column] = places[column][at]
    return result
