"""Archives in Zstandard: a frame for each record, for the file, or for any piece."""

import gzip
import random

import pytest
import zstandard
from commands import discover
from damaged_reading import body_of, damage_of, make, read, shrink

from examples import TIMES
from mr_reuse.archives import reader
from mr_reuse.archives.containers import frames
from mr_reuse.archives.rids import offsets_of

NAME = 'a.warc.zst'
SAMPLES = [make.warc(f's{n}', make.http(make.page(f's{n}'))) for n in range(200)]
DICTIONARY = zstandard.train_dictionary(2000, SAMPLES)
WRITERS = {
    'checked': zstandard.ZstdCompressor(write_checksum=True),
    'plain': zstandard.ZstdCompressor(write_checksum=False),
    'no-size': zstandard.ZstdCompressor(write_content_size=False, write_checksum=True),
    'dictionary': zstandard.ZstdCompressor(dict_data=DICTIONARY, write_checksum=True),
}


def frame(data: bytes, writer: str = 'checked') -> bytes:
    return WRITERS[writer].compress(data)


def skippable(data: bytes, magic: bytes = b'\x50') -> bytes:
    return magic + b'\x2a\x4d\x18' + len(data).to_bytes(4, 'little') + data


def records(count: int = 12) -> list[bytes]:
    bodies = [make.page(f'p{n}') * (1 + n * n % 50) for n in range(count)]
    return [make.warc(f'p{n}', make.http(body)) for n, body in enumerate(bodies)]


def pages(numbers=range(12)) -> list[tuple]:
    found = [
        (f'http://x.org/p{n}', make.page(f'p{n}') * (1 + n * n % 50)) for n in numbers
    ]
    return [(*page, False) for page in found]


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def check(path) -> list[tuple]:
    """All pages are read, and each again by its offset."""
    found, stats = read(path)
    assert [item[1:] for item in found] == pages()
    assert damage_of(stats) == '-'
    for offset, _, body, _ in found:
        [(same, item)] = reader.items_at_offsets(str(path), [offset])
        assert (same, body_of(item)) == (offset, body)
    offsets = [item[0] for item in found]
    again = [(o, body_of(i)) for o, i in reader.items_at_offsets(str(path), offsets)]
    assert again == [(offset, body) for offset, _, body, _ in found]
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, 8, 97)
        assert read(path)[0] == found
    return found


@pytest.mark.parametrize('writer', ['checked', 'plain', 'no-size'])
def test_frame_for_each_record(tmp_path, writer):
    """The offset is that of the frame."""
    parts = [frame(record, writer) for record in records()]
    path = tmp_path / NAME
    path.write_bytes(b''.join(parts))
    starts = [str(len(b''.join(parts[:n]))) for n in range(len(parts))]
    assert [item[0] for item in check(path)] == starts


@pytest.mark.parametrize('writer', ['checked', 'plain', 'no-size'])
@pytest.mark.parametrize('size', [100, 997, 10**6])
def test_frames_of_any_size(tmp_path, writer, size):
    path = tmp_path / NAME
    parts = cut(b''.join(records()), size)
    path.write_bytes(b''.join(frame(part, writer) for part in parts) + skippable(b'x'))
    data = path.read_bytes()
    for offset, *_ in check(path):
        start, inner = offsets_of(offset)
        inflater = zstandard.ZstdDecompressor().decompressobj()
        assert inflater.decompress(data[start:])[inner:].startswith(b'W')


@pytest.mark.parametrize('is_packed', [False, True])
def test_dictionary(tmp_path, is_packed):
    """It is in a skippable frame in front, itself compressed or not."""
    content = DICTIONARY.as_bytes()
    head = skippable(frame(content) if is_packed else content, b'\x5d')
    path = tmp_path / NAME
    path.write_bytes(head + b''.join(frame(r, 'dictionary') for r in records()))
    first, second = (int(item[0]) for item in check(path)[:2])
    assert first == len(head)
    assert second == first + len(frame(records()[0], 'dictionary'))


def test_dictionary_is_missing(tmp_path):
    path = tmp_path / NAME
    path.write_bytes(b''.join(frame(r, 'dictionary') for r in records()))
    found, stats = read(path)
    assert not found and stats.damage


@pytest.mark.random
@pytest.mark.parametrize('size', [0, 997, 4000])
def test_damaged_frame(tmp_path, size):
    """It costs the records that it touches, and no others."""
    whole = records()
    parts = cut(b''.join(whole), size) if size else whole
    for hit in range(2, len(parts), 1 + len(parts) // 6 // TIMES):
        packed = list(map(frame, parts))
        bad = bytearray(packed[hit])
        bad[len(bad) // 2] ^= 0xFF
        path = tmp_path / NAME
        path.write_bytes(b''.join([*packed[:hit], bytes(bad), *packed[hit + 1 :]]))
        found, stats = read(path)
        first = sum(map(len, parts[:hit]))
        ends = [len(b''.join(whole[: n + 1])) for n in range(12)]
        kept = [
            n
            for n in range(12)
            if ends[n] <= first or ends[n] - len(whole[n]) >= first + len(parts[hit])
        ]
        assert [item[1:] for item in found if not item[3]] == pages(kept)
        assert stats.damage


def test_cut_file(tmp_path):
    path = tmp_path / NAME
    parts = list(map(frame, records()))
    path.write_bytes(b''.join(parts[:6]) + parts[6][:-20])
    found, stats = read(path)
    assert [item[1:] for item in found if not item[3]] == pages(range(6))
    assert list(stats.damage) == ['cut by the end of the file']


@pytest.mark.parametrize('block', [97, 1 << 20])
def test_cut_frame(tmp_path, monkeypatch, block):
    """It is read up to the cut, in blocks of any size."""
    noise = random.Random(1).randbytes(1_200_000)  # it is stored as it is
    packed = frame(make.warc('a', make.http(noise)))[:-9999]
    inflated = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    path = tmp_path / NAME
    path.write_bytes(packed)
    shrink(monkeypatch, 1 << 24, block)
    [(_, _, body, is_cut)], _ = read(path)
    assert is_cut and inflated.endswith(body) and len(body) > 1_190_000


def test_large_frames_are_streamed(tmp_path):
    """A single frame of many pages; the window bounds the memory."""
    data = b''.join(records()) * 300
    path = tmp_path / NAME
    path.write_bytes(frame(data))
    assert len(data) > frames.SMALL
    found, stats = read(path)
    assert len(found) == 3600 and damage_of(stats) == '-'


@pytest.mark.parametrize('name', ['a.wacz', 'B.WARC.BZ2'])
@pytest.mark.parametrize('data', [b'PK\x03\x04abc', b'BZh91AY', b'\xfd7zXZ\x00abc'])
def test_other_containers(tmp_path, name, data):
    """What is an archive by its name is never taken for a file."""
    (tmp_path / name).write_bytes(data)
    done = discover(tmp_path, '-o', tmp_path / 'run')
    assert done.code == 3
    assert f'0 {len(data):12}  container of a kind that is not read, ' in done.err


def test_other_zip(tmp_path):
    (tmp_path / 'a.zip').write_bytes(b'PK\x03\x04abc')
    assert discover(tmp_path, '-o', tmp_path / 'run').code == 0


def test_chain(tmp_path):
    """The tables are those of the same records in gzip, but for the offsets."""
    found = []
    for name, pack in (('a.warc.zst', frame), ('a.warc.gz', gzip.compress)):
        path = tmp_path / name
        path.write_bytes(b''.join(map(pack, records())))
        out = tmp_path / f'run-{name}'
        assert discover(path, '-o', out, '--threshold=1').code == 0
        found.append((out / 'labels.tsv').read_bytes())
        found[-1] += (out / 'frequency.tsv').read_bytes()
    assert found[0] == found[1]
