"""The door to archives: whole commands, large records, files that are no archives."""

import gzip
import itertools
import json
import subprocess
import sys
import zlib

import pytest
from damaged_reading import DAMAGED, damage_of, described, make, read, shrink

from mr_reuse import discover
from mr_reuse.archives import causes, payload, reader
from mr_reuse.archives import sources as archive_sources
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.errors import DAMAGED as EXIT
from mr_reuse.errors import DONE, UserError
from mr_reuse.storage import text_files

NAMES = sorted(p for p in DAMAGED.iterdir() if 'arc' in p.name)
WARC = make.ALL[0]
BODY = make.page('b')


def of_record(tmp_path, record: bytes, gzipped=True):
    """What is read of an archive of one record."""
    path = tmp_path / 'a.warc.gz'
    path.write_bytes(gzip.compress(record) if gzipped else record)
    return read(path)


# discover


def run(*args) -> int:
    return discover.main([*map(str, args), '-q', '-r', 'inline', '--threshold=0'])


def test_discover_damaged(tmp_path, capsys):
    """Every page that is read anywhere is counted; what was not read is told."""
    assert run(*NAMES, '-o', tmp_path / 'run', '--captures', 'all') == EXIT
    told = json.loads((tmp_path / 'run' / 'run.json').read_text())
    whole, lost = 0, {}
    for path in NAMES:
        found, stats = read(path)
        whole += sum(not item[3] for item in found)
        for cause, (records, size) in stats.damage.items():
            old = lost.get(cause, [0, 0])
            lost[cause] = [old[0] + records, old[1] + size]
    assert told['read']['damage'] == lost
    lines = (tmp_path / 'run' / 'frequency.tsv').read_text().splitlines()[1:]
    files = [line.split('\t')[1:] for line in lines if line.startswith('file')]
    assert sum(int(n) * int(m) for n, m in files) == whole
    said = capsys.readouterr().err
    assert all(cause in said for cause in lost)


def test_discover_all_damaged(tmp_path, capsys):
    name = DAMAGED / 'flipped-all.warc.gz'
    assert run(name, '-o', tmp_path / 'run') == EXIT
    for table in ('labels.tsv', 'file_labels.tsv', 'frequency.tsv'):
        assert len((tmp_path / 'run' / table).read_text().splitlines()) == 1
    said = capsys.readouterr().err
    assert f'{1:>8,} {1055:>12,}  gzip member does not inflate, {name}\n' in said


def test_discover_sound(tmp_path, capsys):
    assert run(DAMAGED / 'sound.arc', '-o', tmp_path / 'run') == DONE
    assert not capsys.readouterr().err


@pytest.mark.parametrize('name', ['empty.warc.gz', 'error-page.warc.gz'])
def test_discover_no_archive(tmp_path, name):
    """Named as an archive, and none: damage, never a page."""
    assert run(DAMAGED / name, '-o', tmp_path / 'run') == EXIT
    assert len((tmp_path / 'run' / 'labels.tsv').read_text().splitlines()) == 1


# Items


def test_fields(tmp_path):
    record = make.warc('ü b', make.http(BODY), WARC_IP_Address='192.0.2.7')
    of_record(tmp_path, record)
    path = tmp_path / 'a.warc.gz'
    [item] = reader.read_source(
        archive_sources.Source('archive', 'a', str(path)), ArchiveStats(str(path))
    )
    assert (item.offset, item.url) == ('0', 'http://x.org/%C3%BC%20b')
    assert (item.date, item.ip, item.status) == (make.DATE, '192.0.2.7', 200)
    assert not item.cut


def test_first_of_two_fields(tmp_path):
    """A second length, be it in the HTTP head of a broken record, is not the first."""
    record = make.warc('b', make.http(BODY)).replace(
        b'\r\n\r\nHTTP', b'\r\nContent-Length: 3\r\n\r\nHTTP'
    )
    found, stats = of_record(tmp_path, record)
    assert (described(found), damage_of(stats)) == ('b', '-')


def test_wanted(tmp_path):
    """What is not wanted is not decoded, and what comes behind it is read."""
    path = DAMAGED / 'sound.warc.gz'
    source = archive_sources.Source('archive', 'x', str(path))
    found = reader.read_source(
        source, ArchiveStats('x'), lambda item: item.url[-1] != 'b'
    )
    assert [item.url[-1] for item in found] == ['a', 'c']


@pytest.mark.parametrize('gzipped', [True, False])
@pytest.mark.parametrize('small', [8, 16 << 20])
def test_unread_pieces(tmp_path, monkeypatch, gzipped, small):
    """Whoever reads the items need not read their bodies."""
    shrink(monkeypatch, small, 100)
    path = DAMAGED / ('sound.warc.gz' if gzipped else 'sound.warc')
    found = reader.read_source(
        archive_sources.Source('archive', 'x', str(path)), ArchiveStats('x')
    )
    assert [item.url[-1] for item in found] == ['a', 'b', 'c']


@pytest.mark.parametrize('small', [0, 16 << 20])
def test_bomb_in_body(tmp_path, monkeypatch, small):
    shrink(monkeypatch, small)
    monkeypatch.setattr(payload, 'MAX_BODY', 1000)
    bomb = make.http(gzip.compress(bytes(2000)), 'Content-Encoding: gzip')
    name = tmp_path / 'a.warc.gz'
    name.write_bytes(WARC.file(WARC.pack(make.warc('b', bomb))))
    found, stats = read(name)
    assert (described(found), damage_of(stats)) == ('a c', f'{causes.BOMB}: 1 0')


def test_bomb_of_member(tmp_path, monkeypatch):
    """A member that inflates to very much more than its record says."""
    monkeypatch.setattr(payload, 'MAX_BODY', 1000)
    bomb = WARC.pack(make.warc('b', make.http(BODY)) + bytes(64 << 20))
    name = tmp_path / 'a.warc.gz'
    name.write_bytes(WARC.file(bomb))
    found, stats = read(name)
    lost = f'bytes that belong to no record: 0 {64 << 20}'
    assert (described(found), damage_of(stats)) == ('a b c', lost)


@pytest.mark.parametrize('small', [0, 16 << 20])
@pytest.mark.parametrize('gzipped', [True, False])
def test_notes_are_no_damage(tmp_path, monkeypatch, small, gzipped):
    shrink(monkeypatch, small)
    lying = make.http(BODY, 'Content-Encoding: br', 'Transfer-Encoding: chunked')
    found, stats = of_record(tmp_path, make.warc('b', lying), gzipped)
    assert (described(found), damage_of(stats)) == ('b', '-')
    assert sum(stats.notes.values()) == 2


@pytest.mark.parametrize('small', [0, 16 << 20])
def test_utf16(tmp_path, monkeypatch, small):
    shrink(monkeypatch, small)
    body = '<p>größer'.encode('utf-16')
    [(_, _, found, cut)], stats = of_record(tmp_path, make.warc('b', make.http(body)))
    assert (found, cut, stats.damage) == (body, False, {})


# Files that are pages or lists


def test_page_that_cannot_be_read(tmp_path):
    stats = ArchiveStats('x')
    source = archive_sources.Source('page', 'x', str(tmp_path / 'gone.html'))
    assert not list(reader.read_source(source, stats))
    assert damage_of(stats) == 'cannot be read: No such file or directory: 1 0'


def test_kinds(tmp_path):
    path = tmp_path / 'x'
    for data, kind in [
        (b'', 'empty'),
        (b' <p>', 'markup'),
        (b'a.warc\n', 'text'),
        (b'\0\1', 'binary'),
        (gzip.compress(b'a.warc\n'), 'packed text'),
        (gzip.compress(b' <p>'), 'packed page'),
        (gzip.compress(b'%PDF-1.4 text'), 'binary'),
        (gzip.compress(b''), 'empty'),
        (b'\r\n' + make.warc('a', b'x'), 'archive'),
        (gzip.compress(make.arc('a', b'x'))[:-9], 'archive'),
    ]:
        path.write_bytes(data)
        assert reader.detect_kind(str(path)) == kind


def test_list_in_broken_gzip(tmp_path):
    path = tmp_path / 'paths.gz'
    path.write_bytes(gzip.compress(b'a.warc\n' * 99)[:-9])
    with pytest.raises(UserError, match='damaged'):
        list(text_files.read_lines(str(path)))


# Large records

MEASURE = """
import json, sys
from mr_reuse.archives import reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.sources import Source
stats, sizes = ArchiveStats('x'), []
for item in reader.read_source(Source('archive', 'x', sys.argv[1]), stats):
    pieces = [item.body] if item.body is not None else item.pieces
    try:
        sizes.append(sum(len(piece) for piece in pieces))
    except Lost:
        pass
status = open('/proc/self/status').read()  # of this program, not of what began it
peak = int(status.partition('VmHWM:')[2].split()[0])
print(json.dumps([sizes, stats.damage, peak >> 10]))
"""
GIGABYTE = 1 << 30


def write_large(path, slip: int, gzipped: bool) -> None:
    """A record of a gigabyte, between two small ones."""
    small, zeros = WARC.record('a'), bytes(1 << 20)
    head = make.warc('b', b'', 'resource', Content_Length=GIGABYTE + slip)[:-4]
    blocks = itertools.chain([head], itertools.repeat(zeros, 1024), [b'\r\n\r\n'])
    with open(path, 'wb') as file:
        for member in ([small], blocks, [small]):
            packer = zlib.compressobj(1, wbits=31) if gzipped else None
            for block in member:
                file.write(packer.compress(block) if packer else block)
            if packer:
                file.write(packer.flush())


@pytest.mark.slow
@pytest.mark.parametrize('gzipped', [True, False])
@pytest.mark.parametrize('slip', [0, 1000, -1000])
def test_a_gigabyte(tmp_path, gzipped, slip):
    path = tmp_path / 'a.warc'
    write_large(path, slip, gzipped)
    command = [sys.executable, '-c', MEASURE, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    sizes, damage, peak = json.loads(done.stdout)
    path.unlink()
    assert peak < 400, f'{peak} MB'
    large = [] if slip > 0 else [GIGABYTE + slip]
    small = len(make.page('a'))
    assert sizes == [small, *large, small]
    assert bool(damage) == bool(slip)
