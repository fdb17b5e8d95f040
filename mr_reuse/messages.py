"""Text for people: on the terminal, with what is hidden in it made visible."""

import contextlib
import difflib
import os
import re
import shlex
import sys
from collections.abc import Iterable
from decimal import Decimal

SEPARATORS = str.maketrans({'\t': '%09', '\n': '%0A', '\r': '%0D'})  # of lines
LAYOUT = '\n\t'  # what may stand in a text on a terminal though it is not seen


def to_bytes(text: str) -> bytes:
    """Encode text for a line or a file; a byte that was no UTF-8 becomes itself again.

    >>> to_bytes('caf\\xe9 \\udcff')
    b'caf\\xc3\\xa9 \\xff'
    """
    return text.encode('utf-8', 'surrogateescape')


def to_text(data: bytes) -> str:
    """Decode bytes of a line or a file; `to_bytes` restores those that are no UTF-8.

    >>> to_text(b'caf\\xc3\\xa9 \\xff')
    'caf\\xe9 \\udcff'
    """
    return data.decode('utf-8', 'surrogateescape')


def say(text: str = '') -> None:
    """Tell the person at the terminal; results go to standard output instead."""
    with contextlib.suppress(BrokenPipeError):  # nobody listens, but the work goes on
        sys.stderr.write(visible(f'{text}\n', kept='\n'))
        sys.stderr.flush()


def warn(text: str) -> None:
    """Tell what is odd, in one line."""
    say(visible(f'warning: {text}'))


def python() -> str:
    """How the person at the terminal calls this Python."""
    here = os.path.relpath(sys.executable)
    return 'python' if here.startswith('..') else here


def typed(command: str, *words: str) -> str:
    """A command line that may be copied as it is, whatever the words are.

    >>> typed('show', 'my run', 'a.org/$(x)/').partition(' -m ')[2]
    "mr_reuse.show 'my run' 'a.org/$(x)/'"
    """
    return shlex.join([python(), '-m', f'mr_reuse.{command}', *words])


def put(text: str) -> None:
    """Write results to standard output; it is no error if nobody reads them all.

    On a terminal nothing in them is a command to it, or hides; elsewhere they stay.
    """
    try:
        sys.stdout.write(visible(text, kept=LAYOUT) if sys.stdout.isatty() else text)
        sys.stdout.flush()
    except BrokenPipeError:
        nobody_reads()


def nobody_reads() -> None:
    """Keep Python from flushing into a closed pipe when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def in_percent(share: float) -> str:
    """A share for people; a little is not told as nothing, nor nearly all as all.

    >>> [in_percent(share) for share in (0.2399, 0.0004, 0.9996, 0, 1)]
    ['24.0 %', 'under 0.1 %', 'over 99.9 %', '0.0 %', '100.0 %']
    """
    if 0 < share < 0.001:
        return 'under 0.1 %'
    return 'over 99.9 %' if 0.999 < share < 1 else f'{100 * share:.1f} %'


def limit_in_percent(limit: float) -> str:
    """A threshold for people, in full where it is near nothing or all.

    >>> limit_in_percent(0.3257), limit_in_percent(0.000401), limit_in_percent(0)
    ('32.6 %', '0.0401 %', '0.0 %')
    >>> limit_in_percent(0.9996), limit_in_percent(1e-10), limit_in_percent(1)
    ('99.96 %', '0.00000001 %', '100.0 %')
    """
    if not (0 < limit < 0.001 or 0.999 < limit < 1):
        return in_percent(limit)
    return f'{100 * Decimal(repr(limit)):f}'.rstrip('0') + ' %'


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What somebody may have meant who has typed something that is not known.

    >>> did_you_mean('--treshold', ['--threshold', '--hash'])
    '; did you mean --threshold?'
    >>> did_you_mean('x', ['--hash'])
    ''
    """
    close = difflib.get_close_matches(name, known, 1)
    return f'; did you mean {close[0]}?' if close else ''


def summarize_names(names: list[str]) -> str:
    """Names, or the first if there are more."""
    return names[0] + (f' and {len(names) - 1:,} more' if names[1:] else '')


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
