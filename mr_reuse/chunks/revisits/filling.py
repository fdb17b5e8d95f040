r"""Fill the lines of resolved revisits with the chunks of their targets.

    fill/PART  texts: digest of the target, order, a page line of the target or the line
               of a revisit
    line/PART  texts: page lines that are complete

A page line of a target comes before the revisits that refer to it.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator

from mr_reuse.archives import rids
from mr_reuse.archives.dates import parse_date
from mr_reuse.chunks.page_lines import (
    CHUNKS,
    DATE,
    KIND,
    PACKED,
    REFERS_TO,
    RESOLVED,
    URL,
    Fields,
    SplitLine,
    has_kind,
    is_unresolved,
    split_fields,
)
from mr_reuse.chunks.revisits.resolving import take_over, target_of
from mr_reuse.chunks.revisits.texts import (
    RECORD,
    SEEKER,
    Texts,
    read_groups,
    split_text,
)
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages.skipped import SkippedCaptures, rid_digest
from mr_reuse.shuffle.mapped_digests import MappedDigests
from mr_reuse.shuffle.partitions import name_digest, unit_of, unpack_texts
from mr_reuse.shuffle.protocol import Line

IN_MEMORY = 16 << 20  # bytes of the lines of a target; more are spilled to disk


def needs_chunks(key: bytes, fields: Fields, captures: SkippedCaptures) -> bool:
    """Test whether a resolved revisit needs the chunks of its target.

    A capture that is not kept counts for dates only. If its target is an earlier
    capture of the same URL, that one has the same chunks on the same site.
    """
    return not captures.is_skipped(key) or adds_date(fields)


def adds_date(fields: Fields) -> bool:
    """Test whether the chunks of a revisit may be new on its URL, or the date older.

    >>> fields = [b''] * 13
    >>> fields[URL], fields[DATE] = b'http://a/', b'2020-01-02T00:00:00Z'
    >>> def refers_to(text):
    ...     fields[REFERS_TO] = text
    ...     return adds_date(fields)
    >>> refers_to(b'2020-01-01T00:00:00Z x:7 http://a/')
    False
    >>> refers_to(b'2020-01-01T00:00:00Z x:7 http://b/'), refers_to(b' x:7 http://a/')
    (True, True)
    """
    target = target_of(fields)
    is_same = to_bytes(target.uri) == fields[URL]
    return not is_same or parse_date(target.date) > parse_date(to_text(fields[DATE]))


def fill(revisit: SplitLine, line: SplitLine) -> Line:
    """Return the page line of a revisit with the chunks of a line of its target."""
    rid, of_revisit = revisit
    key, fields = line
    suffix = key[len(rids.rid_of(key)) :]  # of a further line
    indexes = (URL, DATE, REFERS_TO, KIND) if suffix else (CHUNKS, PACKED)
    lines = (fields, of_revisit) if suffix else (of_revisit, fields)
    return rid + suffix, b'\t'.join(take_over(*lines, indexes))


class FillCollector:
    """A `Collector` of page lines: resolved revisits, and the lines of targets."""

    def __init__(self, targets: MappedDigests, captures: SkippedCaptures, bits: int):
        self._targets, self._captures = targets, captures
        self._texts = Texts(bits)

    def add(self, key: bytes, value: bytes) -> Iterable[Line]:
        """Add a page line. This is no generator, as most lines are left out."""
        if has_kind(value, RESOLVED):
            return self._add_revisit(key, split_fields(key, value))
        rid = rids.rid_of(key)
        if is_unresolved(value) or rid_digest(rid) not in self._targets:
            return ()
        line = key, split_fields(key, value)
        return self._texts.add('fill', name_digest(rid), RECORD, line)

    def _add_revisit(self, key: bytes, fields: Fields) -> Iterable[Line]:
        if not needs_chunks(key, fields, self._captures):
            return self._texts.add('line', name_digest(key), RECORD, (key, fields))
        digest = name_digest(to_bytes(target_of(fields).id))
        return self._texts.add('fill', digest, SEEKER, (key, fields))

    def finish(self) -> Iterator[Line]:
        """Yield the remaining lines."""
        yield from self._texts.drain()


class FilledLines:
    """A reducer of the lines of targets and of the revisits that refer to them."""

    def __init__(self) -> None:
        self.stats = Counter(chunks=0)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the page lines of the revisits of a partition."""
        if unit_of(key) == 'line':
            for value in values:
                for _, (rid, fields) in map(split_text, unpack_texts(value)):
                    yield rid, b'\t'.join(fields)
            return
        for group in read_groups(values):
            with tempfile.SpooledTemporaryFile(IN_MEMORY) as lines:
                for order, (rid, fields) in group:
                    if order == RECORD:
                        lines.write(b'\t'.join([rid, *fields]) + b'\n')
                        continue
                    lines.seek(0)
                    for line in lines:
                        target, *others = line.rstrip(b'\n').split(b'\t')
                        self.stats['chunks'] += int(others[CHUNKS])
                        yield fill((rid, fields), (target, others))
