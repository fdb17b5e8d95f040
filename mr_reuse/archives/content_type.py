"""The charset that a Content-Type header names, read as browsers read it.

The standards are Fetch ("extract a MIME type") and MIME Sniffing ("parse a MIME type"):

* A header may have several values. The last one with a valid media type counts. If it
  has no charset, the charset of an earlier value with the same media type is used.
* If a value has several charset parameters, the first valid one counts.
"""

import re
from functools import lru_cache

MAX_VALUE = 1000  # bytes; the rest of a longer header is ignored
MAX_LABEL = 64  # characters; every known encoding has a shorter label
SPACE = b'\t\n\r '
TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
MEDIA_TYPE = re.compile(rb'(%b/%b)[\t\n\r ]*(?=;|\Z)' % (TOKEN, TOKEN))
# An unclosed quoted string extends to the end of the header.
VALUE = re.compile(rb'(?s)(?:[^",]|"(?:[^"\\]|\\.?)*"?)+')
PARAMETER = re.compile(
    rb'(?s);[\t\n\r ]*([^;=]*)(?:=(?:("(?:[^"\\]|\\.?)*)"?[^;]*|([^;]*)))?'
)
ESCAPE = re.compile(rb'(?s)\\(.)')
VALID = re.compile(rb'[\t\x20-\x7e\x80-\xff]*\Z')


def charset_of(header: bytes) -> str:
    """Return the charset that a header names, unchanged; '' if it names no charset.

    >>> charset_of(b'text/html; Charset="UTF-8"'), charset_of(b'text/html')
    ('UTF-8', '')
    """
    return _charset_of(header[:MAX_VALUE])


@lru_cache(maxsize=1000)  # a crawl has few distinct headers
def _charset_of(header: bytes) -> str:
    media, charset, earlier = b'', None, None
    for value in VALUE.findall(header):
        match = MEDIA_TYPE.match(value.strip(SPACE))
        if not match or match[1] == b'*/*':
            continue
        charset = _charset_in(match.string, match.end())
        if match[1].lower() != media:
            media, earlier = match[1].lower(), charset
        elif charset is None:
            charset = earlier
    label = (charset or b'').strip(b'\t\n\f\r ').decode('latin-1')
    return label if len(label) <= MAX_LABEL else ''


def _charset_in(value: bytes, start: int) -> bytes | None:
    """Find the first valid charset in the parameters of a value, which may be empty."""
    for name, quoted, plain in PARAMETER.findall(value, start):
        text = ESCAPE.sub(rb'\1', quoted[1:]) if quoted else plain.rstrip(SPACE)
        if name.lower() == b'charset' and (text or quoted) and VALID.match(text):
            return text
    return None
