"""The rule for labels: the number of copies, and the chunks that never are labels.

The papers used about one copy in 30,000 files for both corpora: 10^5 for 2.86·10^9
files of Common Crawl, 10^3 for 33·10^6 files of GeoCities. A small corpus needs a
minimum, as a few copies are ordinary within a site.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mr_reuse.messages import format_count
from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows

FILES_PER_COPY = 30_000  # files of a corpus for each copy of the threshold
MIN_THRESHOLD = 10  # copies

# Statistics of the Bloom filter in `run.json`: keys, yes-answers, and those of the
# yes-answers that the list does not confirm.
ASKED, YES, WRONG = 'Bloom: asked', 'Bloom: yes', 'Bloom: wrong'
# Copies there: of all chunks that are no stop chunks, and of the labels among them.
COUNTED, LABELED = 'counted: copies', 'labels: copies'


class Limit(NamedTuple):
    """The limit between labels and others: a threshold, and a rule for ties.

    Digests with one copy more than the threshold are labels only up to `last`, in
    hexadecimal; without it, all of them are.
    """

    threshold: int
    last: str = ''

    def select(self, rows: Rows) -> np.ndarray:
        """Return a mask of counted digests within the limit.

        >>> keys = np.frombuffer(b'aabbcc', np.uint8).reshape(-1, 2)
        >>> rows = Rows(keys, (np.array([5, 5, 6]),))
        >>> Limit(4, '6161').select(rows).tolist(), Limit(5).select(rows).tolist()
        ([True, False, True], [False, False, True])
        """
        copies = rows.columns[0]
        within = copies > self.threshold
        if self.last:
            last = bytes.fromhex(self.last)
            ties = np.flatnonzero(copies == self.threshold + 1)
            within[ties] = [key.tobytes() <= last for key in rows.keys[ties]]
        return within


class ChosenThreshold(NamedTuple):
    """A threshold, and the reason that the summary prints."""

    threshold: int
    reason: str
    last: str = ''  # the rule for ties, see `Limit`
    files: Limit | None = None  # if the files have another one


def choose_threshold(files: Mapping[int, int]) -> ChosenThreshold:
    """Choose a threshold by the number of files.

    `files` has the numbers of distinct files by their number of copies.

    >>> choose_threshold({1: 900, 2: 50})[:2]
    (10, 'the minimum, used below 300,000 files')
    >>> choose_threshold({1: 33_000_000}).threshold
    1100
    """
    count = sum(copies * distinct for copies, distinct in files.items())
    minimum = MIN_THRESHOLD * FILES_PER_COPY
    if count < minimum:
        reason = f'the minimum, used below {minimum:,} files'
        return ChosenThreshold(MIN_THRESHOLD, reason)
    reason = f'one copy in {FILES_PER_COPY:,} of {count:,} files, as in the papers'
    return ChosenThreshold(count // FILES_PER_COPY, reason)


class StopList:
    """A list of stop chunks, behind a Bloom filter if a rate is given.

    Without `recheck`, the answers of the filter are used without the list.
    """

    def __init__(self, keys: np.ndarray, rate: float = 0, recheck: bool = True):
        self.size = len(keys)
        self._bloom = Bloom(len(keys), rate).add(keys) if rate else None
        self._exact = DigestIndex(keys) if recheck or not rate else None

    def test(self, keys: np.ndarray, stats: Counter[str]) -> np.ndarray:
        """Return a mask of the keys on the list; count the answers of the filter."""
        if self._bloom is None:
            return self._exact.find(keys) >= 0
        on_list = self._bloom.may_contain(keys)
        yes = int(on_list.sum())
        stats[ASKED] += len(keys)
        stats[YES] += yes
        if self._exact is not None:
            on_list[on_list] = self._exact.find(keys[on_list]) >= 0
            stats[WRONG] += yes - int(on_list.sum())
        return on_list


def describe_bloom(rate: float, stats: Mapping[str, int]) -> str:
    """Describe the answers of a Bloom filter.

    >>> describe_bloom(0.01, {'Bloom: asked': 900, 'Bloom: yes': 12, 'Bloom: wrong': 9})
    'Bloom filter (rate 0.01): 12 yes-answers to 900 chunks, 9 of them wrong; all were \
checked'
    >>> describe_bloom(0.1, {'Bloom: asked': 900, 'Bloom: yes': 90})
    'Bloom filter (rate 0.1): 90 yes-answers to 900 chunks, about 90 of them wrong; \
none was checked'
    """
    asked, yes = stats.get(ASKED, 0), stats.get(YES, 0)
    if WRONG in stats or not asked:
        wrong, checked = f'{stats.get(WRONG, 0):,}', 'all were'
    else:
        # Of the chunks that are not on the list, this share gets a yes.
        wrong = f'about {round(min(yes, rate * (asked - yes) / (1 - rate))):,}'
        checked = 'none was'
    return (
        f'Bloom filter (rate {rate:g}): {format_count(yes, "yes-answer")} to '
        f'{format_count(asked, "chunk")}, '
        f'{wrong} of them wrong; {checked} checked'
    )


class LabelRule(NamedTuple):
    """The rule for labels: a chunk or a file with more copies than its threshold.

    A labeled chunk is also longer than `min_len` bytes, and not on the stop list.
    """

    chunks: Limit
    files: Limit
    min_len: int
    stop_list: StopList

    def is_shareable(self, rows: Rows) -> np.ndarray:
        """Return a mask of counted chunks that are long, and may be on two sites."""
        copies, _, length = rows.columns
        return (copies > 1) & (length > self.min_len)

    def count_copies(self, rows: Rows) -> int:
        """Count the copies of the chunks that may be labels: all but stop chunks."""
        copies, _, length = rows.columns
        counted = length > self.min_len
        if self.stop_list.size:
            # The answers of a Bloom filter are counted for copied chunks only.
            is_stop = self.stop_list.test(rows.keys[counted], Counter())
            counted[counted] = ~is_stop
        return int(copies[counted].sum())

    def select_labels(self, unit: str, rows: Rows, stats: Counter[str]) -> Rows:
        """Select the labels among counted digests; count the others by reason."""
        copies, _, length = rows.columns
        if unit == 'file':
            labels = self.files.select(rows)
        else:
            copied = self.chunks.select(rows)
            short = copied & (length <= self.min_len)
            stop = np.zeros(len(copied), bool)
            stop[copied] = self.stop_list.test(rows.keys[copied], stats)
            for name, mask in (('copied', copied), ('short', short), ('stop', stop)):
                stats[name] += int(mask.sum())
                stats[f'{name}: copies'] += int(copies[mask].sum())
            labels = copied & ~short & ~stop
            stats[COUNTED] += self.count_copies(rows)
            stats[LABELED] += int(copies[labels].sum())
        stats['labels'] += int(labels.sum())
        return rows.take(labels)
