"""Normalization of white space before a page is cut.

Pages that differ in white space only then have equal chunks. `auntietuna` does the same
as the browser extension of that name. It replaces runs of spaces and tabs by a space,
removes line ends, and strips both ends of the page. `collapse` replaces every run of
white space by a space.
"""

import re
from collections.abc import Callable, Iterable, Iterator

SPACE = b' \t\n\r\f\v'
BLANKS = re.compile(rb'[ \t]+')
ENDS = re.compile(rb'[\r\n]+')
RUNS = re.compile(rb'[ \t\n\r\f\v]+')


def auntietuna(body: bytes) -> bytes:
    """Replace runs of blanks by a space, remove line ends, and strip both ends.

    >>> auntietuna(b' a \\t b\\r\\nc \\n d\\n')
    b'a bc  d'
    """
    return ENDS.sub(b'', BLANKS.sub(b' ', body)).strip(SPACE)


def collapse(body: bytes) -> bytes:
    """Replace every run of white space by a space, at the ends as well.

    >>> collapse(b' a \\t b\\r\\nc\\n')
    b' a b c '
    """
    return RUNS.sub(b' ', body)


Normalizer = Callable[[bytes], bytes]
NORMALIZERS: dict[str, Normalizer | None] = {
    'none': None,
    'auntietuna': auntietuna,
    'collapse': collapse,
}


class BlockNormalizer:
    """Normalizes a body that arrives in blocks; the result is that of the whole body.

    >>> smoother = BlockNormalizer(collapse)
    >>> [*map(smoother.feed, [b' a', b' ', b'\\n b', b' ']), smoother.close()]
    [b' a', b'', b' b', b'', b' ']
    """

    def __init__(self, normalize: Normalizer):
        self._normalize = normalize
        self._buffer: list[bytes] = []  # white space whose continuation is unknown
        self._started = False

    def feed(self, block: bytes) -> bytes:
        """Add a block; return the normalized text that is known now."""
        text = b''
        # White space at the end waits: the next block may continue it, or there is
        # none, and it has to be stripped.
        if end := block.rstrip(SPACE):
            text = self._middle(end)
            self._buffer, self._started = [], True
        self._buffer.append(block[len(end) :])
        if self._normalize is collapse:  # bounds the buffer
            self._buffer = [collapse(b''.join(self._buffer))]
        return text

    def close(self) -> bytes:
        """End the body; return the rest of the normalized text."""
        return self._middle(b'')

    def _middle(self, last: bytes) -> bytes:
        """Normalize the buffer and a last piece.

        Only at the beginning of the body is leading space stripped.
        """
        piece = b''.join([*self._buffer, last])
        return (
            self._normalize(b'x' + piece)[1:]
            if self._started
            else self._normalize(piece)
        )


def normalize_blocks(normalize: Normalizer, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Normalize a body that arrives in blocks.

    >>> list(normalize_blocks(collapse, [b' a', b' ', b'\\n b', b' ']))
    [b' a', b' b', b' ']
    """
    smoother = BlockNormalizer(normalize)
    for block in blocks:
        if text := smoother.feed(block):
            yield text
    if text := smoother.close():
        yield text
