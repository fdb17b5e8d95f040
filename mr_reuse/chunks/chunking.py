"""The definition of a chunk: the bytes from one delimiter to the next.

The delimiter belongs to the chunk that it begins. The bytes before the first delimiter
are a chunk too. The concatenation of the chunks of a page is therefore the page.
"""

import itertools
import re
from collections.abc import Iterable, Iterator

from mr_reuse.errors import UsageError

DEFAULT_DELIMITERS = 'p,div'
CCR2019_DELIMITERS = 'p/ccr2019'  # inferred from the hashes published with the paper
# Bytes that may follow the name of a tag, by the rule after the slash.
BYTES_AFTER_NAME = {'html': b' \t\n\f\r/>', 'ccr2019': b' >\t/'}
TAG_NAME = re.compile(r'[a-z][a-z0-9]{0,15}')
MAX_DELIMITER = 18  # bytes: `<`, a name, the byte after it
MAX_TAGS = 64  # this and the length of names are bounds in `kernel/cut.h`


def parse_delimiters(delimiters: str) -> tuple[list[str], bytes]:
    """Return the names of the start tags that cut, and the bytes that may follow them.

    >>> parse_delimiters('P,div'), parse_delimiters(CCR2019_DELIMITERS)
    ((['p', 'div'], b' \\t\\n\\x0c\\r/>'), (['p'], b' >\\t/'))
    """
    tags, rule = _split_delimiters(delimiters)
    is_valid = rule in BYTES_AFTER_NAME and all(map(TAG_NAME.fullmatch, tags))
    if not is_valid or len(tags) > MAX_TAGS:
        raise UsageError(
            f'--delimiters {delimiters!r}: give tag names with commas, as in p,div'
        )
    return tags, BYTES_AFTER_NAME[rule]


def _split_delimiters(delimiters: str) -> tuple[list[str], str]:
    """Return the names of the tags, and the rule for the byte after a name."""
    names, _, rule = delimiters.partition('/')
    return names.lower().split(','), rule or 'html'


def compile_delimiter(delimiters: str) -> re.Pattern[bytes]:
    """Compile the pattern of the start tags that cut, from their names.

    White space, a slash or `>` has to follow the name. With `/ccr2019`, line ends do
    not count as white space, as in the program of the paper.

    >>> match = compile_delimiter('p,div').match
    >>> [bool(match(tag)) for tag in (b'<P\\n', b'<div>', b'<pre>')]
    [True, True, False]
    >>> bool(compile_delimiter(CCR2019_DELIMITERS).match(b'<p\\n'))
    False
    """
    tags, bytes_after = parse_delimiters(delimiters)
    # A literal first letter lets the regex engine drop most tags at once.
    names = [
        letter + ''.join(map(_match_both_cases, tag[1:]))
        for tag in tags
        for letter in (tag[0], tag[0].upper())
    ]
    return re.compile(b'<(?:%b)[%b]' % ('|'.join(names).encode(), bytes_after))


def rule_of(delimiters: str) -> str:
    """Return the rule for the byte after the name of a tag.

    >>> rule_of('p,div'), rule_of(CCR2019_DELIMITERS)
    ('html', 'ccr2019')
    """
    return _split_delimiters(delimiters)[1]


def normalize_delimiters(delimiters: str) -> str:
    """Normalize the spelling of delimiters, so that equal rules are equal texts.

    >>> normalize_delimiters('DIV,p'), normalize_delimiters('p/ccr2019')
    ('p,div', 'p/ccr2019')
    """
    tags, rule = _split_delimiters(delimiters)
    # In reverse order, so that the default is the spelling of the papers, `p,div`.
    names = ','.join(sorted(set(tags), reverse=True))
    return names if rule == 'html' else f'{names}/{rule}'


def format_tags(delimiters: str, conjunction: str) -> str:
    """Format the start tags that cut, for people.

    >>> format_tags('p,div', 'or'), format_tags(CCR2019_DELIMITERS, 'or')
    ('<p> or <div>', '<p>')
    """
    names, _ = _split_delimiters(delimiters)
    return f' {conjunction} '.join(f'<{name}>' for name in names)


def _match_both_cases(letter: str) -> str:
    return f'[{letter.upper()}{letter}]' if letter.isalpha() else letter


def chunk_bounds(body: bytes, pattern: re.Pattern[bytes]) -> list[int]:
    """Return the offsets at which the chunks of a body begin, and its end.

    >>> chunk_bounds(b'H<p>one<p>two', compile_delimiter('p'))
    [0, 1, 7, 13]
    >>> pattern = compile_delimiter('p')
    >>> chunk_bounds(b'<p><p>', pattern), chunk_bounds(b'', pattern)
    ([0, 3, 6], [0])
    """
    offsets = [match.start() for match in pattern.finditer(body)]
    if offsets[:1] != [0]:
        offsets.insert(0, 0)
    if body:
        offsets.append(len(body))
    return offsets


def split_segments(
    text: bytes, pattern: re.Pattern[bytes], size: int
) -> Iterator[bytes]:
    """Divide a text into segments of whole chunks.

    A segment ends before the first chunk that begins after `size` bytes.

    >>> list(split_segments(b'H<p>one<p>two<p>three', compile_delimiter('p'), 4))
    [b'H<p>one', b'<p>two', b'<p>three']
    """
    start = 0
    while start < len(text):
        match = pattern.search(text, start + size)
        end = match.start() if match else len(text)
        yield text[start:end]
        start = end


def cut(body: bytes, pattern: re.Pattern[bytes]) -> list[bytes]:
    """Cut a body into chunks.

    >>> cut(b'H<p>one<p>two<p>one', compile_delimiter('p'))
    [b'H', b'<p>one', b'<p>two', b'<p>one']
    >>> cut(b'<P/>x<pre>y<p\\nz<p\\tq<P', compile_delimiter(CCR2019_DELIMITERS))
    [b'<P/>x<pre>y<p\\nz', b'<p\\tq<P']
    """
    offsets = chunk_bounds(body, pattern)
    return [body[start:end] for start, end in itertools.pairwise(offsets)]


class BlockCutter:
    """Cuts a body that arrives in blocks of any size.

    A caller has to exhaust the iterators that `feed` and `close` return.

    >>> cutter = BlockCutter(compile_delimiter('p'))
    >>> [*cutter.feed(b'a<'), *cutter.feed(b'p>b'), *cutter.close()]
    [(b'a', True), (b'<p>b', True)]
    """

    def __init__(self, pattern: re.Pattern[bytes]):
        self._pattern = pattern
        self._buffer = b''
        self._begins_chunk = True  # the next piece

    def feed(self, block: bytes) -> Iterator[tuple[bytes, bool]]:
        """Yield pieces of chunks, and for each piece True if it begins a chunk."""
        # A delimiter may span two blocks, so the last bytes stay in the buffer.
        return self._cut(self._buffer + block, MAX_DELIMITER)

    def close(self) -> Iterator[tuple[bytes, bool]]:
        """Yield the pieces that are still in the buffer."""
        return self._cut(self._buffer, 0)

    def _cut(self, data: bytes, kept: int) -> Iterator[tuple[bytes, bool]]:
        """Yield the pieces of data, without the last `kept` bytes."""
        end = max(0, len(data) - kept)
        position = 0
        for match in self._pattern.finditer(data):
            start = match.start()
            if start >= end:
                break
            if start > position:
                yield data[position:start], self._begins_chunk
            position, self._begins_chunk = start, True
        if end > position:
            yield data[position:end], self._begins_chunk
            self._begins_chunk = False  # the chunk may continue in the next block
        self._buffer = data[end:]


def cut_blocks(
    blocks: Iterable[bytes], pattern: re.Pattern[bytes]
) -> Iterator[tuple[bytes, bool]]:
    """Cut a body that arrives in blocks: yield (piece of a chunk, begins a chunk).

    >>> list(cut_blocks([b'a<', b'p>b', b'c<p>'], compile_delimiter('p')))
    [(b'a', True), (b'<p>bc', True), (b'<p>', True)]
    """
    cutter = BlockCutter(pattern)
    for block in blocks:
        yield from cutter.feed(block)
    yield from cutter.close()
