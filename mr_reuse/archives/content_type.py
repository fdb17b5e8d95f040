"""The charset that a Content-Type header names, read as browsers read it.

The Standards are Fetch ("extract a MIME type") and MIME Sniffing ("parse a MIME type"):

* Of several values the last one that has a valid media type counts. Without a charset
  of its own it takes that of an earlier value with the same media type.
* Of several parameters of a value that are named charset, the first valid one counts.
"""

import re
from functools import lru_cache

MAX_VALUE = 1000  # bytes of a header that are read
MAX_LABEL = 64  # letters; no encoding has a label as long
SPACE = b'\t\n\r '
TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
MEDIA_TYPE = re.compile(rb'(%b/%b)[\t\n\r ]*(?=;|\Z)' % (TOKEN, TOKEN))
# A quoted string ends with the value where it is not closed.
VALUE = re.compile(rb'(?s)(?:[^",]|"(?:[^"\\]|\\.?)*"?)+')
PARAMETER = re.compile(
    rb'(?s);[\t\n\r ]*([^;=]*)(?:=(?:("(?:[^"\\]|\\.?)*)"?[^;]*|([^;]*)))?'
)
ESCAPE = re.compile(rb'(?s)\\(.)')
VALID = re.compile(rb'[\t\x20-\x7e\x80-\xff]*\Z')


def charset_of(header: bytes) -> str:
    """Return the charset that a header names, as it is written; '' if it names none.

    >>> charset_of(b'text/html; Charset="UTF-8"'), charset_of(b'text/html')
    ('UTF-8', '')
    """
    return _charset_of(header[:MAX_VALUE])


@lru_cache(maxsize=1000)  # a crawl has few headers that differ
def _charset_of(header: bytes) -> str:
    media, charset, earlier = b'', None, None
    for value in VALUE.findall(header):
        found = MEDIA_TYPE.match(value.strip(SPACE))
        if not found or found[1] == b'*/*':
            continue
        charset = _charset_in(found.string, found.end())
        if found[1].lower() != media:
            media, earlier = found[1].lower(), charset
        elif charset is None:
            charset = earlier
    label = (charset or b'').strip(b'\t\n\f\r ').decode('latin-1')
    return label if len(label) <= MAX_LABEL else ''


def _charset_in(value: bytes, start: int) -> bytes | None:
    """The first valid charset among the parameters of a value, None without any."""
    for name, quoted, plain in PARAMETER.findall(value, start):
        text = ESCAPE.sub(rb'\1', quoted[1:]) if quoted else plain.rstrip(SPACE)
        if name.lower() == b'charset' and (text or quoted) and VALID.match(text):
            return text
    return None
