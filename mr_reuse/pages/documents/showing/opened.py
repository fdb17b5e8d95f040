"""Pages that are read from the archive to be shown: their words, text, or source."""

import itertools
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from mr_reuse.archives import sniff
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.pages import run_items
from mr_reuse.pages.documents import document
from mr_reuse.pages.documents.reading import KINDS
from mr_reuse.text import page_text, page_words
from mr_reuse.text.decoding import make_decoder
from mr_reuse.text.page_text import PageText
from mr_reuse.text.page_words import PageWords, WordRule

SHOWN = 4 << 20  # bytes of a page; one takes some 40 bytes of memory


class OpenPage(NamedTuple):
    """A page as it was read."""

    date: str
    text: PageText
    words: PageWords
    is_cut: bool  # only its beginning was read


class OpenSource(NamedTuple):
    """The source of a page as it was read."""

    date: str
    text: str
    is_cut: bool  # only its beginning was read


def open_page(
    record: RunRecord, rid: str, table: str, types: str, rule: WordRule
) -> OpenPage:
    """Read a page; only the beginning of a large one.

    `types` is the value of --types. Raises UserError if the page cannot be read, or is
    no document; the error names a table with rids.
    """
    item, way, first, blocks = _open_item(record, rid, table, types)
    head, charset, is_cut = page_words.read_beginning(
        itertools.chain([first], blocks), item.charset, KINDS[way], SHOWN
    )
    reading = head, charset, KINDS[way], rule
    words = page_words.read_words(*reading)
    return OpenPage(item.date, page_text.read_text(*reading), words, is_cut)


def open_source(record: RunRecord, rid: str, table: str, most: int) -> OpenSource:
    """Read the source of a page of HTML, up to so many characters.

    Raises UserError as `open_page` does.
    """
    item, way, first, blocks = _open_item(record, rid, table, document.MARKUP)
    head, charset, is_cut = page_words.read_beginning(
        itertools.chain([first], blocks), item.charset, KINDS[way], SHOWN
    )
    encoding = page_words.find_encoding(head, charset, KINDS[way])
    text, _ = make_decoder(encoding).decode(head, True)
    return OpenSource(item.date, text[:most], is_cut or len(text) > most)


def _open_item(
    record: RunRecord, rid: str, table: str, types: str
) -> tuple[Item, str, bytes, Iterator[bytes]]:
    """Return an item, the way to read it, the first block of its body, and the rest."""
    try:
        item = run_items.find_item(record, rid, table)
    except Lost:
        raise UserError(f'{rid}: damaged') from None
    blocks = _readable(item.blocks)
    first = next(blocks, b'')
    media = sniff.media_type(first)
    way = document.way_to_read(item.head.type, media, types)
    if not way:
        why = f'{media or "no text"} is no document; --as chunks prints the bytes'
        raise UserError(f'{rid}: {why}')
    return item, way, first, blocks


def _readable(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the blocks of a body; of a damaged one, those that can be read."""
    with suppress(Lost):
        yield from blocks
