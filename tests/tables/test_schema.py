"""The schema of tables: cells that it refuses, files that belong to a run."""

import pytest

from mr_reuse.chunks.chunk_tables import BAD_PAGES, FREQUENCY, LABELS
from mr_reuse.engine import rundir
from mr_reuse.errors import UserError
from mr_reuse.tables.run_tables import TABLES
from mr_reuse.tables.table_files import read_rows

CELLS = ['ff00', '128', '12', '9', '3', 'http://a/', '<p>']


def write(folder, *lines):
    (folder / 'labels.tsv').write_text('\n'.join([LABELS.header, *lines, '']))


def test_a_row_has_typed_cells(tmp_path):
    write(tmp_path, '\t'.join(CELLS))
    [row] = read_rows(str(tmp_path), LABELS)
    assert (row.hash, row.copies, row.example_url) == ('ff00', 12, 'http://a/')


@pytest.mark.parametrize(
    ('position', 'cell'),
    [(0, 'xy'), (0, 'f'), (1, '-1'), (2, '1.5'), (3, ''), (4, '²')],
)
def test_cells_that_no_command_writes(tmp_path, position, cell):
    good = '\t'.join(CELLS)
    bad = [*CELLS[:position], cell, *CELLS[position + 1 :]]
    write(tmp_path, good, '\t'.join(bad))
    with pytest.raises(UserError, match=r'labels.tsv: line 3 is damaged'):
        list(read_rows(str(tmp_path), LABELS))


@pytest.mark.parametrize('cells', [CELLS[:-1], [*CELLS, 'x'], ['']])
def test_lines_with_other_cells(tmp_path, cells):
    write(tmp_path, '\t'.join(cells))
    with pytest.raises(UserError, match='line 2 is damaged'):
        list(read_rows(str(tmp_path), LABELS))


def test_ratios_and_units():
    row = BAD_PAGES.parse(['a:0', 'http://a/', '0', '0', ''])
    assert row.contains is None
    with pytest.raises(ValueError):
        BAD_PAGES.parse(['a:0', 'http://a/', '1', '1', '1.1'])
    with pytest.raises(ValueError):
        FREQUENCY.parse(['page', '1', '1'])
    with pytest.raises(ValueError):
        FREQUENCY.parse(['chunk', '0', '1'])


@pytest.mark.parametrize('name', TABLES)
@pytest.mark.parametrize('form', ['tsv', 'csv', 'jsonl', 'parquet'])
def test_tables_and_their_exports_belong_to_a_run(name, form):
    assert rundir.RUN_NAMES.fullmatch(f'{name}.{form}')
    assert rundir.RUN_NAMES.fullmatch(f'{name}.{form}.0123abcd.half')
    assert not rundir.RUN_NAMES.fullmatch(f'my_{name}.{form}')


def test_sort_columns_are_columns():
    for table in TABLES.values():
        assert {name for name, _ in table.sorted_by} <= set(table.names)
        assert set(table.derived_from) <= set(TABLES)
