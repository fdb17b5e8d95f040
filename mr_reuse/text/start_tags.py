"""The start tags of a page with their classes, and the program that it names.

No charset is applied: each byte is a character, as in `page_tags.py`. Values are as
written, with their character references.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from mr_reuse.messages import to_text
from mr_reuse.text.markup import Markup
from mr_reuse.text.page_tags import lower_name
from mr_reuse.text.tags import Part

SPACE = re.compile(r'[\t\n\f\r ]+')
NAME = re.compile(r'<([^\t\n\f\r />]*)')
ATTRIBUTE = re.compile(
    r"""[\t\n\f\r /]*
    (=?[^\t\n\f\r />=]+|=)  # its name
    [\t\n\f\r ]*
    (?:=[\t\n\f\r ]*("[^"]*"|'[^']*'|(?!["'])[^\t\n\f\r >]*))?""",
    re.VERBOSE,
)
LONGEST_TAG = 2000  # bytes; longer ones are left out
MAX_KNOWN = 10_000  # tags that are remembered
LONGEST_GENERATOR = 200  # characters


class StartTag(NamedTuple):
    """A start tag: its name in lower case, and its classes."""

    name: str
    classes: tuple[str, ...]

    @property
    def selector(self) -> str:
        """The name and the first class, as in a style sheet.

        >>> StartTag('td', ('even', 'last')).selector
        'td.even'
        """
        return f'{self.name}.{self.classes[0]}' if self.classes else self.name


class PageTags(NamedTuple):
    """The start tags of a page, and the value of `<meta name="generator">`."""

    tags: list[StartTag]
    generator: str


class StartTagMarkup(Markup):
    """A tokenizer that keeps start tags."""

    def __init__(self) -> None:
        super().__init__(keeps_scripts=False)
        self.found: list[str] = []
        self._opened = ''  # the part of an open tag that came

    def _split(self, pattern, window: str, is_sure: bool) -> tuple[int, bool]:
        came, is_usual = super()._split(pattern, window, is_sure)
        tokens = pattern.split(window[:came])[1::2]
        self.found += [t for t in tokens if t[0] == '<' and t[1] not in '!?/']
        return came, is_usual

    def _tag(self, text: str, at: int) -> int:
        end = super()._tag(text, at)
        self._opened += text[at:end]
        if self._part == Part.DONE:
            if not self._is_end_tag:
                self.found.append(f'<{self._opened}')
            self._opened = ''
        return end


def read_start_tags(body: bytes, most: int) -> PageTags:
    """Return at most so many of the first start tags of a body.

    >>> page = b'<P class="a b">x<!-- <i> --><meta name=generator content=G>'
    >>> found = read_start_tags(page, 9)
    >>> [tag.name for tag in found.tags], found.generator
    (['p', 'meta'], 'G')
    """
    markup, text = StartTagMarkup(), body.decode('latin-1')
    markup.read(text, True)
    found = [tag for tag in markup.found[:most] if len(tag) <= LONGEST_TAG]
    tags = [read_tag(tag) for tag in found]
    metas = (tag for tag, read in zip(found, tags, strict=True) if read.name == 'meta')
    return PageTags(tags, find_generator(metas))


@lru_cache(MAX_KNOWN)
def read_tag(tag: str) -> StartTag:
    """Return the name and the classes of a tag.

    >>> read_tag('<TD CLASS="even last">')
    StartTag(name='td', classes=('even', 'last'))
    """
    name, classes = lower_name(NAME.match(tag)[1].encode('latin-1')), ''
    if 'class' in tag or 'class' in tag.lower():
        classes = read_attributes(tag).get('class', '').strip('\t\n\f\r ')
    names = SPACE.split(_to_text(classes)) if classes else []
    return StartTag(to_text(name), tuple(names))


def read_attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a tag; of several with a name, the first counts.

    >>> read_attributes('<a href=x/ CLASS = "b c"id=\\'d\\' class=e hidden>')
    {'href': 'x/', 'class': 'b c', 'id': 'd', 'hidden': ''}
    """
    found: dict[str, str] = {}
    at, end = NAME.match(tag).end(), len(tag) - 1
    # A search would try each of many blanks as a beginning.
    while match := ATTRIBUTE.match(tag, at, end):
        at, value = match.end(), match[2] or ''
        if value[:1] in ('"', "'"):
            value = value[1:-1]
        found.setdefault(match[1].lower(), value)
    return found


def find_generator(metas: Iterable[str]) -> str:
    """Return the program that the first such `meta` tag names; '' without one.

    >>> find_generator(['<meta name="x">', "<meta content='A  1' name='Generator'>"])
    'A 1'
    """
    for tag in metas:
        if 'generator' in tag.lower():
            attributes = read_attributes(tag)
            if attributes.get('name', '').strip('\t\n\f\r ').lower() == 'generator':
                text = SPACE.sub(' ', attributes.get('content', '')).strip(' ')
                return _to_text(text)[:LONGEST_GENERATOR]
    return ''


def _to_text(text: str) -> str:
    return to_text(text.encode('latin-1'))
