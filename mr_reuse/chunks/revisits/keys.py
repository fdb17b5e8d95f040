"""The keys under which revisits look for their targets.

A record has up to three keys: its id, its URL with its date, and its payload digest. A
revisit looks for records with the same keys as its reference, the best key first.
"""

from collections.abc import Iterable, Iterator

from mr_reuse import storage
from mr_reuse.archives.dates import UNKNOWN, parse_date
from mr_reuse.archives.references import parse_reference
from mr_reuse.chunks.page_lines import (
    DATE,
    KIND,
    PAYLOAD_DIGEST,
    RECORD_ID,
    REFERS_TO,
    REVISIT,
    URL,
    Fields,
    is_unresolved,
    split_fields,
)
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages.capture_lines import DigestCounter
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.packing import SUM, Rows
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.shuffle.protocol import Line


def keys_of_record(fields: Fields) -> list[bytes]:
    """List the digests of the keys under which revisits can find a record.

    A revisit has no content of its own, so its payload digest is no key.
    """
    has_content = fields[KIND] != REVISIT
    digest = fields[PAYLOAD_DIGEST] if has_content else b''
    keys = _make_keys(fields[RECORD_ID], fields[URL], fields[DATE], digest)
    return [key for key in keys if key]


def keys_of_reference(fields: Fields) -> list[bytes]:
    """List the digests of the keys for which a revisit looks; b'' if it lacks one.

    >>> fields = [b''] * 13
    >>> fields[RECORD_ID], fields[PAYLOAD_DIGEST] = b'urn:uuid:7', b'sha1:ABC'
    >>> revisit = [b''] * 13
    >>> revisit[REFERS_TO], revisit[PAYLOAD_DIGEST] = b' urn:uuid:7 ', b'SHA1:abc'
    >>> by_id, by_url, by_digest = keys_of_reference(revisit)
    >>> [by_id, by_digest] == keys_of_record(fields), by_url
    (True, b'')
    """
    reference = parse_reference(to_text(fields[REFERS_TO]))
    date, record_id, uri = map(to_bytes, reference)
    return _make_keys(record_id, uri, date, fields[PAYLOAD_DIGEST])


def _make_keys(record_id: bytes, url: bytes, date: bytes, digest: bytes) -> list[bytes]:
    number = parse_date(to_text(date))
    place = b'%b %d' % (url, number) if url and number != UNKNOWN else b''
    # A digest in base32 or hexadecimal has the same meaning in any case.
    names = (b'i', record_id), (b'u', place), (b'd', digest.upper())
    return [name_digest(kind + name) if name else b'' for kind, name in names]


class KeyCounter(DigestCounter):
    """A `Collector` of page lines: counts the revisits that look for each key."""

    def add(self, key: bytes, value: bytes) -> Iterable[Line]:
        """Add a page line."""
        if not is_unresolved(value):
            return ()
        return super().add(*filter(None, keys_of_reference(split_fields(key, value))))


def sort_keys(key: bytes, values: Iterable[bytes]) -> Iterator[Line]:
    """Yield the digests of a partition in order, each once."""
    table = spilling.MergeTable([SUM], storage.open_scratch)
    for value in values:
        table.add(packing.unpack(value))
    for rows in table.drain():
        for line in packing.pack_lines([Rows(rows.keys, ())]):
            yield key, line
