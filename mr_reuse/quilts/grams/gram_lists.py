"""Reducers of grams: from the grams of a partition to lists of documents."""

from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.quilts import lists
from mr_reuse.quilts.grams.gram_table import GramTable
from mr_reuse.shuffle.partitions import part_of
from mr_reuse.shuffle.protocol import Line


class GramLists:
    """A reducer of blocks of grams."""

    def __init__(self, limit: int, bits: int):
        self._limit, self._bits = limit, bits
        self.stats = {'distinct': 0, 'shared': 0, 'lists': 0, 'documents': 0}

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the lists of a partition."""
        table = GramTable(self._limit, self._bits, storage.open_scratch)
        for value in values:
            table.add(value)
        for grams, found in table.drain():
            self.stats['distinct'] += grams
            self.stats['shared'] += len(found.keys)
            self.stats['lists'] += len(found.sizes)
            self.stats['documents'] += len(found.documents)
            split = lists.split_large(found)
            parts = np.full(len(split.sizes), part_of(key))
            yield from lists.pack_lines(split, parts)
