"""The tags of a page, as its tokenizer emits them, without their attributes."""

import re

from mr_reuse.text import tags
from mr_reuse.text.markup import Markup
from mr_reuse.text.tags import Part

NAME = re.compile(rb'</?([^\t\n\f\r />]*)')


def read_tags(body: bytes) -> bytes:
    """Return the tags of a body without gaps; no charset is applied.

    >>> read_tags(b'<P class="x">a<br/><!-- <b> --><a href=x/></p ></i')
    b'<p><br/><a></p>'
    """
    markup = TagMarkup()
    markup.read(body.decode('latin-1'), is_last=True)
    return b''.join(shorten(tag.encode('latin-1')) for tag in markup.tags)


class TagMarkup(Markup):
    """A tokenizer that keeps the tags of a page, which it reads at once."""

    def __init__(self):
        super().__init__(keeps_scripts=False)
        self.tags: list[str] = []
        self._start = 0  # of the tag that is being read

    def _split(self, pattern, window: str, is_sure: bool) -> tuple[int, bool]:
        came, is_usual = super()._split(pattern, window, is_sure)
        for token in pattern.split(window[:came])[1::2]:
            if token[0] == '<' and token[1] not in '!?':
                self.tags.append(token)
        return came, is_usual

    def _open(self, text: str, at: int) -> int:
        self._start = at
        return super()._open(text, at)

    def _end_raw(self, text: str, at: int) -> int:
        self._start = at
        return super()._end_raw(text, at)

    def _tag(self, text: str, at: int) -> int:
        end = super()._tag(text, at)
        if self._part == Part.DONE:
            self.tags.append(text[self._start : end])
        return end


def shorten(tag: bytes) -> bytes:
    """Return a tag without attributes, with its name in lower case.

    >>> shorten(b'<IMG a=b />'), shorten(b'<a b=c/>'), shorten(b'</p\\n>')
    (b'<img/>', b'<a>', b'</p>')
    """
    match = NAME.match(tag)
    name = match[1].lower().replace(b'\0', '\ufffd'.encode())
    slash = b'/' if tag.endswith(b'/>') and _closes_itself(tag) else b''
    return b'<%b%b%b>' % (b'/' if tag.startswith(b'</') else b'', name, slash)


def _closes_itself(tag: bytes) -> bool:
    """Return whether the `/` before the end is not the end of a value."""
    text = tag.decode('latin-1')
    at, part = 1 + text.startswith('</'), Part.NAME
    while True:
        end = tags.PATTERNS[part].match(text, at).end()
        if text[end] == '>' and end == len(text) - 1:
            return part == Part.BEFORE
        following = tags.NEXT[part]
        part, taken = following.get(text[end]) or following['']
        at = end + taken
