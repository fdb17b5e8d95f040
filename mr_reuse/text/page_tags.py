"""The tags of a page, as its tokenizer emits them, without their attributes.

No charset is applied: each byte is a character. So bytes from 0x80 on stay in names as
they are, and a body in UTF-16 has no tags, since a zero byte follows each `<`.
"""

import re

from mr_reuse.text import tags
from mr_reuse.text.markup import Markup
from mr_reuse.text.tags import Part

NAME = re.compile(rb'</?([^\t\n\f\r />]*)')
BARE_END = re.compile(rb'=[^\t\n\f\r "\'<>=]*/>\Z')  # of a value without quotes
NUL = '\ufffd'.encode()  # takes the place of a zero byte in a name
HELD = 1 << 16  # bytes of an open tag that wait for its end


def read_tags(body: bytes) -> bytes:
    """Return the tags of a body without gaps.

    >>> read_tags(b'<P class="x">a<br/><!-- <b> --><a href=x/></p ></i')
    b'<p><br/><a></p>'
    """
    return TagReader().read(body, True)[0]


class TagReader:
    """Reads the tags of a body that may come in parts."""

    def __init__(self):
        self._markup = TagMarkup()
        self._left = ''

    def read(self, data: bytes, is_last: bool) -> tuple[bytes, int]:
        """Return tags, and how many bytes of them are of tags that have ended.

        Of a long tag that goes on, what came so far follows these.

        >>> tags = TagReader(); tags.read(b'<p><b', False), tags.read(b'r/><i', True)
        ((b'<p>', 3), (b'<br/>', 5))
        """
        text = self._left + data.decode('latin-1')
        self._left = text[self._markup.read(text, is_last) :]
        self._markup.take()
        return self._markup.take_tags(is_last)


class TagMarkup(Markup):
    """A tokenizer that keeps tags."""

    def __init__(self):
        super().__init__(keeps_scripts=False)
        self._tags = bytearray()
        self._opened: int | None = None  # where in them the open tag begins
        self._before = ''  # the last character of the open tag

    def take_tags(self, is_last: bool) -> tuple[bytes, int]:
        """Return what `TagReader.read` does."""
        found = bytes(self._tags)
        sure = len(found) if self._opened is None else self._opened
        if is_last or 0 < len(found) - sure <= HELD:
            self._tags = bytearray(found[sure:])
            found = found[:sure]
        else:
            self._tags = bytearray()
        self._opened = None if self._opened is None else 0
        return found, sure

    def _split(self, pattern, window: str, is_sure: bool) -> tuple[int, bool]:
        came, is_usual = super()._split(pattern, window, is_sure)
        for token in pattern.split(window[:came])[1::2]:
            if token[0] == '<' and token[1] not in '!?':
                self._tags += shorten(token.encode('latin-1'))
        return came, is_usual

    def _open(self, text: str, at: int) -> int:
        came = super()._open(text, at)
        if self._state == self._tag:
            self._begin_tag('')
        return came

    def _end_raw(self, text: str, at: int) -> int:
        came = super()._end_raw(text, at)
        self._begin_tag(self._name)
        return came

    def _begin_tag(self, name: str) -> None:
        self._opened = len(self._tags)
        self._tags += b'</' if self._is_end_tag else b'<'
        self._tags += name.encode()

    def _tag(self, text: str, at: int) -> int:
        part = self._part
        end = super()._tag(text, at)
        if part == Part.NAME:
            name = text[at : tags.PATTERNS[part].match(text, at).end()]
            self._tags += lower_name(name.encode('latin-1'))
        if self._part == Part.DONE:
            before = self._before
            closes = _closes_itself(before + text[at:end], len(before), part)
            self._tags += b'/>' if closes else b'>'
            self._opened = None
        self._before = text[max(at, end - 1) : end]
        return end


def lower_name(name: bytes) -> bytes:
    """Return a name of a tag as tokenizers give it."""
    return name.lower().replace(b'\0', NUL)


def shorten(tag: bytes) -> bytes:
    """Return a usual tag without attributes, with its name in lower case.

    >>> shorten(b'<IMG a=b />'), shorten(b'<a b=c/>'), shorten(b'</p\\n>')
    (b'<img/>', b'<a>', b'</p>')
    """
    match = NAME.match(tag)
    closes = tag.endswith(b'/>') and not BARE_END.search(tag, match.end())
    start, end = b'</' if tag.startswith(b'</') else b'<', b'/>' if closes else b'>'
    return start + lower_name(match[1]) + end


def _closes_itself(text: str, at: int, part: Part) -> bool:
    """Return whether the `/` before the end of a tag is not that of a value.

    >>> _closes_itself('br/>', 0, Part.NAME), _closes_itself('c/>', 0, Part.BARE)
    (True, False)
    """
    while True:
        end = tags.PATTERNS[part].match(text, at).end()
        following = tags.NEXT[part]
        next_part, taken = following.get(text[end]) or following['']
        if next_part == Part.DONE:
            return part == Part.BEFORE and text[end - 1] == '/'
        at, part = end + taken, next_part
