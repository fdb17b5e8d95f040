"""The pages and labels of the items of a sample, and the other pages of the labels.

The matches of the run are read twice: for the items, then for the labels of the items.
Memory depends on the size of the sample, not on that of the run.
"""

import heapq
from collections.abc import Callable, Container
from typing import NamedTuple

import numpy as np

from mr_reuse.algorithms.sampling import Row
from mr_reuse.chunks.chunk_tables import FILE_LABELS, LABELS
from mr_reuse.chunks.detect import copied_chunks, matching
from mr_reuse.chunks.detect.matching import NO_LABELS, Match
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.review import seeking
from mr_reuse.review.seeking import Occurrences, seek
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.storage import naming

MAX_LABELS = 20  # shown of a page


class Label(NamedTuple):
    """A label of an item, with its numbers in the item and in the run."""

    digest: bytes
    here: tuple[int, int] | None  # copies and pages in the item
    copies: int  # in the whole run
    pages: int  # in the whole run
    hosts: int  # in the whole run, at most seeking.MAX_COUNTED
    left: int  # of these hosts, those that are not among the first captured
    others: list[Match]  # a page of each of the first captured hosts


class Exhibit(NamedTuple):
    """The pages and labels of an item."""

    pages: list[Match]
    labels: list[Label]


class Gatherer:
    """Reader of the pages and labels of the items of a sample."""

    def __init__(self, run: str, record: RunRecord):
        self._run, self._record = run, record
        self._labels: Labels | None = None

    def gather(self, kind: str, rows: list[Row]) -> list[Exhibit]:
        """Return the exhibits of the rows of a kind, in their order."""
        methods: dict[str, Callable[[list[bytes]], list[Exhibit]]] = {
            'chunks': self.chunks,
            'files': self.files,
            'neighborhoods': self.neighborhoods,
            'pages': self.pages,
        }
        return methods[kind]([row.item for row in rows])

    def chunks(self, items: list[bytes]) -> list[Exhibit]:
        """Gather labels by their hashes: the example of each, and other pages."""
        digests = self._digests(items, LABELS.file)
        examples = self._examples(digests)
        numbers, where = [-1] * len(items), {}
        if self._record.detect.matches:
            parts = self._open_matches()
            numbers = numbers_of(self._labels.chunks, digests)
            where = seek(parts, numbers)
        exhibits = []
        for digest, example, number in zip(digests, examples, numbers, strict=True):
            occurrences = where.get(number)
            label = Label(digest, None, 0, 0, 0, 0, [])
            if occurrences:
                shown = [page.rid for page in example]
                label = label_of(digest, None, occurrences, shown)
            exhibits.append(Exhibit(example, [label]))
        return exhibits

    def files(self, items: list[bytes]) -> list[Exhibit]:
        """Gather whole files by their hashes: the example of each."""
        examples = self._examples(self._digests(items, FILE_LABELS.file), 'file')
        return [Exhibit(example, []) for example in examples]

    def _digests(self, items: list[bytes], table: str) -> list[bytes]:
        try:
            return [bytes.fromhex(item.decode()) for item in items]
        except ValueError:
            raise UserError(f'{self._run}: its {table} is damaged') from None

    def digests_of(self, page: Match, first: list[bytes]) -> list[bytes]:
        """Return the digests of all chunk labels of a page, after those in `first`.

        Of a page with very many labels, these are `first` alone.
        """
        _, numbers, _ = matching.unpack_labels([page.labels])
        chunks = self._labels.chunks
        # The numbers of whole files follow those of the chunks.
        digests = (chunks[n].tobytes() for n in numbers.tolist() if n < len(chunks))
        return list(dict.fromkeys([*first, *digests]))

    def _open_matches(self) -> list[str]:
        """Load the labels, and return the part files of the matches."""
        parts, self._labels = copied_chunks.load_matches(self._run, self._record.detect)
        return parts

    def _examples(self, digests: list[bytes], unit: str = 'chunk') -> list[list[Match]]:
        """Return a list with the example page of each label, empty if it is unknown."""
        labels = label_files.load(naming.join(self._run, 'labels.mrl'))
        numbers = numbers_of(labels.chunks, digests)
        if unit == 'file':
            # The numbers of files follow those of the chunks.
            known, first = numbers_of(labels.files, digests), len(labels.chunks)
            numbers = [number + first if number >= 0 else -1 for number in known]
        pages: dict[int, list[Match]] = {number: [] for number in numbers}
        examples = label_tables.find_examples(self._record, numbers)
        for number, (_, url, *_, rid) in examples.items():
            names = map(to_bytes, (rid, url))
            pages[number] = [Match(*names, b'', 0, None, NO_LABELS)]
        return [pages[number] for number in numbers]

    def neighborhoods(self, items: list[bytes]) -> list[Exhibit]:
        """Gather URL prefixes: their worst pages, and labels with the most copies."""
        parts = self._open_matches()
        prefixes = list(map(to_text, items))
        profiles = copied_chunks.Matches(self._run, self._record).profile(prefixes)
        rids = {match.rid for profile in profiles for match in profile.worst}
        pages = seeking.pages(parts, rids)
        return self._exhibits(
            parts,
            [[pages[m.rid] for m in d.worst if m.rid in pages] for d in profiles],
            [
                [
                    ItemLabel(label.digest, label.copies, label.pages)
                    for label in d.labels
                ]
                for d in profiles
            ],
        )

    def pages(self, items: list[bytes]) -> list[Exhibit]:
        """Gather pages by their rids, and their labels with the most copies."""
        parts = self._open_matches()
        top: dict[bytes, list[tuple[int, int]]] = {}
        long: set[bytes] = set()  # with further lines

        def note(page: Match) -> None:
            top[page.rid] = self._top_labels(page)
            if page.labels == matching.IN_FURTHER:
                long.add(page.rid)

        by_rid = seeking.pages(parts, set(items), note)
        pages = [[by_rid[item]] if item in by_rid else [] for item in items]
        for line in seeking.further_lines(parts, long) if long else ():
            top[line.rid] = sorted([*top[line.rid], *self._top_labels(line)])
            del top[line.rid][MAX_LABELS:]
        labels = [
            [ItemLabel(self._labels.chunks[n].tobytes(), -less, 1) for less, n in found]
            for item in items
            for found in [top.get(item, [])]
        ]
        return self._exhibits(parts, pages, labels)

    def _top_labels(self, page: Match) -> list[tuple[int, int]]:
        """Return the chunk labels of a line with the most copies.

        These are negative numbers of copies, and numbers of labels, in order.
        """
        _, numbers, copies = matching.unpack_labels([page.labels])
        chunks = self._labels.chunks
        pairs = zip(copies.tolist(), numbers.tolist(), strict=True)
        ranked = ((-n, number) for n, number in pairs if number < len(chunks))
        return heapq.nsmallest(MAX_LABELS, ranked)

    def _exhibits(
        self,
        parts: list[str],
        pages: list[list[Match]],
        labels: list[list['ItemLabel']],
    ) -> list[Exhibit]:
        """Complete the pages and labels of items with the occurrences in the run."""
        digests = [label.digest for item in labels for label in item]
        numbers = dict(
            zip(digests, numbers_of(self._labels.chunks, digests), strict=True)
        )
        where = seek(parts, numbers.values())
        exhibits = []
        for item_pages, item_labels in zip(pages, labels, strict=True):
            shown = {page.rid for page in item_pages}
            complete = []
            for digest, *here in item_labels:
                occurrences = where[numbers[digest]]
                complete.append(label_of(digest, tuple(here), occurrences, shown))
            exhibits.append(Exhibit(item_pages, complete))
        return exhibits


class ItemLabel(NamedTuple):
    """A label with its numbers in one item."""

    digest: bytes
    copies: int
    pages: int


def label_of(
    digest: bytes,
    here: tuple[int, int] | None,
    where: Occurrences,
    shown: Container[bytes],
) -> Label:
    """Combine a label with its occurrences outside of the shown pages."""
    hosts, left, others = len(where.hosts), where.left, where.pages(shown)
    return Label(digest, here, where.copies, where.count, hosts, left, others)


def numbers_of(keys: np.ndarray, digests: list[bytes]) -> list[int]:
    """Return the numbers of labels, -1 for a digest that is no label."""
    wanted = np.frombuffer(b''.join(digests), np.uint8).reshape(-1, keys.shape[1])
    return DigestIndex(keys).find(wanted).tolist()
