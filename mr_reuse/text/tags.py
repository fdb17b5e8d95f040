"""The states of the WHATWG HTML tokenizer inside a tag, and the patterns of its tokens.

A tag may end in the next piece of a page. So its states are a table, and the tokenizer
can stop after any character.
"""

import re
from enum import Enum, auto

from mr_reuse.text.references import LONGEST

RAW_TEXT = ['style', 'xmp', 'iframe', 'noembed', 'noframes']
WITH_REFERENCES = ['title', 'textarea']
SPECIAL = ['script', *RAW_TEXT, *WITH_REFERENCES, 'plaintext']


class Part(Enum):
    """Where in a tag the tokenizer is."""

    NAME = auto()
    BEFORE = auto()  # an attribute: white space, or a slash
    ATTRIBUTE = auto()  # its name
    AFTER = auto()  # a name: white space
    VALUE = auto()  # before a value
    DOUBLE = auto()  # in double quotes
    SINGLE = auto()
    BARE = auto()  # a value without quotes
    DONE = auto()


# What belongs to a part.
PATTERNS = {
    Part.NAME: re.compile(r'[^\t\n\f\r />]*'),
    Part.BEFORE: re.compile(r'[\t\n\f\r /]*'),
    Part.ATTRIBUTE: re.compile(r'[^\t\n\f\r />=]*'),
    Part.AFTER: re.compile(r'[\t\n\f\r ]*'),
    Part.VALUE: re.compile(r'[\t\n\f\r ]*'),
    Part.DOUBLE: re.compile(r'[^"]*'),
    Part.SINGLE: re.compile(r"[^']*"),
    Part.BARE: re.compile(r'[^\t\n\f\r >]*'),
}
# By the character behind a part: the next part, and how many characters are taken.
NEXT = {
    Part.NAME: {'>': (Part.DONE, 1), '': (Part.BEFORE, 0)},
    Part.BEFORE: {
        '>': (Part.DONE, 1),
        '=': (Part.ATTRIBUTE, 1),
        '': (Part.ATTRIBUTE, 0),
    },
    Part.ATTRIBUTE: {
        '=': (Part.VALUE, 1),
        '/': (Part.BEFORE, 0),
        '>': (Part.BEFORE, 0),
        '': (Part.AFTER, 0),
    },
    Part.AFTER: {'=': (Part.VALUE, 1), '': (Part.BEFORE, 0)},
    Part.VALUE: {
        '"': (Part.DOUBLE, 1),
        "'": (Part.SINGLE, 1),
        '>': (Part.DONE, 1),
        '': (Part.BARE, 0),
    },
    Part.DOUBLE: {'': (Part.BEFORE, 1)},
    Part.SINGLE: {'': (Part.BEFORE, 1)},
    Part.BARE: {'>': (Part.DONE, 1), '': (Part.BEFORE, 0)},
}

FLAGS = re.ASCII | re.IGNORECASE | re.VERBOSE
NUMBER = r'\#(?:[0-9]{1,7}(?:;|(?![0-9;]))|x[0-9a-f]{1,6}(?:;|(?![0-9a-f;])))'
REFERENCE = rf"""
    &(?:{NUMBER} | [a-z][a-z0-9]{{0,{LONGEST - 2}}};?)
    | &\#(?:[0-9]|x[0-9a-f])[\s\S]*   # a long number
"""
# Usual references, and all that follows an unusual one.
REFERENCES = re.compile(f'({REFERENCE})', FLAGS)
# Tokens that are complete and change no state, and all that follows another one.
TOKENS = re.compile(
    rf"""(
    <(?:/|(?!(?:{'|'.join(SPECIAL)})[\t\n\f\r />]))[a-z][^\t\n\f\r />]*
        (?:[\t\n\f\r ]+[^\t\n\f\r "'<>/=]+
            (?:="[^"]*"|='[^']*'|=[^\t\n\f\r "'<>=]+)?)*
        [\t\n\f\r ]*/?>
    | <!--(?!-?>)[^-]*(?:-(?!-!?>)[^-]*)*-->
    | <(?:!(?!--)|\?)[^>]*>
    | <[a-z!?/][\s\S]*
    | {REFERENCE}
    )""",
    FLAGS,
)
COMMENT_START = re.compile(r'<!--(-?>)?')
COMMENT_END = re.compile(r'--!?>')
END_TAGS = {
    name: re.compile(rf'</{name}(?=[\t\n\f\r />])', re.ASCII | re.I) for name in SPECIAL
}
# In a script: by how it is escaped, the tokens that matter.
SCRIPT, ESCAPED, TWICE = range(3)
END = r'</script(?=[\t\n\f\r />])'
IN_SCRIPT = {
    SCRIPT: re.compile(rf'<!--|{END}', re.ASCII | re.I),
    ESCAPED: re.compile(rf'-->|<script[\t\n\f\r />]|{END}', re.ASCII | re.I),
    TWICE: re.compile(r'-->|</script[\t\n\f\r />]', re.ASCII | re.I),
}
LONGEST_END = len('</plaintext>')
