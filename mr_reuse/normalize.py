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


def in_pieces(normalize: Normalizer, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Normalise a body that comes in blocks.

    >>> list(in_pieces(collapse, [b' a', b' ', b'\\n b', b' ']))
    [b' a', b' b', b' ']
    """
    held, started = [], False
    for block in blocks:
        # White space at the end has to wait: more may follow, or nothing.
        sure = block.rstrip(SPACE)
        if sure:
            yield _middle(normalize, b''.join([*held, sure]), started)
            held, started = [], True
        held.append(block[len(sure) :])
        if normalize is collapse:  # however much there is of it
            held = [collapse(b''.join(held))]
    if end := _middle(normalize, b''.join(held), started):
        yield end


def _middle(normalize: Normalizer, piece: bytes, started: bool) -> bytes:
    """Normalise a piece; one that is not the first keeps its leading space."""
    return normalize(b'x' + piece)[1:] if started else normalize(piece)
