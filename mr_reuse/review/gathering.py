"""What belongs to the items of a sample: their pages, their labels, and where else.

The matches of the run are read for the items, then for the labels that they turn out
to have; what is held depends on the sample, not on the run.
"""

import heapq
from collections.abc import Callable, Container
from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms.sampling import Row
from mr_reuse.chunks.detect import copied_chunks, matching
from mr_reuse.chunks.detect.matching import NONE, Match
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.review import seeking
from mr_reuse.review.seeking import Where, seek
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.storage import naming
from mr_reuse.tables import run_tables

LABELS = 20  # of a page


class Label(NamedTuple):
    """A label that an item has."""

    digest: bytes
    here: tuple[int, int] | None  # copies and pages in the item
    copies: int  # in the whole run
    pages: int
    hosts: int  # COUNTED if there are as many or more
    left: int  # of these, hosts that were captured later than the others
    others: list[Match]  # where else it is, a page of each of the first hosts


class Exhibit(NamedTuple):
    """What there is to see of an item."""

    pages: list[Match]
    labels: list[Label]


class Gatherer:
    """Gathers what belongs to the items of a sample."""

    def __init__(self, run: str, record: RunRecord):
        self._run, self._record = run, record
        self._labels: Labels | None = None

    def of(self, kind: str, rows: list[Row]) -> list[Exhibit]:
        """The exhibits of the rows of a kind, in their order."""
        how: dict[str, Callable[[list[bytes]], list[Exhibit]]] = {
            'chunks': self.chunks,
            'neighborhoods': self.neighborhoods,
            'pages': self.pages,
        }
        return how[kind]([row.item for row in rows])

    def chunks(self, items: list[bytes]) -> list[Exhibit]:
        """Labels by their hashes: the example of each, and other pages that have it."""
        try:
            digests = [bytes.fromhex(item.decode()) for item in items]
        except ValueError:
            why = f'its {run_tables.LABELS.file} is damaged'
            raise UserError(f'{self._run}: {why}') from None
        examples = self._examples(digests)
        numbers, where = [-1] * len(items), {}
        if self._record.detect.matches:
            parts = self._looked_for()
            numbers = numbers_of(self._labels.chunks, digests)
            where = seek(parts, numbers)
        found = []
        for digest, example, number in zip(digests, examples, numbers, strict=True):
            one = where.get(number)
            label = Label(digest, None, 0, 0, 0, 0, [])
            if one:
                label = label_of(digest, None, one, [page.rid for page in example])
            found.append(Exhibit(example, [label]))
        return found

    def digests_of(self, page: Match, first: list[bytes]) -> list[bytes]:
        """All labels of a page that are chunks, behind some of them."""
        _, numbers, _ = matching.unpack_labels([page.labels])
        chunks = self._labels.chunks
        found = (chunks[n].tobytes() for n in numbers.tolist() if n < len(chunks))
        return list(dict.fromkeys([*first, *found]))

    def _looked_for(self) -> list[str]:
        parts, self._labels = copied_chunks.looked_for(self._run, self._record.detect)
        return parts

    def _examples(self, digests: list[bytes]) -> list[list[Match]]:
        """The example of each label, if it is known."""
        labels = label_files.load(naming.join(self._run, 'labels.mrl'))
        numbers = numbers_of(labels.chunks, digests)
        pages: dict[int, list[Match]] = {number: [] for number in numbers}
        examples = label_tables.find_examples(self._record, numbers)
        for number, (_, url, *_, rid) in examples.items():
            names = map(to_bytes, (rid, url))
            pages[number] = [Match(*names, b'', 0, None, NONE)]
        return [pages[number] for number in numbers]

    def neighborhoods(self, items: list[bytes]) -> list[Exhibit]:
        """URL prefixes: their worst pages, and the labels they have most copies of."""
        parts = self._looked_for()
        prefixes = list(map(to_text, items))
        found = copied_chunks.Matches(self._run, self._record).dossiers(prefixes)
        pages = seeking.pages(parts, {m.rid for one in found for m in one.worst})
        return self._exhibits(
            parts,
            [[pages[m.rid] for m in one.worst if m.rid in pages] for one in found],
            [
                [Mine(label.digest, label.copies, label.pages) for label in one.labels]
                for one in found
            ],
        )

    def pages(self, items: list[bytes]) -> list[Exhibit]:
        """Pages by their rids, and the labels they have most copies of."""
        parts = self._looked_for()
        found = seeking.pages(parts, set(items))
        pages = [[found[item]] if item in found else [] for item in items]
        mine = [[m for page in some for m in self._labels_of(page)] for some in pages]
        return self._exhibits(parts, pages, mine)

    def _labels_of(self, page: Match) -> list['Mine']:
        """The labels that a page has most copies of; of whole files none."""
        _, numbers, copies = matching.unpack_labels([page.labels])
        chunks = self._labels.chunks
        pairs = zip(copies.tolist(), numbers.tolist(), strict=True)
        top = heapq.nsmallest(LABELS, [(-n, i) for n, i in pairs if i < len(chunks)])
        return [Mine(chunks[number].tobytes(), -times, 1) for times, number in top]

    def _exhibits(
        self, parts: list[str], pages: list[list[Match]], mine: list[list['Mine']]
    ) -> list[Exhibit]:
        """What is known of items by their pages and their labels."""
        digests = [one.digest for some in mine for one in some]
        numbers = dict(
            zip(digests, numbers_of(self._labels.chunks, digests), strict=True)
        )
        where = seek(parts, numbers.values())
        exhibits = []
        for some, labels in zip(pages, mine, strict=True):
            shown = {page.rid for page in some}
            found = []
            for digest, *here in labels:
                one = where[numbers[digest]]
                found.append(label_of(digest, tuple(here), one, shown))
            exhibits.append(Exhibit(some, found))
        return exhibits


class Mine(NamedTuple):
    """A label that an item has, and how often it has it."""

    digest: bytes
    copies: int
    pages: int


def label_of(
    digest: bytes, here: tuple[int, int] | None, where: Where, shown: Container[bytes]
) -> Label:
    """A label and where else it is than on the pages that are shown."""
    hosts, left, others = len(where.hosts), where.left, where.pages(shown)
    return Label(digest, here, where.copies, where.count, hosts, left, others)


def numbers_of(keys: np.ndarray, digests: list[bytes]) -> list[int]:
    """The numbers of some labels, -1 for those that are none."""
    wanted = np.frombuffer(b''.join(digests), np.uint8).reshape(-1, keys.shape[1])
    return DigestIndex(keys).find(wanted).tolist()
