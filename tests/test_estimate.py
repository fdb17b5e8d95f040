"""What `--dry-run` expects, against what then happens."""

import re
from pathlib import Path

import pytest
from commands import discover

from mr_reuse import synth


@pytest.mark.apart
@pytest.mark.parametrize('size', [20, 60])
def test_disk(tmp_path, size):
    """What a run leaves is foreseen within 30 %."""
    line = ['-o', tmp_path / 'crawl', f'--size={size}MB', '-q']
    assert synth.main(list(map(str, line))) == 0
    args = [f'{tmp_path}/crawl/*.gz', '-o', tmp_path / 'run']
    expected = discover(*args, '--dry-run').out
    megabytes = int(re.search(r'([\d,]+) MB in /', expected)[1].replace(',', ''))
    assert discover(*args, '-q', runner='local').code == 0
    found = sum(p.stat().st_size for p in Path(tmp_path / 'run').rglob('*'))
    assert 0.7 < megabytes * 1e6 / found < 1.3


def test_no_pages(tmp_path):
    (tmp_path / 'a.warc.gz').touch()
    out = discover(tmp_path / 'a.warc.gz', '-o', tmp_path / 'run', '--dry-run').out
    assert out.endswith('not known: no pages in a sample of the input\n')
