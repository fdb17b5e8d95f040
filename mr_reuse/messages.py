"""Text for people: output to the terminal, with hidden characters made visible."""

import contextlib
import difflib
import os
import re
import shlex
import sys
from collections.abc import Iterable
from decimal import Decimal

# Characters that separate the fields and lines of a table, percent-encoded.
ESCAPED_SEPARATORS = str.maketrans({'\t': '%09', '\n': '%0A', '\r': '%0D'})
LAYOUT_CHARACTERS = '\n\t'  # control characters that results may have on a terminal


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
    """Print a text to stderr. Results go to standard output, with `put`."""
    with contextlib.suppress(OSError):  # a closed stderr does not end the work
        sys.stderr.write(make_visible(f'{text}\n', kept='\n'))
        sys.stderr.flush()


def warn(text: str) -> None:
    """Print a warning in one line."""
    say(make_visible(f'warning: {text}'))


def python_command() -> str:
    """Return the command that starts this Python.

    It is a path if the interpreter is below the current folder, as in a virtual
    environment, since plain `python` may be another one there. Otherwise `python`.
    """
    path = os.path.relpath(sys.executable)
    return 'python' if path.startswith('..') else path


def command_line(command: str, *words: str) -> str:
    """Return a command line that can be pasted into a shell, with the words quoted.

    >>> command_line('show', 'my run', 'a.org/$(x)/').partition(' -m ')[2]
    "mr_reuse.show 'my run' 'a.org/$(x)/'"
    """
    return shlex.join([python_command(), '-m', f'mr_reuse.{command}', *words])


def write_stdout(text: str) -> None:
    """Write results to standard output. A reader that closes the pipe is no error.

    On a terminal, hidden and control characters are escaped. Files and pipes get the
    text unchanged.
    """
    is_terminal = sys.stdout.isatty()
    write_visible(make_visible(text, kept=LAYOUT_CHARACTERS) if is_terminal else text)


def write_visible(text: str) -> None:
    """Write results that need no escapes any more, and may have colours."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        discard_stdout()


def discard_stdout() -> None:
    """Send standard output to nowhere, so that Python's flush at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def format_share(share: float) -> str:
    """Format a share. Rounding never turns a small one into 0 %, or a large into 100 %.

    >>> [format_share(share) for share in (0.2399, 0.0004, 0.9996, 0, 1)]
    ['24.0 %', 'under 0.1 %', 'over 99.9 %', '0.0 %', '100.0 %']
    """
    if 0 < share < 0.001:
        return 'under 0.1 %'
    return 'over 99.9 %' if 0.999 < share < 1 else f'{100 * share:.1f} %'


def format_threshold(limit: float) -> str:
    """Format a threshold, with all digits where it is close to 0 or 1.

    >>> format_threshold(0.3257), format_threshold(0.000401), format_threshold(0)
    ('32.6 %', '0.0401 %', '0.0 %')
    >>> format_threshold(0.9996), format_threshold(1e-10), format_threshold(1)
    ('99.96 %', '0.00000001 %', '100.0 %')
    """
    if not (0 < limit < 0.001 or 0.999 < limit < 1):
        return format_share(limit)
    return f'{100 * Decimal(repr(limit)):f}'.rstrip('0') + ' %'


def suggest_name(name: str, known: Iterable[str]) -> str:
    """Suggest the known name that is most like an unknown one, '' if none is.

    >>> suggest_name('--treshold', ['--threshold', '--hash'])
    '; did you mean --threshold?'
    >>> suggest_name('x', ['--hash'])
    ''
    """
    close = difflib.get_close_matches(name, known, 1)
    return f'; did you mean {close[0]}?' if close else ''


def format_count(number: int, noun: str, plural: str = '') -> str:
    """Format a number with its noun, in the singular or in the plural.

    >>> format_count(1, 'page'), format_count(2000, 'page')
    ('1 page', '2,000 pages')
    >>> format_count(0, 'copy', 'copies')
    '0 copies'
    """
    return f'{number:,} {noun if number == 1 else plural or f"{noun}s"}'


def format_bytes(count: int) -> str:
    """Format a number of bytes with a decimal unit.

    >>> format_bytes(1), format_bytes(117713), format_bytes(26_700_000)
    ('1 byte', '118 kB', '27 MB')
    """
    for unit, name in ((10**12, 'TB'), (10**9, 'GB'), (10**6, 'MB'), (1000, 'kB')):
        if count >= unit:
            number = count / unit
            return f'{number:.1f} {name}' if number < 10 else f'{number:.0f} {name}'
    return format_count(count, 'byte')


def summarize_names(names: list[str]) -> str:
    """Return the first name, and the number of others if there are any."""
    return summarize_many(names[0], len(names))


def summarize_many(first: str, count: int) -> str:
    """Return the first of so many names, and the number of others if there are any.

    >>> summarize_many('a', 1), summarize_many('a', 1001)
    ('a', 'a and 1,000 more')
    """
    return first + (f' and {count - 1:,} more' if count > 1 else '')


# Control characters, direction marks, invisible characters and surrogates. The list is
# written out because Python's Unicode tables change with its version, and results must
# not. Joiners (200c, 200d) are not in it: some scripts cannot be written without them.
HIDDEN = re.compile(
    '[\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b'
    '\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0'
    '\ufff0-\ufffb\ud800-\udfff\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
)


def make_visible(text: str, kept: str = '') -> str:
    """Replace hidden characters, except those in `kept`, by their code point.

    >>> make_visible('a\\u202eb\\n\\udcff'), make_visible('a\\x1b\\n', kept='\\n')
    ('a\\\\u202eb\\\\x0a\\\\xff', 'a\\\\x1b\\n')
    """
    return HIDDEN.sub(lambda match: _escape(match[0], kept), text)


def _escape(letter: str, kept: str) -> str:
    number = ord(letter)
    if letter in kept:
        return letter
    if 0xDC80 <= number <= 0xDCFF:  # a byte that is not UTF-8, as `surrogateescape`
        number -= 0xDC00
    return f'\\x{number:02x}' if number < 0x100 else f'\\u{number:04x}'
