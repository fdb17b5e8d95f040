"""Bodies: HTTP heads, transfer and content encodings, and how these end."""

import gzip
import zlib

import brotli
import pytest
import zstandard
from damaged_reading import make

from mr_reuse.archives import decoding, payload
from mr_reuse.archives.decoding import Broken

BODY = make.page('body') * 20
GZIP = gzip.compress(BODY, mtime=0)


def raw(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def chunked(data: bytes, size: int = 100, last: bytes = b'0\r\n\r\n') -> bytes:
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    return b''.join(b'%x\r\n%b\r\n' % (len(p), p) for p in parts) + last


def decode(coded: bytes, *names: str, step: int = 0) -> tuple[bytes, bool, list[str]]:
    """The body, whether it broke off, and the notes."""
    notes, found, broken = [], [], False
    head = ''.join(
        f'Content-Encoding: {name}\r\n' for name in names if name != 'chunked'
    )
    head += 'Transfer-Encoding: chunked\r\n' * ('chunked' in names)
    block = f'HTTP/1.1 200 OK\r\n{head}\r\n'.encode()
    encodings = payload.read_head(block).encodings
    blocks = (
        [coded[i : i + step] for i in range(0, len(coded), step)] if step else [coded]
    )
    try:
        for piece in payload.decode(blocks, encodings, notes.append):
            found.append(piece)
    except Broken:
        broken = True
    return b''.join(found), broken, notes


CODED = {
    'gzip': GZIP,
    'x-gzip': GZIP,
    'gzip ': GZIP[:10] + GZIP[10:] + bytes(20),
    'GZIP': gzip.compress(BODY[:99]) + gzip.compress(BODY[99:]),
    'deflate': zlib.compress(BODY),
    'Deflate': raw(BODY),
    'br': brotli.compress(BODY),
    'zstd': zstandard.compress(BODY),
    'brotli': brotli.compress(BODY),
    '"gzip"': GZIP,
    'gzip;q=1.0': GZIP,
    'Zstd': zstandard.compress(BODY[:77]) + zstandard.compress(BODY[77:]),
    'identity': BODY,
    'chunked': chunked(BODY),
    'gzip, br': brotli.compress(GZIP),
    'br,identity,gzip': gzip.compress(brotli.compress(BODY)),
}


@pytest.fixture(params=[1 << 20, 61], ids=['blocks', 'tiny-blocks'])
def block(request, monkeypatch):
    monkeypatch.setattr(decoding, 'BLOCK', request.param)


@pytest.mark.parametrize('name', CODED)
@pytest.mark.parametrize('step', [0, 1, 50])
def test_sound(block, name, step):
    assert decode(CODED[name], name, step=step) == (BODY, False, [])


@pytest.mark.parametrize('name', [n for n in CODED if n not in ('chunked', 'identity')])
def test_in_chunks(block, name):
    assert decode(chunked(CODED[name]), name, 'chunked') == (BODY, False, [])


@pytest.mark.parametrize('name', ['gzip', 'deflate', 'Deflate', 'br', 'zstd'])
@pytest.mark.parametrize('also', [(), ('chunked',)])
def test_breaks_off(block, name, also):
    """What came before the end is there, whether or not the chunks end too."""
    half = CODED[name][: len(CODED[name]) // 2]
    coded = chunked(half) if also else half
    found, broken, notes = decode(coded, name, *also)
    assert (broken, notes) == (True, [])
    assert BODY.startswith(found)
    assert found or name == 'zstd'  # which gives whole blocks


@pytest.mark.parametrize('last', [b'', b'0', b'5\r\nabc', b'zz\r\n', b'fffff'])
def test_chunks_break_off(block, last):
    tail = b'abc' if last.startswith(b'5') else b''
    found = BODY + tail, True, []
    assert decode(chunked(BODY, last=last), 'chunked') == found


def test_both_break_off(block):
    """The chunks end in the middle; gzip gives all that they held."""
    held = GZIP[:-100]
    expected = zlib.decompressobj(31).decompress(held)
    assert decode(chunked(held, last=b''), 'gzip', 'chunked') == (expected, True, [])


def test_flipped_in_gzip(block):
    """All that was there before the flipped byte is given."""
    coded = make.flip(GZIP, len(GZIP) - 60)
    before = zlib.decompressobj(31).decompress(coded[:-61])
    found, broken, _ = decode(coded, 'gzip')
    assert broken and found.startswith(before)


def test_bad_checksum(block):
    assert decode(make.flip(GZIP, len(GZIP) - 8), 'gzip') == (BODY, True, [])


@pytest.mark.parametrize('name', ['gzip', 'deflate', 'br', 'zstd', 'chunked'])
@pytest.mark.parametrize(
    'body',
    [
        BODY,
        b'\n<html>',
        b'some words',
        b'{"a": 1}',
        b'\xef\xbb\xbf<p>',
        b'abc\nno size',
    ],
)
def test_lies(block, name, body):
    """A body that is not in the encoding is taken as it is."""
    kind = 'transfer' if name == 'chunked' else 'content'
    note = f'{kind} encoding not as declared'
    assert decode(body, name) == (body, False, [note])


def test_one_of_two_lies(block):
    found = decode(GZIP, 'gzip', 'chunked')
    assert found == (BODY, False, ['transfer encoding not as declared'])


def test_unknown(block):
    assert decode(BODY, 'rot13') == (BODY, False, ['content encoding unknown'])


@pytest.mark.parametrize('name', CODED)
def test_empty(block, name):
    assert decode(b'', name) == (b'', False, [])


def test_extensions_and_trailers(block):
    coded = b'3;a="b"\r\nabc\r\n 2 \r\nde\r\n0;x\r\nTrailer: 1\r\n\r\n'
    assert decode(coded, 'chunked') == (b'abcde', False, [])


def test_line_feeds_in_chunks(block):
    assert decode(b'3\nabc\n2\nde\n0\n\n', 'chunked') == (b'abcde', False, [])


# Bombs


@pytest.mark.parametrize(
    'coded, names',
    [
        (gzip.compress(bytes(100_000)), ['gzip']),
        (brotli.compress(bytes(100_000)), ['br']),
        (zstandard.compress(bytes(100_000)), ['zstd']),
        (zlib.compress(bytes(100_000)), ['deflate']),
        (gzip.compress(gzip.compress(bytes(100_000))), ['gzip', 'gzip']),
        (gzip.compress(brotli.compress(b'x') + bytes(100_000)), ['br', 'gzip']),
    ],
)
def test_bombs(block, monkeypatch, coded, names):
    """Also one of which the inner encoding would give little."""
    monkeypatch.setattr(payload, 'MAX_BODY', 50_000)
    with pytest.raises(payload.Bomb):
        decode(coded, *names)


def test_just_no_bomb(block, monkeypatch):
    monkeypatch.setattr(payload, 'MAX_BODY', len(BODY))
    monkeypatch.setattr(payload, 'PIECE', 1)
    assert decode(GZIP, 'gzip')[0] == BODY


@pytest.mark.parametrize(
    'piece, name',
    [
        (gzip.compress(b''), 'gzip'),
        (zstandard.ZstdCompressor().compress(b''), 'zstd'),
        (b'1\r\nx\r\n', 'chunked'),
    ],
)
def test_bombs_of_many_pieces(monkeypatch, piece, name):
    """Each piece is work, even if it holds nothing."""
    monkeypatch.setattr(payload, 'MAX_BODY', 256_000)
    assert decode(piece * 900, name)[0] in {b'', b'x' * 900}
    with pytest.raises(payload.Bomb):
        decode(piece * 1100, name)


def frame_of_window(size: int) -> bytes:
    """An empty frame, as in RFC 8878, that demands a window of 2 ** size bytes."""
    return zstandard.FRAME_HEADER + bytes([0, (size - 10) << 3, 1, 0, 0])


def test_windows_of_zstd():
    """RFC 9659: no decoder of HTTP needs more than 8 MB."""
    assert decode(frame_of_window(23) + CODED['zstd'], 'zstd') == (BODY, False, [])
    assert decode(frame_of_window(24) + CODED['zstd'], 'zstd')[:2] == (b'', True)


# Heads


@pytest.mark.parametrize(
    'head, status',
    [
        (b'HTTP/1.1 200 OK\r\nA: b\r\n\r\n', 200),
        (b'HTTP/1.0 404\r\n\r\n', 404),
        (b'HTTP/2 200\nA: b\n\n', 200),
        (b'HTTP/1.1 200 OK\r\nA: b\r\n folded\r\nC: d\r\n', 200),
        (b'HTTP/1.1 200 OK\r\n', 200),
    ],
)
@pytest.mark.parametrize('body', [b'<p>x', b'', b'<p>a: b\r\nmore'])
def test_heads(head, status, body):
    """The empty line may be missing; the body begins where no field is."""
    found = payload.read_head(head + body)
    assert (found.status, (head + body)[found.start :]) == (status, body)


def test_folded_encoding():
    """A line that begins with a blank continues the field before it."""
    head = b'HTTP/1.1 200 OK\r\nContent-Encoding:\r\n gzip,\r\n\tbr\r\n\r\n'
    assert payload.read_head(head).encodings == (('content', 'br'), ('content', 'gzip'))


def test_no_head():
    assert payload.read_head(b'<p>HTTP/1.1 200 OK\r\n\r\n') is None


def test_head_longer_than_any(monkeypatch):
    monkeypatch.setattr(payload, 'MAX_HEAD', 20)
    block = b'HTTP/1.1 200 OK\r\nA: ' + b'x' * 99 + b'\r\n\r\nbody'
    assert payload.read_head(block).status == 200


@pytest.mark.parametrize('protocol', ['HTTP/1.1', 'HTTP/2', 'HTTPX/1.1', 'RTSP/1.0'])
def test_head_of_any_protocol(protocol):
    head = f'{protocol} 206 Some\r\nA: b\r\n\r\n'.encode()
    assert payload.read_head(head + b'body')[:2] == (206, len(head))


def test_head_of_shoutcast():
    assert payload.read_head(b'ICY 200 OK\r\n\r\nbody')[:2] == (200, 14)


@pytest.mark.parametrize('text', [b'ROOM 101 of', b'Http/1.1 200', b'AC/DC 200 OK'])
def test_text_is_no_head(text):
    assert payload.read_head(text + b'\r\nA: b\r\n\r\nbody') is None
