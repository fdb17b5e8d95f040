"""The text of a page without its markup, by the tokens of the WHATWG HTML tokenizer.

No tree is built. Each tag, comment and doctype becomes a space, and each character
reference its characters. A page may come in parts that end anywhere.

The tokenizer is a method for each state of which a page may be full. A method takes the
characters from a place on, and returns the place to which it came; the same place, if
it needs more characters. In the data state `TOKENS` splits a window into text and usual
tokens. The first token that is unusual, or that the window may have cut, goes through
the other states.
"""

from mr_reuse.text import references, tags
from mr_reuse.text.references import Reference, character_of, read_reference
from mr_reuse.text.tags import LONGEST_END, Part

SMALLEST, LARGEST = 1 << 8, 1 << 16  # windows, in characters
AHEAD = references.LONGEST + 8  # an unfinished name of a reference is shorter
LONG_NUMBER = 40  # a longer reference takes only its last character of the page
MAX_KNOWN = 10_000
KEPT_NAME = max(map(len, tags.SPECIAL)) + 1
HEX = frozenset('0123456789abcdefABCDEF')


class Markup:
    """The tokenizer. `outs` is the text, `lengths` what each part takes of the page."""

    def __init__(self, keeps_scripts: bool):
        """`keeps_scripts`: whether the content of `script` and `style` is text."""
        self.outs: list[str] = []
        self.lengths: list[int] = []
        self._keeps = keeps_scripts
        self._state = self._data
        self._window = SMALLEST
        self._is_last = False
        self._part = Part.NAME
        self._is_end_tag = False
        self._name = ''  # of the last start tag
        self._script = tags.SCRIPT
        self._known: dict[str, Reference] = {}
        self._digits, self._base = '', 10
        self._back = self._data
        self._new_name = ''

    def read(self, text: str, is_last: bool) -> int:
        """Read characters, and return how many were read.

        The caller gives the rest again, in front of more.
        """
        self._is_last = is_last
        at = 0
        while at < len(text):
            state, came = self._state, self._state(text, at)
            if came == at and state == self._state:
                break
            at = came
        return at

    def take(self) -> tuple[list[str], list[int]]:
        """Return the parts since the last call."""
        found = self.outs, self.lengths
        self.outs, self.lengths = [], []
        return found

    def _put(self, text: str, length: int) -> None:
        self.outs.append(text)
        self.lengths.append(length)

    def _data(self, text: str, at: int) -> int:
        stop = min(at + self._window, len(text))
        is_sure = self._is_last and stop == len(text)
        came, is_usual = self._split(tags.TOKENS, text[at:stop], is_sure)
        self._window = min(2 * self._window, LARGEST) if is_usual else SMALLEST
        at += came
        if is_usual:
            return at
        return self._reference(text, at) if text[at] == '&' else self._open(text, at)

    def _split(self, pattern, window: str, is_sure: bool) -> tuple[int, bool]:
        """Take text and usual tokens; return how much, and if nothing else follows."""
        parts = pattern.split(window)
        is_usual = len(parts) == 1 or bool(parts[-1])
        came = len(window)
        if not is_usual:
            came -= len(parts[-2])
            del parts[-2:]
        elif not is_sure:
            cut = _unfinished(parts[-1])
            came -= len(parts[-1]) - cut
            parts[-1] = parts[-1][:cut]
        self.lengths.extend(map(len, parts))
        if '&' in window:
            tokens = [self._decode(token) for token in parts[1::2]]
            if None in tokens:
                del self.lengths[len(self.lengths) - len(parts) :]
                self._put_each(parts)
                return came, is_usual
            parts[1::2] = tokens
        else:
            parts[1::2] = [' '] * (len(parts) // 2)
        self.outs += parts
        return came, is_usual

    def _decode(self, token: str) -> str | None:
        """Return the text of a token, None if it is only the beginning of the token."""
        if token[0] == '<':
            return ' '
        found = self._known.get(token)
        if not found:
            found = read_reference(token)
            if len(self._known) < MAX_KNOWN:
                self._known[token] = found
        if not found.length:
            return token
        return found.text if found.length == len(token) else None

    def _put_each(self, parts: list[str]) -> None:
        for i, part in enumerate(parts):
            if i % 2 == 0:
                self._put(part, len(part))
            elif (text := self._decode(part)) is not None:
                self._put(text, len(part))
            else:
                found = self._known.get(part) or read_reference(part)
                self._put(found.text, found.length)
                self._put(part[found.length :], len(part) - found.length)

    def _reference(self, text: str, at: int) -> int:
        """Take one reference, or the `&` of a name that is none."""
        match = references.REFERENCE.match(text, at)
        if text[at + 1] == '#' and match.end() - at > LONG_NUMBER:
            self._base = 16 if text[at + 2] in 'xX' else 10
            self._digits = ''
            start = at + (3 if self._base == 16 else 2)
            self._put('', start - at)
            self._back, self._state = self._state, self._number
            return start
        if match.end() == len(text) and not self._is_last:
            return at
        found = read_reference(match[0])
        length = found.length or 1
        self._put(found.text if found.length else '&', length)
        return at + length

    def _number(self, text: str, at: int) -> int:
        """Take the digits of a long number, the last character alone with its text."""
        end = at
        digits = HEX if self._base == 16 else frozenset('0123456789')
        while end < len(text) and text[end] in digits:
            end += 1
        if end == len(text) and not self._is_last:
            end -= 1  # so that the last one is there when the end is known
            self._add_digits(text[at:end])
            self._put('', end - at)
            return end
        self._add_digits(text[at:end])
        end += text.startswith(';', end)
        self._put('', end - 1 - at)
        self._put(character_of(self._digits, self._base), 1)
        self._state = self._back
        return end

    def _add_digits(self, digits: str) -> None:
        self._digits = (self._digits + digits).lstrip('0')[:8]

    def _open(self, text: str, at: int) -> int:
        """Begin what begins with a `<`."""
        if len(text) - at < len('<!--->') and not self._is_last:
            return at
        second = text[at + 1 : at + 2]
        is_end_tag = second == '/'
        first = text[at + 1 + is_end_tag : at + 2 + is_end_tag]
        if first.isascii() and first.isalpha():
            self._put('', 1 + is_end_tag)
            self._is_end_tag, self._part, self._new_name = is_end_tag, Part.NAME, ''
            self._state = self._tag
            return at + 1 + is_end_tag
        if comment := tags.COMMENT_START.match(text, at):
            self._put(' ', comment.end() - at)
            self._state = self._data if comment[1] else self._comment
            return comment.end()
        if is_end_tag and first == '>':
            self._put('', 3)
            return at + 3
        if second and second in '!?' or is_end_tag and first:
            self._put(' ', 2)
            self._state = self._bogus
            return at + 2
        self._put('<', 1)
        return at + 1

    def _comment(self, text: str, at: int) -> int:
        end = tags.COMMENT_END.search(text, at)
        came = end.end() if end else self._before_cut(text, at, len('--!'))
        self._state = self._data if end else self._comment
        self._put('', came - at)
        return came

    def _bogus(self, text: str, at: int) -> int:
        end = text.find('>', at) + 1
        self._state = self._data if end else self._bogus
        self._put('', (end or len(text)) - at)
        return end or len(text)

    def _before_cut(self, text: str, at: int, held: int) -> int:
        return len(text) if self._is_last else max(at, len(text) - held)

    def _tag(self, text: str, at: int) -> int:
        end, part = at, self._part
        while end < len(text) and part != Part.DONE:
            match = tags.PATTERNS[part].match(text, end)
            if part == Part.NAME and len(self._new_name) < KEPT_NAME:
                self._new_name += text[end : min(match.end(), end + KEPT_NAME)]
            end = match.end()
            if end < len(text):
                following = tags.NEXT[part]
                part, taken = following.get(text[end]) or following['']
                end += taken
        self._part = part
        if part == Part.DONE:
            self._put(' ', end - at)
            self._finish_tag()
        else:
            self._put('', end - at)
        return end

    def _finish_tag(self) -> None:
        self._state = self._data
        if self._is_end_tag:
            return
        self._name = self._new_name.lower() if self._new_name.isascii() else ''
        if self._name == 'script':
            self._state, self._script = self._in_script, tags.SCRIPT
        elif self._name in tags.RAW_TEXT:
            self._state = self._raw_text
        elif self._name in tags.WITH_REFERENCES:
            self._state = self._with_references
        elif self._name == 'plaintext':
            self._state = self._plain

    def _end_raw(self, text: str, at: int) -> int:
        """Go on behind the name of the end tag of the last start tag."""
        self._is_end_tag, self._part, self._state = True, Part.BEFORE, self._tag
        self._put('', 2 + len(self._name))
        return at + 2 + len(self._name)

    def _raw_text(self, text: str, at: int) -> int:
        end = tags.END_TAGS[self._name].search(text, at)
        came = end.start() if end else self._before_cut(text, at, LONGEST_END)
        keeps = self._keeps or self._name != 'style'
        self._put(text[at:came] if keeps else '', came - at)
        return self._end_raw(text, came) if end else came

    def _with_references(self, text: str, at: int) -> int:
        stop = min(at + SMALLEST, len(text))
        end = tags.END_TAGS[self._name].search(text, at, stop)
        if end and end.start() == at:
            return self._end_raw(text, at)
        is_sure = bool(end) or self._is_last and stop == len(text)
        if not is_sure:
            stop = max(at, stop - LONGEST_END)
        elif end:
            stop = end.start()
        came, is_usual = self._split(tags.REFERENCES, text[at:stop], is_sure)
        return at + came if is_usual else self._reference(text, at + came)

    def _in_script(self, text: str, at: int) -> int:
        match = tags.IN_SCRIPT[self._script].search(text, at)
        came = match.end() if match else self._before_cut(text, at, LONGEST_END)
        if match and (end := match[0].lower()) == '<!--':
            came -= len('--')  # which may be of the end of what it begins
            self._script = tags.ESCAPED
        elif match and end == '-->':
            self._script = tags.SCRIPT
        elif match and self._script == tags.ESCAPED and end.startswith('<script'):
            self._script = tags.TWICE
        elif match and self._script == tags.TWICE:
            self._script = tags.ESCAPED
        elif match:
            came = match.start()
        self._put(text[at:came] if self._keeps else '', came - at)
        is_end = match and came == match.start()
        return self._end_raw(text, came) if is_end else came

    def _plain(self, text: str, at: int) -> int:
        self._put(text[at:], len(text) - at)
        return len(text)


def _unfinished(text: str) -> int:
    """Return where a token may begin that the end of a text cuts.

    >>> _unfinished('a & b'), _unfinished('a <'), _unfinished('a & ' + 'b' * 99)
    (2, 2, 103)
    """
    at = text.find('&', max(0, len(text) - AHEAD))
    if at < 0:
        at = len(text) - text.endswith('<')
    return at
