"""Revisits count with the content of their targets: against brute force."""

import json

import pytest
import revisit_crawls
from commands import discover
from crawls import arguments, tables_in
from reference import Options, tables
from reference_revisits import find_target, with_targets

CHOICES = ['first', 'last', 'all']


def record_of(folder) -> dict:
    return json.loads((folder / 'run.json').read_text())


def search(names, folder, *options):
    done = discover(*names, *options, '-q', '-r', 'inline', '-o', folder)
    assert done.code == 0, done.err
    return folder


# Against the reference


@pytest.mark.parametrize('seed', range(9))
def test_discover(tmp_path, seed):
    names, records = revisit_crawls.random_crawl(tmp_path, seed)
    options = Options(seed % 2, 0, captures=CHOICES[seed % 3])
    line = [*arguments(options), f'--tasks={1 + seed % 4}']
    folder = search(names, tmp_path / 'run', *line)
    assert tables_in(folder) == tables(with_targets(records), options)
    revisits = [record for record in records if record.is_revisit]
    found = [record for record in revisits if find_target(record, records)]
    counted = record_of(folder)['revisits']
    assert counted['resolved'] == len(found)
    assert sum(counted['unresolved'].values()) == len(revisits) - len(found)
