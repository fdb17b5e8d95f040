"""What is read of damaged archives: the folder `damaged`, and damage at random."""

import errno
import gzip
import io

import pytest
from damaged_reading import (
    DAMAGED,
    body_of,
    damage_of,
    described,
    make,
    read,
    shrink,
    twice,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mr_reuse import storage
from mr_reuse.archives import reader, records
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers import members
from mr_reuse.archives.containers import recovery as containers_recovery
from mr_reuse.archives.containers.members import inflate_member
from mr_reuse.archives.window import Window

LINES = (DAMAGED / 'expected.txt').read_text(encoding='utf-8').splitlines()
EXPECTED = {line.split('\t')[0]: line.split('\t')[1:] for line in LINES if line}
NAMES = sorted(p.name for p in DAMAGED.iterdir() if not p.name.startswith(('_', '.')))
ARCHIVES = [name for name in NAMES if name not in ('make.py', 'expected.txt')]

URL = 'http://x.org/b'

# The folder


@pytest.mark.parametrize('name', ARCHIVES)
def test_damaged(name):
    found, stats = read(DAMAGED / name)
    assert [described(found), damage_of(stats)] == EXPECTED[name]
    assert not twice(found)


def test_table_is_complete():
    assert sorted(EXPECTED) == ARCHIVES


def test_files_are_made(tmp_path):
    """What lies there is what the script makes, whatever zlib packs it."""
    for name, data in make.files():
        (tmp_path / name).write_bytes(data)
        same = described(read(tmp_path / name)[0])
        assert same == described(read(DAMAGED / name)[0])
    assert sorted(p.name for p in tmp_path.iterdir()) == ARCHIVES


@pytest.mark.parametrize('small, block', [(8, 1 << 20), (8, 37), (1 << 24, 37), (0, 1)])
def test_limits_change_nothing(monkeypatch, small, block):
    normal = {name: read(DAMAGED / name) for name in ARCHIVES}
    shrink(monkeypatch, small, block)
    for name, (found, stats) in normal.items():
        again = read(DAMAGED / name)
        assert again[0] == found, name
        assert vars(again[1]) == vars(stats), name


@pytest.mark.parametrize('name', ARCHIVES)
def test_items_at(name):
    """Each item again, by its place; and all of them at once."""
    path = str(DAMAGED / name)
    found, _ = read(path)
    places = [item[0] for item in found]
    wanted = [(place, body) for place, _, body, _ in found]
    one_by_one = [reader.items_at_offsets(path, [place]) for place in places]
    assert [(p, body_of(i)) for one in one_by_one for p, i in one] == wanted
    assert [(p, body_of(i)) for p, i in reader.items_at_offsets(path, places)] == wanted


def test_items_at_tiny_limits(monkeypatch):
    shrink(monkeypatch, 8, 97)
    for name in ARCHIVES:
        test_items_at(name)


# Damage at random

FORMS = make.ALL
RECORDS = 6


def archive(form) -> tuple[list[bytes], list[tuple]]:
    """The parts of an archive of six pages, and the items it holds."""
    parts = [form.pack(form.head())]
    parts += [form.pack(form.record(f'p{n}')) for n in range(RECORDS)]
    return parts


@st.composite
def damages(draw, size: int):
    """A list of (what, where, bytes)."""
    hits = st.tuples(
        st.sampled_from(['flip', 'delete', 'insert', 'zeros']),
        st.integers(0, size - 1),
        st.one_of(
            st.binary(min_size=1, max_size=60),
            st.sampled_from([b'\x1f\x8b\x08\x00', b'WARC/1.0\r\n', b'\r\n\r\n']),
        ),
    )
    return draw(st.lists(hits, min_size=1, max_size=3))


def broken(data: bytes, hits) -> bytes:
    for what, where, some in hits:
        at = where % max(1, len(data))
        behind = data[at + (0 if what == 'insert' else len(some)) :]
        new = {
            'flip': bytes(b ^ 0xFF for b in data[at : at + len(some)]),
            'insert': some,
            'zeros': bytes(len(some)),
        }.get(what, b'')
        data = data[:at] + new + behind
    return data


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
@pytest.mark.parametrize('form', FORMS, ids=lambda form: form.name)
def test_random_damage(tmp_path, form, data):
    parts = archive(form)
    sound = b''.join(parts)
    path = tmp_path / f'a.{form.name}'
    path.write_bytes(sound)
    before, _ = read(path)
    assert len(before) == RECORDS
    hits = data.draw(damages(len(sound)))
    path.write_bytes(broken(sound, hits))
    found, stats = read(path)
    assert not twice(found)
    bodies = [body for _, _, body, _ in found]
    assert all(bodies.count(body) <= 1 for body in bodies)
    first = min(hit[1] for hit in hits)
    assert_untouched_are_there(parts, hits, first, bodies)
    if form.gzipped and bodies != [item[2] for item in before]:
        # Without a checksum not all damage shows; with one it does, but for members
        # that are missing as a whole.
        cut_out = all(what == 'delete' for what, _, _ in hits)
        assert stats.damage or cut_out
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch, 8, 97)
        again, other = read(path)
    assert (again, vars(other)) == (found, vars(stats))


def assert_untouched_are_there(parts, hits, first, bodies) -> None:
    """Pages before the damage, but for the last, are there as they were."""
    end = 0
    for number, part in enumerate(parts):
        end += len(part)
        if number and end + len(parts[0]) < first:
            assert make.page(f'p{number - 1}') in bodies
    if len(hits) == 1:  # and those well behind the one place of damage
        _, at, some = hits[0]
        start = len(b''.join(parts))
        for number in range(RECORDS, 0, -1):
            start -= len(parts[number])
            if start > at + len(some) + len(parts[0]):
                assert make.page(f'p{number - 1}') in bodies


# Cases of their own


def read_bytes(tmp_path, data: bytes):
    path = tmp_path / 'a.warc.gz'
    path.write_bytes(data)
    found, stats = read(path)
    return described(found), damage_of(stats)


def test_copy_with_broken_magic(tmp_path):
    """Two equal members; the checksum of the second says nothing of the first."""
    member = gzip.compress(make.warc('a', make.http(make.page('a'))), mtime=0)
    copy = make.flip(member, 1)
    lost = f'bytes between gzip members: 0 {len(member)}'
    assert read_bytes(tmp_path, member + copy) == ('a', lost)


def test_whole_wants_the_end():
    member = gzip.compress(b'page', mtime=0)
    assert inflate_member(Window.of(member + b'junk')) is None
    assert inflate_member(Window.of(member + make.flip(member, 0))) is None


def test_longest_member_in_front(tmp_path):
    """A member that would swallow all that follows costs only itself."""
    form = make.ALL[0]
    big = make.stored(make.warc('b', make.http(make.page('b') * 40)))
    broken_one = make.runs_over(big)
    names, lost = read_bytes(tmp_path, form.file(broken_one))
    assert names == 'a c'
    assert lost.endswith(f': 1 {len(big)}')


def test_false_length_far_from_the_end(tmp_path):
    """The next record is read, also if the window has to be refilled in between."""
    block = make.http(make.page('x') * 40)
    records = [make.warc(f'p{n}', block, slip=50 * (n == 20)) for n in range(200)]
    path = tmp_path / 'a.warc'
    path.write_bytes(b''.join(records))
    found, stats = read(path)
    urls = [f'http://x.org/p{n}' for n in range(200) if n != 20]
    assert [url for _, url, _, _ in found] == urls
    size = len(block) + len('\r\n\r\n')
    assert damage_of(stats) == f'length runs over the end of the record: 1 {size}'


def extending_over_each_other(first: bytes, size: int) -> bytes:
    """Gzip members, each stored in a block of the one before it; they end in junk."""
    data = b'junk'
    for _ in range(size // (len(first) + 15)):
        block = first + data
        length = len(block).to_bytes(2, 'little')
        head = b'\x1f\x8b\x08' + bytes(6) + b'\xff' + b'\x01' + length
        data = head + bytes(0xFF ^ byte for byte in length) + block
    return data


@pytest.mark.parametrize('first', [b'WARC/1.0\r\nA: b', b'page'])
def test_hostile_members(tmp_path, monkeypatch, first):
    """What is inflated grows with the file, and not with its square."""
    sound = gzip.compress(make.warc('a', make.http(make.page('a'))), mtime=0)
    whole, inflated = members.Inflated.read, []

    def count(self, size):
        data = whole(self, size)
        inflated[-1] += len(data)
        return data

    monkeypatch.setattr(members.Inflated, 'read', count)
    monkeypatch.setattr(containers_recovery, 'MAX_AGAIN', 10_000)
    for size in (15_000, 60_000):
        inflated.append(0)
        data = extending_over_each_other(first, size)
        names, lost = read_bytes(tmp_path, data + bytes(20) + sound)
        assert names == 'a' and lost != '-'
    assert inflated[1] < 6 * inflated[0]


def test_blank_lines_are_no_damage(tmp_path):
    record = make.warc('a', make.http(make.page('a')))
    assert read_bytes(tmp_path, b'\r\n' * 9 + record + b'\n' * 20_000) == ('a', '-')


@pytest.mark.parametrize('space', [b' ', b' and ', '/ü'.encode()])
def test_odd_arc_lines(tmp_path, space):
    """Spaces in a URL, and the line of version 2 of the format."""
    block = make.http(make.page('a'))
    fields = b'text/html; charset=x 200 - - 77 x.arc %d\n' % len(block)
    line = b'http://x.org/b%bc 192.0.2.1 20200102030405 ' % space
    first = make.arc('', b'about').replace(b'http://x.org/', b'filedesc://x.arc')
    path = tmp_path / 'a.arc'
    path.write_bytes(first + line + fields + block + b'\n')
    [(_, url, body, _)], stats = read(path)
    assert (body, stats.damage) == (make.page('a'), {})
    assert url.startswith('http://x.org/b')


@pytest.mark.parametrize('small', [8, 1 << 24])
@pytest.mark.parametrize('field', ['WARC-Type: response', f'WARC-Target-URI: {URL}'])
def test_record_of_no_item_that_is_cut(tmp_path, monkeypatch, small, field):
    """It is one record, and no more bytes are lost than the file has."""
    record = make.warc('b', b'text ' * 99).replace(f'{field}\r\n'.encode(), b'')
    shrink(monkeypatch, small)
    _, stats = read_bytes(tmp_path, record[:-300])
    assert stats.startswith('cut by the end of the file: 1 0; record without a t')
    assert stats.endswith(f': 0 {5 * 99 + 4 - 300}')


@pytest.mark.parametrize('form', make.ALL[2:4], ids=lambda form: form.name)
@pytest.mark.parametrize('junk', [b'', b'junk\n'])
def test_urls_without_scheme(tmp_path, form, junk):
    """They are read in archives, each again by its offset."""
    names = ['a', 'b', 'c']
    bare = [form.record(n).removeprefix(b'http://') for n in names]
    path = tmp_path / f'a.{form.name}'
    data = form.pack(form.head()) + junk + b''.join(map(form.pack, bare))
    path.write_bytes(data)
    found, stats = read(path)
    assert [item[1:3] for item in found] == [
        (f'x.org/{n}', make.page(n)) for n in names
    ]
    assert sum(size for _, size in stats.damage.values()) == len(junk)
    for offset, _, body, _ in found:
        [(same, item)] = reader.items_at_offsets(str(path), [offset])
        assert (same, body_of(item)) == (offset, body)


def test_log_is_no_archive(tmp_path):
    """A list of hosts may look like an ARC archive without schemes."""
    path = tmp_path / 'access.log'
    path.write_bytes(b'a.org/x 10.0.0.1 20080102030405 GET 17\nseventeen letters')
    assert reader.detect_kind(str(path)) == 'text'


# A disk that does not read


class BadDisk(io.BytesIO):
    """Bytes of which some cannot be read."""

    def __init__(self, data: bytes, bad: range):
        super().__init__(data)
        self.bad = bad

    def read(self, size=-1):
        at = self.tell()
        end = len(self.getvalue()) if size < 0 else at + size
        if at < self.bad.stop and end > self.bad.start:
            raise OSError(errno.EIO, 'Input/output error')
        return super().read(size)


@pytest.mark.parametrize('form', make.ALL, ids=lambda form: form.name)
def test_bad_sector(tmp_path, monkeypatch, form):
    """What lies before and behind it is read; nothing is lost in silence."""
    records = [form.pack(form.record(f'p{n}')) for n in range(200)]
    data = form.pack(form.head()) + b''.join(records)
    at = len(data) // 2
    path = tmp_path / f'a.{form.name}'
    path.write_bytes(data)

    def open_bad(_name, offset=0):
        stream = BadDisk(data, range(at, at + 100))
        stream.seek(offset)
        return stream

    monkeypatch.setattr(storage, 'open_read', open_bad)
    found, stats = read(path)
    names = {url for _, url, _, cut in found if not cut}
    assert {f'http://x.org/p{n}' for n in (*range(70), *range(140, 200))} <= names
    assert 'cannot be read: Input/output error' in stats.damage
    assert not twice(found)


def test_missing_file(tmp_path):
    found, stats = read(tmp_path / 'none.warc')
    assert not found
    assert damage_of(stats) == 'cannot be read: No such file or directory: 0 0'


def test_place_behind_blank_lines():
    """The place of a record is where its header begins, blank lines or not."""
    record = make.warc('a', make.http(b'x'))
    found = records.read_records(Window.of(b'\r\n\r\n' + record), ArchiveStats('x'))
    assert [place for place, _ in found] == ['4']
