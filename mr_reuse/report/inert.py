"""What comes out of pages, made inert: no longer than there is room for.

Escaping for HTML is the business of the templates; `visible` shows what would still
deceive: characters that are not seen, or that turn the order of others around.
"""

import shlex

from mr_reuse.messages import HIDDEN

__all__ = ['command', 'cut', 'middle', 'show']

MOST = 300  # letters of a URL


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
