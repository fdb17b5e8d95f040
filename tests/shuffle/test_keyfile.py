"""Key files of a format that only this test has, byte by byte."""

import hashlib
import io
import json
import random

import numpy as np
import pytest

from mr_reuse.errors import UserError
from mr_reuse.shuffle import keyfile, sealed


def read_fields(fields):
    """The width is a field; the second has to be there, another must not be."""
    if fields['width'] > 8:
        raise UserError('too wide')
    if set(fields) != {'width', 'made_by'}:
        raise ValueError
    return fields['width'], fields['made_by']


FORMAT = keyfile.Format(
    b'XKF', 'test file', 'make {} again', ('near', 'far'), read_fields
)
FIELDS = {'width': 3, 'made_by': 'é'}
NEAR, FAR = [b'aaa', b'abc', b'b\0c'], [b'\0\0\0', b'\xff\xff\xff']


def array(keys, width=3) -> np.ndarray:
    return np.frombuffer(b''.join(keys), np.uint8).reshape(-1, width)


def as_bytes(header, keys=(*NEAR, *FAR), magic=b'XKF2') -> bytes:
    text = json.dumps(header, sort_keys=True).encode()
    data = magic + len(text).to_bytes(4, 'little') + text + b''.join(keys)
    return data + hashlib.sha256(data.replace(magic, b'XKF1')).digest()


WHOLE = FIELDS | {'near': 3, 'far': 2}
SIZE = len(as_bytes(WHOLE))


def test_bytes_of_a_file():
    file = io.BytesIO()
    keyfile.write(
        file, FORMAT, FIELDS, [3, 2], [array(NEAR[:1]), array(NEAR[1:] + FAR)]
    )
    assert file.getvalue() == as_bytes(WHOLE)


@pytest.mark.parametrize('checked', [True, False])
def test_read(checked):
    made_by, sections = keyfile.parse('x', as_bytes(WHOLE), FORMAT, checked)
    assert made_by == 'é'
    assert [part.tobytes() for part in sections] == [b''.join(NEAR), b''.join(FAR)]
    assert {part.shape[1] for part in sections} == {3}
    empty = as_bytes(FIELDS | {'near': 0, 'far': 0}, [])
    _, sections = keyfile.parse('x', empty, FORMAT, checked)
    assert [part.shape for part in sections] == [(0, 3), (0, 3)]


def test_keys_are_not_copied():
    data = bytearray(as_bytes(WHOLE))
    _, (near, _) = keyfile.parse('x', memoryview(data), FORMAT)
    data[-47:-44] = b'AAA'
    assert near[0].tobytes() == b'AAA'


@pytest.mark.parametrize('copy', [1, 7, 1 << 20])
def test_pieces_of_any_size(monkeypatch, copy):
    """Counts are known at the end, the header comes first; the bytes are the same."""
    monkeypatch.setattr(keyfile, 'COPY', copy)
    dice = random.Random(copy)
    keys = [array(sorted({dice.randbytes(3) for _ in range(n)})) for n in (500, 0)]
    cuts = [0, 1, 1, 20, 499, 500]
    pieces = [[keys[0][a:b] for a, b in zip(cuts, cuts[1:], strict=False)], []]
    counts, rest = keyfile.count_aside(map(iter, pieces), io.BytesIO())
    file = io.BytesIO()
    keyfile.write(file, FORMAT, FIELDS, counts, rest)
    assert counts == [len(keys[0]), 0]
    header = FIELDS | {'near': len(keys[0]), 'far': 0}
    assert file.getvalue() == as_bytes(header, [keys[0].tobytes()])


DAMAGED = 'the header of this test file is damaged'


@pytest.mark.parametrize(
    ('data', 'why'),
    [
        (b'', 'not a test file (it does not begin with XKF2)'),
        (b'MRL2', 'not a test file (it does not begin with XKF2)'),
        (as_bytes(WHOLE, magic=b'XKF7'), 'a test file of another version (XKF7); this '
         'program reads XKF2'),
        (as_bytes(WHOLE)[:40], DAMAGED),
        (as_bytes(WHOLE | {'near': -1}), DAMAGED),
        (as_bytes(WHOLE | {'near': True}), DAMAGED),
        (as_bytes(FIELDS | {'near': 5}), DAMAGED),
        (as_bytes(WHOLE | {'more': 1}), DAMAGED),
        (as_bytes([]), DAMAGED),
        (as_bytes(WHOLE | {'width': 9}), 'not for this version: too wide'),
        (as_bytes(WHOLE)[:-1], 'this test file is cut: '
         f'{SIZE - 1} bytes, {SIZE} by its header'),
        (as_bytes(WHOLE) + b'x', 'this test file is too long: '
         f'{SIZE + 1} bytes, {SIZE} by its header'),
        (as_bytes(WHOLE, [*NEAR[::-1], *FAR]), 'this test file is damaged: its near '
         'are not in order'),
        (as_bytes(WHOLE, [*NEAR, *FAR[:1] * 2]), 'this test file is damaged: its far '
         'are not in order'),
    ],
)  # fmt: skip
def test_refused(data, why):
    with pytest.raises(UserError) as refused:
        keyfile.parse('a/x', data, FORMAT)
    assert str(refused.value) == f'a/x: {why}'


def test_a_header_without_end_is_not_read():
    """The length of the header may be any number; no more than 64 kB are looked at."""
    data = b'XKF2\xff\xff\xff\xff' + b'[' * (sealed.MAX_HEADER + 10)
    with pytest.raises(UserError, match=DAMAGED):
        keyfile.parse('x', data, FORMAT)


def test_flipped_bits():
    """No bit can change unnoticed, whether in the magic, the header or the digest."""
    data = as_bytes(WHOLE)
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(UserError) as refused:
            keyfile.parse('x', bytes(flipped), FORMAT)
        assert '\n' not in str(refused.value)


def test_changed_keys_in_order():
    changed = bytearray(as_bytes(WHOLE))
    changed[-32 - 7] ^= 1  # in the first key of the last section
    with pytest.raises(UserError) as refused:
        keyfile.parse('x', bytes(changed), FORMAT)
    assert str(refused.value) == (
        'x: this test file is damaged: its bytes have changed since it was written; '
        'make it again'
    )
    keyfile.parse('x', bytes(changed), FORMAT, is_trusted=True)


def test_old_version(capsys):
    """It has no digest; one warning, which names the remedy."""
    old = as_bytes(WHOLE, magic=b'XKF1')[:-32]
    for _ in range(2):
        made_by, sections = keyfile.parse('old.xkf', old, FORMAT)
    assert made_by == 'é' and [len(part) for part in sections] == [3, 2]
    assert capsys.readouterr().err == (
        'warning: old.xkf: this test file is of an older version, so changed bytes go '
        'unnoticed; make old.xkf again\n'
    )
    assert keyfile.read_digest(old) == hashlib.sha256(old).hexdigest()
    with pytest.raises(UserError, match='its far are not in order'):
        keyfile.parse('x', as_bytes(WHOLE, [*NEAR, *FAR[::-1]], b'XKF1')[:-32], FORMAT)


def test_digest():
    """It is the same in both versions, so an update does not repeat the steps."""
    old = as_bytes(WHOLE, magic=b'XKF1')[:-32]
    assert keyfile.read_digest(as_bytes(WHOLE)) == hashlib.sha256(old).hexdigest()
