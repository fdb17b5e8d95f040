"""The figures in the documentation are those that were measured."""

import subprocess
import sys
from pathlib import Path

TABLES = Path(__file__).parents[1] / 'bench' / 'tables.py'


def test_tables_are_of_the_results():
    line = [sys.executable, TABLES, '--check']
    told = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, '')


def test_changed_results_are_noticed(tmp_path):
    """The check reads the results that it is given."""
    results = (TABLES.parent / 'results.jsonl').read_text()
    changed = tmp_path / 'results.jsonl'
    changed.write_text(results.replace('"wall": [', '"wall": [0.001, '))
    line = [sys.executable, TABLES, '--check', '--results', changed]
    told = subprocess.run(line, capture_output=True, text=True, check=False)
    assert told.returncode == 1
    assert 'performance.md' in told.stderr


def test_model():
    """The examples of the model are right."""
    line = [sys.executable, '-m', 'doctest', TABLES.parent / 'model.py']
    told = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (0, '')
