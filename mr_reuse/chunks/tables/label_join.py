"""Join what is known of many labels: counts, hosts, and an example.

Between the jobs a label is a number, as in `examples.py`.

label/PART        of the number of a label, one of three values:
                  c, then labels and their copies, pages and length
                  h, then labels and numbers of hosts, which are added up
                  e, then examples, as text
to_read/PART      keyed lines for ReadPreviews, in the order of archives and offsets
file_labels/PART  keyed rows of the table of files
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import rids
from mr_reuse.archives.rids import split_rid
from mr_reuse.chunks.chunk_tables import FILE_LABELS
from mr_reuse.chunks.discover import examples
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.tables.label_rows import key_by_copies
from mr_reuse.messages import to_text
from mr_reuse.shuffle import packing, sorting
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows
from mr_reuse.shuffle.partitions import part_of, partition_key, split_texts, unit_of
from mr_reuse.shuffle.protocol import Line
from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.storage import naming

COUNTS, HOSTS, EXAMPLES = b'c', b'h', b'e'  # kinds of values
DIGITS = 14  # decimal digits of the number of any label
TO_READ = 'to_read'
KeyedRow = tuple[str, Keyed]  # unit; sort key and row
Paths = Mapping[str, str]  # of archives, by their names in rids


class LabelNumbers:
    """Numbers the labels in the output of FilterStopChunks and PlaceLabels."""

    def __init__(self, labels: Labels):
        self._chunks, self._files = map(DigestIndex, (labels.chunks, labels.files))

    def number_lines(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Yield the lines of the labels of a line, by partition."""
        unit = unit_of(key)
        if unit in ('chunk', 'counts', 'file'):
            rows = packing.unpack(value)
            index = self._files if unit == 'file' else self._chunks
            numbers = index.find(rows.keys)
            found = numbers >= 0
            numbers = numbers[found] + (len(self._chunks) if unit == 'file' else 0)
            columns = tuple(column[found] for column in rows.columns)
            yield from _divide(COUNTS, numbers, columns)
        elif unit == 'hosts':
            rows = packing.unpack(value)
            yield from _divide(HOSTS, numbers_of(rows.keys), rows.columns)
        elif unit == 'example':
            yield _key(part_of(key)), EXAMPLES + value  # divided in the same way


def numbers_of(keys: np.ndarray) -> np.ndarray:
    """Convert keys of eight bytes to numbers of labels."""
    return np.ascontiguousarray(keys).view('>u8').ravel().astype(np.int64)


def _key(part: int) -> bytes:
    return partition_key('label', part)


def _divide(
    kind: bytes, numbers: np.ndarray, columns: tuple[np.ndarray, ...]
) -> Iterator[Line]:
    """Yield the lines of labels in the order of their numbers."""
    order = np.argsort(numbers, kind='stable')
    numbers = numbers[order]
    parts = numbers // examples.LABELS_PER_PARTITION
    keys = numbers.astype('>u8').view(np.uint8).reshape(-1, 8)
    rows = Rows(keys, tuple(column[order] for column in columns))
    starts = packing.group_starts(parts)
    for start, end in zip(starts, np.append(starts[1:], len(parts)), strict=True):
        for value in packing.pack_lines([rows.take(slice(start, end))]):
            yield _key(int(parts[start])), kind + value


class LabelRow(NamedTuple):
    """What is known of a label."""

    digest: bytes
    length: int
    copies: int
    pages: int
    hosts: int
    url: bytes
    rid: bytes
    is_chunk: bool

    def to_keyed(self, paths: Paths) -> KeyedRow:
        """Return the row of a file, or the line by which the preview is read.

        >>> row = LabelRow(b'\\xff', 9, 7, 6, 5, b'http://a/', b'a:10', True)
        >>> row.to_keyed({'a': '/in/a'})[1][1]
        b'/in/a:10\\tff\\t9\\t7\\t6\\t5\\thttp://a/'
        >>> row._replace(is_chunk=False).to_keyed({})[1][1]
        b'ff\\t9\\t7\\t5\\thttp://a/'
        """
        name = self.digest.hex().encode()
        if not self.is_chunk:
            numbers = b'%d\t%d\t%d' % (self.length, self.copies, self.hosts)
            row = b'\t'.join([name, numbers, self.url])
            return FILE_LABELS.name, key_by_copies(self.copies, row)
        numbers = self.length, self.copies, self.pages, self.hosts
        row = b'\t'.join([name, b'%d\t%d\t%d\t%d' % numbers, self.url])
        place = place_to_read(self.rid, paths)
        return TO_READ, (rids.sort_key(place), b'%b\t%b' % (place, row))


def place_to_read(rid: bytes, paths: Paths) -> bytes:
    """Return the quoted path of the archive of a rid, and the offset.

    >>> place_to_read(b'a:7', {'a': '/in/a'}), place_to_read(b'a b:7', {})
    (b'/in/a:7', b'a%20b:7')
    """
    archive, offset = split_rid(rid)
    name = to_text(archive)
    path = naming.quote_path(paths.get(name) or name).encode()
    return b'%b:%b' % (path, offset)


def sample_rows(lines: Iterable[Line], chunks: int, paths: Paths) -> Iterator[KeyedRow]:
    """Yield rows with the keys of those that a sample of lines leads to."""
    for key, value in lines:
        unit = unit_of(key)
        if unit == 'file':
            rows = packing.unpack(value)
            digests = (key.tobytes().hex().encode() for key in rows.keys)
            for copies, digest in zip(rows.columns[0].tolist(), digests, strict=True):
                yield FILE_LABELS.name, key_by_copies(copies, digest)
        elif unit == 'example':
            fields = split_texts([value])
            for number, _, rid in zip(fields, fields, fields, strict=True):
                if int(number) < chunks:
                    yield TO_READ, (rids.sort_key(place_to_read(rid, paths)), b'')


def join_labels(
    part: int, values: Iterable[bytes], labels: Labels
) -> Iterator[LabelRow]:
    """Yield the labels of a partition that have an example."""
    size, chunks = examples.LABELS_PER_PARTITION, len(labels.chunks)
    first = part * size
    counts, hosts = np.zeros((3, size), np.uint64), np.zeros(size, np.uint64)

    def read_examples() -> Iterator[bytes]:
        for line in values:
            kind, value = line[:1], line[1:]
            if kind == EXAMPLES:
                fields = split_texts([value])
                for number, url, rid in zip(fields, fields, fields, strict=True):
                    text = b'\t'.join([url, rid])
                    yield sorting.add_key(number.zfill(DIGITS), text)
                continue
            rows = packing.unpack(value)
            places = numbers_of(rows.keys) - first
            if kind == HOSTS:
                np.add.at(hosts, places, rows.columns[0].astype(np.uint64))
            else:
                for total, column in zip(counts, rows.columns, strict=True):
                    total[places] = column

    # Sorting reads all values, so the numbers are complete after it.
    for line in sorting.sort_lines(read_examples()):
        key, text = sorting.split_key(line)
        number = int(key)
        url, rid = text.split(b'\t')
        copies, pages, length = counts[:, number - first].tolist()
        is_chunk = number < chunks
        digests = labels.chunks if is_chunk else labels.files
        digest = digests[number if is_chunk else number - chunks].tobytes()
        found = int(hosts[number - first])
        yield LabelRow(digest, length, copies, pages, found, url, rid, is_chunk)
