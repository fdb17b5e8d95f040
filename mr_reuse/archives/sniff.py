"""Detect the media type of a body by its first bytes.

Names and declared types are ignored, as both are often wrong in real crawls.
"""

import re

HEAD = 1024  # bytes that are looked at
MAX_CONTROL = 0.10  # share of control characters in a text

MAGICS = [
    (b'%PDF', 'application/pdf'),
    (b'GIF8', 'image/gif'),
    (b'\x89PNG', 'image/png'),
    (b'\xff\xd8\xff', 'image/jpeg'),
    (b'PK\x03\x04', 'application/zip'),
    (b'PK\x05\x06', 'application/zip'),
    (b'\x1f\x8b', 'application/gzip'),
    (b'RIFF', 'application/x-riff'),
    (b'\x7fELF', 'application/x-elf'),
    (b'MZ', 'application/x-msdownload'),
    (b'OggS', 'application/ogg'),
    (b'ID3', 'audio/mpeg'),
    (b'BM', 'image/bmp'),
    (b'\xca\xfe\xba\xbe', 'application/java-vm'),
    (b'wOFF', 'font/woff'),
    (b'wOF2', 'font/woff2'),
    (b'\x00\x00\x01\x00', 'image/x-icon'),
    (b'7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'),
    (b'BZh', 'application/x-bzip2'),
    (b'\x28\xb5\x2f\xfd', 'application/zstd'),
    (b'\xfd7zXZ\x00', 'application/x-xz'),
]
STARTS = tuple(magic for magic, _ in MAGICS)
# A magic of letters only is not enough: a text may begin with "BM " or "RIFF raff".
WEAK = {
    b'BM': re.compile(rb'BM.{4}\x00{4}', re.S),
    b'MZ': re.compile(rb'MZ.*\x00', re.S),
    b'RIFF': re.compile(rb'RIFF.{4}(?:WAVE|AVI |WEBP)', re.S),
    b'ID3': re.compile(rb'ID3[\x02-\x04]'),
    b'BZh': re.compile(rb'BZh[1-9](?:1AY&SY|\x17rE8P)'),
    b'PK\x03\x04': re.compile(rb'PK'),
}
CONTROL = bytes(set(range(32)) - set(b'\t\n\r\f\x1b')) + b'\x7f'
UTF16 = (b'\xff\xfe', b'\xfe\xff')
UTF8_MARK = b'\xef\xbb\xbf'
HTML = re.compile(
    rb'\s*(?:<!--(?:[^-]|-(?!->))*(?:-->|\Z)\s*)*<(?:!doctype\s+html|html|head|body|title|meta|'
    rb'script|style|table|frameset|div|p|h1|a|center|font|br|img|b)\b',
    re.I | re.S,
)
XML = re.compile(rb'\s*<\?xml', re.I)
ROOT = re.compile(rb'<([A-Za-z_][\w:.-]*)')


def media_type(head: bytes) -> str:
    """Return the media type of a body by its beginning; '' if the body is empty.

    >>> media_type(b'<!DOCTYPE html><p>'), media_type(b'User-agent: *')
    ('text/html', 'text/plain')
    >>> media_type(b'%PDF-1.4'), media_type(b'abc' + bytes(9)), media_type(b'')
    ('application/pdf', 'application/octet-stream', '')
    >>> media_type(b'<?xml version="1.0"?><rss version="2.0">')
    'application/rss+xml'
    >>> media_type(b' \\n'), media_type('hi'.encode('utf-16'))
    ('text/plain', 'text/plain')
    """
    head = bytes(head[:HEAD])
    if not head:
        return ''
    if head.startswith(UTF16):
        return _text_type(head[2:].replace(b'\0', b''))
    if head.startswith(STARTS):
        for magic, name in MAGICS:
            if head.startswith(magic) and _is_certain(magic, head):
                return name
    control = len(head) - len(head.translate(None, CONTROL))
    if b'\0' in head or control > MAX_CONTROL * len(head):
        return 'application/octet-stream'
    return _text_type(head.removeprefix(UTF8_MARK))


def is_text(media: str) -> bool:
    """Test whether a media type is text. Only text is cut into chunks.

    >>> is_text('text/html'), is_text('application/xhtml+xml'), is_text('image/gif')
    (True, True, False)
    """
    return media.startswith('text/') or media.endswith('xml')


def _is_certain(magic: bytes, head: bytes) -> bool:
    return magic not in WEAK or WEAK[magic].match(head) is not None


def _text_type(head: bytes) -> str:
    if XML.match(head):
        root = ROOT.search(head)
        name = root.group(1).lower() if root else b''
        return {
            b'html': 'application/xhtml+xml',
            b'rss': 'application/rss+xml',
            b'rdf:rdf': 'application/rss+xml',
        }.get(name, 'application/xml')
    return 'text/html' if HTML.match(head) else 'text/plain'
