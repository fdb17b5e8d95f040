"""Lines between jobs, with what Hadoop does to them."""

import pytest

from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.protocol import Lines


@pytest.mark.parametrize('value', [b'', b'x', b'x\ty', b'x\t'])
def test_round_trip(value):
    line = Lines().write(b'a:0', value)
    assert line == b'a:0\t' + value
    assert Lines().read(line) == (b'a:0', value)


def test_line_without_value():
    assert Lines().read(b'a:0') == (b'a:0', b'')


def test_parts(tmp_path):
    """Last lines of tasks and the tabs that Hadoop adds are left out."""
    one, two = tmp_path / 'part-00000', tmp_path / 'part-00001'
    one.write_bytes(b'chunk/0000\tx\ty\t\n@\t{"n": 1}\t\n')
    two.write_bytes(b'@\t{}\n')
    lines = protocol.read_parts(map(str, [one, two, one]))
    assert list(lines) == [(b'chunk/0000', b'x\ty')] * 2


def test_statistics():
    key, value = protocol.last_line({'b': 1, 'a': [2]})
    assert (key, value) == (b'@', b'{"a": [2], "b": 1}')
    for end in (b'', b'\n', b'\t\n'):
        assert protocol.parse_stats(key + b'\t' + value + end) == {'a': [2], 'b': 1}
    assert protocol.parse_stats(b'chunk/0000\t{"a": 1}\n') == {}


def test_packed_value_with_a_tab():
    [[column], [[key]]] = [
        [c.tolist() for c in part] for part in reversed(packing.unpack(b'1,1:YQc=\t'))
    ]
    assert (column, key) == ([7], ord('a'))


@pytest.mark.parametrize(
    'value', [b'1,1:YQc', b'1,1:YQ==', b'1,1:Y!Qc=', b'1:YQc= ', b'YQc=', b'']
)
def test_damaged_value(value):
    with pytest.raises(ValueError):
        packing.unpack(value)
