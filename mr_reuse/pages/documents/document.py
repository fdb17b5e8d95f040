"""Documents: which pages are, and the line of each.

    rid  url  date  ip  kind  words  grams  BATCH:ORDINAL

`grams` is the number of different things that the system compares. BATCH and ORDINAL
make the number of the document (`numbering.py`).
"""

from typing import NamedTuple

from mr_reuse.archives import sniff
from mr_reuse.archives.items import PAGE_FILE, Item
from mr_reuse.messages import ESCAPED_SEPARATORS, to_bytes, to_text
from mr_reuse.pages.captures import Capture
from mr_reuse.shuffle.protocol import Line

CONVERSION = 'conversion'  # the type of a WET record
MARKUP, TEXT = TYPES = ('html', 'text')  # values of --types
# The ways in which the words of a body are read.
AS_HTML, AS_XML, AS_PLAIN = 'html', 'xml', 'plain'
HTML_TYPES = {'text/html', 'application/xhtml+xml'}
FIELDS = 7  # of a line, after its key


def way_to_read(record_type: str, media: str, types: str) -> str:
    """Return the way to read the words of an item; '' if it is no document.

    A WET record has no markup, whatever its text looks like.

    >>> way_to_read('response', 'text/html', 'html')
    'html'
    >>> [way_to_read('response', 'text/plain', types) for types in TYPES]
    ['', 'plain']
    >>> way_to_read('conversion', 'text/html', 'html')
    'plain'
    >>> way_to_read('response', 'application/rss+xml', 'text')
    'xml'
    >>> [way_to_read('response', media, 'text') for media in ('image/gif', '')]
    ['', '']
    """
    if not (media and sniff.is_text(media)):
        return ''
    if record_type == CONVERSION:
        return AS_PLAIN
    if media in HTML_TYPES:
        return AS_HTML
    if types == MARKUP:
        return ''
    return AS_XML if media.endswith('xml') else AS_PLAIN


class Document(NamedTuple):
    """The line of a document."""

    rid: str
    url: str
    date: str
    ip: str
    is_file: bool  # a file of its own, whose URL is its place in a folder
    words: int
    grams: int
    batch: str
    ordinal: int

    @classmethod
    def of_item(
        cls, rid: str, item: Item, words: int, place: tuple[str, int] = ('', 0)
    ) -> 'Document':
        """Make the document of an item. Without its place, that is filled in later."""
        is_file = item.kind == PAGE_FILE
        return cls(rid, item.url, item.date, item.ip, is_file, words, 0, *place)

    def to_line(self) -> Line:
        """Return key and value.

        >>> page = Document('a:0', 'http://a/', '2020', '', False, 7, 3, 'ff', 2)
        >>> key, value = page.to_line(); key
        b'a:0'
        >>> parse_document(key, value) == page
        True
        """
        rid, url, date, ip, is_file, words, grams, batch, ordinal = self
        kind = PAGE_FILE if is_file else ''
        # For each document: this takes half the time of a join of all fields.
        facts = f'{url}\t{date}\t{ip}\t{kind}\t{words}\t{grams}\t{batch}:{ordinal}'
        text = f'{rid}\t{facts}'
        # Nearly no field has separators, so all are tested at once.
        if text.count('\t') != FIELDS or '\n' in text or '\r' in text:
            return self._escape_separators().to_line()
        return to_bytes(rid), to_bytes(facts)

    def _escape_separators(self) -> 'Document':
        texts = (text.translate(ESCAPED_SEPARATORS) for text in self[:4])
        return Document(*texts, *self[4:])


def is_document_line(key: bytes) -> bool:
    """Test by its key whether a line is of a document: the key is a rid.

    >>> is_document_line(b'a.warc.gz:0'), is_document_line(b'gram/0000')
    (True, False)
    """
    return b':' in key


def split_document(key: bytes, value: bytes) -> list[bytes]:
    """Split the value of a line into its fields; raise ValueError if it is damaged."""
    fields = value.split(b'\t')
    if len(fields) != FIELDS:
        raise ValueError(f'the line of {to_text(key)} is damaged')
    return fields


def parse_document(key: bytes, value: bytes) -> Document:
    """Parse the line of a document; raise ValueError if it is damaged."""
    fields = map(to_text, split_document(key, value))
    url, date, ip, kind, words, grams, place = fields
    batch, _, ordinal = place.partition(':')
    return Document(
        to_text(key),
        url,
        date,
        ip,
        kind == PAGE_FILE,
        int(words),
        int(grams),
        batch,
        int(ordinal),
    )


def capture_url(page: Document) -> bytes:
    """Return the URL of which a document is a capture; empty for a file of its own."""
    return b'' if page.is_file else to_bytes(page.url)


def to_capture(page: Document) -> Capture:
    """Return what the choice among the documents of a URL depends on."""
    return Capture(capture_url(page), to_bytes(page.rid), page.date, True)
