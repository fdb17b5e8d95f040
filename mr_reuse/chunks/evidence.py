"""Print a chunk, a file or a page from its archive."""

import codecs
import hashlib
import itertools
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.archives.rids import split_rid
from mr_reuse.chunks import run_lookup
from mr_reuse.chunks.discover import previews
from mr_reuse.chunks.page_lines import (
    DATE,
    FILE_HASH,
    KIND,
    NO_FIELDS,
    REVISIT,
    URL,
    content_rid,
)
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import (
    LAYOUT_CHARACTERS,
    make_visible,
    to_bytes,
    to_text,
    warn,
)
from mr_reuse.pages import lookup, moved_archives

CHANGED = (
    'the archive has changed since the run; name the folder of the right one with '
    '--archives, or run discover again'
)


class Evidence(NamedTuple):
    """Bytes from an archive, and lines that describe them."""

    rid: str
    notes: list[str]
    blocks: Iterable[bytes]


def find_evidence(run: str, record: RunRecord, digest: bytes) -> Evidence:
    """Find a chunk or a file by its digest.

    Reading the blocks raises `UserError` if the archive has other bytes now.
    """
    unit, rid, url = run_lookup.find_digest(run, record, digest)
    item = _find_item(record, rid)
    page = url if lookup.has_url(item, url) else f'{url}, a revisit of {item.url}'
    notes = [f'{unit} {digest.hex()}', f'from {page}  {item.date}  {rid}']
    read_blocks = read_file if unit == 'file' else read_chunk
    return Evidence(rid, notes, read_blocks(record, rid, item, digest))


def find_page(record: RunRecord, rid: str) -> Evidence:
    """Find a page by its rid.

    Reading the blocks raises `UserError` if the page has other bytes now. A page that
    was truncated has no digest, so the size of its archive decides.
    """
    fields = run_lookup.find_line(record, rid) or NO_FIELDS
    if fields[KIND] == REVISIT:
        raise UserError(
            f'{rid}: a revisit of a record that is not in the crawl; run discover on '
            'the archive of that record too'
        )
    source = content_rid(to_bytes(rid), fields)
    digest = bytes.fromhex(fields[FILE_HASH].decode())
    item = _find_item(record, source, may_differ=bool(digest))
    notes = [f'{item.url}  {item.date}  {source}']
    if source != rid:
        url, date = to_text(fields[URL]), to_text(fields[DATE])
        notes = [f'{url}  {date}  {rid}', f'a revisit, with the content of {notes[0]}']
    blocks = read_file(record, source, item, digest) if digest else item.blocks
    return Evidence(source, notes, blocks)


def _find_item(record: RunRecord, rid: str, may_differ: bool = True) -> Item:
    """Read the item at a rid; warn, or refuse it, if its archive has another size."""
    item = run_lookup.find_item(record, rid)
    if problem := moved_archives.check_archive(record, split_rid(rid)[0]):
        if not may_differ:
            raise UserError(problem)
        warn(problem)
    return item


def read_chunk(
    record: RunRecord, rid: str, item: Item, digest: bytes
) -> Iterator[bytes]:
    """Yield the chunk with a digest from an item."""
    recipe = Recipe.from_options(record.page_options)
    for _, chunk in previews.find_chunks(item, recipe, [digest]):
        yield chunk
        return
    raise UserError(f'{rid}: {CHANGED}')


def read_file(
    record: RunRecord, rid: str, item: Item, digest: bytes
) -> Iterator[bytes]:
    """Yield the body of an item, after its digest has been checked.

    An item that does not fit into memory is read twice.
    """
    recipe, is_small = Recipe.from_options(record.page_options), item.body is not None
    if hash_file(item, recipe) != digest:
        raise UserError(f'{rid}: {CHANGED}')
    yield from (item if is_small else run_lookup.find_item(record, rid)).blocks


def hash_file(item: Item, recipe: Recipe) -> bytes:
    """Return the digest of the body of an item, which is read."""
    body_digest = hashlib.new(recipe.hash)
    for block in itertools.chain(item.blocks, [recipe.tail]):
        body_digest.update(block)
    return body_digest.digest()


def write_blocks(blocks: Iterable[bytes], rid: str) -> None:
    """Write bytes to stdout; on a terminal, as text with visible control characters."""
    out = sys.stdout
    as_text = out.isatty() or not hasattr(out, 'buffer')
    # A block may end within a character.
    decoder = codecs.getincrementaldecoder('utf-8')('replace')

    def write_text(block: bytes, final: bool = False) -> None:
        text = decoder.decode(block, final)
        out.write(make_visible(text, kept=LAYOUT_CHARACTERS))

    write = write_text if as_text else out.buffer.write
    try:
        for block in blocks:
            write(block)
    except Lost:
        raise UserError(
            f'{rid}: this record is damaged; its readable part was printed'
        ) from None
    finally:
        if as_text:
            write_text(b'', final=True)  # an incomplete character at the end
        out.flush()
