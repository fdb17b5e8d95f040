"""What neighborhoods have copied: their labels, and the pages that have most of them.

The matches of a run are read once, for any number of neighborhoods.
"""

import contextlib
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import domains, rids, urls
from mr_reuse.archives.framing import Lost
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.detect.origins import MIN, SPREAD
from mr_reuse.chunks.discover import previews
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_text
from mr_reuse.pages import lookup
from mr_reuse.shuffle import protocol, spilling
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.storage import mapped
from mr_reuse.tables.run_tables import NEIGHBORHOODS

GONE = '(not in the archive any more)'
UNREADABLE = (OSError, UserError, Lost)  # gone, on a silent server, damaged
TOP = 10  # labels
PAGES = 5
BATCH = 5_000  # pages whose labels are unpacked together
OFFSET_BITS = 44
BACK = np.uint64(pow(int(SPREAD), -1, 1 << 64))  # undoes a multiplication by SPREAD


class Copied(NamedTuple):
    """A label in a neighborhood."""

    digest: bytes
    copies: int
    pages: int
    place: int  # of a match that has it: part file and offset


class Dossier:
    """A neighborhood: its pages and chunks, the worst pages, the most copied labels."""

    def __init__(self, prefix: str):
        self.prefix = prefix
        self.pages = self.bad = self.total = 0
        self.labels: list[Copied] = []
        self._worst: list[tuple[int, bytes, Match]] = []

    def add(self, match: Match, is_judged: bool) -> None:
        """Take a page in."""
        self.pages += 1
        if is_judged:
            self.bad += match.bad
            self.total += match.total
        order = rids.sort_key(match.rid)
        self._worst.append((-match.bad, order, match._replace(labels=b'')))
        if len(self._worst) > 10 * PAGES:
            self._worst = sorted(self._worst)[:PAGES]

    @property
    def worst(self) -> list[Match]:
        """The pages with most labels."""
        return [match for _, _, match in sorted(self._worst)[:PAGES]]


def looked_for(run: str, detected: DetectRecord) -> tuple[list[str], Labels]:
    """The part files with the matches of a run, and the labels that they number."""
    if not detected.matches:
        raise UserError(f'{run}: has no result of detect; run detect on it first')
    name, matches = detected.labels, detected.matches
    labels = label_files.load(name)
    if mapped.file_digest(name) != detected.labels_digest:
        raise UserError(f'{name}: not the labels of {run} any more; run detect again')
    if not storage.is_dir(matches):
        raise UserError(f'{matches}: gone, but {run} is made of it; run detect again')
    return storage.list_part_names(matches), labels


class Matches:
    """The matches of a run, and the labels that were looked for."""

    def __init__(self, run: str, record: RunRecord):
        self._parts, self._labels = looked_for(run, record.detect)
        self._paths, self._detected = record.paths, record.detect
        self._recipe = Recipe.from_options(record.made_of)

    def dossiers(self, prefixes: Collection[str]) -> list[Dossier]:
        """What is known of some neighborhoods, in their order."""
        found = {prefix: Dossier(prefix) for prefix in prefixes}
        numbers = {prefix: number for number, prefix in enumerate(found)}
        least = self._detected.rule['min_chunks']
        table = spilling.MergeTable([SUM, SUM, MIN], storage.open_scratch)
        held: list[tuple[int, int, bytes]] = []
        for place, match, around in self._matches(found):
            for prefix in around:
                found[prefix].add(match, match.total >= least)
                held.append((numbers[prefix], place, match.labels))
            if len(held) >= BATCH:
                table.add(rows_of(held))
                held = []
        if held:
            table.add(rows_of(held))
        dossiers = list(found.values())
        for number, label, numbers_ in top_of(table, len(self._labels.chunks)):
            digest = self._labels.chunks[label].tobytes()
            dossiers[number].labels.append(Copied(digest, *numbers_))
        return dossiers

    def _matches(
        self, wanted: Collection[str]
    ) -> Iterator[tuple[int, Match, list[str]]]:
        """The pages of some neighborhoods: where the line is, the match, of which."""
        hosts = {prefix.partition('/')[0] for prefix in wanted}
        by_domain = self._detected.levels == 'domain'
        for place, line in self._lines():
            key, _, rest = line.partition(b'\t')
            url = to_text(rest.partition(b'\t')[0])
            near = urls.neighborhood_of(url)
            host = near.partition('/')[0]
            if by_domain:
                host = domains.registered_domain(host) if host else ''
                near = f'{host}/'
            if host not in hosts or key == protocol.LAST:
                continue
            around = [
                one for one in urls.enclosing_neighborhoods(near) if one in wanted
            ]
            [pair] = protocol.read_lines([line])
            match = matching.read_match(*pair) if around else None
            if match and match.total is not None:
                yield place, match, around

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        for number, part in enumerate(self._parts):
            place = number << OFFSET_BITS
            with storage.open_read(part) as stream:
                for line in stream:
                    yield place, line
                    place += len(line)

    def previews(self, labels: Iterable[Copied]) -> dict[bytes, str]:
        """The beginnings of some labels, out of the archives."""
        wanted: dict[str, set[bytes]] = {}
        for label in labels:
            wanted.setdefault(self._rid_at(label.place), set()).add(label.digest)
        found = {digest: GONE for digests in wanted.values() for digest in digests}
        for rid, item in lookup.read_items(wanted, self._paths, UNREADABLE):
            if item is None:
                continue
            with contextlib.suppress(*UNREADABLE):
                chunks = previews.chunks_in(item, self._recipe, wanted[rid])
                for digest, chunk in chunks:
                    found[digest] = previews.preview(chunk)
        return found

    def _rid_at(self, place: int) -> str:
        part, offset = divmod(place, 1 << OFFSET_BITS)
        with storage.open_read(self._parts[part], offset) as stream:
            return to_text(stream.readline().partition(b'\t')[0])


def rows_of(held: list[tuple[int, int, bytes]]) -> Rows:
    """The labels of some pages: neighborhood and label; copies, pages, a place.

    Keys are spread over all numbers, as a table that spills wants them.
    """
    numbers, places, packed = zip(*held, strict=True)
    owners, labels, copies = matching.unpack_labels(packed)
    keys = np.array(numbers, np.uint64)[owners] << matching.NUMBER_BITS | labels
    with np.errstate(over='ignore'):
        keys = matching.keys_of(keys * SPREAD)
    where = np.array(places, np.uint64)[owners]
    return Rows(keys, (copies, np.ones(len(copies), np.uint64), where))


Top = tuple[int, int, tuple[int, int, int]]


def top_of(table: spilling.MergeTable, chunks: int) -> Iterator[Top]:
    """The labels with most copies of each neighborhood; of whole files none."""
    best = np.zeros((0, 5), np.uint64)
    for rows in table.drain():
        with np.errstate(over='ignore'):
            keys = matching.numbers_of(rows.keys) * BACK
        number, label = keys >> matching.NUMBER_BITS, keys & LABEL
        some = np.stack([number, label, *rows.columns], axis=1)[label < chunks]
        best = np.concatenate([best, some])
        best = best[np.lexsort([best[:, 1], LABEL - best[:, 2], best[:, 0]])]
        _, starts, sizes = np.unique(best[:, 0], return_index=True, return_counts=True)
        best = best[np.arange(len(best)) - np.repeat(starts, sizes) < TOP]
    for number, label, *columns in best.tolist():
        yield number, label, tuple(columns)


LABEL = (np.uint64(1) << matching.NUMBER_BITS) - np.uint64(1)


def text(matches: Matches, prefix: str) -> str:
    """What is told of a neighborhood."""
    [found] = matches.dossiers([prefix])
    if not found.pages:
        raise UserError(
            f'{prefix}: no page of the run is in it; see {NEIGHBORHOODS.file}'
        )
    texts = matches.previews(found.labels)
    share = f'{found.bad / found.total:.3f}' if found.total else '-'
    lines = [
        f'{prefix}: {found.pages:,} pages; {found.bad:,} of {found.total:,} chunks are '
        f'labels ({share})',
        '',
        f'{"copies":>7} {"pages":>7}  chunk',
    ]
    for one in found.labels:
        lines += [
            f'{one.copies:>7,} {one.pages:>7,}  {one.digest.hex()}',
            f'{"":17}{texts[one.digest][:70]}',
        ]
    lines += ['', f'{"bad":>7} {"total":>7}  page', *map(_page, found.worst)]
    return '\n'.join(lines) + '\n'


def _page(match: Match) -> str:
    name = to_text(match.rid)
    return f'{match.bad:>7,} {match.total:>7,}  {name}  {match.url.decode()}'
