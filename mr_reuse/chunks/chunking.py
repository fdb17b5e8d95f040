"""What a chunk is: the bytes from one delimiter to the next.

The delimiter belongs to the chunk that it starts. What stands before the first
one is a chunk too, so the chunks of a page joined are the page.
"""

import re
from collections.abc import Iterable, Iterator

from mr_reuse.errors import UsageError

DEFAULT = 'p,div'
CCR2019 = 'p/ccr2019'  # what the hashes published with the paper prove
AFTER = {'html': b' \t\n\f\r/>', 'ccr2019': b' >\t/'}
HOLD = 20  # bytes, longer than any delimiter
TAG = re.compile(r'[a-z][a-z0-9]{0,15}')
MAX_TAGS = 64


def parse(delimiters: str) -> tuple[list[str], bytes]:
    """The names of the start tags that cut, and what bytes may follow a name.

    >>> parse('P,div'), parse(CCR2019)
    ((['p', 'div'], b' \\t\\n\\x0c\\r/>'), (['p'], b' >\\t/'))
    """
    names, _, after = delimiters.partition('/')
    tags = names.lower().split(',')
    known = after in ('', *AFTER) and all(map(TAG.fullmatch, tags))
    if not known or len(tags) > MAX_TAGS:
        raise UsageError(
            f'--delimiters {delimiters!r}: give tag names with commas, as in p,div'
        )
    return tags, AFTER[after or 'html']


def delimiter(delimiters: str) -> re.Pattern[bytes]:
    """The pattern of the start tags that cut, by their names.

    A tag's name has to be followed by white space, a slash or its end; `/ccr2019`
    leaves out the line ends, as the paper's own program did.

    >>> [bool(delimiter('p,div').match(s)) for s in (b'<P\\n', b'<div>', b'<pre>')]
    [True, True, False]
    >>> bool(delimiter(CCR2019).match(b'<p\\n'))
    False
    """
    tags, after = parse(delimiters)
    # A literal first letter lets the regex engine drop most tags at once.
    firsts = [(first, tag[1:]) for tag in tags for first in (tag[0], tag[0].upper())]
    cased = '|'.join(first + ''.join(map(_both_cases, rest)) for first, rest in firsts)
    return re.compile(b'<(?:%b)[%b]' % (cased.encode(), after))


def canonical(delimiters: str) -> str:
    """One spelling for delimiters that cut alike.

    >>> canonical('DIV,p'), canonical('p/ccr2019')
    ('p,div', 'p/ccr2019')
    """
    names, slash, after = delimiters.partition('/')
    after = '' if after == 'html' else slash + after
    return ','.join(sorted(set(names.lower().split(',')), reverse=True)) + after


def _both_cases(c: str) -> str:
    return f'[{c.upper()}{c}]' if c.isalpha() else c


def bounds(body: bytes, pattern: re.Pattern[bytes]) -> list[int]:
    """Where the chunks of a body begin, and its end.

    >>> bounds(b'H<p>one<p>two', delimiter('p'))
    [0, 1, 7, 13]
    >>> bounds(b'<p><p>', delimiter('p')), bounds(b'', delimiter('p'))
    ([0, 3, 6], [0])
    """
    places = [match.start() for match in pattern.finditer(body)]
    if places[:1] != [0]:
        places.insert(0, 0)
    if body:
        places.append(len(body))
    return places


def segments(text: bytes, pattern: re.Pattern[bytes], size: int) -> Iterator[bytes]:
    """Parts of a text that begin where a chunk begins, of `size` bytes and a chunk.

    >>> list(segments(b'H<p>one<p>two<p>three', delimiter('p'), 4))
    [b'H<p>one', b'<p>two', b'<p>three']
    """
    start = 0
    while start < len(text):
        found = pattern.search(text, start + size)
        end = found.start() if found else len(text)
        yield text[start:end]
        start = end


def cut(body: bytes, pattern: re.Pattern[bytes]) -> list[bytes]:
    """The chunks of a body.

    >>> cut(b'H<p>one<p>two<p>one', delimiter('p'))
    [b'H', b'<p>one', b'<p>two', b'<p>one']
    >>> cut(b'<P/>x<pre>y<p\\nz<p\\tq<P', delimiter(CCR2019))
    [b'<P/>x<pre>y<p\\nz', b'<p\\tq<P']
    """
    places = bounds(body, pattern)
    return [body[a:b] for a, b in zip(places, places[1:], strict=False)]


class Cutter:
    """Cuts a body that is handed over block by block, wherever the blocks end.

    What `feed` and `close` give has to be taken to the end.

    >>> cutter = Cutter(delimiter('p'))
    >>> [*cutter.feed(b'a<'), *cutter.feed(b'p>b'), *cutter.close()]
    [(b'a', True), (b'<p>b', True)]
    """

    def __init__(self, pattern: re.Pattern[bytes]):
        self._pattern = pattern
        self._held, self._begins = b'', True

    def feed(self, block: bytes) -> Iterator[tuple[bytes, bool]]:
        """The bytes that are settled by a block, and whether they begin a chunk."""
        # A delimiter may lie across two blocks, so the end has to wait for more.
        return self._cut(self._held + block, HOLD)

    def close(self) -> Iterator[tuple[bytes, bool]]:
        """The bytes that are left."""
        return self._cut(self._held, 0)

    def _cut(self, held: bytes, hold: int) -> Iterator[tuple[bytes, bool]]:
        sure = max(0, len(held) - hold)
        done = 0
        for match in self._pattern.finditer(held):
            place = match.start()
            if place >= sure:
                break
            if place > done:
                yield held[done:place], self._begins
            done, self._begins = place, True
        if sure > done:
            yield held[done:sure], self._begins
            self._begins = False
        self._held = held[sure:]


def pieces(
    blocks: Iterable[bytes], pattern: re.Pattern[bytes]
) -> Iterator[tuple[bytes, bool]]:
    """The chunks of a body that comes in blocks: (some bytes, begins a chunk).

    >>> list(pieces([b'a<', b'p>b', b'c<p>'], delimiter('p')))
    [(b'a', True), (b'<p>bc', True), (b'<p>', True)]
    """
    cutter = Cutter(pattern)
    for block in blocks:
        yield from cutter.feed(block)
    yield from cutter.close()
