"""The tables of quilts in the formats of `export`, compared with their text."""

import csv
import json

import pytest
from commands import run
from quilt_runs import make_quilts, rows

from mr_reuse.quilts import TABLES

pq = pytest.importorskip('pyarrow.parquet')
NUMBERS = {'words', 'grams', 'patch', 'sources', 'number', 'new', 'shared', 'pages'}
NUMBERS |= {'documents', 'quilted'}


def typed(table: str, row: dict[str, str]) -> dict:
    """A row with its numbers: `percent` is one of documents, or a share of a sweep."""
    found = {}
    for name, cell in row.items():
        if name == 'share':
            found[name] = float(cell)
        elif (table, name) in {('quilt_sweep', 'sources'), ('quilt_sweep', 'percent')}:
            found[name] = cell
        else:
            found[name] = int(cell) if name in {*NUMBERS, 'percent'} else cell
    return found


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    folder = make_quilts(tmp_path_factory.mktemp('made'))
    assert run('quilts', 'sweep', folder, '-q', '--alpha', '0.5,0.9').code == 0
    return folder


@pytest.mark.parametrize('table', [table.name for table in TABLES])
def test_tables(made, tmp_path, table):
    expected = [typed(table, row) for row in rows(made, table)]
    assert expected
    for form in ('parquet', 'jsonl', 'csv'):
        line = ['--table', table, '--format', form, '-o', tmp_path / form, '-q']
        done = run('export', made, *line)
        assert (done.code, done.err) == (0, ''), done
    [name] = (tmp_path / 'parquet').glob(f'{table}.*')
    assert pq.read_table(name).to_pylist() == expected
    [name] = (tmp_path / 'jsonl').glob(f'{table}.*')
    lines = name.read_text().splitlines()
    assert [json.loads(line) for line in lines] == expected
    [name] = (tmp_path / 'csv').glob(f'{table}.*')
    with name.open(newline='') as stream:
        found = list(csv.DictReader(stream))
    # The copy in CSV is for spreadsheets: numbers there have no needless zeros.
    assert [typed(table, row) for row in found] == expected
