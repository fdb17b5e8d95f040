"""Character references, as in the WHATWG HTML Standard, in text outside attributes.

The names are a table of Python's standard library; the Standard adds no more.
"""

import re
from html.entities import html5
from typing import NamedTuple

REPLACEMENT = '\ufffd'
LAST = 0x10FFFF
LONGEST = max(map(len, html5))  # with its semicolon
LONGEST_BARE = max(len(name) for name in html5 if name[-1] != ';')
# What windows-1252 has where Unicode has control characters.
CONTROLS = {
    0x80 + i: chr(code)
    for i, code in enumerate(
        [0x20AC, 0, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021]
        + [0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17D, 0]
        + [0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014]
        + [0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0, 0x17E, 0x178]
    )
    if code
}
REFERENCE = re.compile(
    rf'&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z][a-zA-Z0-9]{{0,{LONGEST - 2}}};?)'
)


class Reference(NamedTuple):
    """What a reference stands for, and how many characters of the page it takes."""

    text: str
    length: int


def read_reference(text: str) -> Reference:
    """Return what the reference at the start of a match of REFERENCE stands for.

    >>> read_reference('&eacute;'), read_reference('&notit;')
    (Reference(text='é', length=8), Reference(text='¬', length=4))
    >>> read_reference('&nix;'), read_reference('&#x96;')
    (Reference(text='', length=0), Reference(text='–', length=6))
    """
    if text[1] == '#':
        return Reference(_read_number(text[2:].rstrip(';')), len(text))
    name = text[1:]
    if name in html5:
        return Reference(html5[name], len(text))
    for length in range(min(len(name), LONGEST_BARE), 1, -1):
        if name[:length] in html5:
            return Reference(html5[name[:length]], length + 1)
    return Reference('', 0)


def _read_number(digits: str) -> str:
    if digits[0] in 'xX':
        return character_of(digits[1:], 16)
    return character_of(digits, 10)


def character_of(digits: str, base: int) -> str:
    """Return the character of a number, or U+FFFD where it is none.

    >>> character_of('e9', 16), character_of('0000065', 10), character_of('159', 10)
    ('é', 'A', 'Ÿ')
    >>> {character_of('d800', 16), character_of('9' * 5000, 10), character_of('0', 10)}
    {'�'}
    """
    digits = digits.lstrip('0')
    code = int(digits, base) if 0 < len(digits) < 8 else 0
    if not 0 < code <= LAST or 0xD800 <= code < 0xE000:
        return REPLACEMENT
    return CONTROLS.get(code) or chr(code)
