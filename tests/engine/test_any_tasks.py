"""The number of tasks changes no byte of any table."""

import acceptance_crawl
import pytest
from commands import (
    DETECT_TABLES,
    FORKED_DETECT,
    FORKED_DISCOVER,
    RESULTS,
    apart,
    ended,
)

TABLES = {*RESULTS, *DETECT_TABLES, 'pairs.tsv', 'places.tsv', 'origins.tsv'}


@pytest.fixture(scope='module')
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp('crawl') / 'archives'
    names, _ = acceptance_crawl.write_archives(folder)
    return names


@pytest.mark.slow
def test_any_tasks(crawl, tmp_path):
    """From 1 to 16, each in a process of its own, from archives to places."""
    results = []
    for tasks in range(1, 17):
        out = tmp_path / f'run{tasks}'
        for line in ([*FORKED_DISCOVER, *crawl], [*FORKED_DETECT, '--places']):
            end = ended(apart(*line, '-o', out, f'--tasks={tasks}', '-q'))
            assert end == (0, '', '')
        tables = {path.name: path.read_bytes() for path in out.glob('*.tsv')}
        results.append(tables | {'labels.mrl': (out / 'labels.mrl').read_bytes()})
    assert all(result == results[0] for result in results)
    assert results[0].keys() >= TABLES
