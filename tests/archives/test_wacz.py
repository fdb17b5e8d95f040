"""Archives in a WACZ, read in place: what is read, and what damage costs."""

import errno
import gzip
import io
import json
import random
import struct
import zipfile
import zlib

import pytest
import waczs
from damaged_reading import body_of, damage_of, make, read, shrink
from waczs import DEFLATED, LIST, STORED, listed, pack, records

from examples import TIMES
from mr_reuse import storage
from mr_reuse.archives import reader
from mr_reuse.pages import input_status
from mr_reuse.storage import inflating, packed, zip_directory
from mr_reuse.storage.base import Entry

GZIP = 'archive/a.warc.gz'
PLAIN = 'archive/b.warc'


def contents() -> dict[str, bytes]:
    """Two archives: a member for each record, and plain records."""
    members = b''.join(gzip.compress(record, mtime=0) for record in records('abcd'))
    return {GZIP: members, PLAIN: b''.join(records('efgh'))}


def archives_in(path) -> list[str]:
    entries = input_status.list_archives(storage.status(str(path)))
    return [entry.name for entry in entries]


def read_all(path) -> tuple[list[tuple], dict[str, str], set[str]]:
    """The pages of all archives, their damage by name, and all notes."""
    found, damage, notes = [], {}, set()
    for name in archives_in(path):
        items, stats = read(name)
        found += items
        notes |= set(stats.notes)
        if stats.damage:
            damage[name.rpartition('/')[2]] = damage_of(stats)
    return found, damage, notes


def names(found: list[tuple]) -> str:
    """The letters of the pages that are whole."""
    wholes = [(url[-1], body) for _, url, body, cut in found if not cut]
    return ''.join(name for name, body in wholes if body == make.page(name))


@pytest.mark.parametrize('method', [STORED, DEFLATED])
@pytest.mark.parametrize('how', ['plain', 'zip64', 'stream', 'junk in front'])
def test_as_outside(tmp_path, method, how):
    """Offsets and bodies are those of the archive itself; each is found again."""
    archives = contents()
    stream = waczs.Forward() if how == 'stream' else None
    data = pack(archives, method, stream=stream, zip64=how == 'zip64')
    path = tmp_path / 'x.wacz'
    path.write_bytes(b'#!/bin/sh\n' * (how == 'junk in front') + data)
    assert archives_in(path) == [f'{path}/{name}' for name in sorted(archives)]
    for name, content in archives.items():
        outside = tmp_path / name.replace('/', '-')
        outside.write_bytes(content)
        expected, _ = read(outside)
        assert len(expected) == 4
        found, stats = read(f'{path}/{name}')
        assert (found, damage_of(stats), stats.notes) == (expected, '-', {})
        assert storage.size(f'{path}/{name}') == len(content)
        for offset, _, body, _ in expected:
            [(same, item)] = reader.items_at_offsets(f'{path}/{name}', [offset])
            assert (same, body_of(item)) == (offset, body)
        with pytest.MonkeyPatch.context() as patch:
            shrink(patch, 8, 97)
            assert read(f'{path}/{name}')[0] == expected


def test_upper_case_and_other_folders(tmp_path):
    """Archives are told by their names, and by their folder."""
    content = records('a')[0]
    files = dict.fromkeys(['archive/data', 'more/B.WARC', 'c.warc.bz2'], content)
    path = waczs.write(tmp_path / 'X.WACZ', files)
    expected = [f'{path}/{name}' for name in sorted(files)]
    assert archives_in(path) == expected
    assert names(read_all(path)[0]) == 'aaa'


def test_list_is_right(tmp_path):
    path = waczs.write(tmp_path / 'x.wacz', contents())
    assert read_all(path)[1:] == ({}, set())


WRONG_LISTS = {
    'other hash': ({'hash': 'sha256:' + '0' * 64}, 'not as its WACZ lists it'),
    'other size': ({'bytes': 5}, 'not as its WACZ lists it'),
    'MD5': ({'hash': 'md5:' + '0' * 32}, 'not as its WACZ lists it'),
    'unknown hash': ({'hash': 'blake3:00'}, None),
    'no number': ({'bytes': 'many', 'hash': 7}, None),
}


@pytest.mark.parametrize('case', WRONG_LISTS)
def test_list_is_wrong(tmp_path, case):
    """The archive is read nevertheless."""
    change, cause = WRONG_LISTS[case]
    resources = listed(contents())
    resources[0] |= change
    path = waczs.write(tmp_path / 'x.wacz', contents(), resources=resources)
    found, damage, _ = read_all(path)
    assert names(found) == 'abcdefgh'
    assert damage == ({'a.warc.gz': f'archive that is {cause}: 0 0'} if cause else {})


def test_listed_and_missing(tmp_path):
    resources = listed({**contents(), 'archive/c.warc.gz': b'x', 'pages/x': b''})
    path = waczs.write(tmp_path / 'x.wacz', contents(), resources=resources)
    found, damage, _ = read_all(path)
    assert names(found) == 'abcdefgh'
    assert damage == {'c.warc.gz': f'cannot be read: missing, but in {LIST}: 0 0'}


def test_unlisted(tmp_path):
    """Nothing is lost, so it is a note."""
    resources = listed(contents())[1:]
    path = waczs.write(tmp_path / 'x.wacz', contents(), resources=resources)
    assert read(f'{path}/{GZIP}')[1].notes == {'archive that its WACZ does not list': 1}
    assert not read(f'{path}/{PLAIN}')[1].notes


BAD_LISTS = [b'', b'{', b'[]', b'{"resources": 7}', b'[' * 100_000, b' ' * (9 << 20)]


@pytest.mark.parametrize('text', BAD_LISTS)
def test_no_list(tmp_path, text):
    path = tmp_path / 'x.wacz'
    with zipfile.ZipFile(path, 'w') as package:
        for name, data in contents().items():
            package.writestr(name, data)
        if text:
            package.writestr(LIST, text, DEFLATED)
    found, damage, notes = read_all(path)
    assert (names(found), damage) == ('abcdefgh', {})
    assert notes == {'WACZ without a valid datapackage.json'}


def test_changed_list(tmp_path):
    """The hash of the list is that of another one."""
    digest = json.dumps({'path': LIST, 'hash': 'sha256:00'}).encode()
    others = {'datapackage-digest.json': digest}
    path = waczs.write(tmp_path / 'x.wacz', contents(), others=others)
    _, damage, notes = read_all(path)
    assert (damage, notes) == ({}, {'WACZ with a datapackage.json that was changed'})


def test_checksum_of_the_zip(tmp_path):
    """It shows a changed byte of a plain archive that no list vouches for."""
    data = pack(contents(), resources=[])
    at = data.index(make.page('f')) + 20
    path = tmp_path / 'x.wacz'
    path.write_bytes(make.flip(data, at))
    _, damage, _ = read_all(path)
    assert damage == {'b.warc': 'archive that fails its checksum in the ZIP: 0 0'}


@pytest.mark.random
@pytest.mark.parametrize('method', [STORED, DEFLATED])
def test_any_byte_flipped(tmp_path, method):
    """All is read, or the loss is told; no archive costs the other one."""
    data = pack(contents(), method)
    whole = {name: records for name, records in contents().items()}
    path = tmp_path / 'x.wacz'
    luck = random.Random(5)
    ranges = {name: _bytes_of(data, name) for name in whole}
    for at in luck.sample(range(len(data)), 100 * TIMES):
        path.write_bytes(make.flip(data, at))
        found, damage, notes = read_all(path)
        pages = names(found)
        assert len(pages) == len(set(pages)), at
        assert pages == 'abcdefgh' or damage, at
        for name, letters in ((GZIP, 'abcd'), (PLAIN, 'efgh')):
            if at < data.index(b'PK\x01\x02') and at not in ranges[name]:
                assert letters in pages, at


def _bytes_of(data: bytes, name: str) -> range:
    """The bytes of an entry, its header included."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        info = package.getinfo(name)
    size = 30 + len(name) + info.compress_size
    return range(info.header_offset, info.header_offset + size)


@pytest.mark.random
def test_cut_anywhere(tmp_path):
    """What precedes the cut is read, and the loss is told."""
    data = pack({GZIP: contents()[GZIP]})
    path, at = tmp_path / 'x.wacz', data.index(b'PK\x01\x02')
    ends = [data.index(gzip.compress(r, mtime=0)) for r in records('abcd')]
    for size in random.Random(6).sample(range(at), 60 * TIMES):
        path.write_bytes(data[:size])
        assert archives_in(path) == [str(path)]
        found, damage, _ = read_all(path)
        assert names(found).startswith(
            'abcd'[: max(0, sum(e < size for e in ends) - 1)]
        )
        assert damage, size


def test_cut_behind_the_archives(tmp_path):
    path = tmp_path / 'x.wacz'
    data = pack(contents())
    path.write_bytes(data[: data.index(b'PK\x01\x02')])
    found, damage, _ = read_all(path)
    assert names(found)[:4] == 'abcd'
    assert 'ZIP that was read without its directory: 0 0' in damage['x.wacz']


def local(name: bytes, data: bytes, method: int = 0, flags: int = 0) -> bytes:
    """An entry in front of the directory."""
    return b'PK\3\4' + fields(name, data, method, flags) + name + data


def central(name: bytes, data: bytes, at: int, method: int = 0, **more: int) -> bytes:
    """An entry of the directory, as `local` writes it at an offset."""
    place = struct.pack('<3H2L', 0, 0, 0, 0, at)
    return b'PK\1\2\x14\0' + fields(name, data, method, **more) + place + name


def fields(name, data, method, flags=0, size=None) -> bytes:
    """What both of them have."""
    size = len(data) if size is None else size
    numbers = 20, flags, method, 0, 0, zlib.crc32(data), size, size, len(name), 0
    return struct.pack('<5H3L2H', *numbers)


def zip_of(locals_: bytes, *entries: bytes) -> bytes:
    """A ZIP file of entries, and of those in its directory."""
    text, count = b''.join(entries), len(entries)
    end = struct.pack('<4H2LH', 0, 0, count, count, len(text), len(locals_), 0)
    return locals_ + text + b'PK\5\6' + end


REFUSED = {
    'encrypted': ({'flags': 1}, 'encrypted in its ZIP'),
    'bzip2': ({'method': 12}, 'compressed with bzip2 in its ZIP'),
    'LZMA': ({'method': 14}, 'compressed with LZMA in its ZIP'),
    'Zstandard': ({'method': 93}, 'compressed with Zstandard in its ZIP'),
    'unknown': ({'method': 77}, 'compressed with method 77 in its ZIP'),
}


@pytest.mark.parametrize('case', REFUSED)
def test_entries_that_are_not_read(tmp_path, case):
    more, reason = REFUSED[case]
    name, content = GZIP.encode(), contents()[GZIP]
    first = local(name, content, **more)
    second = local(b'b.warc', content)
    entries = central(name, content, 0, **more), central(b'b.warc', content, len(first))
    path = tmp_path / 'x.wacz'
    path.write_bytes(zip_of(first + second, *entries))
    found, damage, _ = read_all(path)
    assert names(found) == 'abcd'
    assert damage == {'a.warc.gz': f'cannot be read: {reason}: 0 0'}


def test_overlapping_entries(tmp_path):
    """The second one seems to lie in the first; no byte is read twice."""
    content = contents()[GZIP]
    second = local(b'b.warc.gz', content)
    first = local(b'a.warc.gz', content + second)
    entries = (
        central(b'a.warc.gz', content + second, 0),
        central(b'b.warc.gz', content, len(first) - len(second)),
    )
    path = tmp_path / 'x.wacz'
    path.write_bytes(zip_of(first, *entries))
    found, damage, _ = read_all(path)
    assert names(found) == 'abcdabcd'
    cause = 'archive that its ZIP describes wrongly: 0 0'
    other = 'archive that fails its checksum in the ZIP: 0 0'
    assert damage == {'a.warc.gz': f'{other}; {cause}'}


def test_shared_bytes(tmp_path):
    """Many names for the same bytes are read once."""
    content = contents()[GZIP]
    many = [central(b'%d.warc.gz' % n, content, 0) for n in range(9)]
    path = tmp_path / 'x.wacz'
    path.write_bytes(zip_of(local(b'0.warc.gz', content), *many))
    found, damage, _ = read_all(path)
    assert names(found) == 'abcd'
    reason = 'shares its bytes with another entry of its ZIP'
    assert damage == {
        f'{n}.warc.gz': f'cannot be read: {reason}: 0 0' for n in range(1, 9)
    }


@pytest.mark.parametrize('method', [0, 8])
@pytest.mark.parametrize('size', [10**4, 0xFFFF_FFF0])
def test_absurd_sizes(tmp_path, method, size):
    """The directory says that the entry is larger than the file."""
    content = contents()[GZIP]
    packer = zlib.compressobj(wbits=-15)
    data = packer.compress(content) + packer.flush() if method else content
    entry = central(b'a.warc.gz', data, 0, method, size=size)
    path = tmp_path / 'x.wacz'
    path.write_bytes(zip_of(local(b'a.warc.gz', data, method), entry))
    found, damage, _ = read_all(path)
    assert names(found) == 'abcd'
    assert 'archive that its ZIP describes wrongly: 0 0' in damage['a.warc.gz']
    assert storage.size(f'{path}/a.warc.gz') < 10**13


def test_names_twice(tmp_path):
    """The last one counts, as in unzip; the other one is damage."""
    path = tmp_path / 'x.wacz'
    with zipfile.ZipFile(path, 'w') as package, pytest.warns(UserWarning):
        package.writestr('archive/a.warc', records('a')[0])
        package.writestr('archive/a.warc', records('b')[0])
    found, damage, _ = read_all(path)
    size = len(records('a')[0])
    cause = f'another archive of the same name: 0 {size}'
    assert (names(found), damage) == ('b', {'a.warc': cause})


def test_odd_names(tmp_path):
    """A name is only a name: nothing is written, and no file outside is read."""
    odd = ['../up.warc', '/root.warc', 'a:1.warc', 'li\nne.warc', 'ü☃.warc', './b.warc']
    odd += ['archive/..', 'c*?[d].warc', 'e.wacz/f.warc']
    path = waczs.write(tmp_path / 'x.wacz', dict.fromkeys(odd, records('a')[0]))
    (tmp_path / 'up.warc').write_bytes(records('b')[0])
    assert {*archives_in(path)} == {f'{path}/{name}' for name in odd}
    found, damage, _ = read_all(path)
    assert (names(found), damage) == ('a' * len(odd), {})
    for name in odd:
        assert storage.canonical_name(f'{path}/{name}') == f'{path}/{name}'


def test_wacz_in_a_wacz(tmp_path):
    inner = pack(contents())
    path = tmp_path / 'x.wacz'
    path.write_bytes(pack({'one.wacz': inner}))
    assert archives_in(path) == [f'{path}/one.wacz/{name}' for name in contents()]
    assert (names(read_all(path)[0]), read_all(path)[1]) == ('abcdefgh', {})
    path.write_bytes(pack({'one.wacz': inner}, DEFLATED))
    _, damage, _ = read_all(path)
    assert list(damage) == ['one.wacz']


def test_many_in_one_another(tmp_path):
    """The depth is bounded, and the rest is told."""
    data = pack(contents())
    for _ in range(9):
        data = pack({'x.wacz': data})
    (tmp_path / 'x.wacz').write_bytes(data)
    [name] = archives_in(tmp_path / 'x.wacz')
    assert name.count('x.wacz') < 9
    assert read(name)[1].damage


def test_many_entries(tmp_path):
    """More than the first format of ZIP could count."""
    content, count = contents()[GZIP], 66_000
    path = tmp_path / 'x.wacz'
    first = local(b'a.warc.gz', content)
    entries = [central(b'%d' % n, b'', len(first) + n) for n in range(count)]
    text = central(b'a.warc.gz', content, 0) + b''.join(entries)
    numbers = 44, 45, 45, 0, 0, count + 1, count + 1, len(text), len(first)
    place = struct.pack('<LQL', 0, len(first) + len(text), 1)
    full = struct.pack('<4H2LH', 0, 0, *[0xFFFF] * 2, *[0xFFFF_FFFF] * 2, 0)
    size = b'PK\6\6' + struct.pack('<QHHLLQQQQ', *numbers)
    path.write_bytes(first + text + size + b'PK\6\7' + place + b'PK\5\6' + full)
    assert archives_in(path) == [f'{path}/a.warc.gz']
    assert names(read_all(path)[0]) == 'abcd'


def test_directory_without_bound(tmp_path, monkeypatch):
    """It is not read; the records are found without it."""
    monkeypatch.setattr(zip_directory, 'MAX_DIRECTORY', 100_000)
    path = waczs.write(
        tmp_path / 'x.wacz', contents(), others={'x' * 60_000: b'', 'y' * 60_000: b''}
    )
    found, damage, _ = read_all(path)
    assert (
        names(found)[:4] == 'abcd' and 'read without its directory' in damage['x.wacz']
    )


def test_deflated_and_damaged(tmp_path):
    """All before the damage is read, and of another archive all."""
    packer = zlib.compressobj(wbits=-15)
    data = packer.compress(b''.join(records('abc'))) + packer.flush(zlib.Z_FULL_FLUSH)
    data += b'\x07'  # no block begins like this
    data += packer.compress(b''.join(records('de'))) + packer.flush()
    other = records('f')[0]
    first, second = local(b'a.warc', data, 8), local(b'b.warc', other)
    entry = central(b'a.warc', data, 0, 8), central(b'b.warc', other, len(first))
    path = tmp_path / 'x.wacz'
    path.write_bytes(zip_of(first + second, *entry))
    found, damage, _ = read_all(path)
    assert names(found) == 'abcf'
    [cause] = damage.values()
    assert 'cannot be read: its deflated data are damaged: 0 ' in cause


@pytest.mark.random
def test_going_back_in_deflated_data(monkeypatch):
    """Any part is read from the nearest mark, of which there are few."""
    monkeypatch.setattr(inflating, 'SPACING', 1000)
    monkeypatch.setattr(inflating, 'MAX_MARKS', 8)
    monkeypatch.setattr(inflating, 'PIECE', 512)
    luck = random.Random(7)
    data = luck.randbytes(50_000).hex().encode()
    packer = zlib.compressobj(wbits=-15)
    deflated = packer.compress(data) + packer.flush()
    marks, taken = inflating.Marks(), []

    class Counted(io.BytesIO):
        def read(self, size=-1):
            taken.append(size)
            return super().read(size)

    def opened(at):
        return Counted(deflated[at:])

    stream = inflating.Inflating('x', opened, marks)
    assert stream.read() == data
    assert 4 <= len(marks._marks) <= 8
    for _ in range(200 * TIMES):
        at, size = luck.randrange(100_001), luck.randrange(3000)
        taken.clear()
        stream.seek(at)
        assert _take(stream, size) == data[at : at + size]
        assert sum(taken) < len(deflated) / 2
    again = inflating.Inflating('x', opened, marks, 99_000)
    assert again.read() == data[99_000:]


def _take(stream, size: int) -> bytes:
    parts = []
    while size and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b''.join(parts)


def test_cut_deflated_data():
    packer = zlib.compressobj(wbits=-15)
    deflated = packer.compress(b'one two' * 99) + packer.flush()
    stream = inflating.Inflating(
        'x', lambda at: io.BytesIO(deflated[at:-3]), inflating.Marks()
    )
    with pytest.raises(OSError, match='cut') as caught:
        while stream.read(10):
            pass
    assert caught.value.errno == errno.EIO


def test_unpacked_folder(tmp_path):
    """A folder may have the name of a WACZ."""
    folder = tmp_path / 'x.wacz' / 'archive'
    folder.mkdir(parents=True)
    (folder / 'a.warc').write_bytes(records('a')[0])
    assert names(read(folder / 'a.warc')[0]) == 'a'
    assert archives_in(tmp_path / 'x.wacz') == [str(tmp_path / 'x.wacz')]


def test_not_a_wacz(tmp_path):
    path = tmp_path / 'x.wacz'
    for data in (b'', b'text', pack({}), records('a')[0]):
        path.write_bytes(data)
        assert archives_in(path) == [str(path)]
        assert not packed.list_files(str(path)) or data == pack({})
    assert names(read(path)[0]) == 'a'
    assert storage.status(f'{path}/archive/a.warc') is None
    with pytest.raises(FileNotFoundError):
        storage.open_read(f'{path}/archive/a.warc')


def test_listings(tmp_path):
    path = waczs.write(tmp_path / 'x.wacz', contents())
    top = f'{path}/archive'
    assert storage.status(top) == Entry(top, True)
    found = [entry.name for entry in storage.find(f'{path}/*/?.warc*')]
    assert found == [f'{path}/{GZIP}', f'{path}/{PLAIN}']
    assert [e.name for e in storage.walk_files(top)] == found
    assert storage.find(f'{path}/nothing') == []
