"""Stop lists and other lists of hashes, as people keep them: one a line.

A line's first word is the hash, unless it is a kind (`chunk`, `file`, `stop`), as
`labels export` writes it; then the second is. Everything behind it, lines that begin
with `#` and the header of a table are passed over. A label file is a list as well.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.labels import label_files, label_format
from mr_reuse.chunks.recipe import HASHES, Recipe
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.shuffle import digest_index, packing, spilling
from mr_reuse.storage import text_files

KINDS = (b'chunk', b'file', b'stop')
STOP = (b'chunk', b'stop')  # a whole file is no stop chunk
BATCH = 1 << 16  # hashes that are put in order together
MARK = b'\xef\xbb\xbf'  # some editors put it in front of UTF-8


def load(
    name: str,
    recipe: Recipe,
    kinds: Iterable[bytes] = STOP,
    other: str = 'the corpus',
) -> np.ndarray:
    """The digests of a list, sorted and each once; it has to be of this recipe."""
    if is_label_file(name):
        labels = label_files.load(name)
        label_format.must_match(name, labels, recipe, other)
        sections = zip(KINDS, labels[2:], strict=True)
        keys = [section for kind, section in sections if kind in kinds]
        return digest_index.distinct(np.concatenate(keys))
    # With no numbers beside its keys, a table is a sorted set that may spill.
    table = spilling.MergeTable([], storage.open_scratch)
    for digests in _batches(_digests(name, recipe.hash, kinds)):
        table.add(packing.rows_of(digests, recipe.width))
    if not len(table):
        warn(f'{name}: there is no hash in this list')
    none = np.zeros((0, recipe.width), np.uint8)
    return np.concatenate([none, *(rows.keys for rows in table.drain())])


def recipe_for(names: Iterable[str]) -> Recipe:
    """What made some lists: as a label file among them says, or as hashes look."""
    found = Recipe()
    for name in names:
        if is_label_file(name):
            return label_files.load(name).recipe
        first = next((word for _, _, word in _words(name)), b'')
        by_width = {2 * width: hash_ for hash_, width in HASHES.items()}
        found = found._replace(hash=by_width.get(len(first), found.hash))
    return found


def is_label_file(name: str) -> bool:
    """Whether a list is a label file, or a run; there has to be one of that name."""
    if not storage.exists(name):
        raise UserError(f'{name}: no such file or folder')
    storage.refuse_special_files(name)
    name = label_files.resolve(name)
    return not storage.is_dir(name) and storage.starts_with(
        name, label_format.FORMAT.magic[:3]
    )


def _digests(name: str, hash_: str, kinds: Iterable[bytes]) -> Iterator[bytes]:
    width = HASHES[hash_]
    for place, kind, word in _words(name):
        digest = _digest(word)
        if len(digest) != width:
            shown = word[:70].decode('utf-8', 'replace')
            raise UserError(f'{place}: {shown!r} {_why_not(digest, hash_)}')
        if kind in kinds or not kind:
            yield digest


def _why_not(digest: bytes, hash_: str) -> str:
    for other, width in HASHES.items():
        if len(digest) == width:
            return f'is a {other} hash; {hash_} hashes are wanted'
    return f'is no {hash_} hash ({2 * HASHES[hash_]} hexadecimal digits)'


def _words(name: str) -> Iterator[tuple[str, bytes, bytes]]:
    """Place, kind if it is told, and word of each line that has a hash."""
    for part in _parts(name):
        for number, line in enumerate(text_files.read_lines(part), 1):
            words = line.removeprefix(MARK).split(None, 2)
            kind = words.pop(0) if words and words[0] in KINDS else b''
            if words and not words[0].startswith(b'#') and words[0] != b'hash':
                yield f'{part}, line {number}', kind, words[0]


def _parts(name: str) -> list[str]:
    """The files of a list: a table of many rows is a folder."""
    if not storage.is_dir(name):
        return [name]
    found = storage.list_part_names(name)
    if not found:
        raise UserError(
            f'{name}: a folder without hashes; name a list or a run of discover'
        )
    return found


def _digest(word: bytes) -> bytes:
    try:
        return bytes.fromhex(word.decode('ascii'))
    except ValueError:
        return b''


def _batches(digests: Iterable[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    for digest in digests:
        held.append(digest)
        if len(held) == BATCH:
            yield b''.join(held)
            held.clear()
    if held:
        yield b''.join(held)
