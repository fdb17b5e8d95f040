"""Print a chunk or a page from the archive it was found in, or what a site has copied.

With --where print which pages have a chunk, or are a file.

The bytes are read from the archive by offset, and hash to the key. What they are and
where they are from is told on standard error. On a terminal, what is hidden in them or
turns letters around stands as a number; elsewhere bytes stay bytes.
"""

import argparse
import codecs
import hashlib
import re
import sys
from collections.abc import Container, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from mr_reuse import messages, storage
from mr_reuse.archives import reader, rids, urls
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.chunks import page_lines
from mr_reuse.chunks.detect import copied_chunks, copies
from mr_reuse.chunks.discover import label_tables, previews
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine.rundir import finished
from mr_reuse.errors import UsageError, UserError
from mr_reuse.messages import say, visible
from mr_reuse.shuffle import packing, protocol
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.storage import naming

HASH = re.compile(r'[0-9a-fA-F]{6,64}')


EXAMPLES = """\
show RUN 9fbeaff55fc7
show RUN 9fbeaff55fc7 --where
show RUN crawl/a.warc.gz:283624
show RUN members.webring.example/~deals/
"""


CHANGED = 'the archive has changed since the run; run discover again'


class Place(NamedTuple):
    """Where something was found."""

    rid: str
    url: str


def parser() -> argparse.ArgumentParser:
    """The command line of show."""
    found = Parser(description=__doc__, example=EXAMPLES)
    found.add_argument('run', metavar='RUN', help='a run directory of discover')
    found.add_argument(
        'what',
        metavar='HASH|RID|PREFIX',
        help='the hash of a chunk or a file (of a label, six digits are enough), '
        'a page as ARCHIVE:OFFSET, or a neighborhood, as detect lists it or by a URL',
    )
    found.add_argument(
        '--where',
        action='store_true',
        help='not the bytes, but all pages that have them: copies, date, URL, rid',
    )
    found.add_argument('-q', '--quiet', action='store_true', help='only the bytes')
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: evidence for a finding."""
    given = parser().parse_args(args)
    told = finished(given.run)
    recipe = Recipe(**{f: told['made_of'][f] for f in Recipe._fields})
    note = (lambda text: None) if given.quiet else (lambda text: say(visible(text)))
    if given.where:
        show_where(given, told, recipe)
    elif prefix := prefix_of(given.what, told['paths']):
        messages.put(copied_chunks.text(copied_chunks.Matches(given.run, told), prefix))
    elif HASH.fullmatch(given.what):
        show_hash(given, told, recipe, note)
    else:
        item = item_of(told, given.what)
        note(f'{item.url}  {item.date}  {given.what}')
        put(pieces_of(item), given.what)


def prefix_of(what: str, paths: Container[str]) -> str:
    """The neighborhood that is meant, '' if it is none; a URL stands for its own.

    >>> prefix_of('a.org/x/', ()), prefix_of('a.org', ())
    ('a.org/x/', 'a.org/')
    >>> prefix_of('http://a.org:80/x', ()), prefix_of('http://b/a:7', ['http://b/a'])
    ('a.org/', '')
    """
    if what.rpartition(':')[0] in paths or HASH.fullmatch(what):
        return ''
    if '://' in what:
        return urls.neighborhood(what)
    is_host = '.' in what and not {'/', ':'} & set(what)
    return f'{what}/' if is_host else what if what.endswith('/') else ''


def show_hash(given: argparse.Namespace, told: dict, recipe: Recipe, note) -> None:
    """Find a chunk or file by its hash, and print it."""
    digest = full_digest(labels_for(given.run, told), given.what.lower(), recipe)
    unit, place = find(given.run, told, digest)
    item = item_of(told, place.rid)
    note(f'{unit} {digest.hex()}')
    note(f'from {place.url}  {item.date}  {place.rid}')
    if unit == 'file':
        must_hash_to(digest, pieces_of(item), recipe, place.rid)
        put(pieces_of(item_of(told, place.rid)), place.rid)
        return
    chunks = [chunk for _, chunk in previews.chunks_in(item, recipe, [digest])]
    if not chunks:
        raise UserError(f'{place.rid}: {CHANGED}')
    put(chunks, place.rid)


def show_where(given: argparse.Namespace, told: dict, recipe: Recipe) -> None:
    """Print which pages have a chunk, or are a file."""
    if not HASH.fullmatch(given.what):
        raise UsageError(f'{given.what}: --where wants the hash of a chunk or a file')
    digest = full_digest(labels_for(given.run, told), given.what.lower(), recipe)
    none = True
    for copy in copies.copies(told['pages'], digest):
        if none:
            messages.put(f'{copies.HEADER}\n')
        none = False
        messages.put(copy.line())
    if none:
        raise UserError(f'{digest.hex()}: no page of the run has it')


def must_hash_to(
    digest: bytes, pieces: Iterable[bytes], recipe: Recipe, rid: str
) -> None:
    """Refuse to print a file that is not the one that was hashed."""
    found = hashlib.new(recipe.hash)
    for piece in chain(pieces, [recipe.tail]):
        found.update(piece)
    if found.digest() != digest:
        raise UserError(f'{rid}: {CHANGED}')


def labels_for(run: str, told: dict[str, Any]) -> list[str]:
    """The label files that a run has made or has looked for."""
    names = [naming.join(run, 'labels.mrl'), told.get('detect', {}).get('labels', '')]
    return [name for name in names if name and storage.exists(name)]


def full_digest(names: list[str], text: str, recipe: Recipe) -> bytes:
    """The digest that is meant: all of it, or the beginning of a label's."""
    if len(text) == 2 * recipe.width:
        return bytes.fromhex(text)
    sections = [s for name in names for s in label_files.load(name)[2:4]]
    found = {keys[i].tobytes() for keys in sections for i in beginning(keys, text)}
    if len(found) == 1:
        return found.pop()
    why = 'no label begins so' if not found else f'{len(found)} labels begin so'
    raise UserError(
        f'{text}: {why}; labels.tsv has the hashes of labels, of any other chunk all '
        f'{2 * recipe.width} digits are wanted'
    )


def beginning(keys, text: str) -> list[int]:
    """The rows of keys whose hexadecimal digits begin like this."""
    low, high = (int(text.ljust(16, digit)[:16], 16) for digit in '0f')
    first = packing.prefixes(keys)
    near = ((first >= low) & (first <= high)).nonzero()[0]
    return [i for i in near.tolist() if keys[i].tobytes().hex().startswith(text)]


def find(run: str, told: dict[str, Any], digest: bytes) -> tuple[str, Place]:
    """Where a digest is: as a label, or by looking through all pages."""
    name = naming.join(run, 'labels.mrl')
    if '03-places' not in told['steps'] or not storage.exists(name):
        return in_pages(told['pages'], digest)
    labels = label_files.load(name)
    key = packing.rows_of(digest, len(digest)).keys
    numbers = {
        'chunk': DigestIndex(labels.chunks).find(key)[0],
        'file': DigestIndex(labels.files).find(key)[0],
    }
    for unit, number in numbers.items():
        if number >= 0:
            wanted = int(number) + (len(labels.chunks) if unit == 'file' else 0)
            parts = storage.part_files(told['steps']['03-places']['output'])
            for label, (_, url, *_, rid) in label_tables.examples_of(parts):
                if label == wanted:
                    return unit, Place(rid, url)
    return in_pages(told['pages'], digest)


def in_pages(folders: Iterable[str], digest: bytes) -> tuple[str, Place]:
    """Look for a digest in the lines of all pages."""
    text = digest.hex().encode()
    for key, value in lines_of_page(folders):
        page = page_lines.read_page(key, value)
        if page.file_hash.encode() == text:
            return 'file', Place(page.rid, page.url)
        rows = packing.unpack(page.packed)
        if (rows.keys == packing.rows_of(digest, len(digest)).keys).all(axis=1).any():
            rid = rids.rid_of(key).decode('utf-8', 'surrogateescape')
            return 'chunk', Place(rid, page.url)
    raise UserError(f'{digest.hex()}: no page of this run has it')


def lines_of_page(folders: Iterable[str]) -> Iterator[tuple[bytes, bytes]]:
    """All lines of pages in some folders."""
    for folder in folders:
        for part in storage.part_files(folder):
            with storage.open_read(part) as stream:
                for key, value in protocol.read_lines(stream):
                    if page_lines.is_page(key):
                        yield key, value


def item_of(told: dict[str, Any], rid: str) -> Item:
    """The item at a rid."""
    archive, colon, place = rid.rpartition(':')
    if not colon or not re.fullmatch(r'\d{1,18}(\+\d{1,18})?', place):
        raise UsageError(
            f'{rid}: neither a hash of six digits or more, nor ARCHIVE:OFFSET, nor a '
            'prefix, which ends in /'
        )
    if archive not in told['paths']:
        raise UserError(
            f'{archive}: no input of this run has this name; see inputs.txt there'
        )
    found = list(reader.items_at(told['paths'][archive], [place]))
    if not found:
        raise UserError(f'{rid}: no page begins there; pages.tsv has the places')
    return found[0][1]


def pieces_of(item: Item) -> Iterable[bytes]:
    """The body of an item."""
    return item.pieces if item.body is None else [item.body]


def put(pieces: Iterable[bytes], rid: str) -> None:
    """Bytes to standard output; on a terminal they are text in which all is seen."""
    out = sys.stdout
    seen = out.isatty() or not hasattr(out, 'buffer')
    text = codecs.getincrementaldecoder('utf-8')('replace')  # pieces end anywhere
    try:
        for piece in pieces:
            if seen:
                out.write(visible(text.decode(piece), kept=messages.LAYOUT))
            else:
                out.buffer.write(piece)
    except Lost:
        raise UserError(
            f'{rid}: this record is damaged; what could be read was printed'
        ) from None
    finally:
        if seen:  # what is left of a letter that breaks off
            out.write(visible(text.decode(b'', final=True), kept=messages.LAYOUT))
        out.flush()


if __name__ == '__main__':
    sys.exit(main())
