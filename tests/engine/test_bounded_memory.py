"""Memory does not grow with the rows, even if there are far too few partitions."""

import bounded
import numpy as np
import pytest

from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.shuffle.digest_index import sort_distinct
from mr_reuse.shuffle.partitions import name_digest

BASE = 2_000  # pages
LABELS = 100_000
MOST = 400  # MB of a process, as docs/limits.md says
MAP, REDUCE = {'join': 'map'}, {'join': 'reduce', 'ask_bits': 1}
# Module and class, whether the job needs labels, and options.
OF_PAGES = [
    ('count_duplicates', 'CountDuplicates', False, {}),
    ('find_repeated_urls', 'FindRepeatedUrls', False, {}),
    ('pair_sites', 'PairSites', False, {}),
    ('match_labeled', 'MatchLabeled', True, MAP),
    ('match_labeled', 'MatchLabeled', True, REDUCE),
    ('place_labels', 'PlaceLabels', True, {}),
    ('place_labels', 'PlaceLabels', True, {'count': 1}),
]
OF_MATCHES = [
    ('neighborhood_badness', 'NeighborhoodBadness', False, {}),
    ('list_places', 'ListPlaces', True, {}),
    ('share_labels', 'ShareLabels', False, {'chunks': LABELS}),
]


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp('made')


@pytest.fixture(scope='module')
def labels(folder):
    """A label file of chunks that many made pages have."""
    numbers = np.arange(LABELS, dtype=np.uint64)
    numbers[1000:] += np.uint64(1 << 20)
    keys = sort_distinct(bounded.made.make_digests(numbers))
    with open(folder / 'labels.mrl', 'wb') as stream:
        label_files.write(stream, (Recipe(), 100), [len(keys), 0, 0], [keys])
    return folder / 'labels.mrl'


def measure(job, inputs, scratch, labels, rows=0):
    """Run a job with two partitions; return the MB of the driver and of tasks."""
    module, name, has_labels, options = job
    options = {**options, 'bits': 1}
    if has_labels:
        options['labels'] = labels
    if name == 'ShareLabels':
        bad = scratch.parent / 'bad'
        names = (f'www.host-{number}.example/' for number in range(100))
        bad.write_bytes(b''.join(sorted(map(name_digest, names))))
        options['bad'] = bad
    module = f'chunks.jobs.{module}'
    return bounded.measure_job(module, name, inputs, scratch, rows, **options)


@pytest.mark.parametrize(
    'job', [OF_PAGES[0], OF_PAGES[3], OF_MATCHES[0]], ids=lambda job: job[1]
)
def test_ten_times_the_rows(job, folder, labels, tmp_path):
    """With small tables, which are full at once, the memory stays the same."""
    found = []
    for count in (4_000, 40_000):
        if job in OF_PAGES:
            inputs = bounded.write_pages(folder, count)
        else:
            inputs = bounded.write_matches(folder, count, LABELS)
        found.append(measure(job, inputs, tmp_path / f'{count}', labels, rows=2_000))
    (driver, task), (driver_later, task_later) = found
    assert driver_later <= driver + 8
    # Batches of page lines are fixed, and larger than the first input.
    assert task_later <= task + 40


@pytest.mark.slow
@pytest.mark.parametrize('times', [10, 100, 1000])
@pytest.mark.parametrize('job', OF_PAGES, ids=lambda job: f'{job[1]}{job[3]}')
def test_pages(job, times, folder, labels, tmp_path):
    inputs = bounded.write_pages(folder, BASE * times)
    driver, task = measure(job, inputs, tmp_path / 'job', labels)
    assert max(driver, task) < MOST
    assert driver < 120


@pytest.mark.slow
@pytest.mark.parametrize('times', [10, 100, 1000])
@pytest.mark.parametrize('job', OF_MATCHES, ids=lambda job: job[1])
def test_matches(job, times, folder, labels, tmp_path):
    inputs = bounded.write_matches(folder, BASE * times, LABELS)
    driver, task = measure(job, inputs, tmp_path / 'job', labels)
    assert max(driver, task) < MOST
    assert driver < 120
