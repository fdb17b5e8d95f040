"""What comes out of pages, made inert: text that shows all that is in it.

Escaping for HTML is the business of the templates; here is what would still deceive:
characters that are not seen, or that turn the order of others around.
"""

import re
import shlex

MOST = 300  # letters of a URL
# Controls, marks of direction and order, what is not seen, halves of characters. The
# list is written out since Python's own knowledge of Unicode grows with its version.
# Joiners (200c, 200d) stay: some scripts cannot be written without.
HIDDEN = re.compile(
    '[\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b'
    '\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0'
    '\ufff0-\ufffb\ud800-\udfff\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
)


def _named(found: re.Match) -> str:
    number = ord(found[0])
    if 0xDC80 <= number <= 0xDCFF:  # a byte that is no UTF-8
        number -= 0xDC00
    return f'\\x{number:02x}' if number < 0x100 else f'\\u{number:04x}'


def visible(text: str) -> str:
    """Text in which all is seen: what is not has its number in its place.

    >>> visible('a\\u202eb\\n\\udcff')
    'a\\\\u202eb\\\\x0a\\\\xff'
    """
    return HIDDEN.sub(_named, text)


def cut(text: str, most: int = MOST) -> str:
    """Text that is not too long.

    >>> cut('abcdef', 4)
    'abc…'
    """
    return text if len(text) <= most else f'{text[: most - 1]}…'


def middle(text: str, most: int) -> str:
    """Text that is cut in its middle.

    >>> middle('shop.example.org', 9)
    'shop….org'
    """
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f'{text[: most - 1 - end]}…{text[-end:]}'


def command(name: str, *words: str) -> str:
    """A command line to be copied, '' if it could not be what it looks like.

    >>> command('detect', '-o', 'my run'), command('detect', '-o', 'a\\x1b')
    ("python -m mr_reuse.detect -o 'my run'", '')
    """
    if any(map(HIDDEN.search, words)):
        return ''
    return shlex.join(['python', '-m', f'mr_reuse.{name}', *words])


def show(run: str, what: str) -> str:
    """The command that prints a chunk, a page, or what a neighborhood has copied.

    >>> show('RUN', 'a.org/$(x)/')
    "python -m mr_reuse.show RUN 'a.org/$(x)/'"
    >>> show('RUN', '-x.org/')
    'python -m mr_reuse.show RUN -- -x.org/'
    """
    return command('show', run, *(['--'] if what.startswith('-') else []), what)
