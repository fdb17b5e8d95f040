"""The hosts of each label, and an example: a page that has it.

These come from a second pass over the page lines, with the finished label file. In this
module a label is a number: its index among the labeled chunks, or for a file, the
number of labeled chunks plus its index among the labeled files.
"""

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import urls
from mr_reuse.archives.rids import Rid
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.page_lines import (
    URL,
    Batch,
    SplitLine,
    content_rid,
    file_digests,
    select_owners,
)
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import packing, partitions, sorting, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, Rows
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.protocol import Line

MAX_EXAMPLES = 32 << 20  # bytes of examples in memory before they are written
OVERHEAD = 300  # bytes that Python takes for an example besides its URL and its rid
LABELS_PER_PARTITION = 20_000
LABEL_DIGITS = 14  # decimal digits of the number of any label
MAX_CACHED_HOSTS = 10_000


class Example(NamedTuple):
    """A page that has a label. The better of two examples sorts first."""

    url_length: int
    url: str
    rid: Rid  # of the record with its content, the target of a revisit


def make_example(url: str, rid: str) -> Example:
    """Make an example; the shortest URL is the best, then the first in order.

    >>> min(make_example('http://b/', 'x:10'), make_example('http://a/', 'x:9')).rid
    'x:9'
    """
    return Example(len(url), url, Rid(rid))


def pair_keys(labels: np.ndarray, hosts: np.ndarray) -> np.ndarray:
    """Make a 16-byte key for each pair of a label and the 16-byte digest of a host.

    The label is scrambled first, so that the pairs of a label are in all partitions.
    """
    # The constants are those of the generator splitmix64. Products are modulo 2^64.
    with np.errstate(over='ignore'):
        scrambled = labels.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        scrambled ^= scrambled >> np.uint64(29)
        scrambled *= np.uint64(0xBF58476D1CE4E5B9)
    words = hosts.view('>u8').reshape(-1, 2).astype(np.uint64)
    keys = np.empty((len(labels), 2), '>u8')
    keys[:, 0] = words[:, 0] ^ scrambled
    keys[:, 1] = words[:, 1] ^ (scrambled >> np.uint64(32))
    return keys.view(np.uint8).reshape(-1, NAME_WIDTH)


_cached_digest = functools.lru_cache(MAX_CACHED_HOSTS)(name_digest)


def host_digest(host: str) -> bytes:
    """Return the digest of a host name, from a cache if the name is short."""
    is_short = len(host) < urls.MAX_REMEMBERED
    return _cached_digest(host) if is_short else name_digest(host)


def pair_with_hosts(
    labels: np.ndarray, owners: np.ndarray, page_urls: Sequence[str]
) -> Rows:
    """Return the pairs of labels and hosts: (pair; label).

    `owners` has the index of the URL of each label. A URL without a host has no pair.
    """
    hosts = [urls.url_host(url) for url in page_urls]
    has_host = np.array(list(map(bool, hosts)), bool)[owners]
    digests = packing.make_rows(b''.join(map(host_digest, hosts)), NAME_WIDTH).keys
    labels = labels[has_host]
    keys = pair_keys(labels, digests[owners[has_host]])
    return Rows(keys, (labels.astype(np.uint64),))


class ExampleCollector:
    """A `Collector` of page lines: pairs of label and host, and the best examples."""

    def __init__(self, labels: Labels, bits: int):
        self._bits = bits
        self._chunks = DigestIndex(labels.chunks)
        self._files = DigestIndex(labels.files)
        self._batch = Batch(labels.recipe.width)
        self._pairs = spilling.MergeTable([MAX])
        self._best = BestExamples()

    def add(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Add a page line."""
        if self._batch.add(key, value):
            yield from self._flush()

    def finish(self) -> Iterator[Line]:
        """Yield the remaining pairs and examples."""
        yield from self._flush()
        yield from self._drain_pairs()
        yield from self._drain_examples()

    def _flush(self) -> Iterator[Line]:
        rows, owners, lines = self._batch.take()
        labels, owners = self._find_labels(rows, owners, lines)
        if not len(labels):
            return
        # Most lines have no label; only the URLs of the others are decoded.
        labeled, owners = select_owners(lines, owners)
        pages = [
            (fields[URL].decode(), content_rid(key, fields)) for key, fields in labeled
        ]
        self._keep_best(labels, owners, pages)
        if self._pairs.add(pair_with_hosts(labels, owners, [url for url, _ in pages])):
            yield from self._drain_pairs()
        if self._best.size > MAX_EXAMPLES:
            yield from self._drain_examples()

    def _find_labels(
        self, rows: Rows, owners: np.ndarray, lines: Sequence[SplitLine]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return labels and the indexes of their lines: of chunks, then of files."""
        chunks = self._chunks.find(rows.keys)
        digests, file_owners = file_digests(lines, rows.keys.shape[1])
        files = self._files.find(digests)
        labels = np.concatenate(
            [chunks[chunks >= 0], files[files >= 0] + len(self._chunks)]
        )
        owners = np.concatenate([owners[chunks >= 0], file_owners[files >= 0]])
        return labels, owners.astype(np.intp)

    def _keep_best(
        self, labels: np.ndarray, owners: np.ndarray, pages: Sequence[tuple[str, str]]
    ) -> None:
        """Keep the best example of each label of a batch."""
        examples = [make_example(url, rid) for url, rid in pages]
        by_rank = sorted(range(len(examples)), key=examples.__getitem__)
        ranks = np.empty(len(examples), np.uint64)
        ranks[by_rank] = np.arange(len(examples), dtype=np.uint64)
        # Sorted pairs of label and rank: the first pair of a label is its best page.
        pairs = packing.join_halves(labels.astype(np.uint64), ranks[owners])
        pairs.sort()
        labels, ranks = packing.split_halves(pairs)
        best = packing.group_starts(labels)
        for label, rank in zip(
            labels[best].tolist(), ranks[best].tolist(), strict=True
        ):
            self._best.add(label, examples[by_rank[rank]])

    def _drain_pairs(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._pairs, 'hosts', self._bits)

    def _drain_examples(self) -> Iterator[Line]:
        yield from pack_examples(self._best.take())


class BestExamples:
    """The best example of each label."""

    def __init__(self) -> None:
        self._best: dict[int, Example] = {}
        self.size = 0  # bytes in memory, about

    def add(self, label: int, example: Example) -> None:
        """Keep an example if it is better than the one before."""
        before = self._best.get(label)
        if before is None or example < before:
            self._best[label] = example
            self.size += _size_of(example) - (_size_of(before) if before else 0)

    def take(self) -> Iterator[tuple[int, Example]]:
        """Yield all examples by label, and forget them."""
        best, self._best, self.size = self._best, {}, 0
        return iter(sorted(best.items()))


def _size_of(example: Example) -> int:
    return len(example.url) + len(example.rid) + OVERHEAD


def choose_examples(values: Iterable[bytes]) -> Iterator[Line]:
    """Yield the best example of each label of a partition, by label."""
    # A label has a line for each time that the memory was full.
    groups = sorting.group_rows(_best_lines(values))
    yield from pack_examples(
        (
            int(label),
            min(example for text in texts for _, example in unpack_examples(text)),
        )
        for label, texts in groups
    )


def _best_lines(values: Iterable[bytes]) -> Iterator[bytes]:
    """Yield keyed lines of the best examples, whenever the memory is full."""
    best = BestExamples()
    for value in values:
        for label, example in unpack_examples(value):
            best.add(label, example)
        if best.size > MAX_EXAMPLES:
            yield from map(_format_line, best.take())
    yield from map(_format_line, best.take())


def _format_line(pair: tuple[int, Example]) -> bytes:
    return sorting.add_key(b'%0*d' % (LABEL_DIGITS, pair[0]), _format_example(*pair))


def pack_examples(pairs: Iterable[tuple[int, Example]]) -> Iterator[Line]:
    """Yield examples by partition of the labels, many in a line: label, URL, rid, …

    The pairs of labels and examples are sorted by label.
    """
    for part, of_part in itertools.groupby(
        pairs, lambda pair: pair[0] // LABELS_PER_PARTITION
    ):
        for value in partitions.join_texts(itertools.starmap(_format_example, of_part)):
            yield b'example/%08x' % part, value


def _format_example(label: int, example: Example) -> bytes:
    return to_bytes(f'{label}\t{example.url}\t{example.rid}')


def unpack_examples(value: bytes) -> Iterator[tuple[int, Example]]:
    """Yield the labels and examples of a line.

    >>> [(key, value)] = pack_examples([(7, make_example('http://a/', 'x:9'))])
    >>> [(label, example.rid) for label, example in unpack_examples(value)]
    [(7, 'x:9')]
    """
    fields = iter(to_text(value).split('\t'))
    for label, url, rid in zip(fields, fields, fields, strict=True):
        yield int(label), make_example(url, rid)


def count_hosts(labels: np.ndarray) -> Rows:
    """Count the hosts of each label, from the labels of distinct pairs.

    The keys of the rows are labels, as eight bytes.
    """
    numbers, counts = np.unique(labels, return_counts=True)
    keys = numbers.astype('>u8').view(np.uint8).reshape(-1, 8)
    return Rows(keys, (counts.astype(np.uint64),))
