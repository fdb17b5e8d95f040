"""Lines in order, whether they fit into memory or not."""

import random
import weakref

import pytest

from mr_reuse import storage
from mr_reuse.archives import rids
from mr_reuse.shuffle import sorting

BOUNDS = [1, 700, 10**6]


def words(count: int, letters: str = 'ab\t ~\x7fé') -> list[bytes]:
    dice = random.Random(count)
    return [
        ''.join(dice.choices(letters, k=dice.randint(0, 9))).encode()
        for _ in range(count)
    ]


@pytest.fixture(params=BOUNDS)
def bound(request, monkeypatch):
    """Bytes that are held before they are spilled."""
    monkeypatch.setattr(sorting, 'IN_MEMORY', request.param)


def test_lines(bound):
    lines = words(200)
    assert list(sorting.sort_lines(lines)) == sorted(lines)
    assert list(sorting.sort_lines([])) == []


def test_rows_by_their_keys(bound):
    """Rows may have any byte but a line feed; those of a key are sorted as well."""
    keys = words(300)
    pairs = list(zip(keys, words(299, 'x\0\t') + [b''], strict=True))
    assert list(sorting.sort_rows(pairs)) == [row for _, row in sorted(pairs)]


def test_rows_in_groups(bound):
    keys = words(300, 'ab')
    pairs = list(zip(keys, words(300, 'x\0'), strict=True))
    lines = [sorting.add_key(*pair) for pair in pairs]
    found = [(key, list(rows)) for key, rows in sorting.group_rows(lines)]
    expected = {}
    for key, row in sorted(pairs):
        expected.setdefault(key, []).append(row)
    assert found == list(expected.items())


def test_what_is_above_the_bound_is_spilled(monkeypatch):
    files, scratch = [], storage.open_scratch
    monkeypatch.setattr(
        storage, 'open_scratch', lambda: files.append(scratch()) or files[-1]
    )
    lines = [b'%040d' % n for n in range(1000)]
    assert list(sorting.sort_lines(iter(lines[::-1]), 10_000)) == lines
    assert [file.seek(0, 2) for file in files] == [101 * 41] * 9


def test_few_files_are_open_at_a_time(monkeypatch):
    """Short runs are merged to longer ones, so their number may be any."""
    files, scratch = [], storage.open_scratch

    def open_scratch():
        files.append(weakref.ref(file := scratch()))
        most.append(sum(file() is not None for file in files))
        return file

    most = []
    monkeypatch.setattr(sorting, 'MAX_RUNS', 4)
    monkeypatch.setattr(storage, 'open_scratch', open_scratch)
    lines = words(1000)
    assert list(sorting.sort_lines(lines, in_memory=1)) == sorted(lines)
    assert len(files) > 1000
    # Of each length at most four files, and the one to which they are merged.
    assert max(most) <= 4 * 5 + 1


def test_descending():
    numbers = [0, 1, 9, 10, 99, 10**12, 10**20 - 1]
    keys = [sorting.descending(number) for number in numbers]
    assert sorted(keys, reverse=True) == keys
    assert {len(key) for key in keys} == {20}


def test_rids_in_order():
    ordered = [b'a:9', b'a:10', b'a:10+7', b'a:10+12', b'a:11', b'a/b:0', b'b:1']
    pairs = [(rids.sort_key(rid), rid) for rid in reversed(ordered)]
    assert list(sorting.sort_rows(pairs)) == ordered
