"""ListPlaces alone: matches in, the rows of each partition of the labels out."""

import base64
import random

import mrl
import pytest
from lone_jobs import cut_columns, run_job

from mr_reuse.chunks.detect import matching, places
from mr_reuse.chunks.jobs.list_places import ListPlaces
from mr_reuse.errors import UserError
from mr_reuse.shuffle import partitions, sorting

CHUNKS = sorted(mrl.some(*range(8)))
FILES = sorted(mrl.some('file'))
DATE = '2020-01-02T03:04:05Z'


def match(rid: str, *labels: int, total: int | str = 9, date: str = DATE) -> bytes:
    """The match of a page with these labels, each of them twice."""
    numbers = b''.join(label.to_bytes(8, 'big') for label in labels)
    packed = base64.b64encode(numbers + b'\2\0\0\0' * len(labels)).decode()
    bad = 2 * sum(label < len(CHUNKS) for label in labels)
    return f'{rid}\t{url_of(rid)}\t{date}\t{bad}\t{total}\t8,4:{packed}'.encode()


def url_of(rid: str) -> str:
    return f'http://a.org/?{rid.replace(":", "/")}'


def row(label: int, rid: str, date: str = DATE) -> bytes:
    return f'{CHUNKS[label]}\t{rid}\t{url_of(rid)}\t{date}'.encode()


@pytest.fixture
def labels(tmp_path):
    return mrl.write(tmp_path / 'labels.mrl', CHUNKS, FILES)


def rows_of(lines, labels, **options) -> list[bytes]:
    """The rows of the partitions, in the order of their numbers."""
    by_part: dict[int, list[bytes]] = {}
    for line in run_job(ListPlaces, lines, labels=labels, **options):
        key, value = line.split(b'\t')
        unit, part = key.split(b'/')
        assert unit == b'place'
        rows = base64.b64decode(value, validate=True).split(b'\n')
        by_part.setdefault(int(part, 16), []).extend(rows)
    return [row for part in sorted(by_part) for row in by_part[part]]


def test_no_places(labels):
    assert rows_of([], labels) == []
    assert rows_of([match('a:0'), match('a:9')], labels) == []


@pytest.mark.parametrize('bits', [0, 2, 6, 16])
def test_places(labels, bits):
    """By label, by the bytes of the archive, by offset as a number; once a page."""
    lines = [
        match('b:0', 7, 0),
        match('a:10+7', 0),
        match('a:9', 0, 3, 7, date=''),
        match('a:10', 0),
        match('B:5', 3),
    ]
    assert rows_of(lines, labels, bits=bits) == [
        row(0, 'a:9', ''),
        row(0, 'a:10'),
        row(0, 'a:10+7'),
        row(0, 'b:0'),
        row(3, 'B:5'),
        row(3, 'a:9', ''),
        row(7, 'a:9', ''),
        row(7, 'b:0'),
    ]


def test_files(labels):
    """The label of a whole file is no chunk, on a page and elsewhere."""
    lines = [match('a:0', 2, 8), match('a:1', 8), match('a:2', 2, 8, total='')]
    assert rows_of(lines, labels) == [row(2, 'a:0')]


def test_no_labels(tmp_path):
    """A label file without chunks."""
    labels = mrl.write(tmp_path / 'files.mrl', [], FILES)
    assert rows_of([match('a:0', 0), match('a:1')], labels) == []


def test_small_memory(labels, monkeypatch):
    """Few pages and rows at a time in memory, many lines: the same rows."""
    dice = random.Random(3)
    of_page = {f'a:{n}': sorted(dice.sample(range(8), 3)) for n in range(500)}
    lines = [match(rid, *of_page[rid]) for rid in dice.sample(list(of_page), 500)]
    expected = [
        row(label, rid)
        for label in range(8)
        for rid in of_page
        if label in of_page[rid]
    ]
    assert rows_of(lines, labels) == expected
    monkeypatch.setattr(matching, 'BATCH_BYTES', 700)
    monkeypatch.setattr(places, 'MAX_TEXTS', 1000)
    monkeypatch.setattr(sorting, 'IN_MEMORY', 2000)
    monkeypatch.setattr(partitions, 'MAX_LINE', 300)
    assert rows_of(lines, labels) == expected


LINE = match('a:0', 1, 2)


@pytest.mark.parametrize(
    'line',
    [
        b'',
        LINE[:12],
        LINE.rpartition(b'\t')[0],
        LINE[:-1],
        LINE.replace(b'8,4:', b''),
        cut_columns(LINE, 1),
        LINE.replace(b'a:0\t', b'a\t'),
        LINE.replace(b'a:0\t', b'a:x\t'),
    ],
    ids='empty URL labels base64 widths byte rid offset'.split(),
)
def test_damaged_match(labels, line):
    with pytest.raises(ValueError):
        rows_of([match('a:0', 3), line], labels)


def test_damaged_labels(labels):
    data = labels.read_bytes()
    for cut in (data[:-1], data[: data.index(b'}')], b''):
        labels.write_bytes(cut)
        with pytest.raises(UserError, match='labels.mrl: .*(cut|damaged|not a label)'):
            rows_of([LINE], labels)
    labels.unlink()
    with pytest.raises(OSError, match='labels.mrl'):
        rows_of([LINE], labels)
