"""Read stop lists and other lists of hashes, one a line.

The first word of a line is the hash. If the first word is a kind (`chunk`, `file`,
`stop`), as in the output of `labels export`, the second word is the hash. The rest of
the line, lines that begin with `#`, and the header of a table are skipped. A label file
is also a list.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import DIGEST_BYTES, Recipe
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.shuffle import digest_index, packing, spilling
from mr_reuse.storage import text_files

KINDS = (b'chunk', b'file', b'stop')
STOP = (b'chunk', b'stop')  # kinds of stop chunks; a hash of a file is none
BATCH = 1 << 16  # hashes to sort together
MARK = b'\xef\xbb\xbf'  # byte order mark, which some editors write before UTF-8


def load(
    name: str,
    recipe: Recipe,
    kinds: Iterable[bytes] = STOP,
    other: str = 'the corpus',
) -> np.ndarray:
    """Load the distinct digests of a list, sorted.

    Raises `UserError` if the list has hashes of another recipe. The message names
    `other` as the things to compare with.
    """
    if is_label_file(name):
        labels = label_files.load(name)
        label_files.check_recipe(name, labels, recipe, other)
        sections = zip(KINDS, labels[2:], strict=True)
        keys = [section for kind, section in sections if kind in kinds]
        return digest_index.sort_distinct(np.concatenate(keys))
    # A table without columns of numbers is a sorted set, which may spill to disk.
    table = spilling.MergeTable([], storage.open_scratch)
    for digests in _batches(_digests(name, recipe.hash, kinds)):
        table.add(packing.make_rows(digests, recipe.width))
    if not len(table):
        warn(f'{name}: this list has no hashes')
    none = np.zeros((0, recipe.width), np.uint8)
    return np.concatenate([none, *(rows.keys for rows in table.drain())])


def recipe_for(names: Iterable[str]) -> Recipe:
    """Return the recipe of lists: of a label file among them, or by hash widths."""
    recipe = Recipe()
    for name in names:
        if is_label_file(name):
            return label_files.load(name).recipe
        first = next((word for _, _, word in _words(name)), b'')
        by_width = {2 * width: hash_ for hash_, width in DIGEST_BYTES.items()}
        recipe = recipe._replace(hash=by_width.get(len(first), recipe.hash))
    return recipe


def is_label_file(name: str) -> bool:
    """Test whether a list is a label file or a run.

    Raises `UserError` if there is no such file or folder.
    """
    if not storage.exists(name):
        raise UserError(f'{name}: no such file or folder')
    storage.refuse_special_files(name)
    name = label_files.resolve(name)
    return not storage.is_dir(name) and storage.starts_with(
        name, label_files.FORMAT.magic[:3]
    )


def _digests(name: str, hash_: str, kinds: Iterable[bytes]) -> Iterator[bytes]:
    width = DIGEST_BYTES[hash_]
    for line, kind, word in _words(name):
        digest = _digest(word)
        if len(digest) != width:
            shown = word[:70].decode('utf-8', 'replace')
            raise UserError(f'{line}: {shown!r} {_describe_mismatch(digest, hash_)}')
        if kind in kinds or not kind:
            yield digest


def _describe_mismatch(digest: bytes, hash_: str) -> str:
    for other, width in DIGEST_BYTES.items():
        if len(digest) == width:
            return f'is a {other} hash; give {hash_} hashes'
    return f'is not a {hash_} hash ({2 * DIGEST_BYTES[hash_]} hexadecimal digits)'


def _words(name: str) -> Iterator[tuple[str, bytes, bytes]]:
    """Yield file and line, kind (b'' if none) and hash of each line with a hash."""
    for part in _parts(name):
        for number, line in enumerate(text_files.read_lines(part), 1):
            words = line.removeprefix(MARK).split(None, 2)
            kind = words.pop(0) if words and words[0] in KINDS else b''
            if words and not words[0].startswith(b'#') and words[0] != b'hash':
                yield f'{part}, line {number}', kind, words[0]


def _parts(name: str) -> list[str]:
    """Return the files of a list; a large table is a folder of part files."""
    if not storage.is_dir(name):
        return [name]
    parts = storage.list_part_names(name)
    if not parts:
        raise UserError(
            f'{name}: a folder without hashes; name a list or a run of discover'
        )
    return parts


def _digest(word: bytes) -> bytes:
    try:
        return bytes.fromhex(word.decode('ascii'))
    except ValueError:
        return b''


def _batches(digests: Iterable[bytes]) -> Iterator[bytes]:
    batch: list[bytes] = []
    for digest in digests:
        batch.append(digest)
        if len(batch) == BATCH:
            yield b''.join(batch)
            batch.clear()
    if batch:
        yield b''.join(batch)
