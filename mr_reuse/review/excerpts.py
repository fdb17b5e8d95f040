"""Excerpts of a page for a person: its chunks as text, with the labels marked.

The page of `review` inserts these strings as text, never as markup.
"""

import html
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from mr_reuse import messages

END = 3000  # bytes shown of each end of a long chunk
MAX_CHUNK = 2 * END  # bytes of a chunk that is shown completely
MAX_PAGE = 200_000  # bytes
MAX_PIECES = 2000  # of a page
DECLARED = re.compile(rb'charset\s*=\s*["\']?\s*([\w.:-]{1,40})', re.I)
# Python has codecs that are no charsets, such as bz2, and some slow ones.
CHARSETS = re.compile(
    r'(iso-?8859|windows-?12|cp12|koi8|gb|big5|euc|shift|sjis|tis|mac)[\w-]*', re.I
)
NO_TEXT = re.compile(
    r'<!--.*?(?:-->|$)|<(script|style|template)\b.*?(?:</\1\s*>|$)', re.I | re.S
)
BLOCK = re.compile(
    r'<(?:/?(?:p|div|li|tr|h[1-6]|ul|ol|table|section|article|header|footer|nav|title'
    r'|form|option|dt|dd|blockquote|pre)|br|hr)\b[^<>]*>?',
    re.I,
)
TAG = re.compile(r'<[a-z/!?][^<>]*>?', re.I)
# Numeric references too large for a character. int() refuses thousands of digits.
NO_CHARACTER = re.compile(r'&#(?:\d{8,}|[xX][\da-fA-F]{7,});?')
SPACE = re.compile(r'[ \t\r\f\v\xa0]+')
LINES = re.compile(r' ?\n[ \n]*')


class Piece(NamedTuple):
    """A chunk, or both ends of a long one."""

    data: bytes
    length: int  # of the chunk
    label: int | None  # the number of the label, None if the chunk is none


def first_pieces(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield the first pieces of a page, as many as a person would read.

    >>> page = [Piece(b'<p>one', 6, None), Piece(b'<p>two', 6, 7)]
    >>> [piece.data for piece in first_pieces(page)]
    [b'<p>one', b'<p>two']
    """
    size = 0
    for number, piece in enumerate(pieces, 1):
        yield piece
        size += min(piece.length, MAX_CHUNK)
        if size > MAX_PAGE or number > MAX_PIECES:
            return


def labeled_pieces(pieces: Iterable[Piece], count: int) -> list[Piece]:
    """Return the first piece of each label; stops reading after `count` labels.

    >>> page = [Piece(b'<p>two', 6, 7), Piece(b'<p>one', 6, None), Piece(b'<p>x', 4, 7)]
    >>> [piece.data for piece in labeled_pieces(page, 1)]
    [b'<p>two']
    """
    by_label: dict[int, Piece] = {}
    for piece in pieces:
        if piece.label is not None:
            by_label.setdefault(piece.label, piece)
            if len(by_label) == count:
                break
    return list(by_label.values())


def around(pieces: Iterable[Piece], label: int, margin: int) -> list[Piece]:
    """Return a label with `margin` bytes before and after it, [] without the label.

    >>> page = [Piece(b'<p>one', 6, None), Piece(b'<p>two', 6, 7), Piece(b'<p>x', 4, 7)]
    >>> [piece.data for piece in around(page, 7, 3)]
    [b'one', b'<p>two', b'<p>']
    >>> around(page, 8, 3)
    []
    """
    # Pieces before the label, no more than cover the margin: pages may be large.
    before: deque[Piece] = deque()
    size, result, left = 0, [], margin
    for piece in pieces:
        if result:
            result.append(piece._replace(data=piece.data[:left], length=left))
            left -= min(left, len(piece.data))
            if not left:
                break
        elif piece.label == label:
            result = [*_last_bytes(before, margin), piece]
        else:
            before.append(piece)
            size += len(piece.data)
            while size - len(before[0].data) >= margin:
                size -= len(before.popleft().data)
    return result


def _last_bytes(pieces: Iterable[Piece], count: int) -> list[Piece]:
    """Return the pieces of the last `count` bytes."""
    result: list[Piece] = []
    for piece in reversed(list(pieces)):
        if count > 0:
            data = piece.data[-count:]
            result.insert(0, piece._replace(data=data, length=len(data)))
            count -= len(data)
    return result


def to_parts(pieces: Iterable[Piece], decode: Callable[[bytes], str]) -> list[dict]:
    """Convert pieces to JSON: the source, the readable text and the label of each."""
    return [_part(piece, decode) for piece in pieces]


def _part(piece: Piece, decode: Callable[[bytes], str]) -> dict[str, Any]:
    data, missing = piece.data, 0
    if piece.length > MAX_CHUNK:
        missing = piece.length - MAX_CHUNK
        ends = data[:END], data[-END:]
        gap = f'\n… {messages.format_count(missing, "byte")} omitted …\n'
        source, text = (
            gap.join(view(decode(end)) for end in ends) for view in (visible, readable)
        )
    else:
        source, text = visible(decode(data)), readable(decode(data))
    return {'source': source, 'text': text, 'label': piece.label}


def decoder(beginning: bytes) -> Callable[[bytes], str]:
    """Return a function that decodes the bytes of a page: UTF-8, else its own charset.

    >>> decoder(b'')('größer'.encode()), decoder(b'')(b'gr\\xf6\\xdfer')
    ('größer', 'gr��er')
    >>> decoder(b'<meta charset="ISO-8859-1">')(b'gr\\xf6\\xdfer')
    'größer'
    """
    # HTML requires the declaration within the first 1024 bytes.
    declared = DECLARED.search(beginning[:1024])
    charset = declared[1].decode('ascii', 'replace') if declared else ''
    charset = charset if CHARSETS.fullmatch(charset) else 'utf-8'

    def decode(data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError:
            pass
        try:
            return data.decode(charset, 'replace')
        except LookupError:
            return data.decode('utf-8', 'replace')

    return decode


def visible(text: str) -> str:
    """Make the invisible characters of a text of many lines visible.

    >>> visible('a\\u202eb\\0\\r\\n')
    'a\\\\u202eb\\\\x00\\n'
    """
    lines = text.replace('\r\n', '\n').replace('\r', '\n').expandtabs(4).split('\n')
    return '\n'.join(map(messages.make_visible, lines))


def readable(markup: str) -> str:
    """Convert markup to about the text that a browser shows.

    >>> readable('<p>One &amp;  two<br>three <b>four</b><script>five</script></p>')
    'One & two\\nthree four'
    >>> readable('&#' + '9' * 5000 + ';') == readable('&#xFFFFFFFF;') == '\\ufffd'
    True
    """
    text = NO_TEXT.sub(' ', markup)
    text = TAG.sub('', BLOCK.sub('\n', text))
    text = html.unescape(NO_CHARACTER.sub('\ufffd', text))
    text = LINES.sub('\n', SPACE.sub(' ', text))
    return visible(text.strip())
