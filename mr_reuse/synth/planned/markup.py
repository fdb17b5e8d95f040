"""From the words of a page to HTML from which a reader should get the same words.

The markup varies: tags within sentences, character references, upper case, and
comments, scripts, styles and attributes that have the words of another page. Readers
that take these for text, or miss a tag, find other grams.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from mr_reuse.synth.key import Page
from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import PlannedPage
from mr_reuse.synth.prose import draw

Choice = TypeVar('Choice')

STARTS = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n',
    '<HTML>\n<HEAD>\n',
    '<!-- {decoy} -->\n<html><head>',
    '\n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">\n<html><head>\n',
)
HEADS = (
    '<style>/* {decoy} */ p > b { margin: 0 }</style>\n',
    '<script>if (1 < 2) document.title = "{decoy}";</script>\n',
    '<meta name="description" content="{decoy}">\n',
    '<SCRIPT type="text/plain">{decoy}</p></SCRIPT>\n',
)
# Between two words of a paragraph. The first ones are the most frequent.
GAPS = (
    *[' '] * 40,
    *['\n', ', ', '. ', '; ', ': ', '&nbsp;', ' &amp; ', ' - ', '-', '/', '_'],
    *['<br>', '<wbr>', '&mdash;', '&#8211;', '\t', ' &lt; ', "'", ' (', ') '],
    '<!---->',
    '<!-- {decoy} -->',
    '<?php {decoy} ?>',
    '<img src="/a.png" alt="{decoy}">',
    "<img alt='{decoy} > {decoy}'>",
    '<script>/* {decoy} */</script>',
)
# Around a word. The first entry is the most frequent one.
WRAPS = (
    *['{word}'] * 50,
    '<b>{word}</b>',
    '<I>{word}</I>',
    '<a href="/{word}.html" title="{decoy}">{word}</a>',
    "<span class='x > y'>{word}</span>",
    '<q>{word}</q>',
    '<em\n>{word}</em >',
    '<code>{word}</code>',
)
# Around a paragraph.
BLOCKS = (
    *[('<p>', '</p>\n')] * 4,
    ('<p class="text">', '\n'),
    ('<div>', '</div>\n'),
    ('<DIV ID=a><P>', '</P></DIV>\n'),
    ('<ul><li>', '</li></ul>\n'),
    ('<table><tr><td>', '</table>\n'),
    ('<h2>', '</h2>\n'),
    ('<blockquote>', '</blockquote>\n'),
    ('<noscript>', '</noscript>\n'),
)
MENU = '<ul>\n{}</ul>\n'
ENTRY = '<li><a href="/{0}/">{0}</a>\n'
SCRIPT = re.compile(r'<(script|style)\b.*?</\1>', re.IGNORECASE | re.DOTALL)
LINK = '<a href="{}"><img src="/link.png" alt=""></a>\n'
DECOY = 12  # words
PARAGRAPH = 40  # words at most


def make_page(planned: PlannedPage) -> Page:
    """Return a page as it was planned."""
    return Page(
        planned.url,
        planned.server.host,
        html_of(planned).encode(),
        filler=False,
        address=planned.server.address,
        text=' '.join(words_of(planned)).encode(),
    )


def words_of(page: PlannedPage) -> list[str]:
    """Return all words of a page in their order."""
    first, second = page.top
    words = [*first.words(), *page.menu, *second.words()]
    for passage in [*page.content, page.bottom]:
        words += passage.words()
    return words


def html_of(page: PlannedPage) -> str:
    """Return the HTML of a page."""
    bits = iter(draw(64 + 4 * page.words, page.top[0].seed, 'markup', page.url))
    decoy = ' '.join(page.decoy.words()[:DECOY]) if page.decoy else ''
    title, lead = page.top
    parts = [
        _choose(STARTS, bits),
        f'<title>{_text(title.words(), bits, plain=True)}</title>\n',
        _choose(HEADS, bits),
        '</head>\n<body>\n',
        MENU.format(''.join(map(ENTRY.format, page.menu))) if page.menu else '',
        *_paragraphs(lead, bits),
    ]
    for passage, link in zip_longest(page.content, page.links, fillvalue=''):
        parts += [LINK.format(link)] if link else []
        parts += _paragraphs(passage, bits)
    parts += [*_paragraphs(page.bottom, bits), '</body>\n</html>\n']
    html = ''.join(parts)
    if not page.has_scripts:
        html = SCRIPT.sub('<!---->', html)
    return html.replace('{decoy}', decoy)


def _choose(choices: Sequence[Choice], bits: Iterator[int]) -> Choice:
    return choices[next(bits) % len(choices)]


def _paragraphs(passage: Passage, bits: Iterator[int]) -> Iterator[str]:
    """Yield a passage in one paragraph or several."""
    words = passage.words()
    for start in range(0, len(words), PARAGRAPH):
        opening, closing = _choose(BLOCKS, bits)
        yield opening + _text(words[start : start + PARAGRAPH], bits) + closing


def _text(words: list[str], bits: Iterator[int], plain: bool = False) -> str:
    """Return words with markup, or with character references only."""
    parts = []
    for place, word in enumerate(words):
        if place:
            parts.append(' ' if plain else _choose(GAPS, bits))
        spelled = spell(word, next(bits))
        wrap = '{word}' if plain else _choose(WRAPS, bits)
        parts.append(wrap.replace('{word}', spelled))
    return ''.join(parts)


def spell(word: str, bit: int) -> str:
    """Return a word as text of HTML: mostly as it is, else by the number in `bit`.

    >>> [spell('tea', bit) for bit in range(6)]
    ['Tea', 'TEA', '&#116;ea', 't&#x65;a', 't&#101a', 'tea']
    """
    match bit:
        case 0 | 10 | 20 | 30:
            return word.capitalize()
        case 1:
            return word.upper()
        case 2:
            return f'&#{ord(word[0])};{word[1:]}'
        case 3 if len(word) > 1:
            return f'{word[0]}&#x{ord(word[1]):x};{word[2:]}'
        case 4 if len(word) > 1:
            return f'{word[0]}&#{ord(word[1])}{word[2:]}'
    return word
