"""What a person is shown of a page: its chunks as text, and which of them are copies.

Nothing of it is markup any more: it is text that a browser is given as text.
"""

import html
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from mr_reuse import messages

END = 3000  # bytes shown of each end of a chunk
LONGEST = 2 * END
MOST = 200_000  # of a page
PARTS = 2000
DECLARED = re.compile(rb'charset\s*=\s*["\']?\s*([\w.:-]{1,40})', re.I)
# Python knows codecs that are no charsets, and some that take their time.
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
# Numbers of no character, which may have thousands of digits.
NO_LETTER = re.compile(r'&#(?:\d{8,}|[xX][\da-fA-F]{7,});?')
SPACE = re.compile(r'[ \t\r\f\v\xa0]+')
LINES = re.compile(r' ?\n[ \n]*')


class Piece(NamedTuple):
    """A chunk; of a long one both ends."""

    data: bytes
    length: int
    label: int | None  # which label it is, if it is one


def whole(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces of a page, as far as a person would read.

    >>> [p.data for p in whole([Piece(b'<p>one', 6, None), Piece(b'<p>two', 6, 7)])]
    [b'<p>one', b'<p>two']
    """
    size = 0
    for number, piece in enumerate(pieces, 1):
        yield piece
        size += min(piece.length, LONGEST)
        if size > MOST or number > PARTS:
            return


def each(pieces: Iterable[Piece], count: int) -> list[Piece]:
    """The first piece of each label of a page that has so many.

    >>> page = [Piece(b'<p>two', 6, 7), Piece(b'<p>one', 6, None), Piece(b'<p>x', 4, 7)]
    >>> [piece.data for piece in each(page, 1)]
    [b'<p>two']
    """
    found: dict[int, Piece] = {}
    for piece in pieces:
        if piece.label is not None:
            found.setdefault(piece.label, piece)
            if len(found) == count:
                break
    return list(found.values())


def around(pieces: Iterable[Piece], label: int, margin: int) -> list[Piece]:
    """A label, and what stands next to it; nothing if it is not there.

    >>> page = [Piece(b'<p>one', 6, None), Piece(b'<p>two', 6, 7), Piece(b'<p>x', 4, 7)]
    >>> [piece.data for piece in around(page, 7, 3)]
    [b'one', b'<p>two', b'<p>']
    >>> around(page, 8, 3)
    []
    """
    before: deque[Piece] = deque()
    held, found, left = 0, [], margin
    for piece in pieces:
        if found:
            found.append(piece._replace(data=piece.data[:left], length=left))
            left -= min(left, len(piece.data))
            if not left:
                break
        elif piece.label == label:
            found = [*_ends(before, margin), piece]
        else:
            before.append(piece)
            held += len(piece.data)
            while held - len(before[0].data) >= margin:
                held -= len(before.popleft().data)
    return found


def _ends(before: Iterable[Piece], margin: int) -> list[Piece]:
    """So many bytes from the end of some pieces."""
    found: list[Piece] = []
    for piece in reversed(list(before)):
        if margin > 0:
            data = piece.data[-margin:]
            found.insert(0, piece._replace(data=data, length=len(data)))
            margin -= len(data)
    return found


def shown(pieces: Iterable[Piece], decode: Callable[[bytes], str]) -> list[dict]:
    """Pieces as a browser gets them: what is in the page, and what one reads there."""
    return [_part(piece, decode) for piece in pieces]


def _part(piece: Piece, decode: Callable[[bytes], str]) -> dict[str, Any]:
    data, missing = piece.data, 0
    if piece.length > LONGEST:
        missing = piece.length - LONGEST
        ends = data[:END], data[-END:]
        source, text = (
            f'\n… {missing:,} bytes left out …\n'.join(how(decode(end)) for end in ends)
            for how in (visible, readable)
        )
    else:
        source, text = visible(decode(data)), readable(decode(data))
    return {'source': source, 'text': text, 'label': piece.label}


def decoder(beginning: bytes) -> Callable[[bytes], str]:
    """How to read the bytes of a page: as UTF-8, else as the page says.

    >>> decoder(b'')('größer'.encode()), decoder(b'')(b'gr\\xf6\\xdfer')
    ('größer', 'gr��er')
    >>> decoder(b'<meta charset="ISO-8859-1">')(b'gr\\xf6\\xdfer')
    'größer'
    """
    found = DECLARED.search(beginning[:1024])
    charset = found[1].decode('ascii', 'replace') if found else ''
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
    """A text of many lines in which nothing is hidden or turns the rest around.

    >>> visible('a\\u202eb\\0\\r\\n')
    'a\\\\u202eb\\\\x00\\n'
    """
    lines = text.replace('\r\n', '\n').replace('\r', '\n').expandtabs(4).split('\n')
    return '\n'.join(map(messages.make_visible, lines))


def readable(markup: str) -> str:
    """About what a reader of the page would see of some markup.

    >>> readable('<p>One &amp;  two<br>three <b>four</b><script>five</script></p>')
    'One & two\\nthree four'
    >>> readable('&#' + '9' * 5000 + ';') == readable('&#xFFFFFFFF;') == '\\ufffd'
    True
    """
    text = NO_TEXT.sub(' ', markup)
    text = TAG.sub('', BLOCK.sub('\n', text))
    text = html.unescape(NO_LETTER.sub('\ufffd', text))
    text = LINES.sub('\n', SPACE.sub(' ', text))
    return visible(text.strip())
