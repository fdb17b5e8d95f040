"""Writes the damaged archives beside it; run it after a change, and look at the diff.

Each holds a header record and the pages a, b, c. What is broken is nearly always b.
A file is named for its damage; what must be read of it is in `expected.txt`.
"""

import gzip
import hashlib
import zlib
from pathlib import Path

HERE = Path(__file__).parent
DATE = '2020-01-02T03:04:05Z'


def page(name: str) -> bytes:
    """The page of that name: seven lines that do not compress well, 329 bytes."""
    lines = [hashlib.sha1(f'{name}{n}'.encode()).hexdigest() for n in range(7)]
    return ''.join(f'<p>{line}...\n' for line in lines).encode()


def warc(name: str, block: bytes, kind='response', slip=0, end='\r\n', **more) -> bytes:
    """A WARC record; its length is off by `slip`."""
    fields = {
        'WARC-Type': kind,
        'WARC-Date': DATE,
        'WARC-Target-URI': f'http://x.org/{name}',
        'Content-Length': len(block) + slip,
    } | {key.replace('_', '-'): value for key, value in more.items()}
    lines = ['WARC/1.0', *(f'{k}: {v}' for k, v in fields.items() if v != ''), '', '']
    return end.join(lines).encode() + block + end.encode() * 2


def http(body: bytes, *fields: str) -> bytes:
    """An HTTP response: its head has 44 bytes without further fields."""
    lines = ['HTTP/1.1 200 OK', 'Content-Type: text/html', *fields, '', '']
    return '\r\n'.join(lines).encode() + body


def arc(name: str, block: bytes, slip=0) -> bytes:
    """An ARC record."""
    size = len(block) + slip
    head = f'http://x.org/{name} 192.0.2.1 20200102030405 text/html {size}\n'
    return head.encode() + block + b'\n'


class Form:
    """A kind of archive: how a page becomes a record, and whether it is a member."""

    def __init__(self, name: str):
        self.name, self.gzipped = name, name.endswith('.gz')

    def record(self, name: str, slip: int = 0, body: bytes = b'') -> bytes:
        body = body or page(name)
        if self.name.startswith('arc'):
            return arc(name, http(body), slip)
        if 'wet' in self.name:
            return warc(name, body, 'conversion', slip)
        return warc(name, http(body), 'response', slip)

    def head(self) -> bytes:
        if self.name.startswith('arc'):
            text = (
                b'1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n'
            )
            return arc('', text).replace(b'http://x.org/', b'filedesc://x.arc')
        return warc('', b'software: make.py\r\n', 'warcinfo')

    def pack(self, *records: bytes) -> bytes:
        joined = b''.join(records)
        return gzip.compress(joined, mtime=0) if self.gzipped else joined

    def file(self, *middle: bytes) -> bytes:
        """The head, page a, something, page c."""
        first, last = self.pack(self.head()), self.pack(self.record('c'))
        return b''.join([first, self.pack(self.record('a')), *middle, last])

    def upto_b(self) -> bytes:
        return self.file()[: -len(self.pack(self.record('c')))]


ALL = [Form(n) for n in ('warc.gz', 'warc', 'arc.gz', 'arc', 'warc.wet.gz')]
GZ = [form for form in ALL if form.gzipped]
PLAIN = [form for form in ALL if not form.gzipped]
WARC = [form for form in ALL if form.name in ('warc', 'warc.gz')]


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at:][1:]


def stored(data: bytes) -> bytes:
    """A member that is not compressed: what is in it can be seen from outside."""
    packer = zlib.compressobj(0, wbits=31)
    return packer.compress(data) + packer.flush()


def everywhere(form: Form):
    """Damage that every kind of archive can have."""
    b = form.record('b')
    packed = form.pack(b)
    yield 'sound', form.file(packed)
    yield 'junk-between', form.file(packed, b'junk without an end')
    yield 'junk-line-between', form.file(packed, b'\r\njunk on its line\r\n')
    yield 'junk-of-magic-between', form.file(packed, b'junk \x1f\x8b\x08\x00 of gzip\n')
    yield 'junk-of-warc-between', form.file(packed, b'junk WARC/1.0 and more\n')
    yield 'junk-first', b'junk' + form.file(packed)
    yield 'zeros-between', form.file(packed, bytes(512))
    yield 'zeros-first', bytes(512) + form.file(packed)
    yield 'zeros-last', form.file(packed) + bytes(512)
    yield 'length-short', form.file(form.pack(form.record('b', -20)))
    yield 'length-long', form.file(form.pack(form.record('b', 200)))
    yield 'length-of-terabytes', form.file(form.pack(form.record('b', 10**12)))
    yield 'length-short-last', form.upto_b() + form.pack(form.record('b', -20))
    yield 'length-long-last', form.upto_b() + form.pack(form.record('b', 200))
    yield 'cut-in-body', form.upto_b() + packed[: len(packed) - 150]
    yield 'cut-between', form.upto_b()
    yield 'half-a-record', form.file(packed[: len(packed) - 150])
    yield 'quoting-records', form.file(form.pack(form.record('b', 0, quoting())))


def quoting() -> bytes:
    """A page that shows what a record looks like."""
    return page('b') + b'\r\n\r\n' + warc('q', http(page('q'))) + arc('r', page('r'))


def in_gzip(form: Form):
    """Damage of members."""
    a, b, c = (form.record(name) for name in 'abc')
    packed, rest = form.pack(b), form.pack(c)
    yield 'flipped-body', form.file(flip(packed, len(packed) // 2))
    yield 'flipped-late', form.file(flip(packed, len(packed) - 12))
    yield 'flipped-crc', form.file(flip(packed, -8 + len(packed)))
    yield 'flipped-size', form.file(flip(packed, -1 + len(packed)))
    yield 'flipped-magic', form.file(flip(packed, 1))
    yield 'flipped-first', flip(form.file(packed), 0)
    yield 'flipped-last', form.upto_b() + flip(packed, len(packed) // 2)
    yield 'flipped-all', b''.join(flip(form.pack(r), 40) for r in (a, b, c))
    yield 'cut-in-gzip-header', form.upto_b() + packed[:7]
    yield 'cut-in-gzip-magic', form.upto_b() + packed[:2]
    yield 'cut-in-gzip-trailer', form.upto_b() + packed[:-5]
    yield 'cut-in-record-header', form.upto_b() + packed[:40]
    together = form.pack(form.head(), a, b, c)
    yield 'one-member', together
    yield 'one-member-flipped', flip(together, 650)
    yield 'one-member-flipped-crc', flip(together, len(together) - 8)
    yield 'one-member-cut', together[:-150]
    yield 'one-member-junk-in-it', form.pack(form.head(), a, b'junk\n', b, c)
    yield 'members-of-two', form.pack(form.head(), a) + form.pack(b, c)
    yield 'members-of-two-flipped', form.pack(a) + flip(form.pack(b, c), 99) + rest
    yield 'member-of-no-record', form.file(packed, gzip.compress(page('x'), mtime=0))
    d = stored(form.record('d'))
    yield 'stored-flipped', form.file(flip(stored(b), 300), d)
    yield 'stored-runs-over', form.file(runs_over(stored(b)), d)


def runs_over(member: bytes) -> bytes:
    """Let the one block of a stored member be 300 bytes longer than it is."""
    size = int.from_bytes(member[11:13], 'little') + 300
    lie = size.to_bytes(2, 'little') + (size ^ 0xFFFF).to_bytes(2, 'little')
    return member[:11] + lie + member[15:]


def in_plain(form: Form):
    """Damage of files that are not compressed."""
    b = form.record('b')
    yield 'flipped-magic', form.file(flip(b, 0))
    yield 'cut-in-record-header', form.upto_b() + b[:30]
    yield 'cut-in-magic', form.upto_b() + b[:3]
    yield 'cut-in-last-line-ends', form.upto_b() + b[:-1]
    yield 'cut-before-last-line-ends', form.upto_b() + b.rstrip() + b'\n'


def in_warc(form: Form):
    """Records that say of themselves what is not so, and unusual ones."""

    def put(name: str, record: bytes):
        return name, form.file(form.pack(record))

    block = http(page('b'))
    yield put('no-length', warc('b', block, Content_Length=''))
    yield put('bad-length', warc('b', block, Content_Length='4x2'))
    yield put('endless-length', warc('b', block, Content_Length='9' * 5000))
    yield put('no-type', warc('b', block, ''))
    yield put('no-target', warc('b', block, WARC_Target_URI=''))
    yield put('header-without-end', warc('b', b'', Content_Length=0).rstrip())
    yield put('line-feeds-only', warc('b', block, end='\n'))
    yield put('lower-case-names', warc('b', block).replace(b'WARC-T', b'warc-t'))
    yield put('version-0.17', warc('b', block).replace(b'WARC/1.0', b'WARC/0.17'))
    yield put('version-1.1', warc('b', block).replace(b'WARC/1.0', b'WARC/1.1'))
    yield put('brackets', warc('b', block, WARC_Target_URI='<http://x.org/b>'))
    yield put('no-blank-line', warc('b', block.replace(b'\r\n\r\n', b'\r\n')))
    yield put('no-http-head', warc('b', page('b')))
    others = [warc('b', block, k) for k in ('revisit', 'request', 'metadata', 'x')]
    yield 'other-types', form.file(*map(form.pack, others))


def encoded(form: Form):
    """Bodies in encodings, and in others than they say."""
    body = page('b')
    chunked = b'a4;name=value\r\n%b\r\nA5\r\n%b\r\n0\r\nTrailer: x\r\n\r\n'
    for name, coded, *fields in [
        ('chunked', chunked % (body[:164], body[164:]), 'Transfer-Encoding: chunked'),
        (
            'chunked-breaks-off',
            b'a4\r\n%b\r\nA5\r\n%b' % (body[:164], body[164:264]),
            'Transfer-Encoding: chunked',
        ),
        ('chunked-lies', body, 'Transfer-Encoding: chunked'),
        ('gzip', gzip.compress(body, mtime=0), 'Content-Encoding: gzip'),
        (
            'gzip-breaks-off',
            gzip.compress(body, mtime=0)[:200],
            'Content-Encoding: x-gzip',
        ),
        ('gzip-lies', body, 'Content-Encoding: gzip'),
        ('unknown', body, 'Content-Encoding: rot13'),
    ]:
        record = warc('b', http(coded, *fields))
        yield f'encoding-{name}', form.file(form.pack(record))


def files():
    """All files, by name."""
    for forms, damages in [
        (ALL, everywhere),
        (GZ, in_gzip),
        (PLAIN, in_plain),
        (WARC, in_warc),
        (WARC[:1], encoded),
    ]:
        for form in forms:
            for name, data in damages(form):
                yield f'{name}.{form.name}', data
    yield 'error-page.warc.gz', b'<!DOCTYPE html><title>404</title><p>Not found\n'
    yield 'error-page-in-gzip.warc.gz', gzip.compress(page('e'), mtime=0)
    yield 'empty.warc.gz', b''
    yield 'empty.arc', b''


if __name__ == '__main__':
    for file_name, file_data in files():
        (HERE / file_name).write_bytes(file_data)
