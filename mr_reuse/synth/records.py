"""Records of WARC, ARC and WET files: from a page to bytes, not compressed.

This project builds records itself, since warcio would take longer than making the
pages. The tests read the records with warcio.
"""

import base64
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from email.utils import formatdate

from mr_reuse.synth.key import Page, Planted
from mr_reuse.synth.prose import draw
from mr_reuse.synth.schedule import stamp, time_of

NETS = '192.0.2', '198.51.100', '203.0.113'  # reserved for documentation
NO_ADDRESS = '-'  # in ARC files
SERVERS = 'Apache', 'nginx/1.4.6', 'Microsoft-IIS/7.5', 'lighttpd'
TAG = re.compile(rb'<[^>]*>\s*')


@dataclass(slots=True)
class Capture:
    """A page with its serial number in the crawl, which decides the record id.

    `slip` is the error of the length that the record declares.
    """

    page: Page
    seed: int
    serial: int
    slip: int = 0

    @property
    def time(self) -> datetime:
        return time_of(self.page.second)

    @property
    def date(self) -> str:
        return stamp(self.page.second)

    @property
    def id(self) -> str:
        return record_id(self.seed, self.serial)


def record_id(seed: int, name: object) -> str:
    """Return the record id for a name: a UUID of version 4.

    >>> record_id(1, 0)
    '<urn:uuid:346c6e96-6739-48c7-84f0-2f2e334c68e2>'
    """
    raw = draw(16, seed, 'record', name).hex()
    return f'<urn:uuid:{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-8{raw[17:20]}-{raw[20:]}>'


def ip_address(host: str) -> str:
    """Return the address of a host.

    >>> ip_address('oak-club.example')
    '203.0.113.51'
    """
    number = zlib.crc32(host.encode())
    return f'{NETS[number % 3]}.{number // 3 % 254 + 1}'


def address_of(page: Page) -> str:
    """Return the address of the server of a page, '' if its record has none."""
    return ip_address(page.host) if page.address is None else page.address


def http(capture: Capture) -> tuple[bytes, bytes]:
    """Return the head and the body of the HTTP response."""
    page = capture.page
    since_1970 = capture.time.replace(tzinfo=timezone.utc).timestamp()
    lines = [
        f'HTTP/1.1 {page.status}',
        f'Date: {formatdate(since_1970, usegmt=True)}',
        f'Server: {SERVERS[zlib.crc32(page.host.encode()) % len(SERVERS)]}',
        f'Content-Type: {page.media}',
        *page.extra,
    ]
    if not any(line.startswith('Transfer-Encoding') for line in page.extra):
        lines.append(f'Content-Length: {len(page.body)}')
    return '\r\n'.join([*lines, 'Connection: close', '', '']).encode(), page.body


def warc_headers(kind: str, fields: dict[str, object]) -> bytes:
    r"""Return the header of a WARC record.

    >>> warc_headers('metadata', {'Content-Length': 0})
    b'WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n'
    """
    lines = [f'{name}: {value}\r\n' for name, value in fields.items()]
    return f'WARC/1.0\r\nWARC-Type: {kind}\r\n{"".join(lines)}\r\n'.encode()


def warc_record(capture: Capture) -> bytes:
    """Return a WARC response record."""
    head, body = http(capture)
    fields = {
        'WARC-Record-ID': capture.id,
        'WARC-Date': capture.date,
        'WARC-Target-URI': capture.page.url,
        'WARC-IP-Address': address_of(capture.page),
        'WARC-Payload-Digest': sha1_of(body),
        'Content-Type': 'application/http; msgtype=response',
        'Content-Length': len(head) + len(body) + capture.slip,
    }
    if not fields['WARC-IP-Address']:
        del fields['WARC-IP-Address']
    return b''.join([warc_headers('response', fields), head, body, b'\r\n\r\n'])


def sha1_of(body: bytes) -> str:
    """Return a digest as WARC has it.

    >>> sha1_of(b'')
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    """
    return 'sha1:' + base64.b32encode(hashlib.sha1(body).digest()).decode()


def wet_record(capture: Capture) -> bytes:
    """Return a WARC conversion record with the plain text of a page."""
    text = capture.page.text or plain_text(capture.page.body)
    fields = {
        'WARC-Target-URI': capture.page.url,
        'WARC-Date': capture.date,
        'WARC-Record-ID': record_id(capture.seed, f'{capture.serial}/text'),
        'WARC-Refers-To': capture.id,
        'WARC-Block-Digest': sha1_of(text),
        'Content-Type': 'text/plain',
        'Content-Length': len(text) + capture.slip,
    }
    return b''.join([warc_headers('conversion', fields), text, b'\r\n\r\n'])


def plain_text(body: bytes) -> bytes:
    r"""Return a page without its tags.

    >>> plain_text(b'<html>\n<p>Tea\n<p class="x">and <b>milk</b>.\n</html>\n')
    b'Tea\nand milk.\n'
    """
    return TAG.sub(b'', body)


def arc_record(capture: Capture) -> bytes:
    """Return an ARC record, the format that preceded WARC."""
    page = capture.page
    head, body = http(capture)
    fields = (
        page.url,
        address_of(page) or NO_ADDRESS,
        f'{capture.time:%Y%m%d%H%M%S}',
        page.media.partition(';')[0],
        str(len(head) + len(body) + capture.slip),
    )
    return b''.join([' '.join(fields).encode(), b'\n', head, body, b'\n'])


def warc_start(name: str, seed: int, second: int) -> bytes:
    """Return the first record of a WARC file, a warcinfo."""
    body = b'software: mr_reuse synth\r\nformat: WARC File Format 1.0\r\n'
    fields = {
        'WARC-Record-ID': record_id(seed, name),
        'WARC-Date': stamp(second),
        'WARC-Filename': name,
        'Content-Type': 'application/warc-fields',
        'Content-Length': len(body),
    }
    return warc_headers('warcinfo', fields) + body + b'\r\n\r\n'


def arc_start(name: str, _: int, second: int) -> bytes:
    """Return the version block, the first record of an ARC file."""
    body = '1 0 mr_reuse\nURL IP-address Archive-date Content-type Archive-length\n'
    date = f'{time_of(second):%Y%m%d%H%M%S}'
    head = f'filedesc://{name} 0.0.0.0 {date} text/plain {len(body)}\n'
    return f'{head}{body}\n'.encode()


def is_text(page: Page) -> bool:
    """Return whether a page can be converted to plain text without decoding it."""
    return bool(page.body) and not page.extra and page.media.startswith('text/')


def texts(key: Iterable[Planted]) -> list[Planted]:
    """Return the key of a WET file. It has the whole files only, as plain text.

    >>> key = [Planted('ad', b'<p>'), Planted('file', b'<p>x')]
    >>> [planted.data for planted in texts(key)]
    [b'x']
    """
    files = [planted for planted in key if planted.kind == 'file']
    return [replace(file, data=plain_text(file.data)) for file in files]


@dataclass(slots=True, frozen=True)
class Format:
    """A format of archives: functions that make records, and a test for pages."""

    suffix: str
    start: Callable[[str, int, int], bytes]
    record: Callable[[Capture], bytes]
    takes: Callable[[Page], bool] = lambda page: True


FORMATS = {
    'warc': Format('.warc', warc_start, warc_record),
    'arc': Format('.arc', arc_start, arc_record),
    'wet': Format('.warc.wet', warc_start, wet_record, is_text),
}
