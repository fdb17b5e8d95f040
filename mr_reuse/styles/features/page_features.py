"""The features of a page: its start tags, its classes, its generator, its path."""

import re
from collections.abc import Collection
from typing import NamedTuple

from mr_reuse.algorithms.common_sequences import join_repeats
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.text.start_tags import read_start_tags

READ = 128 << 10  # bytes of a page
TAGS = 1000  # start tags of a page
MAX_NAMES = 300  # different tags of a page, and different classes
MAX_MARKUP = 300  # items of its markup
MAX_PATH = 40  # pieces of a path
BEFORE_PATH = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:(?://[^/?#]*)?')
NUMBER = re.compile(r'(%[0-9A-Fa-f]{2})|[0-9]+')
ENDING = re.compile(r'(?<=.)\.[A-Za-z][A-Za-z0-9]{0,7}\Z')


class PageFeatures(NamedTuple):
    """The features of a page."""

    tags: Collection[str]  # names, in the order in which they occur first
    classes: Collection[str]  # likewise
    generator: str
    markup: list[str]  # selectors of start tags; repetitions in a row count once
    path: list[str]  # pieces of the path of its URL

    @classmethod
    def parse(cls, text: bytes) -> 'PageFeatures':
        """Parse a text."""
        tags, classes, generator, markup, path = to_text(text).split('\t')
        names, classes, markup, path = (
            cell.split(' ') if cell else [] for cell in (tags, classes, markup, path)
        )
        return cls(names, classes, generator, markup, path)

    def to_text(self) -> bytes:
        """Make a text for a line.

        >>> page = read_features(b'<p class=a><p class=a><b>', 'http://a.org/x.html')
        >>> page.markup, PageFeatures.parse(page.to_text()) == page
        (['p.a', 'b'], True)
        """
        cells = (c if isinstance(c, str) else ' '.join(c) for c in self)
        return to_bytes('\t'.join(cells))


def read_features(body: bytes, url: str) -> PageFeatures:
    """Return the features of a page, given the beginning of its body."""
    found = read_start_tags(body[:READ], TAGS)
    selectors = join_repeats([tag.selector for tag in found.tags])
    return PageFeatures(
        list(dict.fromkeys(tag.name for tag in found.tags))[:MAX_NAMES],
        list(dict.fromkeys(c for tag in found.tags for c in tag.classes))[:MAX_NAMES],
        found.generator,
        selectors[:MAX_MARKUP],
        split_path(url),
    )


def split_path(url: str) -> list[str]:
    """Divide the path of a URL into pieces; a star stands for digits of the last name.

    >>> split_path('http://a.org/2020/view12.php?t=7&p=8#x')
    ['/2020', '/view*', '.php', '?t=', '&p=']
    >>> split_path('http://a.org'), split_path('http://a.org/b c/')
    ([], ['/b%20c', '/'])
    """
    place = BEFORE_PATH.match(url)
    path = url[place.end() :] if place else url
    path = path.partition('#')[0].replace(' ', '%20')
    path, _, query = path.partition('?')
    *folders, name = path.split('/')
    found = ENDING.search(name)
    stem, ending = (name[: found.start()], [found[0]]) if found else (name, [])
    stem = NUMBER.sub(lambda number: number[1] or '*', stem)
    names = [f'/{part}' for part in [*folders[1:], stem]] if folders else [stem]
    pairs = [pair.partition('=') for pair in query.split('&') if pair]
    keys = [f'{"&" if n else "?"}{key}{is_}' for n, (key, is_, _) in enumerate(pairs)]
    return list(filter(None, [*names, *ending, *keys]))[:MAX_PATH]


def format_path(pieces: list[str], gaps: list[bool]) -> str:
    """Format pieces of paths as a pattern; a star stands for anything.

    `gaps` says whether others are before each piece, and after the last one.

    >>> format_path(['/doc', '.html'], [False, True, False])
    '/doc/*.html'
    >>> format_path(['/doc', '/view', '?t='], [True, False, False, True])
    '/*/doc/view?t=*'
    """
    pattern = ''
    for piece, has_gap in zip(pieces, gaps, strict=False):
        if has_gap and piece[0] in '?&':
            pattern += '*'
        elif has_gap:
            pattern += '/*'
        if has_gap or not pattern.endswith('='):
            pattern += piece
        else:
            pattern += f'*{piece}'
    return pattern + '*' * (gaps[-1] or pattern.endswith('='))
