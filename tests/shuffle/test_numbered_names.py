"""Numbers of names, as a dictionary would give them, in no memory."""

import random
import tracemalloc

import pytest

from mr_reuse.shuffle import numbered_names
from mr_reuse.shuffle.numbered_names import NumberedNames


@pytest.mark.parametrize('width', [1, 8])
def test_as_a_dictionary(monkeypatch, width):
    """Names whose hashes collide are told apart."""
    monkeypatch.setattr(numbered_names, 'HASH_BYTES', width)
    monkeypatch.setattr(numbered_names, 'SLOTS', 4)
    dice, names, expected = random.Random(4), NumberedNames(), {}
    for _ in range(3000):
        name = b'\0\xff%d' % dice.randrange(900) if dice.random() < 0.9 else b''
        assert names.number(name) == expected.setdefault(name, len(expected))
    assert [names[n] for n in range(len(names))] == list(expected)


def test_memory():
    """A dictionary of these takes 200 bytes for each."""
    tracemalloc.start()
    names = NumberedNames()
    for number in range(20_000):
        assert names.number(b'www.some-host-%d.example/' % number) == number
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000
