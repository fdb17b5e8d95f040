"""Read the content of captures by their rids: a revisit has that of its target."""

import itertools
from collections.abc import Collection, Iterable, Iterator

from mr_reuse.archives.items import Item
from mr_reuse.archives.references import Reference, parse_reference
from mr_reuse.chunks.page_lines import SplitLine, split_fields
from mr_reuse.chunks.revisits.resolving import target_of
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.record_shapes import RevisitsRecord
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages import lookup
from mr_reuse.shuffle import protocol, sorting

REVISIT, ROW = b'0', b'1'  # the target of a rid sorts before its rows
Rows = Iterator[tuple[str, bytes]]


def read_revisits(record: RevisitsRecord) -> Iterator[SplitLine]:
    """Yield the lines of all resolved revisits, without chunks."""
    for key, value in protocol.read_parts(step_output.list_sound_parts(record.targets)):
        yield key, split_fields(key, value)


def find_targets(record: RunRecord, wanted: Collection[str]) -> dict[str, Reference]:
    """Find the targets of revisits by their rids; other rids are left out."""
    if not (record.revisits and wanted):
        return {}
    keys = set(map(to_bytes, wanted))
    lines = read_revisits(record.revisits)
    return {to_text(key): target_of(fields) for key, fields in lines if key in keys}


def read_contents(
    wanted: Collection[str], record: RunRecord, tolerated: lookup.Errors = ()
) -> Iterator[tuple[str, Item | None]]:
    """Yield each rid with the item that has its content, as `lookup.read_items` does.

    The item of a revisit is that of its target. A revisit is found by the lack of an
    item, so runs without revisits pay nothing.
    """
    missing = []
    for rid, item in lookup.read_items(wanted, record.paths, tolerated):
        if item is None:
            missing.append(rid)
        else:
            yield rid, item
    targets = find_targets(record, missing)
    for rid in missing:
        target = targets.get(rid)
        names = [target.id] if target else []
        items = lookup.read_items(names, record.paths, tolerated)
        yield rid, next((item for _, item in items), None)


def follow_rows(rows: Rows, record: RevisitsRecord | None) -> Rows:
    """Replace the rids of revisits by those of their targets.

    Such a row gets the URL of the target as a further column.
    """
    return _join_targets(rows, read_revisits(record)) if record else rows


def _join_targets(rows: Rows, revisits: Iterable[SplitLine]) -> Rows:
    r"""Join rows with the lines of revisits by their rids.

    >>> revisit = [b''] * 11 + [b'2020-01-02T00:00:00Z a:7 http://a/', b'resolved']
    >>> rows = [('b:1', b'http://b/'), ('b:2', b'http://b/x')]
    >>> list(_join_targets(iter(rows), [(b'b:2', revisit)]))
    [('b:1', b'http://b/'), ('a:7', b'http://b/x\thttp://a/')]
    """
    lines = itertools.chain(
        (sorting.add_key(to_bytes(rid), ROW + row) for rid, row in rows),
        (
            sorting.add_key(key, REVISIT + to_bytes(str(target_of(fields))))
            for key, fields in revisits
        ),
    )
    for rid, group in sorting.group_rows(lines):
        target = None
        for row in group:
            kind, text = row[:1], row[1:]
            if kind == REVISIT:
                target = parse_reference(to_text(text))
            elif target:
                yield target.id, text + b'\t' + to_bytes(target.uri)
            else:
                yield to_text(rid), text
