"""The hosts of each label, and an example: a page that has it.

These come from a second pass over the page lines, with the finished label file. In this
module a label is a number: its index among the labeled chunks, or for a file, the
number of labeled chunks plus its index among the labeled files.
"""

import functools
import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from mr_reuse.archives import rids, urls
from mr_reuse.archives.rids import Rid
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.page_lines import URL, Batch, SplitLine, file_digests
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import packing, partitions, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, Rows
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.protocol import Line

EXAMPLES = 100_000  # in memory before they are written: some 40 MB
PER_PART = 20_000  # labels of a partition, whose examples a reducer has in memory

Example = tuple[int, str, Rid]  # length of the URL, URL, rid; the best sorts first


def make_example(url: str, rid: str) -> Example:
    """Make an example; the shortest URL is the best, then the first in order.

    >>> min(make_example('http://b/', 'x:10'), make_example('http://a/', 'x:9'))[-1]
    'x:9'
    """
    return len(url), url, Rid(rid)


def pair_keys(labels: np.ndarray, hosts: np.ndarray) -> np.ndarray:
    """Make a 16-byte key for each pair of a label and the 16-byte digest of a host.

    The label is scrambled first, so that the pairs of a label are in all partitions.
    """
    with np.errstate(over='ignore'):
        mix = labels.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        mix ^= mix >> np.uint64(29)
        mix *= np.uint64(0xBF58476D1CE4E5B9)
    words = hosts.view('>u8').reshape(-1, 2).astype(np.uint64)
    keys = np.empty((len(labels), 2), '>u8')
    keys[:, 0] = words[:, 0] ^ mix
    keys[:, 1] = words[:, 1] ^ (mix >> np.uint64(32))
    return keys.view(np.uint8).reshape(-1, 16)


def host_digest(host: str) -> bytes:
    """Return the digest of a host name, from a cache if the name is short."""
    is_cached = len(host) < urls.MAX_REMEMBERED
    return (_host_digest if is_cached else _host_digest.__wrapped__)(host)


@functools.lru_cache(10_000)
def _host_digest(host: str) -> bytes:
    return name_digest(host)


class ExampleCollector:
    """A `Collector` of page lines: pairs of label and host, and the best examples."""

    def __init__(self, labels: Labels, bits: int):
        self._bits = bits
        self._chunks, self._files = (
            DigestIndex(labels.chunks),
            DigestIndex(labels.files),
        )
        self._batch = Batch(labels.recipe.width)
        self._pairs = spilling.MergeTable([MAX])
        self._best: dict[int, Example] = {}

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
        has = np.zeros(len(lines), bool)
        has[owners] = True
        owners = (np.cumsum(has) - 1)[owners]
        pages = [
            (
                fields[URL].decode(),
                to_text(rids.rid_of(key)),
            )
            for key, fields in itertools.compress(lines, has)
        ]
        self._note_examples(labels, owners, pages)
        if self._pairs.add(self._with_hosts(labels, owners, pages)):
            yield from self._drain_pairs()
        if len(self._best) > EXAMPLES:
            yield from self._drain_examples()

    def _find_labels(
        self, rows: Rows, owners: np.ndarray, lines: Sequence[SplitLine]
    ) -> tuple:
        """Return labels and the indexes of their lines: of chunks, then of files."""
        chunks = self._chunks.find(rows.keys)
        hashes, hashed = file_digests(lines, rows.keys.shape[1])
        files = self._files.find(hashes)
        labels = np.concatenate(
            [chunks[chunks >= 0], files[files >= 0] + len(self._chunks)]
        )
        owners = np.concatenate([owners[chunks >= 0], hashed[files >= 0]])
        return labels, owners.astype(np.intp)

    def _with_hosts(
        self, labels: np.ndarray, owners: np.ndarray, pages: Sequence[tuple[str, str]]
    ) -> Rows:
        """Return the pairs of labels and hosts; a URL without a host has no pair."""
        hosts = [urls.url_host(url) for url, _ in pages]
        named = np.array(list(map(bool, hosts)))[owners]
        digests = packing.make_rows(b''.join(map(host_digest, hosts)), NAME_WIDTH).keys
        labels = labels[named]
        keys = pair_keys(labels, digests[owners[named]])
        return Rows(keys, (labels.astype(np.uint64),))

    def _note_examples(
        self, labels: np.ndarray, owners: np.ndarray, pages: Sequence[tuple[str, str]]
    ) -> None:
        """Keep the best example of each label of a batch."""
        examples = [make_example(url, rid) for url, rid in pages]
        ranked = sorted(range(len(examples)), key=examples.__getitem__)
        rank = np.empty(len(examples), np.uint64)
        rank[ranked] = np.arange(len(examples), dtype=np.uint64)
        # Sorted pairs of label and rank: the first pair of a label is its best page.
        pairs = labels.astype(np.uint64) << np.uint64(32) | rank[owners]
        pairs.sort()
        numbers = pairs >> np.uint64(32)
        first = np.ones(len(pairs), bool)
        first[1:] = numbers[1:] != numbers[:-1]
        best = self._best
        ranks = pairs[first] & np.uint64(0xFFFFFFFF)
        for label, index in zip(numbers[first].tolist(), ranks.tolist(), strict=True):
            new = examples[ranked[index]]
            if label not in best or new < best[label]:
                best[label] = new

    def _drain_pairs(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._pairs, 'hosts', self._bits)

    def _drain_examples(self) -> Iterator[Line]:
        yield from pack_examples(self._best)
        self._best = {}


def pack_examples(best: dict[int, Example]) -> Iterator[Line]:
    """Yield examples by partition of the labels, many in a line: label, URL, rid, …"""
    for part, labels in itertools.groupby(sorted(best), lambda n: n // PER_PART):
        texts = (_example_text(label, best[label]) for label in labels)
        for value in partitions.join_texts(texts):
            yield b'example/%08x' % part, value


def _example_text(label: int, example: Example) -> bytes:
    _, url, rid = example
    return to_bytes(f'{label}\t{url}\t{rid}')


def unpack_examples(value: bytes) -> Iterator[tuple[int, Example]]:
    """Yield the labels and examples of a line.

    >>> [(key, line)] = pack_examples({7: make_example('http://a/', 'x:9')})
    >>> [(label, rid) for label, (_, _, rid) in unpack_examples(line)]
    [(7, 'x:9')]
    """
    fields = to_text(value).split('\t')
    for i in range(0, len(fields), 3):
        yield int(fields[i]), make_example(fields[i + 1], fields[i + 2])


def count_hosts(labels: np.ndarray) -> Rows:
    """Count the hosts of each label, from the labels of distinct pairs.

    The keys of the rows are labels, as eight bytes.
    """
    numbers, counts = np.unique(labels, return_counts=True)
    keys = numbers.astype('>u8').view(np.uint8).reshape(-1, 8)
    return Rows(keys, (counts.astype(np.uint64),))
