"""Whether the output of a step is what it was when the step finished."""

import zlib

import pytest

from mr_reuse.engine.step_output import is_unchanged
from mr_reuse.engine.step_record import FinishedStep


@pytest.mark.parametrize('has_checksums', [True, False], ids=['checksums', 'sizes'])
@pytest.mark.parametrize(
    ('changed', 'is_same'),
    [(b'1\n2\n', True), (b'1\n2\n3\n', False), (b'1\n3\n', None), (None, False)],
)
def test_is_unchanged(tmp_path, has_checksums, changed, is_same):
    """Without checksums, as on S3, only the size is compared."""
    part = tmp_path / 'part-00000'
    checksums = {part.name: zlib.crc32(b'1\n2\n')} if has_checksums else None
    finished = FinishedStep(
        digest='', output=str(tmp_path), bytes=4, stats=[], checksums=checksums
    )
    if changed is not None:
        part.write_bytes(changed)
    expected = not has_checksums if is_same is None else is_same
    assert is_unchanged(str(tmp_path), finished) == expected
