"""Text from crawled pages, shortened and quoted for the report.

The templates escape HTML. `messages.make_visible` spells out the characters that would
still deceive a reader: invisible ones, and those that reverse the order of others.
"""

import shlex

from markupsafe import Markup

from mr_reuse.messages import HIDDEN

__all__ = ['command', 'cut', 'mark_code', 'middle', 'show']

MAX_URL = 300  # characters


def cut(text: str, most: int = MAX_URL) -> str:
    """Shorten a text at its end.

    >>> cut('abcdef', 4)
    'abc…'
    """
    return text if len(text) <= most else f'{text[: most - 1]}…'


def middle(text: str, most: int) -> str:
    """Shorten a text in its middle, since the ends of a host name tell hosts apart.

    >>> middle('shop.example.org', 9)
    'shop….org'
    """
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f'{text[: most - 1 - end]}…{text[-end:]}'


def command(name: str, *words: str) -> str:
    """Quote a command line for a shell; '' if a word has invisible characters.

    >>> command('detect', '-o', 'my run'), command('detect', '-o', 'a\\x1b')
    ("python -m mr_reuse.detect -o 'my run'", '')
    """
    if any(map(HIDDEN.search, words)):
        return ''
    return shlex.join(['python', '-m', f'mr_reuse.{name}', *words])


def show(run: str, name: str) -> str:
    """Quote the `show` command for a hash, a rid or a neighborhood.

    >>> show('RUN', 'a.org/$(x)/')
    "python -m mr_reuse.show RUN 'a.org/$(x)/'"
    >>> show('RUN', '-x.org/')
    'python -m mr_reuse.show RUN -- -x.org/'
    """
    return command('show', run, *(['--'] if name.startswith('-') else []), name)


def mark_code(text: str) -> Markup:
    """Replace the backticks of a text of this project by elements.

    >>> mark_code('labels of `detect` & others')
    Markup('labels of <code>detect</code> &amp; others')
    """
    marked = (
        Markup('<code>{}</code>' if number % 2 else '{}').format(part)
        for number, part in enumerate(text.split('`'))
    )
    return Markup().join(marked)
