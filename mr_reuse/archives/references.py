"""The references of revisit records: which record has the content of a revisit."""

import base64
import hashlib
from typing import NamedTuple

from mr_reuse.archives import dates
from mr_reuse.archives.urls import percent_encode


class Reference(NamedTuple):
    """A reference to a record by its id, and by its URI and date.

    In a page line, a resolved reference has the rid of the record instead of its id.
    """

    date: str
    id: str
    uri: str  # as in the url column

    def __str__(self) -> str:
        """Format the reference; '' if it names nothing."""
        return ' '.join(self) if self.id or self.uri else ''


def make_reference(date: str, record_id: str, uri: bytes) -> Reference:
    """Make the reference of a header; '' stands for an impossible date.

    >>> str(make_reference('2020-01-02T03:04:05.6Z', 'urn:uuid:7', b'http://a/b c'))
    '2020-01-02T03:04:05Z urn:uuid:7 http://a/b%20c'
    """
    known = dates.format_date(dates.parse_date(date))
    return Reference(known, record_id, percent_encode(uri))


def parse_reference(text: str) -> Reference:
    """Parse a reference. Neither a date nor a URI has blanks, but an id may.

    >>> parse_reference(' a b.warc:7 http://a/')
    Reference(date='', id='a b.warc:7', uri='http://a/')
    """
    date, _, rest = text.partition(' ')
    record_id, _, uri = rest.rpartition(' ')
    return Reference(date, record_id, uri)


def is_of_nothing(payload_digest: str) -> bool:
    """Test whether a payload digest is that of no bytes.

    >>> is_of_nothing('sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
    True
    >>> is_of_nothing('md5:d41d8cd98f00b204e9800998ecf8427e')
    True
    >>> is_of_nothing('sha1:B'), is_of_nothing('x:y'), is_of_nothing('')
    (False, False, False)
    """
    name, _, value = payload_digest.partition(':')
    name = name.lower().replace('-', '')
    if name not in ('md5', 'sha1', 'sha256', 'sha512'):
        return False
    digest = hashlib.new(name).digest()
    return value.upper() in (digest.hex().upper(), base64.b32encode(digest).decode())
