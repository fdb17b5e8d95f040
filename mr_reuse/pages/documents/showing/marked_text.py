"""The text of a page, divided at marked spans of its words."""

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from mr_reuse.text.page_text import PageText

Mark = TypeVar('Mark')
Span = tuple[int, int]  # the first word, and the word after the last one
SPACE = re.compile(r'[ \t\r\f\v\xa0]+')
LINES = re.compile(r' ?\n[ \n]*')


def divide_text(
    page: PageText, spans: Iterable[tuple[Span, Mark]]
) -> Iterator[tuple[str, Mark | None]]:
    """Divide a text at spans of words, which come in order and do not overlap.

    Yields the parts, each with the mark of its span; None between spans.

    >>> import numpy as np
    >>> page = PageText('\\n A b  c', np.array([[2, 3], [4, 5], [7, 8]]))
    >>> list(divide_text(page, [((1, 2), 'x')]))
    [('A ', None), ('b', 'x'), (' c', None)]
    """
    at, end = len(page.text) - len(page.text.lstrip()), len(page.text.rstrip())
    for (first, last), mark in spans:
        start, stop = int(page.words[first, 0]), int(page.words[last - 1, 1])
        if start > at:
            yield join_spaces(page.text[at:start]), None
        yield join_spaces(page.text[start:stop]), mark
        at = stop
    if at < end:
        yield join_spaces(page.text[at:end]), None


def join_spaces(text: str) -> str:
    """Join spaces and empty lines.

    >>> join_spaces('a \\t b \\n \\n c')
    'a b\\nc'
    """
    return LINES.sub('\n', SPACE.sub(' ', text))
