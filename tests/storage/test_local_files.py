"""Files on local disks: written whole, and named in errors."""

import errno
import os

import pytest

from mr_reuse import storage
from mr_reuse.errors import describe_error


def test_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    """After a power cut, a file with its name has all of its content."""
    synced, sync, replace = [], os.fsync, os.replace

    def record_sync(descriptor):
        sync(descriptor)
        synced.append((os.fstat(descriptor).st_ino, os.fstat(descriptor).st_size))

    def check_replace(old, new):
        assert (os.stat(old).st_ino, 7) in synced
        replace(old, new)

    monkeypatch.setattr(os, 'fsync', record_sync)
    monkeypatch.setattr(os, 'replace', check_replace)
    with storage.write(str(tmp_path / 'x')) as stream:
        stream.write(b'content')
    assert (tmp_path / 'x').read_bytes() == b'content'


def test_old_file_stays_until_the_new_one_is_complete(tmp_path):
    name = tmp_path / 'x'
    name.write_bytes(b'old')
    with pytest.raises(ValueError), storage.write(str(name)) as stream:  # noqa: PT012
        stream.write(b'new')
        stream.flush()
        assert name.read_bytes() == b'old'
        raise ValueError
    assert name.read_bytes() == b'old'
    assert os.listdir(tmp_path) == ['x']


@pytest.mark.skipif(not os.path.exists('/dev/full'), reason='needs /dev/full')
def test_errors_of_a_full_disk_have_a_name(tmp_path, monkeypatch):
    """The system tells the error of a write, but not the file."""
    monkeypatch.setattr(os, 'fsync', lambda _: os.write(full, b'x'))
    full = os.open('/dev/full', os.O_WRONLY)
    with (
        pytest.raises(OSError) as told,
        storage.write(str(tmp_path / 'table.tsv')) as stream,
    ):
        stream.write(b'x')
    os.close(full)
    assert told.value.errno == errno.ENOSPC
    assert describe_error(told.value).startswith(f'{tmp_path}/table.tsv: no space left')


def test_errors_of_reads_have_a_name(tmp_path):
    """A folder can be opened by the system, but not read; so can bad sectors."""
    memory = f'/proc/{os.getpid()}/mem'  # its first bytes cannot be read
    if not os.path.exists(memory):
        pytest.skip('needs /proc')
    with storage.open_read(memory) as stream, pytest.raises(OSError) as told:
        stream.read(1)
    assert (told.value.errno, told.value.filename) == (errno.EIO, memory)
