"""A page as lines for a terminal: marked parts of its text are in brackets."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from mr_reuse.messages import format_bytes, make_visible, write_visible
from mr_reuse.pages.documents.showing import opened

COLOURS = 36, 33, 35, 32, 34, 31  # of the terminal, so they suit its background
COLOUR = '\x1b[1;{}m{}\x1b[0m'
MAX_WIDTH = 100
Lines = Iterator[str]


class Style(NamedTuple):
    """How lines are written."""

    has_colour: bool = False
    width: int = 0  # of lines in characters; 0 to leave them as they are


class Piece(NamedTuple):
    """A part of a text. One with a mark is in brackets, which begin with the mark."""

    text: str
    mark: str = ''
    colour: int | None = None  # any number


def choose_style(is_terminal: bool, columns: int, settings: Mapping[str, str]) -> Style:
    """Choose the style for standard output, by the variables of the environment.

    >>> choose_style(True, 200, {}), choose_style(True, 80, {'NO_COLOR': '1'})
    (Style(has_colour=True, width=100), Style(has_colour=False, width=80))
    >>> choose_style(False, 80, {})
    Style(has_colour=False, width=0)
    """
    if not is_terminal:
        return Style()
    is_plain = settings.get('NO_COLOR') or settings.get('TERM') == 'dumb'
    return Style(not is_plain, min(columns, MAX_WIDTH))


def find_style() -> Style:
    """Return the style for standard output."""
    columns = shutil.get_terminal_size().columns
    return choose_style(sys.stdout.isatty(), columns, os.environ)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines to standard output."""
    for line in lines:
        write_visible(f'{line}\n')


def paint(text: str, colour: int | None, style: Style) -> str:
    """Give a text a colour.

    >>> [paint('a', colour, Style(True)) for colour in (6, None)]
    ['\\x1b[1;36ma\\x1b[0m', 'a']
    """
    if not style.has_colour or colour is None:
        return text
    return COLOUR.format(COLOURS[colour % len(COLOURS)], text)


def list_head(url: str, date: str, rid: str, is_cut: bool = False) -> Lines:
    """Yield the names of a page; `is_cut` says that its end was not read."""
    yield make_visible('  '.join(filter(None, [url, date, rid])))
    if is_cut:
        yield f'only its first {format_bytes(opened.SHOWN)} are shown'


def format_text(pieces: Iterable[Piece], style: Style) -> Lines:
    """Yield the lines of a text, with a bracket around each part with a mark.

    >>> parts = Piece('a '), Piece('b c', '1', 0), Piece(' '), Piece('d', '4', 3)
    >>> list(format_text(parts, Style()))
    ['a [1 b c] [4 d]']
    >>> list(format_text(parts, Style(width=8)))
    ['a [1 b', 'c] [4 d]']
    """
    line: list[tuple[str, int | None]] = []
    used, may_break = 0, False
    for word, colour in _list_words(pieces):
        is_full = may_break and used + len(word.rstrip()) > style.width > 0
        if word == '\n' or is_full:
            yield _join_line(line, style)
            line, used, may_break = [], 0, False
        if word != '\n':
            line.append((word, colour))
            used += len(word)
            may_break = word.endswith(' ')
    if line:
        yield _join_line(line, style)


def _join_line(line: Iterable[tuple[str, int | None]], style: Style) -> str:
    """Join words with the space behind them. Each has its colour."""
    parts = []
    for colour, group in groupby(line, lambda pair: pair[1]):
        text = ''.join(word for word, _ in group)
        end = ' ' * text.endswith(' ')
        parts.append(paint(text.removesuffix(' '), colour, style) + end)
    return ''.join(parts).rstrip()


def _list_words(pieces: Iterable[Piece]) -> Iterator[tuple[str, int | None]]:
    """Yield words with the space behind them, each with its colour; and `\\n`."""
    for part, mark, colour in pieces:
        text = f'[{mark} {part}]' if mark else part
        for number, row in enumerate(make_visible(text, kept='\n').split('\n')):
            if number:
                yield '\n', None
            for word in _cut_words(row):
                yield word, colour


def _cut_words(row: str) -> Iterator[str]:
    """Yield the words of a row, each with the space behind it.

    >>> list(_cut_words(' a b')), list(_cut_words('')), list(_cut_words('c '))
    ([' ', 'a ', 'b'], [], ['c '])
    """
    *words, last = row.split(' ')
    yield from (f'{word} ' for word in words)
    if last:
        yield last
