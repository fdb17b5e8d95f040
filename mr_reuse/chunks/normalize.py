"""White space made alike before a page is cut, for pages that differ in nothing else.

`auntietuna` is what the browser extension of that name does: runs of spaces and
tabs become a space, line ends vanish, the ends of the page are stripped. `collapse`
makes every run of white space one space. Pieces are taken one at a time, whatever
their cut.
"""

import re
from collections.abc import Callable, Iterable, Iterator

SPACE = b' \t\n\r\f\v'
BLANKS = re.compile(rb'[ \t]+')
ENDS = re.compile(rb'[\r\n]+')
RUNS = re.compile(rb'[ \t\n\r\f\v]+')


def auntietuna(body: bytes) -> bytes:
    """Runs of blanks become one space, line ends vanish; the ends are stripped.

    >>> auntietuna(b' a \\t b\\r\\nc \\n d\\n')
    b'a bc  d'
    """
    return ENDS.sub(b'', BLANKS.sub(b' ', body)).strip(SPACE)


def collapse(body: bytes) -> bytes:
    """Every run of white space becomes one space, also at the ends.

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


class Smoother:
    """Normalises a body that is handed over block by block.

    >>> smoother = Smoother(collapse)
    >>> [*map(smoother.feed, [b' a', b' ', b'\\n b', b' ']), smoother.close()]
    [b' a', b'', b' b', b'', b' ']
    """

    def __init__(self, normalize: Normalizer):
        self._normalize = normalize
        self._held: list[bytes] = []
        self._started = False

    def feed(self, block: bytes) -> bytes:
        """What is settled by a block."""
        found = b''
        # White space at the end has to wait: more may follow, or nothing.
        if sure := block.rstrip(SPACE):
            found = self._middle(sure)
            self._held, self._started = [], True
        self._held.append(block[len(sure) :])
        if self._normalize is collapse:  # however much there is of it
            self._held = [collapse(b''.join(self._held))]
        return found

    def close(self) -> bytes:
        """What is left."""
        return self._middle(b'')

    def _middle(self, last: bytes) -> bytes:
        """What waited, and a last piece; not the first, it keeps its leading space."""
        piece = b''.join([*self._held, last])
        return (
            self._normalize(b'x' + piece)[1:]
            if self._started
            else self._normalize(piece)
        )


def in_pieces(normalize: Normalizer, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Normalise a body that comes in blocks.

    >>> list(in_pieces(collapse, [b' a', b' ', b'\\n b', b' ']))
    [b' a', b' b', b' ']
    """
    smoother = Smoother(normalize)
    for block in blocks:
        if found := smoother.feed(block):
            yield found
    if found := smoother.close():
        yield found
