"""Where labels are: on how many hosts, and an example of each.

A second pass over the page lines, against the finished labels. A label is a number
here: its place among the labeled chunks, or behind them among the labeled files.
"""

import functools
import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from mr_reuse.archives import rids, urls
from mr_reuse.archives.rids import Rid
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.chunks.page_lines import URL, Batch, Lines, file_digests
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.shuffle import packing, spilling, text_lines
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import MAX, Rows
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.protocol import Line

EXAMPLES = 100_000  # to remember before they are handed on: some 40 MB
PER_PART = 20_000  # labels whose examples one reducer compares at a time

Example = tuple[int, str, Rid]  # sorts: the best first


def example(url: str, rid: str) -> Example:
    """An example of where a label is; the shortest URL is best, then the smallest.

    >>> min(example('http://b/', 'x:10'), example('http://a/', 'x:9'))[-1]
    'x:9'
    """
    return len(url), url, Rid(rid)


def mixed(labels: np.ndarray, hosts: np.ndarray) -> np.ndarray:
    """A 16-byte key for each pair of a label and the 16-byte hash of a host."""
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
    """The digest that stands for a host; those of the last hosts are remembered."""
    remembered = len(host) < urls.MAX_REMEMBERED
    return (_host_digest if remembered else _host_digest.__wrapped__)(host)


@functools.lru_cache(10_000)
def _host_digest(host: str) -> bytes:
    return name_digest(host)


class Places:
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
        """Look for labels in a page line."""
        if self._batch.add(key, value):
            yield from self._flush()

    def finish(self) -> Iterator[Line]:
        """Yield what is left."""
        yield from self._flush()
        yield from self._drain_pairs()
        yield from self._drain_examples()

    def _flush(self) -> Iterator[Line]:
        rows, owners, lines = self._batch.take()
        labels, owners = self._found(rows, owners, lines)
        if not len(labels):
            return
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

    def _found(self, rows: Rows, owners: np.ndarray, lines: Lines) -> tuple:
        """Labels and the lines that have them: chunks, then whole files."""
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
        """The pairs of labels and hosts; a URL without a host makes none."""
        hosts = [urls.url_host(url) for url, _ in pages]
        named = np.array(list(map(bool, hosts)))[owners]
        digests = packing.rows_of(b''.join(map(host_digest, hosts)), NAME_WIDTH).keys
        labels = labels[named]
        keys = mixed(labels, digests[owners[named]])
        return Rows(keys, (labels.astype(np.uint64),))

    def _note_examples(
        self, labels: np.ndarray, owners: np.ndarray, pages: Sequence[tuple[str, str]]
    ) -> None:
        """Remember the best example of each label in a batch."""
        found = [example(url, rid) for url, rid in pages]
        ranked = sorted(range(len(found)), key=found.__getitem__)
        rank = np.empty(len(found), np.uint64)
        rank[ranked] = np.arange(len(found), dtype=np.uint64)
        pairs = labels.astype(np.uint64) << np.uint64(32) | rank[owners]
        pairs.sort()
        numbers = pairs >> np.uint64(32)
        first = np.ones(len(pairs), bool)
        first[1:] = numbers[1:] != numbers[:-1]
        best = self._best
        ranks = pairs[first] & np.uint64(0xFFFFFFFF)
        for label, place in zip(numbers[first].tolist(), ranks.tolist(), strict=True):
            new = found[ranked[place]]
            if label not in best or new < best[label]:
                best[label] = new

    def _drain_pairs(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._pairs, 'hosts', self._bits)

    def _drain_examples(self) -> Iterator[Line]:
        yield from pack_examples(self._best)
        self._best = {}


def pack_examples(best: dict[int, Example]) -> Iterator[Line]:
    """Examples by part of the labels, many in a line: label, url, rid, label, …"""
    for part, labels in itertools.groupby(sorted(best), lambda n: n // PER_PART):
        texts = (_example_text(label, best[label]) for label in labels)
        for value in text_lines.join_texts(texts):
            yield b'example/%08x' % part, value


def _example_text(label: int, found: Example) -> bytes:
    _, url, rid = found
    return to_bytes(f'{label}\t{url}\t{rid}')


def unpack_examples(value: bytes) -> Iterator[tuple[int, Example]]:
    """The examples of a line.

    >>> [(key, line)] = pack_examples({7: example('http://a/', 'x:9')})
    >>> [(label, found[-1]) for label, found in unpack_examples(line)]
    [(7, 'x:9')]
    """
    fields = to_text(value).split('\t')
    for i in range(0, len(fields), 3):
        yield int(fields[i]), example(fields[i + 1], fields[i + 2])


def host_counts(labels: np.ndarray) -> Rows:
    """How often each label occurs among distinct pairs, as rows of its number."""
    numbers, counts = np.unique(labels, return_counts=True)
    keys = numbers.astype('>u8').view(np.uint8).reshape(-1, 8)
    return Rows(keys, (counts.astype(np.uint64),))
