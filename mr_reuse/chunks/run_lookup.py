"""Find a chunk, a file, a page or a neighborhood of a run by a name for it.

A name is a hash, of which the beginning is enough for a label; a rid; or a URL prefix.
"""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.archives import rids, urls
from mr_reuse.archives.items import Item
from mr_reuse.chunks.detect import copies
from mr_reuse.chunks.discover import label_tables
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UsageError, UserError
from mr_reuse.pages.lookup import read_item
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.storage import naming
from mr_reuse.tables.run_tables import LABELS, PAGES

HASH = re.compile(r'[0-9a-fA-F]{6,64}')


class Place(NamedTuple):
    """A page that has a chunk, or is a file."""

    unit: str  # 'chunk' or 'file'
    rid: str
    url: str


def is_hash(name: str) -> bool:
    """Return whether a name is a hash, or the beginning of one.

    >>> is_hash('9fbeaff55fc7'), is_hash('9fbe'), is_hash('a.org/')
    (True, False, False)
    """
    return bool(HASH.fullmatch(name))


def prefix_of(name: str, paths: Container[str]) -> str:
    """The neighborhood of a name, '' if it is none; a URL stands for its own.

    >>> prefix_of('a.org/x/', ()), prefix_of('a.org', ())
    ('a.org/x/', 'a.org/')
    >>> prefix_of('http://a.org:80/x', ()), prefix_of('http://b/a:7', ['http://b/a'])
    ('a.org/', '')
    """
    if rids.split_rid(name)[0] in paths or is_hash(name):
        return ''
    if '://' in name:
        return urls.neighborhood_of(name)
    is_host = '.' in name and not {'/', ':'} & set(name)
    return f'{name}/' if is_host else name if name.endswith('/') else ''


def full_digest(run: str, record: RunRecord, name: str) -> bytes:
    """The digest of a hash: all of it, or the beginning of a label's."""
    name, width = name.lower(), Recipe.from_options(record.made_of).width
    if len(name) == 2 * width:
        return bytes.fromhex(name)
    digests = {
        digest
        for file in label_files_of(run, record)
        for keys in label_files.load(file)[2:4]
        for digest in digests_beginning(keys, name)
    }
    if len(digests) == 1:
        return digests.pop()
    why = f'{len(digests)} labels begin so' if digests else 'no label begins so'
    raise UserError(
        f'{name}: {why}; {LABELS.file} has the hashes of labels, of any other chunk '
        f'all {2 * width} digits are wanted'
    )


def label_files_of(run: str, record: RunRecord) -> list[str]:
    """The label files that a run has made or has looked for."""
    own = naming.join(run, label_files.LABELS)
    names = filter(None, [own, record.detect.labels])
    return [name for name in names if storage.exists(name)]


def digests_beginning(keys, name: str) -> Iterator[bytes]:
    """The digests among sorted keys whose hexadecimal digits begin like a name.

    >>> keys = packing.rows_of(b'abcdefgh' + b'abcdeZgh', 8).keys
    >>> list(digests_beginning(keys, b'abcdef'.hex()))
    [b'abcdefgh']
    """
    low, high = (int(name.ljust(16, digit)[:16], 16) for digit in '0f')
    first = packing.prefixes(keys)
    for row in ((first >= low) & (first <= high)).nonzero()[0].tolist():
        digest = keys[row].tobytes()
        if digest.hex().startswith(name):
            yield digest


def find_digest(run: str, record: RunRecord, digest: bytes) -> Place:
    """Find a page with a digest: the example of a label, or the first of all pages."""
    if place := _find_label(run, record, digest):
        return place
    for copy in copies.copies(record.pages, digest):
        return Place('file' if copy.is_file else 'chunk', copy.rid, copy.url)
    raise UserError(f'{digest.hex()}: no page of this run has it')


def _find_label(run: str, record: RunRecord, digest: bytes) -> Place | None:
    name = naming.join(run, label_files.LABELS)
    if not storage.exists(name):
        return None
    labels = label_files.load(name)
    key = packing.rows_of(digest, len(digest)).keys
    sections = ('chunk', labels.chunks, 0), ('file', labels.files, len(labels.chunks))
    for unit, keys, first in sections:
        row = int(DigestIndex(keys).find(key)[0])
        if row >= 0:
            examples = label_tables.find_examples(record, [first + row])
            for _, url, *_, rid in examples.values():
                return Place(unit, rid, url)
    return None


def find_item(record: RunRecord, rid: str) -> Item:
    """Read the item at a rid."""
    if not rids.is_rid(rid):
        raise UsageError(
            f'{rid}: neither a hash of six digits or more, nor ARCHIVE:OFFSET, nor a '
            'prefix, which ends in /'
        )
    archive, _ = rids.split_rid(rid)
    if archive not in record.paths:
        raise UserError(
            f'{archive}: no input of this run has this name; see inputs.txt there'
        )
    item = read_item(rid, record.paths)
    if not item:
        raise UserError(f'{rid}: no page begins there; {PAGES.file} has the places')
    return item
