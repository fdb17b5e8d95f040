r"""Find the targets of revisits: a join of page lines by the keys of `keys.py`.

    ask/PART     texts: key, order, then a record that has the key, or a revisit that
                 looks for it
    answer/PART  texts: rid, order, page line: of the revisit with this rid
    state/PART   texts: rid, order, page line: of the revisit with this rid, or of one
                 that refers to it

Digests stand for keys and rids. The texts of a partition are sorted, so the best record
of a key comes before the revisits that look for it, and the best answer to a revisit
before the others. A target is a page line without its chunks.

A revisit may refer to another revisit. A round replaces the target of such a revisit
by the target of its target, so N rounds follow 2^N references.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from mr_reuse.archives import dates, rids
from mr_reuse.archives.references import Reference, parse_reference
from mr_reuse.chunks.page_captures import is_further_line
from mr_reuse.chunks.page_lines import (
    DATE,
    FILE_HASH,
    KIND,
    PACKED,
    REFERS_TO,
    RESOLVED,
    REVISIT,
    SIZE,
    TRUNCATED,
    TYPE,
    URL,
    Fields,
    SplitLine,
    is_page,
    split_fields,
)
from mr_reuse.chunks.revisits.keys import keys_of_record, keys_of_reference
from mr_reuse.chunks.revisits.texts import RECORD, SEEKER, Texts, read_groups
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages import revisits
from mr_reuse.shuffle.mapped_digests import MappedDigests
from mr_reuse.shuffle.partitions import name_digest, unit_of
from mr_reuse.shuffle.protocol import Line

ROUNDS = 3  # of references among revisits
POINTER = b'pointer'  # kind of a revisit whose target is a revisit
OF_PAGE, OF_REVISIT, NO_TARGET = b'0', b'1', b'2'  # order of answers, by their targets
OF_TARGET = (TYPE, SIZE, FILE_HASH, TRUNCATED)  # fields that a revisit takes over


def take_over(fields: Fields, source: Fields, indexes: Iterable[int]) -> Fields:
    """Return fields with some of those of another line."""
    taken = list(fields)
    for index in indexes:
        taken[index] = source[index]
    return taken


def refer(revisit: Fields, key: bytes, target: Fields) -> Fields:
    """Return the fields of a revisit with those of its target, which has this key."""
    fields = take_over(revisit, target, OF_TARGET)
    date = dates.format_date(dates.parse_date(to_text(target[DATE])))
    reference = Reference(date, to_text(key), to_text(target[URL]))
    fields[REFERS_TO] = to_bytes(str(reference))
    fields[KIND] = POINTER if target[KIND] == REVISIT else RESOLVED
    return fields


def follow(revisit: Fields, target: Fields) -> Fields:
    """Replace the target of a revisit by the target of that one.

    If that one has no target, the revisit loses its own.
    """
    is_lost = target[KIND] == REVISIT
    indexes = (KIND,) if is_lost else (*OF_TARGET, REFERS_TO, KIND)
    return take_over(revisit, target, indexes)


def target_of(fields: Fields) -> Reference:
    """Return the reference of a revisit to its target."""
    return parse_reference(to_text(fields[REFERS_TO]))


def order_record(key: bytes, fields: Fields) -> bytes:
    """Return the order of a record among those with the same key.

    Pages and other files come before revisits. Those that are complete, and therefore
    have a file hash, come before others.
    """
    marks = fields[KIND] == REVISIT, not fields[FILE_HASH]
    return b'%b%d%d%b' % (RECORD, *marks, rids.sort_key(key))


class AskCollector:
    """A `Collector` of page lines: revisits, and the records that they may refer to."""

    def __init__(self, wanted: MappedDigests, bits: int):
        self._wanted, self._texts = wanted, Texts(bits)

    def add(self, key: bytes, value: bytes) -> Iterator[Line]:
        """Add a page line."""
        if b'#' in key and is_further_line(key):
            return
        fields = split_fields(key, value)
        if fields[KIND] == REVISIT:
            yield from self._ask(key, fields)
        found = [d for d in keys_of_record(fields) if d in self._wanted]
        if not found:
            return
        order = order_record(key, fields)
        line = key, [*fields[:PACKED], b'', *fields[PACKED + 1 :]]
        for digest in found:
            yield from self._texts.add('ask', digest, order, line)

    def _ask(self, key: bytes, fields: Fields) -> Iterator[Line]:
        """Look for the target of a revisit under each of its keys."""
        for rank, digest in enumerate(keys_of_reference(fields)):
            if digest:
                order = b'%b%d' % (SEEKER, rank)
                yield from self._texts.add('ask', digest, order, (key, fields))
        # The answer that counts if there is no other.
        yield from self._texts.add('answer', name_digest(key), NO_TARGET, (key, fields))

    def finish(self) -> Iterator[Line]:
        """Yield the remaining lines."""
        yield from self._texts.drain()


class AnswerCollector:
    """A reducer of records and revisits by their keys: answers the revisits."""

    def __init__(self, bits: int):
        self._texts = Texts(bits)

    def add(self, key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
        """Answer the revisits of a partition of the keys."""
        if unit_of(key) == 'answer':
            for value in values:
                yield key, value
            return
        for group in read_groups(values):
            target = None
            for order, line in group:
                if order.startswith(RECORD):
                    target = target or line
                elif target:
                    yield from self._answer(order, line, target)

    def _answer(
        self, order: bytes, revisit: SplitLine, target: SplitLine
    ) -> Iterable[Line]:
        key, fields = revisit
        fields = refer(fields, *target)
        kind = OF_REVISIT if fields[KIND] == POINTER else OF_PAGE
        return self._texts.add('answer', name_digest(key), kind + order, (key, fields))

    def finish(self) -> Iterator[Line]:
        """Yield the remaining answers."""
        yield from self._texts.drain()


class StateCollector:
    """A reducer of the answers to revisits, or of their states after a round."""

    def __init__(self, bits: int):
        self._texts = Texts(bits)

    def choose(self, values: Iterable[bytes]) -> Iterator[Line]:
        """Choose the best answer to each revisit of a partition."""
        for group in read_groups(values):
            _, line = next(group)
            yield from self._add(line)

    def follow(self, values: Iterable[bytes]) -> Iterator[Line]:
        """Let each revisit follow the reference of its target."""
        for line in follow_round(values):
            yield from self._add(line)

    def _add(self, line: SplitLine) -> Iterator[Line]:
        key, fields = line
        yield from self._texts.add('state', name_digest(key), RECORD, line)
        if fields[KIND] == POINTER:
            digest = name_digest(to_bytes(target_of(fields).id))
            yield from self._texts.add('state', digest, SEEKER, line)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining states."""
        yield from self._texts.drain()


def follow_round(values: Iterable[bytes]) -> Iterator[SplitLine]:
    """Yield the page lines of revisits after a round, in the order of the states.

    A revisit that refers to another one has a state there, which replaces its own.
    """
    for group in read_groups(values):
        target = None
        for order, (key, fields) in group:
            if order == SEEKER:
                yield key, follow(fields, target)
                continue
            target = fields
            if fields[KIND] != POINTER:
                yield key, fields


class ResolvedLines:
    """The page lines of resolved revisits, and the numbers of all revisits."""

    def __init__(self) -> None:
        self.stats: Counter[str] = Counter()

    def add(self, values: Iterable[bytes]) -> Iterator[Line]:
        """Yield the lines of a partition, after a last round."""
        for key, fields in follow_round(values):
            if fields[KIND] == RESOLVED:
                self.stats.update(resolved=1, pages=is_page(fields))
                yield key, b'\t'.join(fields)
            else:
                self.stats[reason_of(fields)] += 1


def reason_of(fields: Fields) -> str:
    """Return the reason why a revisit has no target."""
    if fields[KIND] == POINTER:
        return revisits.ENDLESS
    is_reference = any(keys_of_reference(fields))
    return revisits.NOT_HERE if is_reference else revisits.NO_REFERENCE
