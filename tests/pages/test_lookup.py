"""Records by their rids, whatever has become of the archives."""

import gzip
import os
import shutil
from pathlib import Path

import pytest
from crawls import write_arc, write_warc
from damaged_reading import shrink

from mr_reuse.archives import items, reader
from mr_reuse.pages import lookup
from mr_reuse.storage.base import Unreachable

PAGES = [(f'http://a.org/{n}', b'<p>page %d' % n) for n in range(12)]


@pytest.fixture
def crawl(tmp_path, monkeypatch) -> dict[str, bytes]:
    """Two archives and a page: the body at each rid."""
    monkeypatch.chdir(tmp_path)
    pages = [
        *write_warc(Path('b.warc.gz'), PAGES),
        *write_arc(Path('a b.arc'), PAGES[:3]),
    ]
    Path('c.html').write_bytes(b'<p>alone')
    bodies = {f'{os.path.basename(p.archive)}:{p.offset}': p.body for p in pages}
    return bodies | {'c.html:0': b'<p>alone'}


def body(item) -> bytes | None:
    if item is None:
        return None
    return b''.join(item.pieces) if item.body is None else item.body


def found(rids, paths=None, tolerated=()) -> list[tuple[str, bytes | None]]:
    read = lookup.read_items(rids, paths or {}, tolerated)
    return [(rid, body(item)) for rid, item in read]


def by_offset(rid: str) -> tuple[str, int]:
    archive, _, offset = rid.rpartition(':')
    return archive, int(offset)


# read_items


def test_in_order(crawl):
    """Archives by name, offsets as numbers, each rid once."""
    rids = sorted(crawl, key=by_offset)
    assert rids != sorted(rids)  # as text, offsets would be in another order
    assert found([*rids[::-1], *rids]) == [(rid, crawl[rid]) for rid in rids]
    assert found(rids[4:6]) == [(rid, crawl[rid]) for rid in rids[4:6]]
    assert found([]) == []


def test_by_paths(crawl):
    """An archive is where the run says; in tables it keeps its name."""
    [rid, *_] = crawl
    os.rename('b.warc.gz', 'moved')
    with pytest.raises(FileNotFoundError):
        found([rid])
    assert found([rid], {'b.warc.gz': 'moved'}) == [(rid, crawl[rid])]


def test_each_archive_is_opened_once(crawl, monkeypatch):
    asked, items_at = [], reader.items_at_offsets

    def noted(path, offsets):
        asked.append((path, [*offsets]))
        return items_at(path, offsets)

    monkeypatch.setattr(reader, 'items_at_offsets', noted)
    found(crawl)
    assert [path for path, _ in asked] == ['a b.arc', 'b.warc.gz', 'c.html']
    assert all(offsets == sorted(offsets, key=int) for _, offsets in asked)


def test_nothing_begins_there(crawl):
    """Offsets inside of records, behind the end, and of a record without a body."""
    [first, second, *_] = [rid for rid in crawl if rid.startswith('b')]
    offset = by_offset(first)[1]
    rids = [
        'b.warc.gz:0',
        first,
        f'b.warc.gz:{offset + 1}',
        second,
        f'b.warc.gz:{10**9}',
    ]
    assert found(rids) == [
        (rid, crawl[rid] if rid in (first, second) else None) for rid in rids
    ]
    assert found(['c.html:1', 'c.html:0']) == [
        ('c.html:0', b'<p>alone'),
        ('c.html:1', None),
    ]


def test_inside_a_member(tmp_path):
    """Records that share a gzip member, by what they begin with in it."""
    plain, name = tmp_path / 'plain.warc', f'{tmp_path}/one.warc.gz'
    pages = write_warc(plain, PAGES, gzip=False)
    Path(name).write_bytes(gzip.compress(plain.read_bytes()))
    rids = [f'{name}:0+{page.offset}' for page in pages]
    assert len({len(rid) for rid in rids}) > 1
    assert found(reversed(rids)) == [
        (rid, page.body) for rid, page in zip(rids, pages, strict=True)
    ]


def test_archive_is_gone(crawl):
    os.unlink('b.warc.gz')
    with pytest.raises(FileNotFoundError):
        found(crawl)
    assert dict(found(crawl, tolerated=(FileNotFoundError,))) == {
        rid: None if rid.startswith('b') else text for rid, text in crawl.items()
    }


def test_silent_server(crawl, monkeypatch):
    """What was read of an archive before a server falls silent is kept."""
    items_at = reader.items_at_offsets

    def break_off(path, offsets):
        for number, pair in enumerate(items_at(path, offsets)):
            if number == 2:
                raise Unreachable(path)
            yield pair

    monkeypatch.setattr(reader, 'items_at_offsets', break_off)
    with pytest.raises(Unreachable):
        found(crawl, tolerated=(OSError,))
    rids = sorted(crawl, key=by_offset)
    known = {*rids[:2], *rids[3:5], rids[-1]}
    assert found(crawl, tolerated=(OSError, Unreachable)) == [
        (rid, crawl[rid] if rid in known else None) for rid in rids
    ]


def test_large_items(tmp_path, monkeypatch):
    """Bodies that come in pieces are read one after another, or left unread."""
    shrink(monkeypatch, block=1000)
    path = tmp_path / 'large.warc.gz'
    large = [(url, b'<p>%d' % n * 20_000) for n, (url, _) in enumerate(PAGES)]
    rids = {f'{path}:{p.offset}': p.body for p in write_warc(path, large)}
    assert dict(found(rids)) == rids
    read = list(lookup.read_items(rids, {}))
    assert [rid for rid, _ in read] == list(rids)
    assert all(item.body is None for _, item in read)


def test_one_item(crawl):
    [rid, *_] = crawl
    assert body(lookup.read_item(rid, {})) == crawl[rid]
    assert lookup.read_item('b.warc.gz:1', {}) is None
    with pytest.raises(FileNotFoundError):
        lookup.read_item(rid, {'b.warc.gz': 'moved'})


# Rows in jobs


def read_rows(lines: list[bytes]) -> list[tuple[list[bytes], bytes | None]]:
    """Read rows as a task does."""
    rows = lookup.RowReader()
    read = []
    for line in lines:
        key, _, row = line.partition(b'\t')
        read += [(some, body(item)) for some, item in rows.add(key, row)]
    return read + [(some, body(item)) for some, item in rows.finish()]


def rows_of(crawl, paths=None) -> list[bytes]:
    rows = ((rid, b'row\t' + rid.encode()) for rid in reversed(crawl))
    return list(lookup.rows_to_read(rows, paths or {}))


def test_rows(crawl):
    rids = sorted(crawl, key=by_offset)
    paths = {name: os.path.abspath(name) for name in os.listdir()}
    lines = rows_of(crawl, paths)
    assert lines[0].startswith(os.path.abspath('a%20b.arc').encode())
    os.mkdir('elsewhere')
    os.chdir('elsewhere')
    assert read_rows(lines) == [([b'row\t' + r.encode()], crawl[r]) for r in rids]


@pytest.mark.parametrize('size', [1, 2, 5])
def test_rows_in_batches(crawl, monkeypatch, size):
    lines = rows_of(crawl)
    whole = read_rows(lines)
    monkeypatch.setattr(lookup, 'MAX_ROWS', size)
    assert read_rows(lines) == whole


def test_rows_of_one_item(crawl):
    [rid, *_] = crawl
    lines = list(lookup.rows_to_read([(rid, b'x'), (rid, b'y')], {}))
    assert read_rows(lines) == [([b'x', b'y'], crawl[rid])]


def test_rows_of_what_is_gone(crawl):
    lines = rows_of(crawl)
    os.unlink('b.warc.gz')
    Path('c.html').unlink()
    gone = [text for _, text in read_rows(lines)]
    assert gone == [*(text for _, text in PAGES[:3]), *[None] * 13]
    assert read_rows([]) == []


def test_rows_on_a_silent_server(crawl, monkeypatch):
    """A task fails, to be tried again; nothing is taken for gone."""

    def silent(path, offsets):
        raise Unreachable(path)

    monkeypatch.setattr(reader, 'items_at_offsets', silent)
    with pytest.raises(Unreachable):
        read_rows(rows_of(crawl))


def test_odd_names(tmp_path):
    """Any bytes in the name of a file."""
    [page] = write_warc(tmp_path / 'a', PAGES[:1])
    for name in ('a b%41\n\t.warc', os.fsdecode(b'\xff:9.warc')):
        path = shutil.copy(tmp_path / 'a', tmp_path / name)
        rows = [(f'typed:{page.offset}', b'x')]
        lines = list(lookup.rows_to_read(rows, {'typed': str(path)}))
        assert read_rows(lines) == [([b'x'], PAGES[0][1])]


# Large items


def test_beginning(crawl, monkeypatch):
    [rid] = [rid for rid in crawl if rid.startswith('c')]
    [(_, item)] = lookup.read_items([rid], {})
    assert lookup.beginning_of(item) == b'<p>alone'
    item.body, item.pieces = None, iter([b'<p>', b'alone'])
    assert lookup.beginning_of(item) == b'<p>'
    item.pieces = ()
    assert lookup.beginning_of(item) == b''


def test_beginning_of_damage(crawl):
    def lost():
        raise items.Lost
        yield

    [(_, item)] = lookup.read_items(['c.html:0'], {})
    item.body, item.pieces = None, lost()
    assert lookup.beginning_of(item) == b''
