"""Gzip members that do not follow records, as after a recompression by bgzip."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from damaged_reading import body_of, damage_of, make, read, shrink

from examples import TIMES
from mr_reuse.archives import reader
from mr_reuse.archives.rids import offsets_of

SIZES = [1, 7, 100, 997, 65_280]
KINDS = {'warc': (make.warc, 'a.warc.gz'), 'arc': (make.arc, 'a.arc.gz')}


def member(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def blocked(data: bytes) -> bytes:
    """A member as bgzip writes it, with its own length in the header."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush()
    head = b'\x1f\x8b\x08\x04' + bytes(5) + b'\xff\x06\x00BC\x02\x00'
    trailer = zlib.crc32(data).to_bytes(4, 'little') + len(data).to_bytes(4, 'little')
    return head + (len(body) + 25).to_bytes(2, 'little') + body + trailer


def records(kind: str, count: int = 12) -> list[bytes]:
    """Records whose pages have from some to thousands of bytes."""
    write = KINDS[kind][0]
    bodies = [make.page(f'p{n}') * (1 + n * n % 50) for n in range(count)]
    return [write(f'p{n}', make.http(body)) for n, body in enumerate(bodies)]


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.fixture(params=KINDS)
def kind(request) -> str:
    return request.param


@pytest.fixture
def plain(kind, tmp_path) -> list[tuple]:
    """What is in the archive before it is recompressed."""
    path = tmp_path / f'plain.{kind}'
    path.write_bytes(b''.join(records(kind)))
    found, stats = read(path)
    assert len(found) == 12 and damage_of(stats) == '-'
    return [item[1:] for item in found]


def check_offsets(path: Path, found: list[tuple]) -> None:
    """Each item is found again alone, and where its offset says."""
    data = path.read_bytes()
    for offset, _, body, _ in found:
        [(same, item)] = reader.items_at_offsets(str(path), [offset])
        assert (same, body_of(item)) == (offset, body)
        start, inner = offsets_of(offset)
        assert inner < len(zlib.decompressobj(31).decompress(data[start:]))
        rest = gzip.decompress(data[start:])[inner:]
        assert rest.startswith((b'WARC/1.0', b'http://'))
    offsets = [item[0] for item in found]
    again = [(o, body_of(i)) for o, i in reader.items_at_offsets(str(path), offsets)]
    assert again == [(offset, body) for offset, _, body, _ in found]


@pytest.mark.parametrize('pack', [member, blocked])
@pytest.mark.parametrize('size', SIZES)
def test_blocks(kind, plain, tmp_path, size, pack):
    path = tmp_path / KINDS[kind][1]
    count = 12 if size > 7 else 3  # a member for each byte takes its time
    parts = cut(b''.join(records(kind, count)), size)
    path.write_bytes(b''.join(map(pack, parts)) + pack(b''))
    found, stats = read(path)
    assert [item[1:] for item in found] == plain[:count]
    assert damage_of(stats) == '-'
    check_offsets(path, found)
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, 8, 97)
        assert read(path)[0] == found


def test_odd_members(kind, plain, tmp_path):
    """Empty members and members of one byte, between others, in front and behind."""
    path = tmp_path / KINDS[kind][1]
    parts = cut(b''.join(records(kind)), 500)
    odd = [b'', b'', parts[0][:1], b'', parts[0][1:], *parts[1:9], b'']
    odd += [parts[9][:1], parts[9][1:2], b'', parts[9][2:], *parts[10:], b'', b'']
    path.write_bytes(b''.join(map(member, odd)))
    found, stats = read(path)
    assert [item[1:] for item in found] == plain
    assert damage_of(stats) == '-'
    check_offsets(path, found)


@pytest.mark.parametrize('split', [1, 8, 43])
def test_header_split_by_a_border(kind, plain, tmp_path, split):
    whole = records(kind)
    parts = [whole[0] + whole[1][:split], whole[1][split:] + whole[2], *whole[3:]]
    path = tmp_path / KINDS[kind][1]
    path.write_bytes(b''.join(map(member, parts)))
    found, stats = read(path)
    assert [item[1:] for item in found] == plain
    assert damage_of(stats) == '-'
    check_offsets(path, found)


def test_pieces_of_both_kinds(kind, plain, tmp_path):
    """Records of their own, blocks, and records again, in one file."""
    whole = records(kind)
    parts = [*whole[:4], *cut(b''.join(whole[4:8]), 300), *whole[8:]]
    path = tmp_path / KINDS[kind][1]
    path.write_bytes(b''.join(map(member, parts)))
    found, stats = read(path)
    assert [item[1:] for item in found] == plain
    assert damage_of(stats) == '-'
    starts = [len(b''.join(map(member, parts[:n]))) for n in range(len(parts))]
    offsets = [item[0] for item in found]
    assert offsets[:5] == [str(start) for start in starts[:5]]
    assert offsets[8:] == [str(start) for start in starts[-4:]]


def test_archive_inside_an_archive(tmp_path):
    """A block may begin with the header of a record that is only text of a page."""
    inner = make.warc('inner', make.http(make.page('inner')))
    outer = make.warc('outer', make.http(make.page('outer') + inner * 3 + b'end'))
    data = make.warc('first', make.http(b'x' * 300)) + outer
    border = data.index(inner)
    parts = [data[:200], data[200:border], *cut(data[border:], len(inner))]
    path = tmp_path / 'a.warc.gz'
    path.write_bytes(b''.join(map(member, parts)))
    found, stats = read(path)
    assert [item[1] for item in found] == ['http://x.org/first', 'http://x.org/outer']
    assert found[1][2].endswith(b'end') and damage_of(stats) == '-'
    check_offsets(path, found)


def touching(parts: list[bytes], sizes: list[int], hit: int) -> Iterator[int]:
    """The numbers of the records of which a part has a byte."""
    first = sum(map(len, parts[:hit]))
    last, start = first + len(parts[hit]) - 1, 0
    for number, size in enumerate(sizes):
        if start <= last and start + size > first:
            yield number
        start += size


@pytest.mark.random
@pytest.mark.parametrize('size', [100, 997, 4000])
@pytest.mark.parametrize('where', ['head', 'middle', 'checksum', 'gone'])
def test_damaged_block(kind, plain, tmp_path, size, where):
    """It costs the records that it touches, and no others."""
    whole = records(kind)
    parts = cut(b''.join(whole), size)
    for hit in range(0, len(parts), 1 + len(parts) // 6 // TIMES):
        packed = list(map(member, parts))
        bad = bytearray(packed[hit])
        at = {'head': 0, 'middle': len(bad) // 2, 'checksum': -7, 'gone': 0}[where]
        bad[at] ^= 0xFF
        packed[hit] = b'' if where == 'gone' else bytes(bad)
        path = tmp_path / KINDS[kind][1]
        path.write_bytes(b''.join(packed))
        found, stats = read(path)
        lost = set(touching(parts, list(map(len, whole)), hit))
        kept = [item for item in found if not item[3]]
        expected = [item for n, item in enumerate(plain) if n not in lost]
        urls = [item[1] for item in kept]
        assert len(urls) == len(set(urls))
        assert [item[1:] for item in kept if item[1:] in expected] == expected, hit
        if hit > 1 and where != 'gone':  # the blocks before it tell what it is
            assert [item[1:] for item in kept] == expected, hit
        assert stats.damage or where == 'gone'
        for offset, _, body, _ in kept:
            [(_, item)] = reader.items_at_offsets(str(path), [offset])
            assert body_of(item) == body


def test_cut_file(kind, plain, tmp_path):
    parts = list(map(member, cut(b''.join(records(kind)), 997)))
    path = tmp_path / KINDS[kind][1]
    for keep in (9, 10, 30):
        path.write_bytes(b''.join(parts[:keep]) + parts[keep][:-20])
        found, stats = read(path)
        whole = [item[1:] for item in found if not item[3]]
        assert whole == plain[: len(whole)]
        assert list(stats.damage) == ['cut by the end of the file']
