"""The keys under which revisits look for their targets.

A record has up to three keys: its id, its URL with its date, and its payload digest. A
revisit looks for records with the same keys as its reference, the best key first.
"""

from collections.abc import Iterable, Iterator

import numpy as np

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
from mr_reuse.shuffle import packing, spilling
from mr_reuse.shuffle.packing import MAX, Rows
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.protocol import Line

BATCH = 100_000  # keys to merge together


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


class KeyCollector:
    """A `Collector` of page lines: the digests of the keys that revisits look for."""

    def __init__(self, bits: int):
        self._bits = bits
        self._digests: list[bytes] = []
        self._keys = spilling.MergeTable([MAX])

    def add(self, key: bytes, value: bytes) -> Iterable[Line]:
        """Add a page line. This is no generator, as few lines are of revisits."""
        if not is_unresolved(value):
            return ()
        self._digests += filter(None, keys_of_reference(split_fields(key, value)))
        return self._flush() if len(self._digests) >= BATCH else ()

    def _flush(self) -> Iterator[Line]:
        ones = np.ones(len(self._digests), np.uint64)
        rows = packing.make_rows(b''.join(self._digests), NAME_WIDTH, ones)
        self._digests = []
        if self._keys.add(rows):
            yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        yield from spilling.drain_lines(self._keys, 'key', self._bits)

    def finish(self) -> Iterator[Line]:
        """Yield the remaining digests."""
        yield from self._flush()
        yield from self._drain()


def sort_keys(key: bytes, values: Iterable[bytes], bits: int) -> Iterator[Line]:
    """Yield the digests of a partition in order, each once."""
    table = spilling.MergeTable([MAX], storage.open_scratch, bits)
    for value in values:
        table.add(packing.unpack(value))
    for rows in table.drain():
        for line in packing.pack_lines([Rows(rows.keys, ())]):
            yield key, line
