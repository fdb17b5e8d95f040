"""The headers of WARC and ARC records: how they begin, and what they say."""

import re
from typing import NamedTuple

WARC_LINE = rb'WARC/\d\.\d+\r?\n[!-9;-~]+:'
# URL, address, date; then of version 1 the type and the length, of version 2 more.
ARC_LINE = (
    rb'(?P<url>%b) (?P<ip>[\d.]{7,15}|[\da-fA-F:]{3,39}|-) (?P<date>\d{14}|\d{12}|0)'
    rb'(?: [^ \n]{0,127}){0,12}? (?P<length>\d{1,15})\r?\n'
)
SURE = rb'(?:https?://|ftp://|filedesc://|dns:)'
URL = rb'(?!\w+%b)[A-Za-z][\w.+-]*:[^\r\n]{0,6000}?' % SURE
# Not to be taken back letter by letter: a page may be full of URLs.
SURE_URL = SURE + rb'(?=([^ \r\n]{1,6000}))\1'
NAME = re.compile(rb'\?P<\w+>')
LINE_ENDS = b'\r\n'
HEAD_END = re.compile(rb'\r?\n\r?\n')
FIELDS = re.compile(
    rb'\n(warc-type|warc-target-uri|warc-date|warc-ip-address|content-length|'
    rb'content-type)[ \t]*:([^\r\n]*)',
    re.I,
)
LENGTH = re.compile(rb'[ \t]*(\d{1,18})[ \t]*\Z')


class Syntax(NamedTuple):
    """How a format's records begin, and how a beginning looks that was cut off.

    `search` finds the next one, or the line end before it.
    """

    start: re.Pattern[bytes]
    search: re.Pattern[bytes]
    stub: re.Pattern[bytes]
    ends: tuple[bytes, ...]  # what stands behind a record and hardly ever in one


WARC = Syntax(
    re.compile(WARC_LINE),
    re.compile(WARC_LINE),
    re.compile(rb'(?s)W(?:A(?:R(?:C(?:/[\d.]*\r?(?:\n(?!.*\n\r?\n).*)?)?)?)?)?\Z'),
    (b'\r\n\r\n',),
)
ARC = Syntax(
    re.compile(ARC_LINE % URL),
    # Where half a record stands before it, a beginning is not at that of a line;
    # there only what certainly is a URL counts.
    re.compile(
        NAME.sub(b'?:', rb'\n(?=%b)|%b' % (ARC_LINE % URL, ARC_LINE % SURE_URL))
    ),
    re.compile(rb'[A-Za-z][\w.+-]*(?::[^\n]{0,6000})?\Z'),
    (),
)


class Head(NamedTuple):
    """What the header of a record says."""

    type: str
    url: bytes
    date: str
    ip: str
    length: int
    content_type: bytes = b''


def warc_head(raw: bytes) -> Head | None:
    """Parse a WARC header; None if it has no valid length.

    >>> warc_head(b'WARC/1.0\\r\\nWARC-Type: response\\r\\nContent-Length: 5')
    Head(type='response', url=b'', date='', ip='', length=5, content_type=b'')
    """
    # Of a field that is there twice the first counts.
    found = {k.lower(): v for k, v in reversed(FIELDS.findall(raw))}
    length = LENGTH.match(found.get(b'content-length', b''))
    if not length:
        return None
    url = found.get(b'warc-target-uri', b'').strip()
    return Head(
        found.get(b'warc-type', b'').strip().lower().decode('latin-1'),
        url[1:-1] if url[:1] == b'<' and url[-1:] == b'>' else url,
        found.get(b'warc-date', b'').strip().decode('ascii', 'replace'),
        found.get(b'warc-ip-address', b'').strip().decode('ascii', 'replace'),
        int(length[1]),
        found.get(b'content-type', b'').strip(),
    )


def arc_head(line: re.Match[bytes]) -> Head:
    """What the line before an ARC record says, of version 1 or 2.

    >>> line = b'http://a.org/ 10.0.0.1 20080102030405 text/html 17\\n'
    >>> arc_head(ARC.start.match(line))
    Head(type='response', url=b'http://a.org/', date='2008-01-02T03:04:05Z', \
ip='10.0.0.1', length=17, content_type=b'')
    """
    kind = 'warcinfo' if line['url'].startswith(b'filedesc:') else 'response'
    ip, d = line['ip'].decode('ascii'), line['date'].decode('ascii').ljust(14, '0')
    date = f'{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:14]}Z'
    known = line['date'] != b'0'
    return Head(kind, line['url'], date if known else '', ip, int(line['length']))
