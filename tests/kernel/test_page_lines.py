"""The kernel reads page lines as Python does, and leaves unusual ones to it."""

import base64
import hashlib
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mr_reuse import kernel as native
from mr_reuse.chunks.discover.counting import ChunkCounter
from mr_reuse.chunks.page_lines import PACKED, Batch, PageLine
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.partitions import unit_of

kernel = native.load()
if not kernel:
    pytest.skip(native.version(), allow_module_level=True)

WIDTH = 20
HASHES = [hashlib.sha1(b'%d' % n).digest() for n in range(12)]
FILES = [(HASHES[n].hex(), n) for n in (0, 9)]
LENGTHS = st.lists(st.integers(0, 11), max_size=9)


@st.composite
def page_lines(draw):
    """Lines of short and of long pages, with and without each of the last fields."""
    numbers = draw(LENGTHS)
    keys, lengths = b''.join(HASHES[n] for n in numbers), array('I', numbers)
    ones = [1] * len(numbers)
    rows = packing.make_rows(
        keys, WIDTH, lengths, *draw(st.sampled_from([(), (ones,)]))
    )
    packed = packing.pack(rows)
    if draw(st.booleans()):
        packed = b'20,4:' + base64.b64encode(keys + lengths.tobytes())
    last = draw(st.lists(st.sampled_from(['', 'urn:x', 'page']), max_size=5))
    # A digest of a file or a chunk always has the same length.
    file_hash, size = draw(st.sampled_from([('', 7), *FILES]))
    facts = 'a:0', 'http://a/', '', '10.0.0.1', 'text/html', size
    return PageLine(*facts, file_hash, len(numbers), packed, *last).to_line()


def pure(monkeypatch):
    monkeypatch.setenv(native.PURE, '1')
    assert native.load() is None


def taken(batch: Batch, lines: list) -> list:
    """Put lines into a batch; return them with their rows, in their order."""
    for line in lines:
        batch.add(*line)
    rows, owners, split = batch.take()
    found = [(key, fields, []) for key, fields in split]
    columns = [column.tolist() for column in rows.columns]
    for key, owner, *numbers in zip(rows.keys, owners.tolist(), *columns, strict=True):
        found[owner][2].append((key.tobytes(), *numbers))
    return found


@settings(deadline=None)
@given(st.lists(page_lines(), max_size=9), st.lists(page_lines(), max_size=9))
def test_batches(first, second):
    batch = Batch(WIDTH)
    with pytest.MonkeyPatch.context() as monkeypatch:
        pure(monkeypatch)
        expected = [taken(Batch(WIDTH), lines) for lines in (first, second)]
    assert [taken(batch, lines) for lines in (first, second)] == expected


def counted(lines: list) -> dict:
    counter, found = ChunkCounter(WIDTH, 2), {}
    pairs = [pair for line in lines for pair in counter.add_page(*line)]
    for key, value in (*pairs, *counter.finish()):
        rows = packing.unpack(value)
        columns = [column.tolist() for column in rows.columns]
        for digest, *numbers in zip(rows.keys, *columns, strict=True):
            place = unit_of(key), digest.tobytes()
            before = found.get(place, (0, 0, 0))
            found[place] = (
                before[0] + numbers[0],
                before[1] + numbers[1],
                max(before[2], numbers[2]),
            )
    return found


@settings(deadline=None)
@given(st.lists(page_lines(), max_size=12))
def test_counts(lines):
    with pytest.MonkeyPatch.context() as monkeypatch:
        pure(monkeypatch)
        expected = counted(lines)
    assert counted(lines) == expected


def test_copies_and_pages():
    """Numbers known beforehand: of a chunk twice on a page, and once on another."""
    lines = [
        PageLine(
            'a:0', 'u', '', '', 'text/html', 7, HASHES[5].hex(), len(numbers), packed
        )
        for numbers in ([1, 1, 2], [1])
        for packed in [
            b'20,4:'
            + base64.b64encode(
                b''.join(HASHES[n] for n in numbers) + array('I', numbers).tobytes()
            )
        ]
    ]
    assert counted([line.to_line() for line in lines]) == {
        ('chunk', HASHES[1]): (3, 2, 1),
        ('chunk', HASHES[2]): (1, 1, 2),
        ('file', HASHES[5]): (2, 2, 7),
    }


USUAL = b'u\td\t\ttext/html\t7\t%b\t2\t20,4:%b\tid' % (
    HASHES[5].hex().encode(),
    base64.b64encode(HASHES[0] + HASHES[1] + bytes(8)),
)


@pytest.mark.parametrize(
    ('old', 'new'),
    [(b'20,4:', b'20,1:'), (b'20,4:', b'20,4,1:'), (b'20,4:', b'020,4:')]
    + [
        (b'20,4:', b'32,4:'),
        (b'20,4:', b'20,4'),
        (b'\t2\t', b'\t3\t'),
        (b'A\tid', b'\tid'),
    ]
    + [
        (b'A\tid', b'!\tid'),
        (b'\t2\t', b'\t-2\t'),
        (b'\t2\t', b'\t\t'),
        (b'\t2\t', b'\t2 \t'),
    ]
    + [
        (b'\tid', b'\tid' * 6),
        (b'AAA', b'A A'),
        (b'AAA', b'\xffAA'),
        (b'\t7\t', b'\tx\t'),
    ],
)
def test_unusual_lines(old, new):
    """Python decides whether such a line is damaged."""
    counters = [kernel.Counter(WIDTH, 1) for _ in range(2)]
    assert kernel.Lines(WIDTH).add(USUAL)[PACKED] == b'20,4'
    assert counters[0].add_line(USUAL, counters[1]) == 2
    line = USUAL.replace(old, new)
    assert line != USUAL
    lines = kernel.Lines(WIDTH)
    assert lines.add(line) is None and lines.take() == (b'', b'', b'')
    counter = kernel.Counter(WIDTH, 1)
    assert counter.add_line(line, counters[1]) is None
    assert counter.take(0)[1] == b''


@pytest.mark.parametrize('old', [HASHES[5].hex().encode(), b'\t7\t'])
def test_unusual_files(old):
    new = b'\t9999999999\t' if old == b'\t7\t' else b'ABCD'
    counters = [kernel.Counter(WIDTH, 1) for _ in range(2)]
    assert counters[0].add_line(USUAL.replace(old, new), counters[1]) is None


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_value(value):
    lines = kernel.Lines(WIDTH)
    assert lines.add(value) is None
    assert lines.add(value.replace(b'\n', b'\t') * 3) is None


@settings(deadline=None)
@given(st.lists(st.binary(min_size=5, max_size=5), max_size=40))
def test_base64(rows):
    """Columns of any length are decoded as Python's module decodes them."""
    data, lines = b''.join(rows), kernel.Lines(1)
    assert lines.add(b'u\t\t\t\t0\t\t%d\t1,4:%b' % (len(rows), base64.b64encode(data)))
    digests, lengths, counts = lines.take()
    assert digests + lengths == data
    assert counts == len(rows).to_bytes(4, 'little')


def test_wrong_arguments():
    counter = kernel.Counter(WIDTH, 1)
    for wrong in ((USUAL,), (USUAL, None), ('', counter), (USUAL, kernel.Lines(WIDTH))):
        with pytest.raises(TypeError):
            counter.add_line(*wrong)
    assert counter.add_line(USUAL, kernel.Counter(32, 1)) is None
    with pytest.raises(TypeError):
        kernel.Lines(WIDTH).add('')
    for wrong in (0, 65):
        with pytest.raises(ValueError):
            kernel.Lines(wrong)
    with pytest.raises(TypeError):
        kernel.Lines(width=20)
