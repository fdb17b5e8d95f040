"""Parts of tables that tasks wrote become the table, whole or not at all."""

import pytest

from mr_reuse.chunks.chunk_tables import FILE_MATCHES as TABLE
from mr_reuse.tables import table_files
from mr_reuse.tables.table_parts import MadeTable, PartWriter

HEADER = b'rid\turl\thash\n'
ROWS = [b'a:%d\thttp://a/\tff' % number for number in range(10)]
SIZES = [3, 1, 4, 2]


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', 10)
    (tmp_path / 'file_matches.tsv.12345678.half').mkdir()
    return tmp_path


def write(run, rows) -> MadeTable:
    """Write rows as two tasks do, which have every second partition."""
    tasks = [PartWriter(str(run), '12345678') for _ in range(2)]
    rows = iter(rows)
    for number, size in enumerate(SIZES):
        part = [row for _, row in zip(range(size), rows, strict=False)]
        lines = tasks[number % 2].add(TABLE, 'unit', number * 1000, part)
        assert list(lines) == []
    return MadeTable(TABLE, [task.stats for task in tasks])


def test_folder(run):
    made = write(run, ROWS)
    assert made.rows == 10 and made.publish(str(run))
    [table] = run.iterdir()
    assert table.name == 'file_matches.tsv'
    files = [path.read_bytes() for path in sorted(table.iterdir())]
    assert [file.count(b'\n') - 1 for file in files] == SIZES
    assert all(file.startswith(HEADER) for file in files)
    assert list(table_files.read_lines(str(table))) == [row + b'\n' for row in ROWS]


@pytest.mark.parametrize('count', [0, 1, 9])
def test_few_rows_are_a_file(run, count):
    assert write(run, ROWS[:count]).publish(str(run))
    [table] = run.iterdir()
    assert table.read_bytes() == HEADER + b''.join(r + b'\n' for r in ROWS[:count])


@pytest.mark.parametrize('limit', [0, 3, 5, 9, 10, 99])
@pytest.mark.parametrize('bound', [2, 10])
def test_limit(run, monkeypatch, limit, bound):
    monkeypatch.setattr(table_files, 'MAX_PART_ROWS', bound)
    assert write(run, ROWS).publish(str(run), limit)
    [table] = run.iterdir()
    found = list(table_files.read_lines(str(table)))
    assert found == [row + b'\n' for row in ROWS[:limit]]
    assert table.is_dir() == (len(found) >= bound)


@pytest.mark.parametrize('count', [0, 4, 10])
def test_published_before(run, count):
    """The parts are gone, and the table is there."""
    made = write(run, ROWS[:count])
    assert made.publish(str(run)) and made.publish(str(run))


@pytest.mark.parametrize('count', [4, 10])
def test_missing_parts(run, count):
    """A table of other parts does not count."""
    made = write(run, ROWS[:count])
    folder = run / 'file_matches.tsv.12345678.half'
    (folder / 'part-01000.tsv').unlink()
    table_files.write_table(str(run / TABLE.file), TABLE.header, ROWS[: count - 1])
    assert not made.publish(str(run))


def test_files_of_killed_tasks(run):
    made = write(run, ROWS)
    folder = run / 'file_matches.tsv.12345678.half'
    (folder / 'part-00000.tsv.0badcafe.half').write_bytes(b'half a ro')
    (folder / 'part-05000.tsv').write_bytes(b'of nobody\n')
    assert made.publish(str(run))
    rows = list(table_files.read_lines(str(run / TABLE.file)))
    assert rows == [row + b'\n' for row in ROWS]


def test_without_mark():
    """The rows of a small table are lines."""
    writer = PartWriter('', '')
    assert list(writer.add(TABLE, 'unit', 10, [b'a', b'b'])) == [
        (b'unit/000a', b'YQpi')
    ]
    assert writer.stats == {}
