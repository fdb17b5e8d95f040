"""The beginnings of chunks, for people: text, even if a chunk begins with mark-up.

The column `preview` of a table has the first 80 bytes. If these are mark-up only, the
text behind them is read from the archive.
"""

import contextlib
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from mr_reuse import storage
from mr_reuse.archives.framing import Lost
from mr_reuse.chunks.discover import label_tables, previews
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.chunks.revisits import targets
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import packing
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.storage import naming

GONE = '(not in the archive any more)'
UNREADABLE = (OSError, UserError, Lost)  # missing, without an answer, damaged
# Comments, scripts, styles and tags, also if they are cut at the end.
MARKUP = re.compile(
    rb'<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1|\Z)|<[^>]*(?:>|\Z)',
    re.IGNORECASE | re.DOTALL,
)
TEXT = re.compile(rb'[\w\x80-\xff]')
MAX_SEARCHED = 1 << 16  # bytes of a chunk


def is_markup(preview: str) -> bool:
    """Test whether the beginning of a chunk has no text.

    >>> is_markup('<p class="x"> <a href="y'), is_markup('<p>text'), is_markup('')
    (True, False, False)
    >>> is_markup('<p>\\udcff')  # a byte that is no UTF-8
    False
    """
    return bool(preview) and not TEXT.search(MARKUP.sub(b'', to_bytes(preview)))


def make_text(chunk: bytes) -> str:
    """Return the first 80 bytes of a chunk; of its text if these are mark-up only.

    >>> make_text(b'<p>one</p>'), make_text(b'<p class="' + 80 * b'x' + b'">one <b>two')
    ('<p>one</p>', 'one two')
    >>> make_text(b'<p></p>')
    '<p></p>'
    """
    preview = previews.make_preview(chunk)
    if is_markup(preview):
        text = b' '.join(MARKUP.sub(b' ', chunk[:MAX_SEARCHED]).split())
        if TEXT.search(text):
            return previews.make_preview(text)
    return preview


def read_texts(
    by_rid: Mapping[str, Collection[bytes]], record: RunRecord
) -> dict[bytes, str]:
    """Read the beginnings of chunks, by digest; `by_rid` has the digests to read."""
    texts = {digest: GONE for digests in by_rid.values() for digest in digests}
    recipe = Recipe.from_options(record.page_options)
    for rid, item in targets.read_contents(by_rid, record, UNREADABLE):
        if item is None:
            continue
        with contextlib.suppress(*UNREADABLE):
            for digest, chunk in previews.find_chunks(item, recipe, by_rid[rid]):
                texts[digest] = make_text(chunk)
    return texts


def find_rids(run: str, record: RunRecord, hashes: Collection[str]) -> dict[str, str]:
    """Find the rids of the examples of labels, by their hashes; {} on any error."""
    name = naming.join(run, label_files.FILE_NAME)
    if not (hashes and storage.exists(name)):
        return {}
    try:
        labels = label_files.load(name)
        keys = packing.make_rows(bytes.fromhex(''.join(hashes)), labels.recipe.width)
        numbers = DigestIndex(labels.chunks).find(keys.keys).tolist()
        by_number = dict(zip(numbers, hashes, strict=True))
        examples = label_tables.find_examples(record, by_number)
        return {by_number[label]: rid for label, (*_, rid) in examples.items()}
    except (OSError, UserError, ValueError, IndexError):
        # The label file or the tables were removed or rebuilt. The rids are extra.
        return {}


def read_hidden_texts(
    run: str, record: RunRecord, labels: Iterable[Any]
) -> dict[str, str]:
    """Read the texts of labels whose previews are mark-up only, by their hashes.

    `labels` are rows of the table of labels of the run.
    """
    hidden = [label.hash for label in labels if is_markup(label.preview)]
    by_rid: dict[str, set[bytes]] = {}
    for hash_, rid in find_rids(run, record, hidden).items():
        by_rid.setdefault(rid, set()).add(bytes.fromhex(hash_))
    texts = read_texts(by_rid, record)
    return {digest.hex(): text for digest, text in texts.items() if text != GONE}
