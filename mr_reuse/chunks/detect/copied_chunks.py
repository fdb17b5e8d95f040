"""The labels of neighborhoods, and the pages that have most of them.

The matches of a run are read once for any number of neighborhoods.
"""

import contextlib
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import domains, rids, urls
from mr_reuse.archives.framing import Lost
from mr_reuse.chunks.chunk_tables import NEIGHBORHOODS
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.detect.origins import MIN, SPREAD
from mr_reuse.chunks.discover import previews
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, to_text
from mr_reuse.pages import lookup
from mr_reuse.shuffle import protocol, spilling
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.storage import mapped

GONE = '(not in the archive any more)'
UNREADABLE = (OSError, UserError, Lost)  # missing, without an answer, damaged
TOP = 10  # labels of a neighborhood
PAGES = 5  # pages of a neighborhood
BATCH = 5_000  # pages whose labels to unpack together
OFFSET_BITS = 44  # of a position: part file and offset in it
BACK = np.uint64(pow(int(SPREAD), -1, 1 << 64))  # inverse of SPREAD modulo 2^64


class Copied(NamedTuple):
    """A label in a neighborhood."""

    digest: bytes
    copies: int
    pages: int
    place: int  # position of a match with it: part file and offset


class Dossier:
    """A neighborhood: numbers, pages with most labels, most copied labels."""

    def __init__(self, prefix: str):
        self.prefix = prefix
        self.pages = self.bad = self.total = 0
        self.labels: list[Copied] = []
        self._worst: list[tuple[int, bytes, Match]] = []

    def add(self, match: Match, is_judged: bool) -> None:
        """Add a page; its chunks count only if it is judged."""
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
        """The pages with most labels, the worst first."""
        return [match for _, _, match in sorted(self._worst)[:PAGES]]


def load_matches(run: str, detected: DetectRecord) -> tuple[list[str], Labels]:
    """Return the part files with the matches of a run, and their labels.

    Raises `UserError` if one of these has changed or is missing.
    """
    if not detected.matches:
        raise UserError(f'{run}: has no result of detect; run detect on it first')
    name, matches = detected.labels, detected.matches
    labels = label_files.load(name)
    if mapped.file_digest(name) != detected.labels_digest:
        raise UserError(f'{name}: changed since detect on {run}; run detect again')
    if not storage.is_dir(matches):
        raise UserError(f'{matches}: missing, but {run} needs it; run detect again')
    return storage.list_part_names(matches), labels


class Matches:
    """The matches of a run, and the labels that `detect` looked for."""

    def __init__(self, run: str, record: RunRecord):
        self._parts, self._labels = load_matches(run, record.detect)
        self._paths, self._detected = record.paths, record.detect
        self._recipe = Recipe.from_options(record.page_options)

    def dossiers(self, prefixes: Collection[str]) -> list[Dossier]:
        """Describe neighborhoods, in their order."""
        by_prefix = {prefix: Dossier(prefix) for prefix in prefixes}
        numbers = {prefix: number for number, prefix in enumerate(by_prefix)}
        least = self._detected.rule['min_chunks']
        table = spilling.MergeTable([SUM, SUM, MIN], storage.open_scratch)
        buffer: list[tuple[int, int, bytes]] = []
        for position, match, enclosing in self._matches(by_prefix):
            for prefix in enclosing:
                by_prefix[prefix].add(match, match.total >= least)
                buffer.append((numbers[prefix], position, match.labels))
            if len(buffer) >= BATCH:
                table.add(label_rows(buffer))
                buffer = []
        if buffer:
            table.add(label_rows(buffer))
        dossiers = list(by_prefix.values())
        for number, label, columns in select_top(table, len(self._labels.chunks)):
            digest = self._labels.chunks[label].tobytes()
            dossiers[number].labels.append(Copied(digest, *columns))
        return dossiers

    def _matches(
        self, wanted: Collection[str]
    ) -> Iterator[tuple[int, Match, list[str]]]:
        """Yield the pages of neighborhoods: position of the line, match, prefixes.

        Most lines are of other hosts, so hosts are compared before lines are parsed.
        """
        hosts = {prefix.partition('/')[0] for prefix in wanted}
        by_domain = self._detected.levels == 'domain'
        for position, line in self._lines():
            key, _, rest = line.partition(b'\t')
            url = to_text(rest.partition(b'\t')[0])
            smallest = urls.neighborhood_of(url)
            host = smallest.partition('/')[0]
            if by_domain:
                host = domains.registered_domain(host) if host else ''
                smallest = f'{host}/'
            if host not in hosts or key == protocol.LAST_KEY:
                continue
            enclosing = [
                p for p in urls.enclosing_neighborhoods(smallest) if p in wanted
            ]
            [pair] = protocol.read_lines([line])
            match = matching.read_match(*pair) if enclosing else None
            if match and match.total is not None:
                yield position, match, enclosing

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        for number, part in enumerate(self._parts):
            position = number << OFFSET_BITS
            with storage.open_read(part) as stream:
                for line in stream:
                    yield position, line
                    position += len(line)

    def previews(self, labels: Iterable[Copied]) -> dict[bytes, str]:
        """Read the beginnings of labels from the archives, by digest."""
        wanted: dict[str, set[bytes]] = {}
        for label in labels:
            wanted.setdefault(self._rid_at(label.place), set()).add(label.digest)
        texts = {digest: GONE for digests in wanted.values() for digest in digests}
        for rid, item in lookup.read_items(wanted, self._paths, UNREADABLE):
            if item is None:
                continue
            with contextlib.suppress(*UNREADABLE):
                chunks = previews.find_chunks(item, self._recipe, wanted[rid])
                for digest, chunk in chunks:
                    texts[digest] = previews.make_preview(chunk)
        return texts

    def _rid_at(self, position: int) -> str:
        part, offset = divmod(position, 1 << OFFSET_BITS)
        with storage.open_read(self._parts[part], offset) as stream:
            return to_text(stream.readline().partition(b'\t')[0])


def label_rows(pages: list[tuple[int, int, bytes]]) -> Rows:
    """Return the labels of pages: (neighborhood and label; copies, pages, position).

    The keys are multiplied by SPREAD, as a table divides spilled rows by their first
    bits.
    """
    numbers, positions, packed = zip(*pages, strict=True)
    owners, labels, copies = matching.unpack_labels(packed)
    keys = np.array(numbers, np.uint64)[owners] << matching.NUMBER_BITS | labels
    with np.errstate(over='ignore'):
        keys = matching.keys_of(keys * SPREAD)
    of_label = np.array(positions, np.uint64)[owners]
    return Rows(keys, (copies, np.ones(len(copies), np.uint64), of_label))


Top = tuple[int, int, tuple[int, int, int]]  # neighborhood, label; columns


def select_top(table: spilling.MergeTable, chunks: int) -> Iterator[Top]:
    """Yield the most copied labels of each neighborhood, without labels of files."""
    best = np.zeros((0, 5), np.uint64)
    for rows in table.drain():
        with np.errstate(over='ignore'):
            keys = matching.numbers_of(rows.keys) * BACK
        number, label = keys >> matching.NUMBER_BITS, keys & LABEL
        more = np.stack([number, label, *rows.columns], axis=1)[label < chunks]
        best = np.concatenate([best, more])
        # By neighborhood, then copies descending, then label.
        best = best[np.lexsort([best[:, 1], LABEL - best[:, 2], best[:, 0]])]
        _, starts, sizes = np.unique(best[:, 0], return_index=True, return_counts=True)
        best = best[np.arange(len(best)) - np.repeat(starts, sizes) < TOP]
    for number, label, *columns in best.tolist():
        yield number, label, tuple(columns)


LABEL = (np.uint64(1) << matching.NUMBER_BITS) - np.uint64(1)


def format_dossier(matches: Matches, prefix: str) -> str:
    """Describe a neighborhood for printing."""
    [hood] = matches.dossiers([prefix])
    if not hood.pages:
        raise UserError(
            f'{prefix}: no page of the run is in it; see {NEIGHBORHOODS.file}'
        )
    texts = matches.previews(hood.labels)
    share = f'{hood.bad / hood.total:.3f}' if hood.total else '-'
    lines = [
        f'{prefix}: {format_count(hood.pages, "page")}; {hood.bad:,} of '
        f'{format_count(hood.total, "chunk is a label", "chunks are labels")} '
        f'({share})',
        '',
        f'{"copies":>7} {"pages":>7}  chunk',
    ]
    for label in hood.labels:
        lines += [
            f'{label.copies:>7,} {label.pages:>7,}  {label.digest.hex()}',
            f'{"":17}{texts[label.digest][:70]}',
        ]
    lines += ['', f'{"bad":>7} {"total":>7}  page', *map(_page, hood.worst)]
    return '\n'.join(lines) + '\n'


def _page(match: Match) -> str:
    name = to_text(match.rid)
    return f'{match.bad:>7,} {match.total:>7,}  {name}  {match.url.decode()}'
