"""The text of a page for a person to read, with the place of each word in it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.text.characters import character_table
from mr_reuse.text.decoding import make_decoder
from mr_reuse.text.markup import Markup
from mr_reuse.text.page_words import PLAIN, WordRule, find_encoding
from mr_reuse.text.word_edges import find_words

TAG = re.compile(r'</?([a-zA-Z][^\t\n\f\r />]*)')
# Tags at which a browser begins a line.
BLOCKS = frozenset(
    'address article aside blockquote body br caption center dd details dialog dir div '
    'dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head '
    'header hgroup hr html iframe legend li link listing main menu meta nav noframes '
    'noscript ol optgroup option p plaintext pre script search section select style '
    'summary table tbody td template textarea tfoot th thead title tr ul xmp'.split()
)
# Line breaks in markup mean spaces. There is one character for each.
SPACES = str.maketrans(dict.fromkeys('\t\n\f\r', ' '))


class PageText(NamedTuple):
    """The text of a page. It has a line break for each tag that begins a line."""

    text: str
    words: np.ndarray  # a row for each word: its start and stop in the text


def read_text(body: bytes, charset: str, kind: str, rule: WordRule) -> PageText:
    """Read the text of a body; its words are those of `page_words.read_words`.

    >>> body = b'<p>Caf&eacute; <b>au</b><p>x'
    >>> page = read_text(body, '', 'html', WordRule('drop'))
    >>> page.text, [page.text[start:stop] for start, stop in page.words.tolist()]
    ('\\nCafé  au \\nx', ['Café', 'au', 'x'])
    """
    page, _ = make_decoder(find_encoding(body, charset, kind)).decode(body, True)
    text = page
    if kind != PLAIN:
        markup = Markup(rule.scripts == 'keep')
        markup.read(page, True)
        text = ''.join(break_lines(page, *markup.take()))
    found = find_words(text, character_table(rule.words))
    last = found.last
    if len(found.first) > len(last):  # the last word ends with the page
        last = np.append(last, found.end)
    return PageText(text, np.stack([found.first, last + 1], axis=1))


def break_lines(page: str, outs: Sequence[str], lengths: Sequence[int]) -> list[str]:
    """Return the parts of a text, with line breaks for some of the tags.

    `outs` and `lengths` are those of `Markup`: each tag is a space there, perhaps with
    empty parts before it. No part changes its length.

    >>> break_lines('a\\nb<br>c<i>', ['a\\nb', ' ', 'c', ' '], [3, 4, 1, 3])
    ['a b', '\\n', 'c', ' ']
    """
    parts: list[str] = []
    at = start = 0  # `start` is where the empty parts before this part begin
    for out, length in zip(outs, lengths, strict=True):
        part = out.translate(SPACES)
        if out == ' ':
            tag = TAG.match(page, at) or TAG.match(page, start)
            if tag and tag[1].lower() in BLOCKS:
                part = '\n'
        parts.append(part)
        at += length
        if out:
            start = at
    return parts
