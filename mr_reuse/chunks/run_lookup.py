"""Find a chunk, a file, a page or a neighborhood of a run by a name.

A name is a hash, a rid or a URL prefix. For a label, the beginning of its
hash is enough.
"""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import archive_stats, rids, urls
from mr_reuse.archives.items import Item
from mr_reuse.chunks.chunk_tables import LABELS, PAGES
from mr_reuse.chunks.detect import copies
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.page_lines import KIND, REVISIT, Fields, split_fields
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine import part_files
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import to_bytes
from mr_reuse.pages import run_items
from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.storage import naming

HASH = re.compile(r'[0-9a-fA-F]{6,64}')  # or the beginning of one
PREFIX_DIGITS = 16  # hexadecimal digits of the numbers that `packing.prefixes` makes


class Occurrence(NamedTuple):
    """A page with a chunk, or a capture of a file."""

    unit: str  # 'chunk' or 'file'
    rid: str  # of the record with its content, the target of a revisit
    url: str


def is_hash(name: str) -> bool:
    """Test whether a name is a hash, or the beginning of a hash.

    >>> is_hash('9fbeaff55fc7'), is_hash('9fbe'), is_hash('a.org/')
    (True, False, False)
    """
    return bool(HASH.fullmatch(name))


def resolve_prefix(name: str, paths: Container[str]) -> str:
    """Return the URL prefix that a name means, '' if it is a hash or a rid.

    >>> resolve_prefix('a.org/x/', ()), resolve_prefix('a.org', ())
    ('a.org/x/', 'a.org/')
    """
    if rids.split_rid(name)[0] in paths or is_hash(name):
        return ''
    is_host = '.' in name and not {'/', ':'} & set(name)
    if is_host:
        return f'{name}/'
    return name if name.endswith('/') else ''


def resolve_site(name: str) -> str:
    """Return the site that a name means, as in the table of pairs; a URL has its host.

    >>> [resolve_site(name) for name in ('a.org', 'A.org/x/', 'http://a.org:80/x')]
    ['a.org', 'a.org/x', 'a.org']
    """
    if run_items.SCHEME.match(name):
        return urls.url_host(name)
    host, slash, folders = name.rstrip('/').partition('/')
    return host.lower() + slash + folders


def find_full_digest(run: str, record: RunRecord, name: str) -> bytes:
    """Return the digest of a hash, or of the label whose hash begins with a name."""
    name, width = name.lower(), Recipe.from_options(record.page_options).width
    if len(name) == 2 * width:
        return bytes.fromhex(name)
    digests = {
        digest
        for labels in map(label_files.load, find_label_files(run, record))
        for keys in (labels.chunks, labels.files)
        for digest in find_digests(keys, name)
    }
    if len(digests) == 1:
        return digests.pop()
    number = f'{len(digests)} labels have hashes' if digests else 'no label has a hash'
    raise UserError(
        f'{name}: {number} with this beginning; see {LABELS.file}, or give all '
        f'{2 * width} digits of the hash of another chunk'
    )


def find_label_files(run: str, record: RunRecord) -> list[str]:
    """Return the label files of a run: of `discover`, and of the last `detect`."""
    names = [naming.join(run, label_files.FILE_NAME), record.detect.labels]
    return [name for name in names if name and storage.exists(name)]


def find_digests(keys: np.ndarray, name: str) -> Iterator[bytes]:
    """Yield the digests among sorted keys whose hexadecimal digits begin with a name.

    >>> keys = packing.make_rows(b'abcdefgh' + b'abcdeZgh', 8).keys
    >>> list(find_digests(keys, b'abcdef'.hex()))
    [b'abcdefgh']
    """
    low, high = (
        int(name.ljust(PREFIX_DIGITS, digit)[:PREFIX_DIGITS], 16) for digit in '0f'
    )
    prefixes = packing.prefixes(keys)
    for row in np.flatnonzero((prefixes >= low) & (prefixes <= high)).tolist():
        digest = keys[row].tobytes()
        if digest.hex().startswith(name):
            yield digest


def find_digest(run: str, record: RunRecord, digest: bytes) -> Occurrence:
    """Find a page with a digest.

    The example of a label is known. For other digests, all pages are searched.
    """
    if example := _find_example(run, record, digest):
        return example
    for copy in copies.find_copies(record.pages, digest):
        return Occurrence('file' if copy.is_file else 'chunk', copy.source, copy.url)
    raise UserError(f'{digest.hex()}: no page of this run has this hash')


def _find_example(run: str, record: RunRecord, digest: bytes) -> Occurrence | None:
    """Find the example of a label; None if the digest is not a label of the run."""
    name = naming.join(run, label_files.FILE_NAME)
    if not storage.exists(name):
        return None
    labels = label_files.load(name)
    key = packing.make_rows(digest, len(digest)).keys
    sections = ('chunk', labels.chunks, 0), ('file', labels.files, len(labels.chunks))
    for unit, keys, first in sections:
        row = int(DigestIndex(keys).find(key)[0])
        label = first + row
        if row >= 0:
            example = label_tables.find_examples(record, [label]).get(label)
            if example:
                return Occurrence(unit, example.rid, example.url)
    return None


def find_item(record: RunRecord, rid: str) -> Item:
    """Read the item at a rid."""
    if not rids.is_rid(rid):
        raise UsageError(
            f'{rid}: not a hash of six or more digits, not ARCHIVE:OFFSET, and not a '
            'URL prefix ending in /'
        )
    return run_items.find_item(record, rid, PAGES.file)


def find_line(record: RunRecord, rid: str) -> Fields | None:
    """Return the fields of the first line of a capture; None if the run has none.

    A resolved revisit has two such lines; the one with its content counts.
    """
    archive, _ = rids.split_rid(rid)
    begin = to_bytes(rid) + b'\t'
    found = None
    for folder in record.pages:
        for part in storage.list_part_names(folder):
            accounts = part_files.read_stats(part).get('accounts', [])
            names = {account['archive'] for account in accounts}
            if names and names.isdisjoint((archive, *archive_stats.SUMS)):
                continue
            with storage.open_read(part) as stream:
                for line in stream:
                    if line.startswith(begin):
                        [pair] = protocol.read_lines([line])
                        found = split_fields(*pair)
                        if found[KIND] != REVISIT:
                            return found
                        break
    return found
