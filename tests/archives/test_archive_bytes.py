"""The bytes of a damaged archive: those that were read, and those that were skipped."""

import pytest
from damaged_reading import DAMAGED

from mr_reuse.archives import reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.sources import Source

ARCHIVES = sorted(path for path in DAMAGED.iterdir() if 'arc' in path.suffixes[0])


def account(path) -> dict:
    """Read a whole archive; return its account."""
    stats = ArchiveStats(path.name)
    for item in reader.read_source(Source('archive', path.name, str(path)), stats):
        for _ in item.pieces if item.body is None else ():
            pass
    return stats.as_dict()


@pytest.mark.parametrize('path', ARCHIVES, ids=lambda path: path.name)
def test_sum(path):
    """Of a damaged archive, read and unread bytes make its size."""
    found, size = account(path), path.stat().st_size
    if 'damage' not in found or not size:
        assert 'bytes' not in found
    else:
        assert sum(found['bytes'].values()) == size


@pytest.mark.parametrize('end', ['warc', 'warc.gz', 'arc.gz', 'warc.wet.gz'])
@pytest.mark.parametrize('junk', ['junk-first', 'junk-between', 'zeros-between'])
def test_junk(junk, end):
    """Without what was added, the archive is a sound one, which was read."""
    sound = (DAMAGED / f'sound.{end}').stat().st_size
    added = (DAMAGED / f'{junk}.{end}').stat().st_size - sound
    assert account(DAMAGED / f'{junk}.{end}')['bytes'] == {
        'read': sound,
        'unread': added,
    }


def test_nothing_read(tmp_path):
    path = tmp_path / 'a.warc.gz'
    path.write_bytes(b'neither a record nor a member' * 100)
    found = account(path)
    assert found['bytes'] == {'read': 0, 'unread': 2900}
    assert found['damage'] == {'not an archive': [0, 2900]}
