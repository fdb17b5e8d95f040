"""The binary label file: sorted digests, and what made them.

    MRL1  length of the header (4 bytes, little-endian)  header (JSON)
    labeled chunks  labeled files  stop chunks           sorted digests each

The header says how pages were cut and hashed, so that labels are never compared
with digests of another kind, and how many digests each section has. No time stamp:
the same labels are the same bytes.
"""

import json
import shutil
from collections.abc import Iterable
from typing import BinaryIO, NamedTuple

import numpy as np

from mr_reuse.chunks.hasher import HASHES, Chunker
from mr_reuse.errors import UserError
from mr_reuse.shuffle.packing import order_and_groups, prefixes

MAGIC = b'MRL1'
SECTIONS = ('chunks', 'files', 'stop')
BLOCK = 1 << 18  # digests that are looked at together
COPY = 1 << 20
MAX_HEADER = 1 << 16  # bytes; it has a few hundred
MAX_BITS = 24  # of a table that says no to nearly all that is not there


class Digests:
    """Sorted distinct digests, and where in them others stand."""

    def __init__(self, keys: np.ndarray):
        self.keys = keys
        self._first = prefixes(keys)
        bits = min(MAX_BITS, len(keys).bit_length() + 4)
        self._shift = np.uint64(64 - bits)
        self._maybe = np.zeros(1 << bits, bool)
        self._maybe[self._first >> self._shift] = True

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """The index of each key, -1 where it is not among them.

        >>> digests = Digests(np.frombuffer(b'aabbcc', np.uint8).reshape(-1, 2))
        >>> digests.find(np.frombuffer(b'bbxxaa', np.uint8).reshape(-1, 2)).tolist()
        [1, -1, 0]
        """
        found = np.full(len(keys), -1, np.int64)
        first = prefixes(keys)
        rows = np.flatnonzero(self._maybe[first >> self._shift])
        at = np.searchsorted(self._first, first[rows])
        # Mostly one round; several only where digests share their first 64 bits.
        while len(rows):
            near = at < len(self._first)
            near[near] = self._first[at[near]] == first[rows[near]]
            rows, at = rows[near], at[near]
            equal = (self.keys[at] == keys[rows]).all(axis=1)
            found[rows[equal]] = at[equal]
            rows, at = rows[~equal], at[~equal] + 1
        return found


def distinct(keys: np.ndarray) -> np.ndarray:
    """Digests sorted, each once."""
    if not len(keys):
        return keys
    order, groups = order_and_groups(keys)
    return keys[order[groups]]


class Labels(NamedTuple):
    """What a label file holds."""

    chunker: Chunker
    min_len: int
    chunks: np.ndarray
    files: np.ndarray
    stop: np.ndarray


def head_of(chunker: Chunker, min_len: int, counts: Iterable[int]) -> bytes:
    """The first bytes of a label file."""
    told = chunker._asdict() | {'min_len': min_len}
    told |= dict(zip(SECTIONS, counts, strict=True))
    header = json.dumps(told, sort_keys=True).encode('ascii')
    return MAGIC + len(header).to_bytes(4, 'little') + header


def write(stream: BinaryIO, labels: Labels) -> None:
    """Write a label file.

    >>> import io
    >>> none, one = np.zeros((0, 20), np.uint8), np.ones((1, 20), np.uint8)
    >>> write(file := io.BytesIO(), Labels(Chunker(), 100, one, none, none))
    >>> parse('x.mrl', file.getvalue()).chunks.tolist() == one.tolist()
    True
    """
    sections = labels[2:]
    stream.write(head_of(labels.chunker, labels.min_len, map(len, sections)))
    for section in sections:
        stream.write(section.tobytes())


def write_pieces(
    stream: BinaryIO,
    made_of: tuple[Chunker, int],
    sections: Iterable[Iterable[np.ndarray]],
    aside: BinaryIO,
) -> list[int]:
    """Write a label file whose sections come in pieces; how long they were.

    The header comes first and has to know, so the pieces wait in a file aside.
    """
    counts = []
    for pieces in sections:
        counts.append(0)
        for keys in pieces:
            aside.write(keys.tobytes())
            counts[-1] += len(keys)
    aside.seek(0)
    stream.write(head_of(*made_of, counts))
    shutil.copyfileobj(aside, stream, COPY)
    return counts


def parse(name: str, data: bytes, checked: bool = False) -> Labels:
    """The labels in the bytes of a label file, which may be mapped memory.

    Whether its digests are in order is seen by reading all of it, once is enough.
    """
    _must_be_ours(name, bytes(data[: len(MAGIC)]))
    size = int.from_bytes(data[4:8], 'little')
    try:
        chunker, min_len, counts = _header(bytes(data[8 : 8 + min(size, MAX_HEADER)]))
    except UserError as error:
        raise UserError(f'{name}: not for this version: {error}') from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f'{name}: the header of this label file is damaged') from None
    width, at, sections = HASHES[chunker.hash], 8 + size, []
    whole = at + width * sum(counts)
    if len(data) != whole:
        what = 'cut' if len(data) < whole else 'too long'
        raise UserError(
            f'{name}: this label file is {what}: {len(data):,} bytes, {whole:,} by '
            'its header'
        )
    for section, count in zip(SECTIONS, counts, strict=True):
        keys = np.frombuffer(data, np.uint8, count * width, at).reshape(-1, width)
        if not checked and not ascend(keys):
            raise UserError(
                f'{name}: this label file is damaged: its {section} are not in order'
            )
        sections.append(keys)
        at += count * width
    return Labels(chunker, min_len, *sections)


def _must_be_ours(name: str, magic: bytes) -> None:
    if magic == MAGIC:
        return
    if magic[:3] == MAGIC[:3] and magic[3:].isdigit():
        raise UserError(
            f'{name}: a label file of another version ({magic.decode()}); this '
            f'program reads {MAGIC.decode()}'
        )
    raise UserError(f'{name}: not a label file (it does not begin with MRL1)')


def _header(text: bytes) -> tuple[Chunker, int, list[int]]:
    """What a header says; anything odd is an error of some kind."""
    told = json.loads(text)
    numbers = [told.pop(name) for name in ('min_len', *SECTIONS)]
    if not all(type(n) is int and n >= 0 for n in numbers):
        raise ValueError
    return Chunker(**told).check(), numbers[0], numbers[1:]


def ascend(keys: np.ndarray) -> bool:
    """Whether digests are sorted, each once; looks at a few at a time.

    >>> [ascend(np.frombuffer(d, np.uint8).reshape(-1, 2)) for d in (b'aabb', b'aaaa')]
    [True, False]
    """
    for start in range(0, len(keys) - 1, BLOCK):
        block = keys[start : start + BLOCK + 1]
        first = prefixes(block)
        if (first[1:] < first[:-1]).any():
            return False
        same = np.flatnonzero(first[1:] == first[:-1])
        if any(block[i].tobytes() >= block[i + 1].tobytes() for i in same):
            return False
    return True


def must_match(
    name: str, labels: Labels, chunker: Chunker, other: str = 'the corpus'
) -> None:
    """Refuse labels whose digests cannot be compared with others.

    >>> none = np.zeros((0, 20), np.uint8)
    >>> must_match('x', Labels(Chunker(), 0, none, none, none), Chunker('sha256'))
    Traceback (most recent call last):
    mr_reuse.errors.UserError: x: made with --hash sha1, the corpus with --hash \
sha256; make one of them anew
    """
    pairs = zip(Chunker._fields, labels.chunker, chunker, strict=True)
    for field, ours, theirs in pairs:
        if ours != theirs:
            raise UserError(
                f'{name}: made with --{field} {ours}, {other} with '
                f'--{field} {theirs}; make one of them anew'
            )
