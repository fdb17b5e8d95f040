"""Any bytes are read, in the same way with other limits and without the kernel."""

import random
from pathlib import Path

import pytest
from damaged_reading import DAMAGED
from reader_laws import check, mutate

SEEDS = sorted(DAMAGED.glob('*.*arc*')) + sorted(DAMAGED.glob('*.zst'))
CORPUS = Path(__file__).parent / 'corpus'


@pytest.mark.parametrize('path', sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_was_wrong_once(path):
    check(path)


@pytest.mark.parametrize('first', range(0, 120, 30))
def test_archives_changed_at_random(tmp_path, first):
    path = tmp_path / 'a.warc.gz'
    for seed in range(first, first + 30):
        archive = random.Random(seed).choice(SEEDS)
        path.write_bytes(mutate(archive.read_bytes(), seed))
        try:
            check(path)
        except Exception as error:
            raise AssertionError(f'{archive.name}, changed with seed {seed}') from error
