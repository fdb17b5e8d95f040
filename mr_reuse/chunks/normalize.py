"""Normalization of white space before a page is cut.

Pages that differ in white space only then have equal chunks. `auntietuna` does the same
as the browser extension of that name. It replaces runs of spaces and tabs by a space,
removes line ends, and strips both ends of the page. `collapse` replaces every run of
white space by a space.
"""

import re
from collections.abc import Callable, Iterable, Iterator

WHITE_SPACE = b' \t\n\r\f\v'
WHITE_SPACE_RUNS = re.compile(b'[%b]+' % WHITE_SPACE)
BLANK_RUNS = re.compile(rb'[ \t]+')
LINE_ENDS = re.compile(rb'[\r\n]+')


def auntietuna(body: bytes) -> bytes:
    """Replace runs of blanks by a space, remove line ends, and strip both ends.

    >>> auntietuna(b' a \\t b\\r\\nc \\n d\\n')
    b'a bc  d'
    """
    return LINE_ENDS.sub(b'', BLANK_RUNS.sub(b' ', body)).strip(WHITE_SPACE)


def collapse(body: bytes) -> bytes:
    """Replace every run of white space by a space, at the ends as well.

    >>> collapse(b' a \\t b\\r\\nc\\n')
    b' a b c '
    """
    return WHITE_SPACE_RUNS.sub(b' ', body)


Normalizer = Callable[[bytes], bytes]
NORMALIZERS: dict[str, Normalizer | None] = {
    'none': None,
    'auntietuna': auntietuna,
    'collapse': collapse,
}


class BlockNormalizer:
    """Normalizes a body that arrives in blocks; the result is that of the whole body.

    >>> normalizer = BlockNormalizer(collapse)
    >>> [*map(normalizer.feed, [b' a', b' ', b'\\n b', b' ']), normalizer.close()]
    [b' a', b'', b' b', b'', b' ']
    """

    def __init__(self, normalize: Normalizer):
        self._normalize = normalize
        self._buffer: list[bytes] = []  # white space at the end of the last blocks
        self._has_text = False  # True after the first byte that is not white space

    def feed(self, block: bytes) -> bytes:
        """Add a block; return the normalized text that no later block can change."""
        text = b''
        # White space at the end waits: the next block may continue it. If the body
        # ends here, it has to be stripped.
        if stripped := block.rstrip(WHITE_SPACE):
            text = self._normalize_waiting(stripped)
            self._buffer, self._has_text = [], True
        self._buffer.append(block[len(stripped) :])
        # This bounds the buffer. `auntietuna` needs the white space as it is, since its
        # result for a run is not that of the parts of the run.
        if self._normalize is collapse:
            self._buffer = [collapse(b''.join(self._buffer))]
        return text

    def close(self) -> bytes:
        """End the body; return the rest of the normalized text."""
        return self._normalize_waiting(b'')

    def _normalize_waiting(self, stripped: bytes) -> bytes:
        """Normalize the white space in the buffer, and the bytes after it."""
        text = b''.join([*self._buffer, stripped])
        if not self._has_text:
            return self._normalize(text)
        # A letter keeps the white space from being stripped: only at the beginning of
        # the body is leading white space stripped.
        return self._normalize(b'x' + text)[1:]


def normalize_blocks(normalize: Normalizer, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Normalize a body that arrives in blocks.

    >>> list(normalize_blocks(collapse, [b' a', b' ', b'\\n b', b' ']))
    [b' a', b' b', b' ']
    """
    normalizer = BlockNormalizer(normalize)
    for block in blocks:
        if text := normalizer.feed(block):
            yield text
    if text := normalizer.close():
        yield text
