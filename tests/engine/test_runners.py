"""The shuffle of the runners for one machine."""

import gc
import tracemalloc
from collections import Counter
from types import SimpleNamespace

import pytest
from commands import run
from crawls import sample_crawl, write_warc

from mr_reuse.chunks.discover.label_counts import LabelCounts
from mr_reuse.chunks.jobs.place_labels import PlaceLabels
from mr_reuse.engine import progress
from mr_reuse.engine.clusters.base import Cluster
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.runners import local
from mr_reuse.shuffle import packing, sorting
from mr_reuse.shuffle.packing import make_rows
from mr_reuse.shuffle.partitions import partition_key


def test_more_files_than_may_be_open(tmp_path, monkeypatch):
    monkeypatch.setattr(local, 'MAX_OPEN_FILES', 2)
    paths = []
    for number in range(7):
        paths.append(str(tmp_path / f'{number}'))
        lines = [b'%d\tfrom %d\n' % (key, number) for key in range(3)]
        (tmp_path / f'{number}').write_bytes(b''.join(lines))
    index = local.sort_index(local.index_lines(paths))
    places = [b'%d %d %d\n' % line[1:] for line in index]
    expected = [b'%d\tfrom %d\n' % (k, n) for k in range(3) for n in range(7)]
    assert list(local.read_lines_at(places, paths)) == expected


def test_index_on_disk(monkeypatch):
    """The index of a long shuffle is sorted on disk; its memory is bounded."""
    lines = [(b'chunk/%04x' % (n * 7919 % 256), n % 40, n, 9) for n in range(30_000)]
    expected = sorted(lines)
    tracemalloc.start()
    monkeypatch.setattr(sorting, 'IN_MEMORY', 1 << 18)
    parts = local.split_by_key(local.sort_index(iter(lines)), 270_000, 3)
    held = tracemalloc.get_traced_memory()[0]
    assert all(line == e for (_, line), e in zip(parts, expected, strict=True))
    assert tracemalloc.get_traced_memory()[1] - held < 1 << 20
    tracemalloc.stop()


@pytest.mark.parametrize('count', [1, 2, 5, 90])
def test_reducers_of_similar_size(count):
    lines = [(b'%d' % (n // 10), 0, n, n % 7) for n in range(100, 800)]
    total = sum(size for *_, size in lines)
    numbered = list(local.split_by_key(lines, total, count))
    assert [line for _, line in numbered] == lines
    sizes, keys = Counter(), {}
    for number, (key, _, _, size) in numbered:
        sizes[number] += size
        keys.setdefault(key, set()).add(number)
    assert all(len(numbers) == 1 for numbers in keys.values())
    assert sorted(sizes) == list(range(len(sizes)))
    assert 1 <= len(sizes) <= count
    # A partition ends with the key that fills it.
    assert max(sizes.values()) <= total / count + 2 * 7 * 10


def test_counts_in_any_files(tmp_path):
    """A part file may be read by several tasks, which are numbered as they like."""
    halves = [
        make_rows(b'aabb', 2, [1, 2], [1, 1], [9, 9]),
        make_rows(b'ccdd', 2, *3 * [[3, 4]]),
    ]
    for name, rows in zip(['part-00001', 'part-00000'], halves, strict=True):
        line = partition_key('chunk', 0) + b'\t' + packing.pack(rows) + b'\n'
        (tmp_path / name).write_bytes(line)
    parts = [str(tmp_path / name) for name in ('part-00000', 'part-00001')]
    counted = LabelCounts(parts)
    assert b''.join(k.tobytes() for k in counted.keys('chunk')) == b'aabbccdd'
    pieces = list(counted.read_numbered('chunk'))
    assert [n for labels, _ in pieces for n in labels.tolist()] == [0, 1, 2, 3]
    assert [n for _, rows in pieces for n in rows.columns[0].tolist()] == [1, 2, 3, 4]
    assert (counted.count('chunk'), counted.count('file')) == (4, 0)
    assert counted.occurrences == 9


def test_no_room_for_progress(tmp_path):
    """A full disk of the driver costs a display, and not the job."""
    progress.write_share(str(tmp_path / 'gone'), 0.5)
    assert progress.read_share(str(tmp_path / 'gone')) is None


class Somewhere(Cluster):
    """A cluster on which nothing runs."""

    list_running = wait_for = end = None


@pytest.mark.parametrize(
    ('megabytes', 'reducers'), [(0, 1), (256, 1), (257, 2), (1024, 4), (100_000, 391)]
)
def test_reducers_by_size(tmp_path, megabytes, reducers):
    """One for each 256 MB of input, if the user does not say another number."""
    job = SimpleNamespace()
    with RunDir(str(tmp_path / 'run')) as out:
        Somewhere(out, None, []).prepare(job, megabytes << 20, '02-counts/attempt-1')
    assert job.defaults['mapreduce.job.reduces'] == str(reducers)


def test_options_of_mrjob_are_no_short_forms_of_own_ones():
    """`--label` is one of mrjob, and `--labels` of this job."""
    job = PlaceLabels(['-r', 'emr', '--label=attempt-1', '--owner', 'me', '--count=3'])
    assert job._non_option_kwargs()['extra_args'] == ['--count', '3']


def test_tasks_in_the_driver_leave_nothing_behind(tmp_path):
    """A process may run commands again and again, as a notebook does."""
    warc = tmp_path / 'a.warc.gz'
    write_warc(warc, sample_crawl())
    frozen = gc.get_freeze_count()
    line = [warc, '-o', tmp_path / 'run', '-q', '-r', 'inline']
    assert run('discover', *line).code == 0
    assert gc.get_freeze_count() == frozen
