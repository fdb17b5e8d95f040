"""The encoding of a page, chosen as browsers choose it, and its codec.

The order is: a byte order mark, the label of the HTTP header, a `meta` tag of HTML.
Else it is UTF-8 if the whole body is valid, and windows-1252 otherwise.
"""

import codecs
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from mr_reuse.text.meta_charset import declared_labels

HERE = Path(__file__).parent
MARKS = {b'\xef\xbb\xbf': 'utf-8', b'\xfe\xff': 'utf-16be', b'\xff\xfe': 'utf-16le'}
FIRST_OF_MARKS = {mark[:1] for mark in MARKS}
FindLabels = Callable[[bytes], list[bytes]]
# The codecs of Python, where an encoding is not one of single bytes.
CODECS = {
    'utf-8': 'utf-8',
    'utf-16le': 'utf-16-le',
    'utf-16be': 'utf-16-be',
    'gbk': 'gb18030',
    'gb18030': 'gb18030',
    'big5': 'big5hkscs',
    'euc-jp': 'euc_jp',
    'euc-kr': 'cp949',
    'iso-2022-jp': 'iso2022_jp',
    'shift_jis': 'cp932',
}
IN_META = {
    'utf-16le': 'utf-8',
    'utf-16be': 'utf-8',
    'x-user-defined': 'windows-1252',
}
MAX_LABELS = 1000  # that are remembered
WHITE_SPACE = '\t\n\f\r '
ASCII_LETTERS = {c: c + 32 for c in range(ord('A'), ord('Z') + 1)}


class Encoding(NamedTuple):
    """How the bytes of a page become characters."""

    name: str  # in the WHATWG Encoding Standard
    codec: str  # of Python, '' for one of single bytes
    upper: str  # the characters of the bytes from 0x80 on, '' for others


@cache
def encoding_of(name: str) -> Encoding:
    """Return an encoding of the Standard.

    >>> encoding_of('gbk').codec, encoding_of('koi8-r').upper[-3:]
    ('gb18030', 'ЩЧЪ')
    """
    codec = CODECS.get(name, '')
    return Encoding(name, codec, '' if codec else _single_bytes()[name])


@cache
def _single_bytes() -> dict[str, str]:
    tables: dict[str, str] = {}
    name = ''
    for line in _lines('single_bytes.txt'):
        first, *more = line.split()
        if more:
            tables[name] += ''.join(chr(int(p, 16)) for p in (first, *more))
        else:
            name = first
            tables[name] = ''
    tables['iso-8859-8-i'] = tables['iso-8859-8']
    tables['replacement'] = '\ufffd' * 128
    tables['x-user-defined'] = ''.join(map(chr, range(0xF780, 0xF800)))
    return tables


@cache
def _names() -> dict[str, str]:
    lines = map(str.split, _lines('labels.txt'))
    return {label: name for name, *labels in lines for label in labels}


def _lines(file: str) -> list[str]:
    text = (HERE / file).read_text(encoding='utf-8')
    return [line for line in text.splitlines() if not line.startswith('#')]


@lru_cache(MAX_LABELS)
def find_name(label: str) -> str:
    """Return the encoding that a label stands for; '' for an unknown one.

    >>> find_name(' Latin1 '), find_name('utf-7'), find_name('K\u212a')
    ('windows-1252', '', '')
    """
    return _names().get(label.strip(WHITE_SPACE).translate(ASCII_LETTERS), '')


def declared_name(
    head: bytes, label: str, find_labels: FindLabels = declared_labels
) -> str:
    """Return the declared encoding of a body with these first bytes; '' for none.

    `find_labels` returns the labels in `meta` tags.

    >>> declared_name(b'<meta charset=utf-16>', 'no-charset')
    'utf-8'
    >>> declared_name(b'\\xff\\xfeA\\0', 'latin1')
    'utf-16le'
    """
    if head[:1] in FIRST_OF_MARKS:
        for mark, name in MARKS.items():
            if head.startswith(mark):
                return name
    if label and (name := find_name(label)):
        return name
    for found in find_labels(head):
        if name := find_name(found.decode('latin-1')):
            return IN_META.get(name, name)
    return ''


def guess_name(body: bytes) -> str:
    """Return the encoding of a whole body that declares none.

    >>> guess_name('é'.encode()[:1]), guess_name('é'.encode()[:1] + b' ')
    ('utf-8', 'windows-1252')
    """
    try:
        codecs.utf_8_decode(body, 'strict', False)
    except UnicodeDecodeError:
        return 'windows-1252'
    return 'utf-8'
