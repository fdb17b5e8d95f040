"""The words of a page by the letter of the standards, a character at a time.

It imports nothing from the package. The states have the names of the WHATWG HTML
Standard, section 13.2.5. The Unicode tables are those of Python, so tests use
characters that have been the same for long.
"""

import unicodedata
from html.entities import html5

WHITE = '\t\n\f\r '
RAW_TEXT = {'style', 'xmp', 'iframe', 'noembed', 'noframes'}
CONTROLS = dict(
    zip(
        [0x80, *range(0x82, 0x8D), 0x8E, *range(0x91, 0x9D), 0x9E, 0x9F],
        '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ',
        strict=True,
    )
)
SPACELESS = 'CJK UNIFIED', 'HIRAGANA LETTER', 'KATAKANA LETTER', 'THAI CHARACTER'
SPACELESS += 'LAO LETTER', 'KHMER LETTER', 'MYANMAR LETTER', 'TIBETAN LETTER'
SPACELESS += 'IDEOGRAPHIC ITERATION', 'CJK COMPATIBILITY IDEOGRAPH'

# The states of attributes: by the next character, ' ' for white space, the next state;
# with 'again' the same character is consumed again.
ATTRIBUTES = {
    'before name': {
        ' ': 'before name',
        '/': 'after name again',
        '>': 'after name again',
        '=': 'name',
        '': 'name again',
    },
    'name': {
        ' ': 'after name again',
        '/': 'after name again',
        '>': 'after name again',
        '=': 'before value',
        '': 'name',
    },
    'after name': {
        ' ': 'after name',
        '/': 'self-closing',
        '=': 'before value',
        '>': 'done',
        '': 'name again',
    },
    'before value': {
        ' ': 'before value',
        '"': 'double-quoted',
        "'": 'single-quoted',
        '>': 'done',
        '': 'unquoted again',
    },
    'double-quoted': {'"': 'after quoted', '': 'double-quoted'},
    'single-quoted': {"'": 'after quoted', '': 'single-quoted'},
    'unquoted': {' ': 'before name', '>': 'done', '': 'unquoted'},
    'after quoted': {
        ' ': 'before name',
        '/': 'self-closing',
        '>': 'done',
        '': 'before name again',
    },
    'self-closing': {'>': 'done', '': 'before name again'},
}


class Tokenizer:
    """Emits characters with their places, and None where words are separated."""

    def __init__(self, text: str, keeps_scripts: bool):
        self.text = text
        self.keeps = keeps_scripts
        self.at = 0
        self.emitted: list[tuple[str, int, int] | None] = []
        self.last_start = ''

    def run(self) -> list[tuple[str, int, int] | None]:
        state = self.data
        while state:
            state = state()
        return self.emitted

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def next(self) -> str:
        """Consume a character; '' is the end."""
        char = self.peek()
        self.at += 1
        return char

    def emit(self, start: int, stop: int) -> None:
        """Emit characters of the page unchanged."""
        self.emitted += [(self.text[i], i, i + 1) for i in range(start, stop)]

    def emit_raw(self, start: int, stop: int) -> None:
        """The same of a script or style, which may be dropped."""
        if self.keeps or self.last_start not in ('script', 'style'):
            self.emit(start, stop)

    def data(self):
        return self.text_with_references(self.data)

    def rcdata(self):
        return self.text_with_references(self.rcdata)

    def text_with_references(self, state):
        at = self.at
        char = self.next()
        if char == '':
            return None
        if char == '&':
            self.reference()
            return state
        if char == '<':
            return self.tag_open if state == self.data else self.raw_less_than(state)
        self.emit(at, at + 1)
        return state

    def reference(self):
        start = self.at - 1
        if self.peek() == '#':
            self.at += 1
            self.number(start)
            return
        end = self.at
        best = 0
        while end < len(self.text) and end - self.at < 40:
            end += 1
            if self.text[self.at : end] in html5:
                best = end
        if best:
            for char in html5[self.text[self.at : best]]:
                self.emitted.append((char, start, best))
            self.at = best
        else:
            self.emit(start, start + 1)

    def number(self, start: int):
        digits, base = '0123456789', 10
        if self.peek() in ('x', 'X'):
            self.at += 1
            digits, base = '0123456789abcdefABCDEF', 16
        first = self.at
        while self.peek() and self.peek() in digits:
            self.at += 1
        if first == self.at:
            self.emit(start, self.at)
            return
        code = 0
        for digit in self.text[first : self.at]:
            code = min(code * base + int(digit, 16), 0x110000)
        if self.peek() == ';':
            self.at += 1
        if code == 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
            char = '\ufffd'
        else:
            char = CONTROLS.get(code, chr(code))
        # A long one takes its last character only.
        start = start if self.matched(start) <= 40 else self.at - 1
        self.emitted.append((char, start, self.at))

    def matched(self, start: int) -> int:
        return self.at - start

    def tag_open(self):
        start = self.at - 1
        char = self.next()
        if char == '!':
            return self.markup_declaration
        if char == '/':
            return self.end_tag_open
        if char.isascii() and char.isalpha():
            self.at -= 1
            return self.tag(is_start=True)
        if char == '?':
            self.at -= 1
            return self.bogus_comment
        self.at -= 1
        self.emit(start, start + 1)
        return self.data if char else None

    def end_tag_open(self):
        start = self.at - 2
        char = self.next()
        self.at -= 1
        if char == '':
            self.emit(start, start + 2)
            return None
        if char.isascii() and char.isalpha():
            return self.tag(is_start=False)
        if char == '>':
            self.at += 1
            return self.data
        return self.bogus_comment

    def tag(self, is_start: bool):
        name = ''
        while True:
            char = self.next()
            if char == '':
                return None
            if char in WHITE or char in '/>':
                break
            name += char.lower() if char.isascii() else char
        self.at -= 1
        return self.attributes(name if is_start else '')

    def attributes(self, name: str):
        """From the end of a tag's name to its `>`."""
        state = 'before name'
        while state != 'done':
            char = self.next()
            if char == '':
                return None
            rules = ATTRIBUTES[state]
            kind = ' ' if char in WHITE else char
            state, *again = rules.get(kind, rules['']).split(' again')
            self.at -= len(again)
        self.emitted.append(None)
        if not name:
            return self.data
        self.last_start = name
        if name == 'script':
            return self.script
        if name in RAW_TEXT:
            return self.rawtext
        if name in ('title', 'textarea'):
            return self.rcdata
        return self.plaintext if name == 'plaintext' else self.data

    def bogus_comment(self):
        self.emitted.append(None)
        while (char := self.next()) != '>':
            if char == '':
                return None
        return self.data

    def markup_declaration(self):
        if self.text.startswith('--', self.at):
            self.at += 2
            return self.comment_start
        return self.bogus_comment  # a doctype ends with the first `>`, too

    def comment_start(self):
        self.emitted.append(None)
        char = self.next()
        if char == '-':
            return self.comment_start_dash
        if char == '>':
            return self.data
        self.at -= 1
        return self.comment

    def comment_start_dash(self):
        char = self.next()
        if char == '-':
            return self.comment_end
        if char == '>':
            return self.data
        if char == '':
            return None
        self.at -= 1
        return self.comment

    def comment(self):
        char = self.next()
        if char == '<':
            return self.comment_less_than
        if char == '-':
            return self.comment_end_dash
        return self.comment if char else None

    def comment_less_than(self):
        char = self.next()
        if char == '!':
            return self.comment_less_than_bang
        if char == '<':
            return self.comment_less_than
        self.at -= 1
        return self.comment

    def comment_less_than_bang(self):
        if self.next() == '-':
            return self.comment_less_than_bang_dash
        self.at -= 1
        return self.comment

    def comment_less_than_bang_dash(self):
        if self.next() == '-':
            return self.comment_end
        self.at -= 1
        return self.comment_end_dash

    def comment_end_dash(self):
        char = self.next()
        if char == '-':
            return self.comment_end
        if char == '':
            return None
        self.at -= 1
        return self.comment

    def comment_end(self):
        char = self.next()
        if char == '>':
            return self.data
        if char == '!':
            return self.comment_end_bang
        if char == '-':
            return self.comment_end
        if char == '':
            return None
        self.at -= 1
        return self.comment

    def comment_end_bang(self):
        char = self.next()
        if char == '-':
            return self.comment_end_dash
        if char == '>':
            return self.data
        if char == '':
            return None
        self.at -= 1
        return self.comment

    def raw_less_than(self, state):
        """Behind a `<`: an appropriate end tag, or text."""
        start = self.at - 1
        if self.peek() == '/':
            end = self.at + 1
            while end < len(self.text) and self.text[end] in LETTERS:
                end += 1
            name = self.text[self.at + 1 : end]
            after = self.text[end : end + 1]
            if name.lower() == self.last_start and after and after in WHITE + '/>':
                self.at = end
                return self.attributes('')
            self.emit_raw(start, end)
            self.at = end
            return state
        self.emit_raw(start, start + 1)
        return state

    def rawtext(self):
        at = self.at
        char = self.next()
        if char == '':
            return None
        if char == '<':
            return self.raw_less_than(self.rawtext)
        self.emit_raw(at, at + 1)
        return self.rawtext

    def plaintext(self):
        self.emit(self.at, len(self.text))

    def script(self):
        at = self.at
        char = self.next()
        if char == '':
            return None
        if char == '<':
            if self.peek() == '!':
                self.at += 1
                self.emit_raw(at, at + 2)
                return self.script_escape_start
            return self.raw_less_than(self.script)
        self.emit_raw(at, at + 1)
        return self.script

    def script_escape_start(self):
        if self.peek() != '-':
            return self.script
        self.raw_one()
        if self.peek() != '-':
            return self.script
        self.raw_one()
        return self.escaped_dash_dash

    def raw_one(self):
        self.emit_raw(self.at, self.at + 1)
        return self.next()

    def escaped(self):
        if self.peek() == '':
            return None
        if self.peek() == '<':
            return self.escaped_less_than
        return self.escaped_dash if self.raw_one() == '-' else self.escaped

    def escaped_dash(self):
        if self.peek() == '':
            return None
        if self.peek() == '<':
            return self.escaped_less_than
        return self.escaped_dash_dash if self.raw_one() == '-' else self.escaped

    def escaped_dash_dash(self):
        if self.peek() == '':
            return None
        if self.peek() == '<':
            return self.escaped_less_than
        char = self.raw_one()
        if char == '-':
            return self.escaped_dash_dash
        return self.script if char == '>' else self.escaped

    def escaped_less_than(self):
        self.at += 1
        if self.peek() and self.peek() in LETTERS:
            self.emit_raw(self.at - 1, self.at)
            return self.escape_twice(self.twice, self.escaped)
        return self.raw_less_than(self.escaped)

    def escape_twice(self, if_script, otherwise):
        """Letters, and what is behind them."""
        name = ''
        while self.peek():
            char = self.peek()
            if char in WHITE + '/>':
                self.raw_one()
                return if_script if name == 'script' else otherwise
            if char not in LETTERS:
                return otherwise
            name += self.raw_one().lower()
        return otherwise

    def twice(self):
        if self.peek() == '':
            return None
        char = self.raw_one()
        if char == '<':
            return self.twice_less_than
        return self.twice_dash if char == '-' else self.twice

    def twice_dash(self):
        if self.peek() == '':
            return None
        char = self.raw_one()
        if char == '<':
            return self.twice_less_than
        return self.twice_dash_dash if char == '-' else self.twice

    def twice_dash_dash(self):
        if self.peek() == '':
            return None
        char = self.raw_one()
        if char == '-':
            return self.twice_dash_dash
        if char == '<':
            return self.twice_less_than
        return self.script if char == '>' else self.twice

    def twice_less_than(self):
        if self.peek() != '/':
            return self.twice
        self.raw_one()
        return self.escape_twice(self.escaped, self.twice)


LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'


def words_of(text: str, is_markup=True, scripts='drop', words='unicode'):
    """Return the words of a page as (word, start, stop), places in characters."""
    if is_markup:
        found = Tokenizer(text, scripts == 'keep').run()
    else:
        found = [(char, i, i + 1) for i, char in enumerate(text)]
    result = []
    word = None
    for item in [*found, None]:
        kind = class_of(item[0], words) if item else ''
        if word and (not kind or kind == 'alone' or kind == 'letter' and word[3]):
            result.append(tuple(word[:3]))
            word = None
        if kind and not word:
            word = [lower(item[0]), item[1], item[2], kind == 'alone']
        elif kind:
            word[0] += lower(item[0])
            word[2] = item[2]
    return result


def class_of(char: str, words: str) -> str:
    category = unicodedata.category(char)[0]
    if words == 'paper':
        return 'letter' if category in 'LN' else ''
    if category == 'L' and unicodedata.name(char, '').startswith(SPACELESS):
        return 'alone'
    return {'L': 'letter', 'N': 'letter', 'M': 'mark'}.get(category, '')


def lower(char: str) -> str:
    found = char.lower()
    return found if len(found) == 1 else found[0]
