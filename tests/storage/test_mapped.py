"""Files mapped into memory."""

import hashlib

import pytest

from mr_reuse.storage import mapped


def test_rows(tmp_path):
    path = tmp_path / 'rows'
    path.write_bytes(b'aabbcc')
    assert [row.tobytes() for row in mapped.map_rows(str(path), 2)] == [
        *(b'aa', b'bb', b'cc')
    ]
    with pytest.raises(ValueError, match='rows: cut: 6 bytes, of rows of 4'):
        mapped.map_rows(str(path), 4)
    assert mapped.file_digest(str(path)) == hashlib.sha256(b'aabbcc').hexdigest()


def test_empty_file(tmp_path):
    """The system maps no empty file."""
    path = tmp_path / 'empty'
    path.touch()
    assert bytes(mapped.map_bytes(str(path))) == b''
    assert mapped.map_rows(str(path), 16).shape == (0, 16)
    assert mapped.file_digest(str(path)) == hashlib.sha256().hexdigest()


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        mapped.map_bytes(str(tmp_path / 'gone'))
