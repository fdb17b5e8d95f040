"""What a neighborhood has copied: its labels, and the pages that have most of them."""

import heapq
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import (
    archives,
    evidence,
    mapping,
    matching,
    naming,
    packing,
    records,
    sites,
    storage,
    urls,
)
from mr_reuse.errors import UserError
from mr_reuse.hashing import Chunker
from mr_reuse.labelfile import Labels
from mr_reuse.matching import Match
from mr_reuse.packing import SUM, Rows

HOST = re.compile(r'\[[^]]*\]|[^:/]*')  # without the port
GONE = '(not in the archive any more)'
TOP = 10  # labels
PAGES = 5


class Copied(NamedTuple):
    """A label in a neighborhood."""

    number: int
    copies: int
    pages: int


class Dossier:
    """Reads the matches of a run for one neighborhood."""

    def __init__(self, run: str, told: dict[str, Any], prefix: str):
        if not told.get('detect', {}).get('matches'):
            raise UserError(f'{run}: it has no matches; run detect on it first')
        self._told, self.prefix = told, prefix
        self._least = told['detect']['rule']['min_chunks']
        matches = naming.join(run, told['detect']['matches'])
        self._parts = storage.part_files(matches)
        name = told['detect']['labels']
        self._labels: Labels = mapping.labels(name)
        if mapping.digest(name) != told['detect']['labels_digest']:
            raise UserError(
                f'{name}: not the labels of {run} any more; run detect again'
            )
        self._chunker = Chunker(**{f: told['made_of'][f] for f in Chunker._fields})

    def matches(self) -> Iterator[Match]:
        """The pages below the prefix."""
        host = HOST.match(self.prefix)[0].encode()
        for part in self._parts:
            with storage.open_read(part) as stream:
                for key, value in records.read_lines(stream):
                    if host in value.lower():  # few lines need a closer look
                        match = matching.read_match(key, value)
                        if match.total is not None and self._has(match.url.decode()):
                            yield match

    def _has(self, url: str) -> bool:
        around = urls.neighborhood(url)
        if self._told['detect']['levels'] == 'domain':
            return f'{sites.domain(around.partition("/")[0])}/' == self.prefix
        return around.startswith(self.prefix)

    def text(self) -> str:
        """What is told of the neighborhood."""
        table, worst = packing.Table([SUM, SUM], storage.scratch), []
        pages = bad = total = 0
        for match in self.matches():
            pages += 1
            if match.total >= self._least:
                bad += match.bad
                total += match.total
            heapq.heappush(worst, (match.bad, -pages, match))
            if len(worst) > PAGES:
                heapq.heappop(worst)
            _, numbers, copies = matching.unpack_labels([match.labels])
            ones = np.ones(len(numbers), np.uint64)
            table.add(Rows(matching.keys_of(numbers), (copies, ones)))
        if not pages:
            raise UserError(f'{self.prefix}: no page of the run is in it')
        share = f'{bad / total:.3f}' if total else '-'
        lines = [
            f'{self.prefix}: {pages:,} pages; {bad:,} of {total:,} chunks are labels '
            f'({share})',
            '',
            *self._of_labels(top_of(table, len(self._labels.chunks))),
            '',
            f'{"bad":>7} {"total":>7}  page',
            *(self._page(match) for _, _, match in sorted(worst, reverse=True)),
        ]
        return '\n'.join(lines) + '\n'

    def _page(self, match: Match) -> str:
        name = match.rid.decode('utf-8', 'surrogateescape')
        return f'{match.bad:>7,} {match.total:>7,}  {name}  {match.url.decode()}'

    def _of_labels(self, top: list[Copied]) -> list[str]:
        """The most copied labels, each with its hash and what it is."""
        lines = [f'{"copies":>7} {"pages":>7}  chunk']
        places = self._places({one.number for one in top})
        for one in top:
            digest = self._labels.chunks[one.number].tobytes()
            text = self._preview(places[one.number], digest)
            lines += [
                f'{one.copies:>7,} {one.pages:>7,}  {digest.hex()}',
                f'{"":17}{text[:70]}',
            ]
        return lines

    def _places(self, wanted: set[int]) -> dict[int, bytes]:
        """For each label a page of the neighborhood that has it."""
        found: dict[int, bytes] = {}
        for match in self.matches():
            _, numbers, _ = matching.unpack_labels([match.labels])
            for number in wanted.intersection(numbers.tolist()):
                found[number] = match.rid
                wanted = wanted - {number}
            if not wanted:
                break
        return found

    def _preview(self, rid: bytes, digest: bytes) -> str:
        archive, _, place = rid.decode('utf-8', 'surrogateescape').rpartition(':')
        try:
            items = archives.items_at(self._told['paths'][archive], [place])
            for _, item in items:
                chunk = evidence.chunk_in(item, self._chunker, digest, evidence.ALL)
                return evidence.preview(chunk) if chunk is not None else GONE
        except OSError:
            pass
        return GONE


def top_of(table: packing.Table, chunks: int) -> list[Copied]:
    """The labels with most copies; of whole files none."""
    found: list[tuple[int, int, int]] = []
    for rows in table.drain():
        numbers = matching.numbers_of(rows.keys)
        keep = numbers < chunks
        columns = [numbers[keep], *(column[keep] for column in rows.columns)]
        some = zip(*(column.tolist() for column in columns), strict=True)
        rated = ((copies, -number, pages) for number, copies, pages in some)
        found = heapq.nlargest(TOP, [*found, *rated])
    return [Copied(-number, copies, pages) for copies, number, pages in found]
