"""PairSites alone: page lines in, rows of the table of pairs out."""

import base64
import hashlib
import json
import struct
import zlib

import mrl
import pytest
from lone_jobs import damaged_pages, page_line, run_job, sha1

from mr_reuse.chunks.jobs.pair_sites import PairSites

EARLY, LATE = '2019-01-01T00:00:00Z', '2020-01-01T00:00:00Z'
SHARED = [b'<p>shared %02d' % n for n in range(12)]  # of 12 bytes
WIDTH = 16  # bytes of the digest of a rid
OWN = [b'<p>only on this page %d' % n for n in range(3)]


def page(host: str, chunks, date: str = EARLY, name: str = 'x') -> bytes:
    return page_line(f'{host}.warc.gz:{name}', f'http://{host}/{name}', chunks, date)


PAGES = [
    page('b.org', SHARED[:6], LATE, 'one'),
    page('b.org', [*SHARED[4:10], SHARED[4]], EARLY, 'two'),
    page('a.org', [*SHARED, *OWN], LATE),
    page('c.org:81', SHARED[1:11], EARLY),
    page('d.org', SHARED[:9], EARLY),
    page('e.org', SHARED, '').replace(b'http://', b'urn:'),
    b'@\t{"accounts": []}',
]
AB = b'a.org\tb.org\t10\t120\t0.666666667\t1.000000000\t0\t6'
AC = b'a.org\tc.org:81\t10\t120\t0.666666667\t1.000000000\t0\t10'


def run(lines, **options) -> tuple[list[bytes], int]:
    """The rows in the order of their partitions, and the number of common chunks."""
    found = run_job(PairSites, lines, **{'min_len': 11, **options})
    common = sum(
        json.loads(line[2:])['pairs']['common'] for line in found if line[:2] == b'@\t'
    )
    parts = sorted(line.split(b'\t') for line in found if line[:2] != b'@\t')
    assert all(key.startswith(b'row/') for key, _ in parts)
    rows = [row for _, value in parts for row in base64.b64decode(value).split(b'\n')]
    return rows, common


def test_no_pages():
    assert run([]) == ([], 0)
    assert run(PAGES[5:]) == ([], 0)


@pytest.mark.parametrize('bits', [0, 6, 16])
def test_pairs(bits):
    """Of b.org, four of the ten chunks were captured only at the same time as a.org."""
    assert run(PAGES, bits=bits) == ([AB, AC], 0)


def test_order():
    """Most bytes first, then by both names."""
    more = [page(host, [b'<p>longer %02d' % n for n in range(10)]) for host in 'zyx']
    rows, _ = run([*PAGES, *more])
    pairs = [tuple(row.split(b'\t')[:2]) for row in rows]
    assert pairs == [
        (b'a.org', b'b.org'),
        (b'a.org', b'c.org:81'),
        (b'x', b'y'),
        (b'x', b'z'),
        (b'y', b'z'),
    ]


def test_short_chunks():
    assert run(PAGES, min_len=12) == ([], 0)


def test_stop_chunks(tmp_path):
    """They are neither shared chunks nor in the divisor."""
    stop = mrl.write(tmp_path / 'stop.mrl', stop=[sha1(OWN[0]).hex()])
    rows, _ = run(PAGES, stop=stop)
    assert rows[0] == b'a.org\tb.org\t10\t120\t0.714285714\t1.000000000\t0\t6'
    stop = mrl.write(tmp_path / 'stop.mrl', stop=[sha1(SHARED[1]).hex()])
    assert run(PAGES, stop=stop) == ([], 0)


def write_bitmap(path, chunks, size: int):
    """Set a bit for each chunk, of as many first bits as this size can have."""
    data = bytearray(size)
    for chunk in chunks:
        bit = int.from_bytes(sha1(chunk)[:8], 'big') >> (65 - (size * 8).bit_length())
        data[bit >> 3] |= 1 << (bit & 7)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize('size', [1 << 10, 1 << 16])
def test_bitmap(tmp_path, size):
    """All chunks on two pages pass, and some others: the rows are the same."""
    copied = write_bitmap(tmp_path / 'copied', SHARED, size)
    assert run(PAGES, copied=copied) == ([AB, AC], 0)


@pytest.mark.parametrize('has_bitmap', [False, True])
def test_passed_over(tmp_path, has_bitmap):
    """Chunks on a capture that is passed over count for dates only."""
    more = [b'<p>gone since then %02d' % n for n in range(20)]
    old = page('a.org', [*SHARED[:7], *more], EARLY, '7')
    rid = old.split(b'\t')[0]
    digest = hashlib.blake2b(rid, digest_size=WIDTH - 4).digest()
    archive = zlib.crc32(rid.rpartition(b':')[0]).to_bytes(4, 'big')
    numbers = struct.unpack('>QQ', archive + digest)
    (tmp_path / 'skipped').write_bytes(struct.pack('=QQ', *numbers))
    options = {'skipped': tmp_path / 'skipped'}
    if has_bitmap:
        options['copied'] = write_bitmap(tmp_path / 'copied', SHARED, 1 << 16)
    rows, _ = run([*PAGES, old], **options)
    # On a.org the first seven are as old as on c.org, and older than four on b.org.
    assert [row.split(b'\t')[2:] for row in rows] == [
        [b'10', b'120', b'0.666666667', b'1.000000000', b'4', b'3'],
        [b'10', b'120', b'0.666666667', b'1.000000000', b'0', b'4'],
    ]
    rows, _ = run([*PAGES, page('z.org', more), old], **options)
    assert len(rows) == 2


def test_common_chunks():
    """With a 101st host, its ten chunks connect nobody, but remain in the divisor."""
    many = [page(f'{n}.org', SHARED[:10]) for n in range(100)]
    rows, common = run(many)
    assert (len(rows), common) == (100 * 99 // 2, 0)
    rows, common = run([*many, page('b.org', SHARED)])
    assert (rows, common) == ([], 10)
    extra = [b'<p>%d on two hosts' % n for n in range(10)]
    two = [page('a.org', [*SHARED[:10], *extra]), page('b.org', extra)]
    rows, common = run([*many, *two])
    assert common == 10
    assert rows == [b'a.org\tb.org\t10\t170\t0.500000000\t1.000000000\t0\t0']


@pytest.mark.parametrize(
    'unit, pair',
    [('domain', b'a.org\tb.org'), ('2', b'x.a.org/one/\tx.b.org/one/'), ('3', None)],
)
def test_unit(unit, pair):
    lines = [page(f'x.{host}', SHARED, EARLY, 'one/two') for host in ('a.org', 'b.org')]
    lines.append(page('y.a.org', SHARED[:1], LATE, 'one'))
    rows, _ = run(lines, unit=unit)
    assert [row.split(b'\t')[:2] for row in rows] == (
        [pair.split(b'\t')] if pair else []
    )


@damaged_pages()
def test_damaged_page(line):
    with pytest.raises(ValueError):
        run([*PAGES, line], min_len=0)


def test_damaged_bitmap(tmp_path):
    with pytest.raises(OSError, match='gone'):
        run(PAGES, copied=tmp_path / 'gone')
