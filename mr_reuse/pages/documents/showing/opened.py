"""Pages that are read from the archive to be shown: their words, and their text."""

from contextlib import suppress
from typing import NamedTuple

from mr_reuse.archives import sniff
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import SMALL, Item
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.pages import run_items
from mr_reuse.pages.documents import document
from mr_reuse.pages.documents.reading import KINDS
from mr_reuse.text import page_text, page_words
from mr_reuse.text.page_text import PageText
from mr_reuse.text.page_words import PageWords, WordRule


class OpenPage(NamedTuple):
    """A page as it was read."""

    date: str
    text: PageText
    words: PageWords
    is_cut: bool  # only its beginning was read


def open_page(
    record: RunRecord, rid: str, table: str, types: str, rule: WordRule
) -> OpenPage:
    """Read a page; only the beginning of one that is too large for memory.

    `types` is the value of --types. Raises UserError if the page cannot be read, or is
    no document; the error names a table with rids.
    """
    try:
        item = run_items.find_item(record, rid, table)
        head, is_cut = read_beginning(item)
    except Lost:
        raise UserError(f'{rid}: damaged') from None
    media = sniff.media_type(head)
    way = document.way_to_read(item.head.type, media, types)
    if not way:
        why = f'{media or "no text"} is no document; --as chunks prints the bytes'
        raise UserError(f'{rid}: {why}')
    reading = head, item.charset, KINDS[way], rule
    words = page_words.read_words(*reading)
    return OpenPage(item.date, page_text.read_text(*reading), words, is_cut)


def read_beginning(item: Item) -> tuple[bytes, bool]:
    """Return the body of an item, or its beginning."""
    if item.body is not None:
        return item.body, False
    body = bytearray()
    with suppress(Lost):  # of a damaged record, the readable part is shown
        for piece in item.pieces:
            body += piece
            if len(body) > SMALL:
                return bytes(body[:SMALL]), True
    return bytes(body), False
