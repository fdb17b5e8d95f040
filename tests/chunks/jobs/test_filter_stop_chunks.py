"""FilterStopChunks alone: counts in, the counts of the labels out."""

import json

import mrl
import pytest
from lone_jobs import cut_columns, pack, rows_by_key, run_job

from mr_reuse.chunks.jobs.filter_stop_chunks import FilterStopChunks
from mr_reuse.errors import UserError

LABEL, RARE, SHORT, STOP, BOTH = (bytes([n]) * 20 for n in range(5))
# Copies, pages, length; the threshold is 10 copies, the minimal length 100.
CHUNKS = [
    (LABEL, 11, 3, 101),
    (RARE, 10, 10, 300),
    (SHORT, 50, 1, 100),
    (STOP, 99, 9, 300),
    (BOTH, 20, 1, 7),
]
FILES = [(LABEL, 5, 5, 7), (RARE, 4, 4, 300)]
COUNTS = [
    b'chunk/0000\t' + pack(CHUNKS, 1, 1, 2),
    b'file/0000\t' + pack(FILES, 1, 1, 2),
    b'@\t{"frequency": {}}',
]
RULES = {'threshold': 10, 'file_threshold': 4, 'min_len': 100}
FILTERED = {
    'copied': 4,
    'copied: copies': 180,
    'short': 2,
    'short: copies': 70,
    'stop': 2,
    'stop: copies': 119,
    'labels': 1,
    'labels: copies': 11,
    'counted: copies': 11 + 10,  # a chunk on the stop list is short as well
}


@pytest.fixture
def stop(tmp_path):
    digests = [bytes([n]).hex() * 20 for n in (3, 4, 99)]
    return mrl.write(tmp_path / 'stop.mrl', stop=digests)


def run(*lines, **options):
    """The rows of the labels, and the numbers of the others by reason."""
    found = run_job(FilterStopChunks, lines, **RULES, **options)
    return rows_by_key(found), json.loads(found[-1].removeprefix(b'@\t'))['filtered']


def test_no_counts(stop):
    assert run(stop=stop) == ({}, {'chunk': {}, 'file': {}})


def test_labels(stop):
    kept, filtered = run(*COUNTS, stop=stop)
    assert kept == {b'chunk/0000': CHUNKS[:1], b'file/0000': FILES[:1]}
    assert filtered == {'chunk': FILTERED, 'file': {'labels': 1}}


def test_without_stop_list():
    kept, filtered = run(*COUNTS)
    assert kept[b'chunk/0000'] == [CHUNKS[0], CHUNKS[3]]
    assert filtered['chunk']['stop'] == 0
    assert filtered['chunk']['labels: copies'] == 11 + 99
    assert filtered['chunk']['counted: copies'] == 11 + 10 + 99


@pytest.mark.parametrize('recheck', [0, 1])
def test_bloom(stop, recheck):
    """Of a filter with false positives, all stop chunks get a yes."""
    kept, filtered = run(*COUNTS, stop=stop, bloom=1e-9, recheck=recheck)
    assert kept[b'chunk/0000'] == CHUNKS[:1]
    told = {'Bloom: asked': 4, 'Bloom: yes': 2}
    checked = {'Bloom: wrong': 0} if recheck else {}
    assert filtered['chunk'] == FILTERED | told | checked


@pytest.mark.parametrize(
    'line',
    [
        COUNTS[0][:-1],
        cut_columns(COUNTS[0], 1),
        COUNTS[0].replace(b'chunk/', b'chun/'),
        COUNTS[0].replace(b'20,1,1,2:', b'20,1,2:'),
        COUNTS[0].replace(b'20,1,1,2:', b''),
        COUNTS[0][:7],
        b'',
    ],
    ids=['base64', 'byte', 'unit', 'widths', 'no widths', 'key', 'empty'],
)
def test_damaged_counts(line):
    with pytest.raises((ValueError, KeyError)):
        run(line)


def test_damaged_stop_list(stop):
    data = stop.read_bytes()
    stop.write_bytes(data[:-1])
    with pytest.raises(UserError, match='stop.mrl: this label file is cut'):
        run(*COUNTS, stop=stop)
    stop.write_bytes(data[:-52] + data[-32:-52:-1] + data[-32:])
    with pytest.raises(UserError, match='its bytes have changed'):
        run(*COUNTS, stop=stop)


def test_missing_stop_list(tmp_path):
    with pytest.raises(OSError, match='gone.mrl'):
        run(*COUNTS, stop=tmp_path / 'gone.mrl')
