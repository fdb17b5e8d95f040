"""Recognize the stop chunks of a label file in rows."""

import numpy as np

from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows


class StopChunks:
    """The stop chunks of a label file: chunks on its list, and short chunks."""

    def __init__(self, labels: Labels, scope: str = 'both'):
        self._scope, self._min_len = scope, labels.min_len
        self._list = DigestIndex(labels.stop)

    def masks(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Return two masks of rows: those in `total`, and those that may be labels."""
        others = rows.columns[0] > self._min_len
        others[others] = self._list.find(rows.keys[others]) < 0
        is_counted = others if self._scope == 'both' else np.ones(len(rows.keys), bool)
        return is_counted, others
