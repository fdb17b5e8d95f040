"""Pieces of markup whose noise no other piece has.

The noise of a page is its bytes without letters, digits, and bytes from 0x80 on. It
shows which template made the page, and not what the page says. A piece is a sequence of
patterns of elements. Pages that have the same piece fill in words of their own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mr_reuse.synth.planned.planned_page import NAMES
from mr_reuse.synth.prose import draw, pick

WORD = '@'  # in a pattern; words and the names of tags are no noise
INDENTS = '', ' ', '  ', '\t', '    ', '\t\t', '      ', '\t '
TAGS = 'div', 'span', 'li', 'td', 'section', 'a', 'b', 'h2'
ATTRIBUTES = (
    *('class="@"', 'class="@ @"', 'class="@-@"', 'class="@__@--@"', 'id="@_@"'),
    *('style="@:0"', "style='@: 0px; @: 0%'", 'style="@-@:0;@:#000"', 'title="@ (@)"'),
    *('href="/@/@.html"', 'href="/@/?@=0&amp;@=0"', "href='#@'", 'href="../@/#@-@"'),
    *('onclick="@(\'@\', 0);"', "onclick='return @.@();'", 'alt="@, @"', 'alt=""'),
    *('src="//@.example/@.js?v=0.0"', 'src="/@/@-0x0.png"', 'width=0', "width='0%'"),
    *('data-@=\'{"@": 0}\'', "data-@='[0, 0]'", 'data-@="@|@|@"', 'data-@="@@@"'),
    *('role="@"', 'aria-@="@"', 'content="@; @=@-0"', "rel='@ @'", 'lang=@'),
    *('datetime="0-0-0T0:0:0+0:0"', 'srcset="@.png 0x, @.png 0x"'),
)
TEXTS = (
    *('', '@', '@ @', '@, @ &amp; @', '@: @', '(@)', '&laquo;@&raquo;', "@'s @"),
    *('@ - @', '@/@', '@; @', '@... @', '@? @!', '[0]', '$0.00', '0 %'),
)
ENDS = '</@>', '', '<br />', '<!-- @ -->'
PLACE = re.compile(WORD)
BYTES = 8  # that decide an element


@dataclass(slots=True, frozen=True)
class Piece:
    """Markup that depends on the seed, the number and the length only."""

    seed: int
    number: int
    length: int  # in elements

    def patterns(self) -> Iterator[str]:
        r"""Yield the elements, with a mark in the place of each word.

        >>> next(Piece(1, 3, 2).patterns())
        "\t<b rel='@ @'>0 %<br />\n"
        """
        bits = draw(BYTES * self.length, self.seed, 'piece', self.number)
        for start in range(0, len(bits), BYTES):
            yield pattern_of(bits[start : start + BYTES])

    def fill_in(self, words: str) -> str:
        r"""Return the markup with words that depend on a name.

        >>> Piece(1, 3, 1).fill_in('a')
        "\t<b rel='calendar quarry'>0 %<br />\n"
        """
        text = ''.join(self.patterns())
        numbers = iter(draw(text.count(WORD), self.seed, 'fill', self.number, words))
        return PLACE.sub(lambda _: pick(NAMES, next(numbers)), text)


def pattern_of(bits: bytes) -> str:
    """Return the pattern of an element, of one to four attributes."""
    indent, tag, count, text, *attributes = bits
    parts = [pick(ATTRIBUTES, number) for number in attributes[: 1 + count % 4]]
    start = ' '.join([f'<{pick(TAGS, tag)}', *parts])
    # Other bits of the same numbers, so that an element needs few of them.
    end = pick(ENDS, count // 4)
    return f'{pick(INDENTS, indent)}{start}>{pick(TEXTS, text)}{end}\n'
