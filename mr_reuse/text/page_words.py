"""The words of a page: `read_words` for a body in memory, `iter_words` for any.

`docs/code.md` tells how the parts of this package work together. Both functions take
the bytes of a body without its content encoding, in one or several pieces.
"""

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO, Literal

import numpy as np

from mr_reuse import kernel
from mr_reuse.text import kernel_reader
from mr_reuse.text.charsets import (
    Encoding,
    FindLabels,
    declared_name,
    encoding_of,
    guess_name,
)
from mr_reuse.text.kernel_reader import KernelReader
from mr_reuse.text.meta_charset import SEARCHED, declared_labels
from mr_reuse.text.pure_reader import Part, PureReader

HTML, XML, PLAIN = 'html', 'xml', 'plain'  # XML: read as HTML, but without <meta>
PIECE = 1 << 20  # bytes that `iter_words` reads at a time
IN_MEMORY = 16 << 20  # of a body whose encoding is known at its end only


@dataclass(frozen=True)
class WordRule:
    """Which text counts, what a word is, and which numbers stand for it.

    `scripts` says whether the content of `script` and `style` is text. `paper` are runs
    of letters and numbers alone, in any script. Lanes are for grams (`word_hashes`),
    fingerprints for phrases (`phrase_hash`).
    """

    scripts: Literal['drop', 'keep']
    words: Literal['unicode', 'paper'] = 'unicode'
    hashes: Literal['lanes', 'fingerprints'] = 'lanes'


class PageWords:
    """The words of a page, or of a part of it, in their order."""

    def __init__(self, part: Part):
        self._part = part

    @property
    def count(self) -> int:
        """How many words there are, with repetitions."""
        return len(self._part.hashes)

    def words(self) -> list[bytes]:
        """Return the words in lower case and UTF-8."""
        return self.text().split(b'\n')[:-1]

    def text(self) -> bytes:
        """Return the same as one text, with a line feed behind each word."""
        assert self._part.read_text, 'the parts were read without texts'
        return self._part.read_text()

    def lanes(self) -> np.ndarray:
        """Return a row of two 64-bit hashes for each word (`word_hashes`)."""
        assert self._part.hashes.ndim == 2, 'the rule is of fingerprints'
        return self._part.hashes

    def fingerprints(self) -> np.ndarray:
        """Return the Rabin fingerprint of each word."""
        assert self._part.hashes.ndim == 1, 'the rule is of lanes'
        return self._part.hashes

    def offsets(self) -> np.ndarray:
        """Return a row for each word: its start and stop in the bytes of the body.

        A word may hold a reference such as `&eacute;`, or a `</>`.
        """
        return self._part.find_offsets()


def read_words(
    pieces: bytes | Iterable[bytes],
    charset: str,
    kind: str,
    rule: WordRule,
    with_text: bool = False,
) -> PageWords:
    """Return the words of a body. `charset` is the label of the HTTP header, or ''.

    The hashes take 16 bytes a word, and twice that for a moment. Without `with_text`,
    the body is read again when the text is asked for.

    >>> page = read_words(b'<p>Caf&eacute;s!', 'utf-8', HTML, WordRule('drop'))
    >>> page.words(), page.offsets().tolist(), page.lanes().shape
    ([b'caf\\xc3\\xa9s'], [[3, 15]], (1, 2))
    """
    body = pieces if isinstance(pieces, bytes) else b''.join(pieces)
    has_kernel, is_markup = kernel.load() is not None, kind != PLAIN
    encoding = find_encoding(body, charset, kind, has_kernel)
    if has_kernel:
        how = is_markup, rule, with_text
        return PageWords(kernel_reader.read_whole(body, encoding, *how))
    reader = PureReader(encoding, is_markup, rule, keeps_text=True)
    return PageWords(reader.read(body, True))


def find_encoding(
    body: bytes, charset: str, kind: str, has_kernel: bool = False
) -> Encoding:
    """Return the encoding of a whole body."""
    head = body[:SEARCHED]
    name = declared_name(head, charset, _finder(kind, has_kernel))
    return encoding_of(name or _guess_name(body, has_kernel))


def _finder(kind: str, has_kernel: bool) -> FindLabels:
    """Return the function that finds labels in the `meta` tags of a kind of page."""
    if kind != HTML:
        return _no_labels
    return kernel_reader.find_labels if has_kernel else declared_labels


def _no_labels(head: bytes) -> list[bytes]:
    del head
    return []


def _guess_name(body: bytes, has_kernel: bool) -> str:
    """Return the encoding of a whole body that declares none."""
    if has_kernel:
        return 'utf-8' if kernel_reader.is_utf8(body) else 'windows-1252'
    return guess_name(body)


def iter_words(
    pieces: Iterable[bytes],
    charset: str,
    kind: str,
    rule: WordRule,
    with_text: bool = False,
) -> Iterator[PageWords]:
    """Yield the words of a body in parts, in bounded memory.

    A part has at most PIECE words. It has `words()` only `with_text`, which holds a
    word in memory until it ends. A word may be as long as the body.

    >>> parts = iter_words([b'<p>one t', b'wo'], '', HTML, WordRule('drop'))
    >>> sum(part.count for part in parts)
    2
    """
    with SpooledTemporaryFile(IN_MEMORY) as spool:
        declared = charset, _finder(kind, kernel.load() is not None)
        name, pieces = _find_encoding(iter(pieces), declared, spool)
        reader = _make_reader(encoding_of(name), kind != PLAIN, rule, with_text)
        for piece in _join(pieces):
            yield PageWords(reader.read(piece, False))
        yield PageWords(reader.read(b'', True))


def read_beginning(
    pieces: Iterable[bytes], charset: str, kind: str, size: int
) -> tuple[bytes, str, bool]:
    """Return the first bytes of a body, its encoding, and whether there are more bytes.

    The encoding is that of the whole body. As a `charset` it gives the same words.

    >>> read_beginning([b'a b', b'c \\xe9!'], '', HTML, 4)
    (b'a bc', 'windows-1252', True)
    """
    with SpooledTemporaryFile(IN_MEMORY) as spool:
        declared = charset, _finder(kind, kernel.load() is not None)
        name, pieces = _find_encoding(iter(pieces), declared, spool)
        beginning = bytearray()
        for piece in pieces:
            beginning += piece
            if len(beginning) > size:
                break
        return bytes(beginning[:size]), name, len(beginning) > size


def _make_reader(
    encoding: Encoding, is_markup: bool, rule: WordRule, keeps_text: bool
) -> KernelReader | PureReader:
    has_kernel = kernel.load() and kernel_reader.reads_parts(encoding)
    make = KernelReader if has_kernel else PureReader
    return make(encoding, is_markup, rule, keeps_text)


def _find_encoding(
    pieces: Iterator[bytes], declared: tuple[str, FindLabels], spool: IO[bytes]
) -> tuple[str, Iterator[bytes]]:
    """Return the encoding of a body, and its pieces again."""
    head = b''
    while len(head) < SEARCHED and (piece := next(pieces, None)) is not None:
        head += piece
    if name := declared_name(head[:SEARCHED], *declared):
        return name, chain([head], pieces)
    decode = codecs.getincrementaldecoder('utf-8')().decode
    name = 'utf-8'
    for piece in chain([head], pieces):
        spool.write(piece)
        try:
            decode(piece)
        except UnicodeDecodeError:
            name = 'windows-1252'
            break
    spool.seek(0)
    return name, chain(iter(partial(spool.read, PIECE), b''), pieces)


def _join(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in pieces of PIECE bytes, the last one excepted.

    >>> [len(piece) for piece in _join([b'a', bytes(2 * PIECE)])] == [PIECE, PIECE, 1]
    True
    """
    left = bytearray()
    for piece in pieces:
        left += piece
        while len(left) >= PIECE:
            yield bytes(left[:PIECE])
            del left[:PIECE]
    if left:
        yield bytes(left)
