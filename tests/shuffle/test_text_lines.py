"""Many texts in a line: none is lost or divided, and no line is too long."""

import random

import pytest

from mr_reuse.shuffle import partitions


def some_texts(count: int, longest: int, letters: bytes) -> list[bytes]:
    dice = random.Random(count)
    return [
        bytes(dice.choices(letters, k=dice.randint(0, longest))) for _ in range(count)
    ]


@pytest.mark.parametrize('bound', [1, 50, 1000, 10**6])
def test_joined_and_split(monkeypatch, bound):
    monkeypatch.setattr(partitions, 'MAX_LINE', bound)
    texts = [b'x' * 70, *some_texts(300, 20, b'ab \0\n'), b'y' * 70]
    values = list(partitions.join_texts(texts))
    assert list(partitions.split_texts(values)) == texts
    for value in values:
        assert len(value) <= bound + 1 or b'\t' not in value
    # Neighbours that fit together are together.
    pairs = zip(values, values[1:], strict=False)
    assert not [a for a, b in pairs if len(a + b.split(b'\t')[0]) + 1 <= bound - 1]


def test_texts_with_tabs(monkeypatch):
    monkeypatch.setattr(partitions, 'MAX_LINE', 100)
    texts = [text + b'\t' for text in some_texts(200, 30, b'a\t\xff')]
    values = list(partitions.pack_texts(texts))
    assert len(values) > 10 and not any(b'\n' in v or b'\t' in v for v in values)
    assert [text for v in values for text in partitions.unpack_texts(v)] == texts


def test_nothing_to_join():
    assert list(partitions.join_texts([])) == list(partitions.pack_texts([])) == []
    assert list(partitions.lines_by_name('x', [], 6)) == []


@pytest.mark.parametrize('bits', [0, 3, 10])
def test_lines_by_name(bits):
    """All texts of a name are under one key, that of its partition."""
    names = [f'site{n}.org/'.encode() for n in range(100)] * 3
    texts = [(name, b'%b %d' % (name, n)) for n, name in enumerate(names)]
    lines = list(partitions.lines_by_name('in', texts, bits))
    assert len({key for key, _ in lines}) == len(lines) <= 1 << bits
    found = []
    for key, value in lines:
        for text in value.split(b'\t'):
            part = partitions.part_of_name(text.split()[0], bits)
            assert key == b'in/%04x' % part
            found.append(text)
    assert sorted(found) == sorted(text for _, text in texts)


def test_lines_fit_into_a_megabyte():
    texts = [b'x' * 1000] * 3000
    for make in (partitions.join_texts, partitions.pack_texts):
        sizes = [len(value) for value in make(texts)]
        assert max(sizes) < 1 << 20 and len(sizes) < 10
