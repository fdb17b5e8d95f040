"""The memory of the jobs on edges stays the same, or below what they promise."""

import base64

import bounded
import numpy as np
import pytest

TOTAL = 10**8
FILES, LINE = 4, 20_000  # part files, and edges of a line
MOST = 300  # MB of a process


def write_edges(folder, numbers, neighbors):
    """Write part files with the edges of two columns."""
    folder.mkdir()
    for number in range(FILES):
        with open(folder / f'part-{number:05d}', 'wb') as stream:
            for start in range(number * LINE, len(numbers), FILES * LINE):
                rows = np.stack([numbers, neighbors])[:, start : start + LINE]
                data = base64.b64encode(rows.astype('<u8').tobytes())
                size = b'%d*8' % rows.shape[1]
                stream.write(b'edge/0000\t%b,%b:%b\n' % (size, size, data))
    return folder


def random_edges(folder, count):
    draw = np.random.default_rng(count).integers
    return write_edges(folder / f'{count}', *draw(0, TOTAL, (2, count)))


def measure(module, name, inputs, scratch, rows=0, **options):
    module = f'components.jobs.{module}'
    return bounded.measure_job(module, name, inputs, scratch, rows, **options)


def test_ten_times_the_edges(tmp_path):
    """With small tables and forests, which are full at once."""
    found = []
    for count in (20_000, 200_000):
        inputs = random_edges(tmp_path, count)
        job = 'alternate_stars', 'AlternateStars', inputs, tmp_path / f'job-{count}'
        found.append(measure(*job, rows=2_500, bits=1, most=2_500))
    (driver, task), (driver_later, task_later) = found
    assert driver_later <= driver + 8
    assert task_later <= task + 8, found


@pytest.mark.slow
@pytest.mark.parametrize('total', [TOTAL, 10**12])
def test_one_reducer(total, tmp_path):
    """As many edges as one reducer may get, all of them between other numbers."""
    count = 10_000_000 if total == TOTAL else 5_000_000
    numbers = np.random.default_rng(1).permutation(2 * count).astype(np.uint64)
    inputs = write_edges(tmp_path / 'edges', *np.split(numbers * (total // 10**8), 2))
    job = 'connect_numbers', 'ConnectNumbers', inputs, tmp_path / 'job'
    driver, task = measure(*job, total=total)
    assert task < MOST
    assert driver < 120


@pytest.mark.slow
def test_one_center(tmp_path):
    """Ten million numbers around the largest one, in rounds with two partitions."""
    numbers = np.arange(10_000_000, dtype=np.uint64)
    inputs = write_edges(tmp_path / 'edges', numbers, numbers * 0 + TOTAL)
    job = 'alternate_stars', 'AlternateStars', inputs, tmp_path / 'job'
    driver, task = measure(*job, bits=1)
    assert task < MOST
    assert driver < 120
