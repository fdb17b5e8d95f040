"""The charset that a page declares in a `meta` tag, found as browsers find it.

This is the prescan of the WHATWG HTML Standard. It is no tokenizer: it knows neither
scripts nor references.
"""

import re

SEARCHED = 1024  # bytes
LETTERS = frozenset(b'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')
COMMENT_END = re.compile(rb'-->')
META = re.compile(rb'<meta[\t\n\f\r /]', re.I)
TAG = re.compile(rb'</?[a-zA-Z][^\t\n\f\r >]*')
NAME = re.compile(rb'[\t\n\f\r /]*(=?[^\t\n\f\r />=]*)')
EQUALS = re.compile(rb'[\t\n\f\r ]*=[\t\n\f\r ]*')
VALUE = re.compile(
    rb"""(?: "([^"]*)" | '([^']*)' | ([^\t\n\f\r\ >"'][^\t\n\f\r\ >]*) | (?=>) )""",
    re.X,
)
DECLARED = re.compile(
    rb"""charset[\t\n\f\r\ ]*=[\t\n\f\r\ ]*
    (?: "([^"]*)" | '([^']*)' | ([^\t\n\f\r\ ;"'][^\t\n\f\r\ ;]*) )?""",
    re.X | re.I,
)


def declared_labels(head: bytes) -> list[bytes]:
    """Return the labels that the `meta` tags in the first bytes of a page declare.

    The first of them that is known counts.

    >>> declared_labels(b'<!--<meta charset=a>--><meta charset="gbk"><META charset=b>')
    [b'gbk', b'b']
    >>> declared_labels(b'<meta content="x; charset=koi8-r" http-equiv=Content-Type>')
    [b'koi8-r']
    >>> declared_labels(b'<meta charset="utf-8"')
    []
    """
    head = head[:SEARCHED]
    found = []
    at = 0
    while (at := head.find(b'<', at)) >= 0:
        at = _pass_over(head, at, found)
        if at < 0:
            break
    return found


def _pass_over(head: bytes, at: int, found: list[bytes]) -> int:
    """Return where what begins with a `<` ends; -1 if the bytes end before."""
    if head.startswith(b'<!--', at):
        end = COMMENT_END.search(head, at + 2)
        return end.end() if end else -1
    if META.match(head, at):
        end, attributes = _read_attributes(head, at + 5)
        label = _label_in(attributes) if end >= 0 else None
        if label is not None:
            found.append(label)
        return end
    if tag := TAG.match(head, at):
        return _read_attributes(head, tag.end())[0]
    if head[at + 1 : at + 2] in (b'!', b'/', b'?'):
        end = head.find(b'>', at)
        return end + 1 if end >= 0 else -1
    return at + 1


def _read_attributes(head: bytes, at: int) -> tuple[int, dict[bytes, bytes]]:
    """Return the end of a tag, and its attributes; of equal names the first counts."""
    attributes: dict[bytes, bytes] = {}
    while True:
        at, name = _take(NAME, head, at)
        if not name:
            return (at + 1 if at < len(head) else -1), attributes
        value: bytes | None = b''
        if equals := EQUALS.match(head, at):
            at, value = _take(VALUE, head, equals.end())
        if value is None:
            return -1, {}
        attributes.setdefault(name.lower(), value)


def _take(pattern: re.Pattern[bytes], head: bytes, at: int) -> tuple[int, bytes | None]:
    """Return where a match ends, and its group; None if nothing matches."""
    match = pattern.match(head, at)
    if not match:
        return at, None
    return match.end(), next((g for g in match.groups() if g is not None), b'')


def _label_in(attributes: dict[bytes, bytes]) -> bytes | None:
    """Return the label that a `meta` tag declares, None if it declares none."""
    if b'charset' in attributes:
        return attributes[b'charset']
    if attributes.get(b'http-equiv', b'').lower() != b'content-type':
        return None
    return label_in_content(attributes.get(b'content', b''))


def label_in_content(content: bytes) -> bytes | None:
    """Return the label in the value of `content`.

    >>> label_in_content(b'charset charset = "x" y'), label_in_content(b'charset="x')
    (b'x', None)
    """
    match = DECLARED.search(content)
    if not match:
        return None
    return next((label for label in match.groups() if label is not None), None)
