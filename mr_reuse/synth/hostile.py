"""Pages that try to break a reader, as they occur in crawls of the real web.

All are on one host, and each URL names the trick of its page.
"""

import codecs
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import brotli
import zstandard

from mr_reuse.synth.key import Page, Planted
from mr_reuse.synth.prose import draw, prose, topic
from mr_reuse.synth.sites import Plant

HOST = 'hostile.example'
DEEP = 96, 97, 300  # components of a URL
NESTED = 100_000  # tags
HUGE = 5 * 10**6  # bytes of a chunk
BOMB = 30 * 10**6  # bytes after inflating
TRAP_TURNS = 12  # pages of the trap, each with a longer URL

ODD_URLS = (
    f'http://{HOST}/url/with some spaces/page one.html',
    f'http://{HOST}/url/straße/café.html?q=ü',
    f'http://{HOST}/url/line%0Afeed%0D/tab%09.html',
    f'http://Joe:secret@{HOST.upper()}:80/url//empty///Components/./../up.html#top',
    'http://[2001:db8::1]:8080/url/ipv6.html',
)


def makers(seed: int, plant: Plant) -> list[Callable[[], Page]]:
    """Return makers of all hostile pages. The nested tags are copies, so in the key."""
    nested = plant('nested', b'<div>')
    pages = [*_odd_addresses(seed), *_odd_bodies(seed, nested), *_encoded(seed)]
    return [partial(replace, page, filler=False) for page in pages]


def text(seed: int, name: str) -> bytes:
    """Return a small page with content that depends on its name.

    >>> text(1, 'x')[:40]
    b'<html><body><h1>x</h1>\\n<p>That humble ja'
    """
    words = prose(topic(seed, 0), draw(18, seed, 'hostile', name))
    return b'<html><body><h1>%b</h1>\n<p>%b\n</body></html>\n' % (name.encode(), words)


def _odd_addresses(seed: int) -> list[Page]:
    deep = [
        f'http://{HOST}/' + '/'.join(f'd{k}' for k in range(1, depth)) + '/end.html'
        for depth in DEEP
    ]
    trap = [
        f'http://{HOST}/trap/' + 'calendar/next/' * turn + 'index.html'
        for turn in range(1, TRAP_TURNS + 1)
    ]
    return [Page(url, HOST, text(seed, url[-60:])) for url in (*deep, *trap, *ODD_URLS)]


def _odd_bodies(seed: int, nested: Planted) -> list[Page]:
    def page(name: str, body: bytes, **more: object) -> Page:
        return Page(f'http://{HOST}/body/{name}', HOST, body, **more)

    start = b'<html><body>nested'
    huge = prose(topic(seed, 0), draw(48, seed, 'huge'))
    return [
        page(
            'nested.html',
            start + b'<div>' * NESTED + b'</div>' * NESTED,
            planted=[nested] * (NESTED - 1),  # the last chunk is longer
        ),
        page('nul.html', text(seed, 'nul').ljust(1500) + bytes(64) + b'<p>after NUL'),
        page('charset.html', 'naïve façade: <p>not UTF-8 £'.encode('latin-1')),
        page('huge.html', b'<p>' + (huge * (HUGE // len(huge) + 1))[:HUGE]),
        page('empty.html', b''),
        page(
            'utf16.html',
            codecs.BOM_UTF16_LE + text(seed, 'utf16').decode().encode('utf-16-le'),
            media='text/html; charset=utf-16',
        ),
        page('picture.png', png(draw(30, seed, 'png')), media='image/png'),
    ]


def _encoded(seed: int) -> list[Page]:
    def page(name: str, headers: tuple[str, ...], encode: Callable) -> Page:
        url = f'http://{HOST}/encoding/{name}.html'
        return Page(url, HOST, encode(text(seed, name)), extra=headers)

    packed = {
        'gzip': squeeze,
        'deflate': zlib.compress,
        'br': brotli.compress,
        'zstd': zstandard.ZstdCompressor().compress,
    }
    gzipped, in_parts = 'Content-Encoding: gzip', 'Transfer-Encoding: chunked'
    return [
        *[page(name, (f'Content-Encoding: {name}',), packed[name]) for name in packed],
        page('raw-deflate', ('Content-Encoding: deflate',), raw_deflate),
        page('chunked', (in_parts,), in_chunks),
        page('both', (in_parts, gzipped), lambda body: in_chunks(squeeze(body))),
        page('bomb', (gzipped,), lambda _: squeeze(bytes(BOMB))),
        page('lies-gzip', (gzipped,), bytes),
        page('lies-br', ('Content-Encoding: br',), squeeze),
        page('lies-chunked', (in_parts,), bytes),
        page('unknown', ('Content-Encoding: x-own',), bytes),
    ]


def squeeze(body: bytes) -> bytes:
    """Gzip with zlib. The header that the `gzip` module writes depends on Python."""
    packer = zlib.compressobj(wbits=31)
    return packer.compress(body) + packer.flush()


def raw_deflate(body: bytes) -> bytes:
    """Deflate without the zlib header that HTTP demands, as some servers do.

    >>> zlib.decompress(raw_deflate(b'tea'), -15)
    b'tea'
    """
    return zlib.compress(body)[2:-4]


def in_chunks(body: bytes, length: int = 100) -> bytes:
    r"""Return a body in chunked transfer encoding.

    >>> in_chunks(b'hello', 3)
    b'3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n'
    """
    pieces = [body[at : at + length] for at in range(0, len(body), length)]
    coded = [b'%x\r\n%b\r\n' % (len(piece), piece) for piece in pieces]
    return b''.join(coded) + b'0\r\n\r\n'


def png(pixels: bytes) -> bytes:
    r"""Return a gray picture of one row.

    >>> png(bytes(3))[:4], len(png(bytes(3))) > 50
    (b'\x89PNG', True)
    """

    def block(kind: bytes, data: bytes) -> bytes:
        ends = struct.pack('>I', len(data)), struct.pack('>I', zlib.crc32(kind + data))
        return ends[0] + kind + data + ends[1]

    shape = struct.pack('>IIBBBBB', len(pixels), 1, 8, 0, 0, 0, 0)
    blocks = (b'IHDR', shape), (b'IDAT', zlib.compress(b'\0' + pixels)), (b'IEND', b'')
    return b'\x89PNG\r\n\x1a\n' + b''.join(block(*args) for args in blocks)
