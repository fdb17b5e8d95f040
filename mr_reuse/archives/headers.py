"""The headers of WARC and ARC records: patterns and parsers."""

import re
import sys
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from mr_reuse.archives import references

REVISIT = 'revisit'  # type of a record without the content of its capture
WARC_LINE = rb'WARC/\d\.\d+[ \t]*\r?\n[!-9;-~]+[ \t]*:'
# IP address, date. Then type and length in version 1, more fields in version 2.
ARC_FIELDS = (
    rb' (?P<ip>[\d.]{7,15}|\[?[\da-fA-F:]{3,39}\]?|-|) (?P<date>\d{8,17}|0)'
    rb'(?: [^ \n]{0,127}){0,12}? (?P<length>\d{1,15})\r?\n'
)
CERTAIN_SCHEME = rb'(?:https?://|ftp://|filedesc://|dns:)'
MAX_URL = 6000  # bytes
# A scheme, or a host in old archives.
URL_START = rb'(?:[A-Za-z][\w.+-]*:|[A-Za-z\d][\w-]*(?:\.[\w-]+)+(?=[ /]))'
URL = rb'(?P<url>(?!\w+%b)%b[^\r\n]{0,%d}?)' % (CERTAIN_SCHEME, URL_START, MAX_URL)
CERTAIN_START = re.compile(CERTAIN_SCHEME)
LINE_ENDS = b'\r\n'
HEAD_END = re.compile(rb'\r?\n\r?\n')
FIELDS = re.compile(
    rb'\n(warc-type|warc-target-uri|warc-date|warc-ip-address|content-length|'
    rb'content-type|warc-record-id|warc-payload-digest|warc-truncated|'
    rb'warc-profile|warc-refers-to(?:-target-uri|-date)?)'
    rb'[ \t]*:([^\r\n]*)',
    re.I,
)
FOLD = re.compile(rb'\r?\n(?=[ \t])')  # a next line that begins with a blank
MAX_VALUE = 1000  # bytes of an id, a digest or a reason; a longer one is left out
LENGTH = re.compile(rb'[ \t]*(\d{1,18})[ \t]*\Z')


class Pattern(Protocol):
    """What finds something, such as a regular expression."""

    def search(
        self, data: bytes, start: int = 0, stop: int = sys.maxsize, /
    ) -> re.Match[bytes] | None: ...


class ArcSearch:
    """Finds the next header line of an ARC record, or the line end before it.

    Behind a partial record, a header may begin in the middle of a line. Only URLs of
    common schemes count there, as other words with a colon occur in texts.

    The fields behind a URL are searched first. A page may consist of URLs, and a search
    for URLs would read all that follows behind each of them.
    """

    FIELDS = re.compile(ARC_FIELDS)
    LINE = re.compile(rb'\n(?=%b%b)' % (URL, ARC_FIELDS))
    CERTAIN = re.compile(rb'%b[^ \r\n]{1,%d}%b' % (CERTAIN_SCHEME, MAX_URL, ARC_FIELDS))

    def search(
        self, data: bytes, start: int = 0, stop: int = sys.maxsize
    ) -> re.Match[bytes] | None:
        """Find the first header between two offsets.

        >>> line = b'http://a.org/ 10.0.0.1 20080102030405 text/html 17\\n'
        >>> found = [ARC.search.search(text) for text in (b'a\\n' + line, b'ab' + line)]
        >>> [match.start() for match in found]
        [1, 2]
        """
        at, refused = start, -1  # the latest line or URL that begins no header
        while fields := self.FIELDS.search(data, at, stop):
            end = fields.start()
            first = max(start, end - MAX_URL - len(b'filedesc://'))
            line = data.rfind(b'\n', first, end)
            if line > refused and (match := self.LINE.match(data, line, stop)):
                return match
            refused = max(refused, line)
            blank = max(
                data.rfind(b' ', first, end), data.rfind(b'\r', first, end), line
            )
            url = CERTAIN_START.search(data, max(first, blank + 1), end)
            if url and url.start() > refused:
                if match := self.CERTAIN.match(data, url.start(), stop):
                    return match
                refused = url.start()
            at = end + 1
        return None


class Syntax(NamedTuple):
    """Patterns of the headers of a format.

    `search` finds the next header, or the line end before it. `stub` matches the
    beginning of a header that was cut off.
    """

    start: re.Pattern[bytes]
    search: 'Pattern'
    stub: re.Pattern[bytes]
    ends: tuple[bytes, ...]  # these bytes follow a record and are rare inside one


WARC = Syntax(
    re.compile(WARC_LINE),
    re.compile(WARC_LINE),
    re.compile(rb'(?s)W(?:A(?:R(?:C(?:/[\d.]*\r?(?:\n(?!.*\n\r?\n).*)?)?)?)?)?\Z'),
    (b'\r\n\r\n',),
)
ARC = Syntax(
    re.compile(URL + ARC_FIELDS),
    ArcSearch(),
    re.compile(rb'[A-Za-z\d][\w.+-]*(?:[:/][^\n]{0,6000})?\Z'),
    (),
)


def syntax_at(ahead: bytes) -> Syntax | None:
    """Return the format of the record that begins here; None if none begins."""
    ahead = ahead.lstrip(LINE_ENDS)
    if WARC.start.match(ahead):
        return WARC
    return ARC if ARC.start.match(ahead) else None


def begins_with_record(ahead: bytes) -> bool:
    """Return whether a record surely begins here.

    Behind a first letter that was cut off, the rest of an address is one as well.

    >>> line = b'http://a.org/ 10.0.0.1 20080102030405 text/html 17\\n'
    >>> begins_with_record(line), begins_with_record(line[1:])
    (True, False)
    """
    syntax = syntax_at(ahead)
    return syntax is WARC or (
        syntax is ARC and CERTAIN_START.match(ahead.lstrip(LINE_ENDS)) is not None
    )


class Head(NamedTuple):
    """The parsed header of a record."""

    type: str
    url: bytes
    date: str
    ip: str
    length: int
    content_type: bytes = b''
    record_id: str = ''  # without angle brackets
    payload_digest: str = ''
    truncated: str = ''  # the reason why the writer cut the block
    refers_to: str = ''  # the reference of a revisit


def parse_warc_head(raw: bytes) -> Head | None:
    """Parse a WARC header; None if it has no valid length.

    >>> parse_warc_head(b'WARC/1.0\\r\\nWARC-Type: response\\r\\nContent-Length: 5')[:5]
    ('response', b'', '', '', 5)
    """
    # If a field occurs twice, the first one counts.
    fields = {k.lower(): v for k, v in reversed(FIELDS.findall(unfold(raw)))}
    length = LENGTH.match(fields.get(b'content-length', b''))
    if not length:
        return None
    head = Head(
        fields.get(b'warc-type', b'').strip().lower().decode('latin-1'),
        # Some writers put the URL in angle brackets, as WARC 1.0 suggests.
        _unbracket(fields.get(b'warc-target-uri', b'').strip()),
        fields.get(b'warc-date', b'').strip().decode('ascii', 'replace'),
        fields.get(b'warc-ip-address', b'').strip().decode('ascii', 'replace'),
        int(length[1]),
        fields.get(b'content-type', b'').strip(),
        _bounded(_unbracket(fields.get(b'warc-record-id', b'').strip())),
        _bounded(fields.get(b'warc-payload-digest', b'').strip()),
        _bounded(fields.get(b'warc-truncated', b'').strip()),
    )
    return _with_reference(head, fields) if head.type == REVISIT else head


def _with_reference(head: Head, fields: Mapping[bytes, bytes]) -> Head:
    """Add the reference of a revisit.

    A reference with a date but without a URI is to an earlier capture of the same URL.
    The payload digest of a page that was not modified may be that of its own empty
    block, which says nothing about the page.
    """
    date, record_id, uri = (
        fields.get(b'warc-refers-to' + end, b'').strip()
        for end in (b'-date', b'', b'-target-uri')
    )
    reference = references.make_reference(
        date.decode('ascii', 'replace'),
        _bounded(_unbracket(record_id)),
        _unbracket(uri) or (head.url if date else b''),
    )
    not_modified = b'not-modified' in fields.get(b'warc-profile', b'')
    if not_modified and references.is_of_nothing(head.payload_digest):
        head = head._replace(payload_digest='')
    return head._replace(refers_to=str(reference))


def unfold(head: bytes) -> bytes:
    """Join the lines of fields that continue in a next line.

    >>> unfold(b'A: b\\r\\n c\\r\\nD: e')
    b'A: b c\\r\\nD: e'
    """
    return FOLD.sub(b'', head)


def _unbracket(value: bytes) -> bytes:
    return value[1:-1] if value[:1] == b'<' and value[-1:] == b'>' else value


def _bounded(value: bytes) -> str:
    return value.decode('ascii', 'replace') if len(value) <= MAX_VALUE else ''


def parse_arc_line(line: re.Match[bytes]) -> Head:
    """Parse the header line of an ARC record, version 1 or 2.

    >>> line = b'http://a.org/ 10.0.0.1 20080102030405 text/html 17\\n'
    >>> parse_arc_line(ARC.start.match(line))[:5]
    ('response', b'http://a.org/', '2008-01-02T03:04:05Z', '10.0.0.1', 17)
    """
    kind = 'warcinfo' if line['url'].startswith(b'filedesc:') else 'response'
    ip = line['ip'].decode('ascii').strip('[]')
    d = line['date'].decode('ascii').ljust(14, '0')
    date = f'{d[:4]}-{d[4:6]}-{d[6:8]}T{d[8:10]}:{d[10:12]}:{d[12:14]}Z'
    has_date = line['date'] != b'0'
    return Head(kind, line['url'], date if has_date else '', ip, int(line['length']))
