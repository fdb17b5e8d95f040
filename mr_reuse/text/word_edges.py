"""Where the words of a text are, for all its characters at once."""

from typing import NamedTuple

import numpy as np

from mr_reuse.text.characters import ALONE, CLASS_BITS, LETTER, MARK, SEPARATOR

CLASS = np.uint32((1 << CLASS_BITS) - 1)
LOWER = bytes.maketrans(bytes(range(65, 91)), bytes(range(97, 123)))


class Words(NamedTuple):
    """The words of a part of a page."""

    lower: bytes  # the text in lower case and UTF-8
    starts: np.ndarray  # places in `lower`
    stops: np.ndarray
    first: np.ndarray  # for each start the place of its character in the text
    last: np.ndarray  # for each stop that of the character before it
    end: int  # the last character of the text
    open: int  # the kind of the word that may go on behind the text, or SEPARATOR


def find_words(text: str, table: np.ndarray, before: int = SEPARATOR) -> Words:
    """Return the words of a text.

    `before` says which word may go on: the kind of the word before, SEPARATOR if there
    is none. If one goes on, there is a stop more. If the last word may go on, there is
    a start more.

    >>> from mr_reuse.text.characters import character_table
    >>> words = find_words('Één 漢字', character_table('unicode'))
    >>> [words.lower[a:b].decode() for a, b in zip(words.starts, [*words.stops, None])]
    ['één', '漢', '字']
    """
    if text.isascii():
        lower = text.encode().translate(LOWER)
        entries = table[:128].astype(np.uint8)
        classes = (entries & np.uint8(CLASS))[np.frombuffer(lower, np.uint8)]
        starts, stops = _find_edges(classes, before)
        return Words(
            lower,
            starts,
            stops,
            starts,
            stops - 1,
            len(text) - 1,
            _open_kind(classes, before),
        )
    codes = np.frombuffer(text.encode('utf-32-le', 'surrogatepass'), '<u4')
    entries = table[codes]
    classes = (entries & CLASS).astype(np.uint8)
    starts, stops = _find_edges(classes, before)
    small = entries >> np.uint32(CLASS_BITS)
    lower = small.tobytes().decode('utf-32-le', 'surrogatepass')
    places = np.concatenate([[0], np.cumsum(utf8_lengths(small))])
    return Words(
        lower.encode('utf-8', 'surrogatepass'),
        places[starts],
        places[stops],
        starts,
        stops - 1,
        len(text) - 1,
        _open_kind(classes, before),
    )


def utf8_lengths(codes: np.ndarray) -> np.ndarray:
    """Return how many bytes each code point takes."""
    lengths = (codes >= 0x80).astype(np.int64) + 1
    lengths += codes >= 0x800
    lengths += codes >= 0x10000
    return lengths


def _find_edges(classes: np.ndarray, before: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where words start, and behind which characters they stop."""
    classes = np.concatenate([np.array([before], np.uint8), classes])
    in_word = classes != SEPARATOR
    is_start = np.zeros(len(classes), bool)
    is_start[1:] = in_word[1:] & ~in_word[:-1]
    if (classes == ALONE).any():
        places = np.where(classes == MARK, 0, np.arange(len(classes)))
        bases = classes[np.maximum.accumulate(places)]  # of the marks, and themselves
        is_start[1:] |= classes[1:] == ALONE
        is_start[1:] |= (classes[1:] == LETTER) & (bases[:-1] == ALONE) & in_word[:-1]
    is_stop = in_word[:-1] & (~in_word[1:] | is_start[1:])
    return np.flatnonzero(is_start) - 1, np.flatnonzero(is_stop)


def _open_kind(classes: np.ndarray, before: int) -> int:
    """Return the kind of the word at the end of a text, SEPARATOR if there is none."""
    end = len(classes)
    while end and classes[end - 1] == MARK:
        end -= 1
    kind = int(classes[end - 1]) if end else before
    return LETTER if end < len(classes) and kind == SEPARATOR else kind
