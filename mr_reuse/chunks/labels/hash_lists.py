"""Read stop lists and other lists of hashes, one a line.

The first word of a line is the hash. If the first word is a kind (`chunk`, `file`,
`stop`), as in the output of `labels export`, the second word is the hash. The rest of
the line, lines that begin with `#`, and the header of a table are skipped. A label file
is also a list.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import KINDS
from mr_reuse.chunks.recipe import DIGEST_BYTES, Recipe
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.shuffle import digest_sets, packing, spilling
from mr_reuse.storage import mapped, text_files

STOP_KINDS = ('chunk', 'stop')  # kinds of hashes that can be stop chunks
BATCH_SIZE = 1 << 16  # hashes to sort together
HEADER = b'hash'  # first word of the header of a table
MAX_QUOTED = 70  # characters of a wrong hash in a message
BYTE_ORDER_MARK = b'\xef\xbb\xbf'  # which some editors write before UTF-8


def load(
    name: str,
    recipe: Recipe,
    kinds: Collection[str] = STOP_KINDS,
    other: str = 'the corpus',
) -> np.ndarray:
    """Load the distinct digests of some kinds from a list, sorted.

    Hashes without a kind are those of chunks. Raises `UserError` if the list has hashes
    of another recipe than `other`, to which it will be compared.
    """
    if is_label_file(name):
        labels = label_files.load(name)
        label_files.check_recipe(name, labels, recipe, other)
        sections = zip(KINDS, labels.sections, strict=True)
        selected = [keys for kind, keys in sections if kind in kinds]
        return mapped.map_pieces(digest_sets.unite(selected), recipe.width)
    keys = load_kinds(name, recipe, kinds)
    if not len(keys):
        warn(f'{name}: this list has no hashes')
    return keys


def load_kinds(name: str, recipe: Recipe, kinds: Collection[str]) -> np.ndarray:
    """Load the distinct digests of some kinds from a text file, sorted and mapped."""
    # A table without columns of numbers is a sorted set, which may spill to disk.
    table = spilling.MergeTable([], storage.open_scratch)
    for digests in _join_batches(_read_digests(name, recipe.hash, kinds)):
        table.add(packing.make_rows(digests, recipe.width))
    return mapped.map_pieces((rows.keys for rows in table.drain()), recipe.width)


def infer_recipe(names: Iterable[str]) -> Recipe:
    """Infer the recipe of lists: from a label file among them, or from hash lengths."""
    recipe = Recipe()
    hash_by_digits = {2 * width: hash_ for hash_, width in DIGEST_BYTES.items()}
    for name in names:
        if is_label_file(name):
            return label_files.load(name).recipe
        first = next(_read_hashes(name), None)
        digits = len(first.word) if first else 0
        recipe = recipe._replace(hash=hash_by_digits.get(digits, recipe.hash))
    return recipe


def is_label_file(name: str) -> bool:
    """Test whether a list is a label file or a run.

    Raises `UserError` if there is no such file or folder.
    """
    if not storage.exists(name):
        raise UserError(f'{name}: no such file or folder')
    storage.refuse_special_files(name)
    name = label_files.resolve_name(name)
    return not storage.is_dir(name) and storage.starts_with(
        name, label_files.FORMAT.letters
    )


class _ListedHash(NamedTuple):
    place: str  # file and line
    kind: str  # '' if the line has none
    word: bytes


def _read_digests(name: str, hash_: str, kinds: Collection[str]) -> Iterator[bytes]:
    width = DIGEST_BYTES[hash_]
    for place, kind, word in _read_hashes(name):
        digest = _parse_digest(word)
        if len(digest) != width:
            text = word[:MAX_QUOTED].decode('utf-8', 'replace')
            raise UserError(f'{place}: {text!r} {_describe_mismatch(digest, hash_)}')
        if (kind or KINDS[0]) in kinds:
            yield digest


def _describe_mismatch(digest: bytes, hash_: str) -> str:
    for other, width in DIGEST_BYTES.items():
        if len(digest) == width:
            return f'is a {other} hash; give {hash_} hashes'
    return f'is not a {hash_} hash ({2 * DIGEST_BYTES[hash_]} hexadecimal digits)'


def _read_hashes(name: str) -> Iterator[_ListedHash]:
    """Yield the hashes of a list, without decoding them."""
    kinds = {kind.encode(): kind for kind in KINDS}
    for file in _files_of(name):
        for number, line in enumerate(text_files.read_lines(file), 1):
            words = line.removeprefix(BYTE_ORDER_MARK).split(None, 2)
            kind = kinds[words.pop(0)] if words and words[0] in kinds else ''
            if words and not words[0].startswith(b'#') and words[0] != HEADER:
                yield _ListedHash(f'{file}, line {number}', kind, words[0])


def _files_of(name: str) -> list[str]:
    """Return the files of a list; a large table is a folder of part files."""
    if not storage.is_dir(name):
        return [name]
    parts = storage.list_part_names(name)
    if not parts:
        raise UserError(
            f'{name}: a folder without hashes; name a list or a run of discover'
        )
    return parts


def _parse_digest(word: bytes) -> bytes:
    """Return the digest of a hash, b'' if it has other characters than digits."""
    try:
        return bytes.fromhex(word.decode('ascii'))
    except ValueError:
        return b''


def _join_batches(digests: Iterable[bytes]) -> Iterator[bytes]:
    batch: list[bytes] = []
    for digest in digests:
        batch.append(digest)
        if len(batch) == BATCH_SIZE:
            yield b''.join(batch)
            batch.clear()
    if batch:
        yield b''.join(batch)
