"""The labels of neighborhoods, and the pages that have most of them.

The matches of a run are read once for any number of neighborhoods.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import domains, rids, urls
from mr_reuse.chunks.chunk_tables import NEIGHBORHOODS
from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.detect.matching import Match
from mr_reuse.chunks.detect.origins import MIN, SCRAMBLE, scramble
from mr_reuse.chunks.discover.label_texts import read_texts
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.profiles import holders
from mr_reuse.engine import step_output
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import format_count, to_text
from mr_reuse.shuffle import packing, protocol, spilling
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import SUM, Rows

MAX_LABELS = 10  # to describe in a neighborhood
MAX_PAGES = 5  # to describe in a neighborhood
NO_LABEL = 'no chunk is a label'
BATCH_PAGES = 5_000  # pages whose labels to unpack together
OFFSET_BITS = 44  # of a position; the other 20 are the number of a part file
# A neighborhood and a label are one number of 64 bits. `scramble` multiplies it. The
# inverse of the factor modulo 2^64 restores it.
UNSCRAMBLE = np.uint64(pow(int(SCRAMBLE), -1, 1 << 64))
LABEL_MASK = (np.uint64(1) << matching.NUMBER_BITS) - np.uint64(1)


Counts = dict[bytes, int]  # numbers of hosts by digest


class CopiedLabel(NamedTuple):
    """A label in a neighborhood."""

    digest: bytes
    copies: int
    pages: int
    position: int  # of the line of a match with it: part file and offset


class Profile:
    """A neighborhood: numbers, pages with most labels, most copied labels."""

    def __init__(self, prefix: str):
        self.prefix = prefix
        self.pages = self.bad = self.total = 0
        self.labels: list[CopiedLabel] = []
        # Sort key, and match without its labels. May have more pages than are needed.
        self._worst: list[tuple[int, bytes, Match]] = []

    def add(self, match: Match, is_judged: bool) -> None:
        """Add a page; its chunks count only if it is judged."""
        self.pages += 1
        if is_judged:
            self.bad += match.bad
            self.total += match.total
        order = rids.sort_key(match.rid)
        self._worst.append((-match.bad, order, match._replace(labels=b'')))
        if len(self._worst) > 10 * MAX_PAGES:
            self._worst = sorted(self._worst)[:MAX_PAGES]

    @property
    def worst(self) -> list[Match]:
        """The pages with most labels, the worst first."""
        return [match for _, _, match in sorted(self._worst)[:MAX_PAGES]]


def load_matches(run: str, detected: DetectRecord) -> tuple[list[str], Labels]:
    """Return the part files with the matches of a run, and their labels.

    Raises `UserError` if one of these has changed or is missing.
    """
    if not detected.matches:
        raise UserError(f'{run}: has no result of detect; run detect on it first')
    name, matches = detected.labels, detected.matches
    labels = label_files.load(name)
    if label_files.read_digest(name) != detected.labels_digest:
        raise UserError(f'{name}: changed since detect on {run}; run detect again')
    if not storage.is_dir(matches):
        raise UserError(f'{matches}: missing, but {run} needs it; run detect again')
    return step_output.list_sound_parts(matches), labels


class Matches:
    """The matches of a run, and the labels that `detect` looked for."""

    def __init__(self, run: str, record: RunRecord):
        self._parts, self._labels = load_matches(run, record.detect)
        self._record, self._detected = record, record.detect
        self.facts = Facts.of(record.detect)

    def profile(self, prefixes: Collection[str]) -> list[Profile]:
        """Describe neighborhoods, in their order."""
        by_prefix = {prefix: Profile(prefix) for prefix in prefixes}
        numbers = {prefix: number for number, prefix in enumerate(by_prefix)}
        min_chunks = self._detected.rule['min_chunks']
        table = spilling.MergeTable([SUM, SUM, MIN], storage.open_scratch)
        pages: list[tuple[int, int, bytes]] = []
        size = 0
        for position, match, enclosing in self._read_matches(by_prefix):
            for prefix in enclosing:
                if match.total is not None:
                    by_prefix[prefix].add(match, match.total >= min_chunks)
                pages.append((numbers[prefix], position, match.labels))
                size += len(match.labels)
            if len(pages) >= BATCH_PAGES or size >= matching.BATCH_BYTES:
                table.add(make_label_rows(pages))
                pages, size = [], 0
        if pages:
            table.add(make_label_rows(pages))
        profiles = list(by_prefix.values())
        for number, label, columns in select_top(table, len(self._labels.chunks)):
            digest = self._labels.chunks[label].tobytes()
            profiles[number].labels.append(CopiedLabel(digest, *columns))
        return profiles

    def _read_matches(
        self, prefixes: Collection[str]
    ) -> Iterator[tuple[int, Match, list[str]]]:
        """Yield the pages of neighborhoods: position of the line, match, prefixes.

        Most lines are of other hosts, so hosts are compared before lines are parsed.
        """
        hosts = {prefix.partition('/')[0] for prefix in prefixes}
        by_domain = self._detected.levels == 'domain'
        for position, line in self._read_lines():
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
                prefix
                for prefix in urls.enclosing_neighborhoods(smallest)
                if prefix in prefixes
            ]
            [pair] = protocol.read_lines([line])
            match = matching.read_match(*pair) if enclosing else None
            if match and match.is_kept:
                yield position, match, enclosing

    def _read_lines(self) -> Iterator[tuple[int, bytes]]:
        for number, part in enumerate(self._parts):
            position = number << OFFSET_BITS
            with storage.open_read(part) as stream:
                for line in stream:
                    yield position, line
                    position += len(line)

    def read_previews(self, labels: Iterable[CopiedLabel]) -> dict[bytes, str]:
        """Read the beginnings of labels from the archives, by digest."""
        by_rid: dict[str, set[bytes]] = {}
        for label in labels:
            by_rid.setdefault(self._rid_at(label.position), set()).add(label.digest)
        return read_texts(by_rid, self._record)

    def count_other_hosts(self, prefix: str, labels: Iterable[CopiedLabel]) -> Counts:
        """Count the hosts outside a neighborhood that have each label, by digest."""
        digests = sorted({label.digest for label in labels})
        if not digests:
            return {}
        width = self._labels.recipe.width
        keys = packing.make_rows(b''.join(digests), width).keys
        numbers = DigestIndex(self._labels.chunks).find(keys).tolist()
        own, by_domain = prefix.partition('/')[0], self._detected.levels == 'domain'

        def is_other(host: str) -> bool:
            return own != (domains.registered_domain(host) if by_domain else host)

        found = holders.find_holders(self._parts, numbers, is_other)
        return dict(zip(digests, found.counts, strict=True))

    def _rid_at(self, position: int) -> str:
        part, offset = divmod(position, 1 << OFFSET_BITS)
        with storage.open_read(self._parts[part], offset) as stream:
            return to_text(rids.rid_of(stream.readline().partition(b'\t')[0]))


def make_label_rows(pages: list[tuple[int, int, bytes]]) -> Rows:
    """Make the rows of pages: (neighborhood and label; copies, pages, position).

    A page is the number of its neighborhood, a position, and packed labels.
    """
    neighborhoods, positions, packed = zip(*pages, strict=True)
    owners, labels, copies = matching.unpack_labels(packed)
    numbers = np.array(neighborhoods, np.uint64)[owners]
    keys = scramble(numbers << matching.NUMBER_BITS | labels)
    ones = np.ones(len(copies), np.uint64)
    return Rows(keys, (copies, ones, np.array(positions, np.uint64)[owners]))


Top = tuple[int, int, tuple[int, int, int]]  # neighborhood, label; columns of a row


def select_top(table: spilling.MergeTable, chunks: int) -> Iterator[Top]:
    """Yield the most copied labels of each neighborhood, without labels of files."""
    best = np.zeros((0, 5), np.uint64)
    for rows in table.drain():
        with np.errstate(over='ignore'):
            keys = matching.numbers_of(rows.keys) * UNSCRAMBLE
        neighborhood, label = keys >> matching.NUMBER_BITS, keys & LABEL_MASK
        more = np.stack([neighborhood, label, *rows.columns], axis=1)[label < chunks]
        best = np.concatenate([best, more])
        neighborhood, label, copies, *_ = best.T
        # The last key is the first to sort by. Copies are descending.
        best = best[np.lexsort([label, LABEL_MASK - copies, neighborhood])]
        starts = packing.group_starts(best[:, 0])
        first = np.repeat(starts, np.diff(starts, append=len(best)))
        best = best[np.arange(len(best)) - first < MAX_LABELS]
    for neighborhood, label, *columns in best.tolist():
        yield neighborhood, label, tuple(columns)


def format_profile(matches: Matches, prefix: str) -> str:
    """Describe a neighborhood for printing."""
    [hood] = matches.profile([prefix])
    if not hood.pages:
        raise UserError(
            f'{prefix}: no page of the run is in it; see {NEIGHBORHOODS.file}'
        )
    texts = matches.read_previews(hood.labels)
    other_hosts = matches.count_other_hosts(prefix, hood.labels)
    share = f'{hood.bad / hood.total:.3f}' if hood.total else '-'
    source = matches.facts.source_of(prefix)
    lines = [
        f'{prefix}: {format_count(hood.pages, "page")}; {hood.bad:,} of '
        f'{format_count(hood.total, "chunk is a label", "chunks are labels")} '
        f'({share})',
        *([f'you named {source} as a source'] if source else []),
        '',
    ]
    if not hood.labels:
        return '\n'.join([*lines, f'{NO_LABEL}\n'])
    lines.append(f'{"copies":>7} {"pages":>7} {"other hosts":>11}  chunk')
    for label in hood.labels:
        lines += [
            f'{label.copies:>7,} {label.pages:>7,} {other_hosts[label.digest]:>11,}  '
            f'{label.digest.hex()}',
            f'{"":29}{texts[label.digest][:70]}',
        ]
    lines += ['', f'{"bad":>7} {"total":>7}  page', *map(_format_page, hood.worst)]
    return '\n'.join(lines) + '\n'


def _format_page(match: Match) -> str:
    rid, url = to_text(match.rid), match.url.decode()
    return f'{match.bad:>7,} {match.total:>7,}  {rid}  {url}'
