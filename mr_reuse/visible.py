"""Text of strangers in which all is seen, for terminals and for pages."""

import re

# Controls, marks of direction and order, what is not seen, halves of characters. The
# list is written out since Python's own knowledge of Unicode grows with its version.
# Joiners (200c, 200d) stay: some scripts cannot be written without.
HIDDEN = re.compile(
    '[\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b'
    '\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0'
    '\ufff0-\ufffb\ud800-\udfff\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
)


def visible(text: str, kept: str = '') -> str:
    """Text in which what is not seen has its number in its place, but for some.

    >>> visible('a\\u202eb\\n\\udcff'), visible('a\\x1b\\n', kept='\\n')
    ('a\\\\u202eb\\\\x0a\\\\xff', 'a\\\\x1b\\n')
    """
    return HIDDEN.sub(lambda found: _named(found[0], kept), text)


def _named(letter: str, kept: str) -> str:
    number = ord(letter)
    if letter in kept:
        return letter
    if 0xDC80 <= number <= 0xDCFF:  # a byte that is no UTF-8
        number -= 0xDC00
    return f'\\x{number:02x}' if number < 0x100 else f'\\u{number:04x}'
