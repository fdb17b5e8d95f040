"""Which widely copied chunks become labels, and which are only stop chunks."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows


class Stops:
    """A list of stop chunks, asked through a Bloom filter if a rate is given."""

    def __init__(self, keys: np.ndarray | None, rate: float = 0, recheck: bool = True):
        keys = np.zeros((0, 20), np.uint8) if keys is None else keys
        self._bloom = Bloom(len(keys), rate).add(keys) if rate else None
        self._exact = DigestIndex(keys) if recheck or not rate else None

    def has(self, keys: np.ndarray, told: Counter[str]) -> np.ndarray:
        """Which keys are on the list."""
        if self._bloom is None:
            return self._exact.find(keys) >= 0
        found = self._bloom.maybe(keys)
        yes = int(found.sum())
        told['Bloom: asked'] += len(keys)
        told['Bloom: yes'] += yes
        if self._exact is not None:
            found[found] = self._exact.find(keys[found]) >= 0
            told['Bloom: wrong'] += yes - int(found.sum())
        return found


def bloom_line(rate: float, told: Mapping[str, int]) -> str:
    """What a Bloom filter did, for people.

    >>> bloom_line(0.01, {'Bloom: asked': 900, 'Bloom: yes': 12, 'Bloom: wrong': 9})
    'Bloom filter (rate 0.01): 12 yes-answers to 900 chunks, 9 of them wrong; all were \
checked'
    >>> bloom_line(0.1, {'Bloom: asked': 900, 'Bloom: yes': 90})
    'Bloom filter (rate 0.1): 90 yes-answers to 900 chunks, about 90 of them wrong; \
none was checked'
    """
    asked, yes = told.get('Bloom: asked', 0), told.get('Bloom: yes', 0)
    if 'Bloom: wrong' in told or not asked:
        wrong, checked = f'{told.get("Bloom: wrong", 0):,}', 'all were'
    else:
        # Of the chunks that are not on the list, this share gets a yes.
        wrong = f'about {round(min(yes, rate * (asked - yes) / (1 - rate))):,}'
        checked = 'none was'
    return (
        f'Bloom filter (rate {rate:g}): {yes:,} yes-answers to {asked:,} chunks, '
        f'{wrong} of them wrong; {checked} checked'
    )


class Rule(NamedTuple):
    """What makes a label."""

    threshold: int
    file_threshold: int
    min_len: int
    stops: Stops

    def keep(self, unit: str, rows: Rows, told: Counter[str]) -> Rows:
        """The labels among counted digests; counts the others by what left them out."""
        copies, _, length = rows.columns
        if unit == 'file':
            kept = copies > self.file_threshold
            told['labels'] += int(kept.sum())
            return rows.take(kept)
        kept = copies > self.threshold
        short = kept & (length <= self.min_len)
        stop = np.zeros(len(kept), bool)
        stop[kept] = self.stops.has(rows.keys[kept], told)
        for name, mask in (('copied', kept), ('short', short), ('stop', stop)):
            told[name] += int(mask.sum())
            told[f'{name}: copies'] += int(copies[mask].sum())
        kept &= ~short & ~stop
        told['labels'] += int(kept.sum())
        return rows.take(kept)
