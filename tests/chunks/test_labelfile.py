"""Label files that are damaged or none, and sets that are larger than memory."""

import os

import mrl
import numpy as np
import pytest
from mrl import HEAD, some

from mr_reuse import labels
from mr_reuse.chunks.labels import label_files
from mr_reuse.errors import DONE, FAILED, UserError
from mr_reuse.shuffle import digest_sets


def run(*args):
    return labels.main([os.fspath(arg) for arg in args])


def refused(capsys):
    """What was said in one line; nothing else was."""
    said = capsys.readouterr()
    assert said.out == ''
    assert said.err.startswith('error: ') and said.err.count('\n') == 1
    return said.err[len('error: ') : -1]


NOT_OURS = 'not a label file (it does not begin with MRL2)'
DAMAGED_HEAD = 'the header of this label file is damaged'
WHOLE = HEAD | {'chunks': 2, 'files': 0, 'stop': 0}
TWO = sorted(some(1, 2))
SIZE = len(mrl.in_bytes(WHOLE, TWO))


def with_head(text: bytes) -> bytes:
    return mrl.sealed(b'MRL2' + len(text).to_bytes(4, 'little') + text)


@pytest.mark.parametrize(
    'data, why',
    [
        (b'', NOT_OURS),
        (b'MR', NOT_OURS),
        (b'PK\3\4', NOT_OURS),
        (b'MRLX', NOT_OURS),
        (b'MRL3' + bytes(9), 'a label file of another version (MRL3); this program '
         'reads MRL2'),
        (b'MRL2', DAMAGED_HEAD),
        (b'MRL2\xff\xff\xff\xff{}', DAMAGED_HEAD),
        (with_head(b'{'), DAMAGED_HEAD),
        (with_head(b'\xff\xfe'), DAMAGED_HEAD),
        (with_head(b'[]'), DAMAGED_HEAD),
        (with_head(b'"text"'), DAMAGED_HEAD),
        (with_head(b'null'), DAMAGED_HEAD),
        (with_head(b'[' * 60_000), DAMAGED_HEAD),
        (mrl.in_bytes(HEAD, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'chunks': -2}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'chunks': 3, 'files': -1}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'chunks': 2.0}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'chunks': True}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'chunks': '2'}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'min_len': -1}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'delimiters': 5}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'hash': ['sha1']}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'more': 1}, TWO), DAMAGED_HEAD),
        (mrl.in_bytes(WHOLE | {'hash': 'md5'}, TWO),
         "not for this version: --hash 'md5': give sha1, sha256"),
        (mrl.in_bytes(WHOLE, TWO)[:-1],
         f'this label file is cut: {SIZE - 1} bytes, {SIZE} by its header'),
        (mrl.in_bytes(WHOLE, TWO) + b'\n',
         f'this label file is too long: {SIZE + 1} bytes, {SIZE} by its header'),
        (mrl.in_bytes(WHOLE, TWO[::-1]),
         'this label file is damaged: its chunks are not in order'),
        (mrl.in_bytes(WHOLE, TWO[:1] * 2),
         'this label file is damaged: its chunks are not in order'),
        (mrl.in_bytes(WHOLE | {'chunks': 0, 'stop': 2}, TWO[::-1]),
         'this label file is damaged: its stop are not in order'),
    ],
)  # fmt: skip
def test_not_a_label_file(tmp_path, data, why, capsys):
    name = tmp_path / 'x.mrl'
    name.write_bytes(data)
    assert run('info', name) == FAILED
    assert refused(capsys) == f'{name}: {why}'


def test_flipped_bits():
    """Each one is noticed, in the header as well."""
    data = mrl.in_bytes(
        HEAD | {'chunks': 2, 'files': 1, 'stop': 1}, [*TWO, *some(3), *some(4)]
    )
    label_files.parse('x', data)
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(UserError):
            label_files.parse('x', bytes(flipped))


def test_old_version(tmp_path, capsys):
    """The remedy of the warning makes a file of this version."""
    old, new = tmp_path / 'old.mrl', tmp_path / 'new.mrl'
    old.write_bytes(mrl.old_version(mrl.in_bytes(WHOLE, TWO))[:-32])
    assert run('merge', old, '-o', new) == DONE
    assert capsys.readouterr().err.splitlines()[0] == (
        f'warning: {old}: this label file is of an older version, so changed bytes go '
        f'unnoticed; make it again, or write a copy: labels merge {old} -o NEW.mrl'
    )
    assert new.read_bytes() == mrl.in_bytes(WHOLE, TWO)
    assert label_files.read_digest(str(old)) == label_files.read_digest(str(new))


def test_huge_counts(tmp_path, capsys):
    name = tmp_path / 'x.mrl'
    name.write_bytes(mrl.in_bytes(WHOLE | {'chunks': 10**30}, TWO))
    assert run('info', name) == FAILED
    assert 'this label file is cut: ' in refused(capsys)


def test_order_of_close_digests(tmp_path, capsys):
    close = ['00' * 8 + 'ff' * 12, '00' * 8 + 'fe' * 12]
    name = tmp_path / 'x.mrl'
    name.write_bytes(mrl.in_bytes(WHOLE, close))
    assert run('info', name) == FAILED
    assert refused(capsys).endswith('its chunks are not in order')
    name.write_bytes(mrl.in_bytes(WHOLE, close[::-1]))
    assert run('info', name) == DONE


@pytest.mark.parametrize('command', ['info', 'export'])
def test_no_such_labels(tmp_path, command, capsys):
    assert run(command, tmp_path / 'no.mrl') == FAILED
    assert refused(capsys) == (f'{tmp_path / "no.mrl"}: no such file or folder')
    assert run(command, tmp_path) == FAILED
    assert refused(capsys) == (
        f'{tmp_path}: a folder without labels.mrl; name a label file or a run of '
        'discover'
    )


def test_slices_are_bounded():
    dice = np.random.default_rng(1)
    arrays = []
    for size in (0, 1, 500, 3000):
        keys = {bytes(row) for row in dice.integers(0, 4, (size, 6), np.uint8)}
        data = b''.join(sorted(keys))
        arrays.append(np.frombuffer(data, np.uint8).reshape(-1, 6))
    found = list(digest_sets.slice_arrays(arrays, 64))
    assert max(sum(map(len, parts)) for parts in found) <= 64
    for number, array in enumerate(arrays):
        assert b''.join(p[number].tobytes() for p in found) == array.tobytes()
    union = b''.join(p.tobytes() for p in digest_sets.unite(arrays, 64))
    rows = {bytes(row) for array in arrays for row in array}
    assert union == b''.join(sorted(rows))
    rest = b''.join(
        p.tobytes() for p in digest_sets.subtract(arrays[3], arrays[:3], 64)
    )
    gone = {bytes(row) for array in arrays[:3] for row in array}
    assert rest == b''.join(sorted({bytes(row) for row in arrays[3]} - gone))
