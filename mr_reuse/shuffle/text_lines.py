"""Join many texts to a line of bounded length, and split it."""

from collections.abc import Iterable, Iterator

import pybase64 as base64

from mr_reuse.shuffle.partitions import part_of_name, partition_key
from mr_reuse.shuffle.protocol import Line

MAX_LINE = 500_000  # bytes of texts in a line; in base64 they make 670,000


def join_texts(texts: Iterable[bytes], separator: bytes = b'\t') -> Iterator[bytes]:
    """Join texts without the separator to as few values as the bound allows.

    A text above the bound is a value of its own.

    >>> list(join_texts([b'a', b'b']))
    [b'a\\tb']
    """
    buffer: list[bytes] = []
    size = 0
    for text in texts:
        if buffer and size + len(text) > MAX_LINE:
            yield separator.join(buffer)
            buffer, size = [], 0
        buffer.append(text)
        size += len(text) + 1
    if buffer:
        yield separator.join(buffer)


def split_texts(values: Iterable[bytes]) -> Iterator[bytes]:
    """Split the values of lines into the texts that `join_texts` joined.

    >>> list(split_texts([b'a\\tb', b'c']))
    [b'a', b'b', b'c']
    """
    return (text for value in values for text in value.split(b'\t'))


def pack_texts(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Join texts that may have tabs, but no line feed, to values in base64.

    >>> [value] = pack_texts([b'a\\tb', b'c']); value
    b'YQliCmM='
    >>> unpack_texts(value)
    [b'a\\tb', b'c']
    """
    return map(base64.b64encode, join_texts(texts, b'\n'))


def unpack_texts(value: bytes) -> list[bytes]:
    """Split a value into the texts that `pack_texts` joined."""
    return base64.b64decode(value, validate=True).split(b'\n')


def lines_by_name(
    unit: str, texts: Iterable[tuple[bytes, bytes]], bits: int
) -> Iterator[Line]:
    """Make lines of texts for the partitions of their names, many texts in a line.

    >>> list(lines_by_name('in', [(b'a.org/', b'x'), (b'a.org/', b'y')], 6))
    [(b'in/002e', b'x\\ty')]
    """
    parts: dict[int, list[bytes]] = {}
    for name, text in texts:
        parts.setdefault(part_of_name(name, bits), []).append(text)
    for part, values in parts.items():
        for value in join_texts(values):
            yield partition_key(unit, part), value
