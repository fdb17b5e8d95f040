"""The captures in page lines: of which URL each line is a capture, if of any."""

from collections.abc import Iterable

from mr_reuse.archives import items
from mr_reuse.chunks.page_lines import (
    DATE,
    KIND,
    URL,
    Fields,
    is_page,
    is_unresolved,
    split_fields,
)
from mr_reuse.messages import to_text
from mr_reuse.pages import captures
from mr_reuse.pages.capture_lines import DigestCounter
from mr_reuse.pages.captures import Capture
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.shuffle.protocol import Line

ONLY_ITEM = b':0'  # ends the rid of a file that is a page
PAGE_FILE = items.PAGE_FILE.encode()


def is_further_line(key: bytes) -> bool:
    """Test whether a line is a further line of a long page, whose key is RID#NUMBER.

    >>> is_further_line(b'a#b:7'), is_further_line(b'a#b:7#1')
    (False, True)
    """
    return b'#' in key and b'#' in key[key.rfind(b':') :]


def is_no_capture(key: bytes, value: bytes) -> bool:
    """Test whether a line is a further line, or of a revisit without its target."""
    return (b'#' in key and is_further_line(key)) or is_unresolved(value)


def url_of(key: bytes, fields: Fields) -> bytes:
    """Return the URL of an item; empty for a file that is a page itself.

    The URL of a file is its place in a folder that a user named, so it says nothing
    about files in other folders. Lines of older versions have no kind. There, the name
    of such a file ends with its URL, and it has no date.

    >>> fields = [b'docs/a.html', *[b''] * KIND]
    >>> url_of(b'my/docs/a.html:0', fields), url_of(b'a.arc:0', fields)
    (b'', b'docs/a.html')
    """
    url = fields[URL]
    is_old_file = key[: -len(ONLY_ITEM)].endswith(url) and not fields[DATE]
    return b'' if fields[KIND] == PAGE_FILE or is_old_file else url


class UrlCounter(DigestCounter):
    """A `Collector` of page lines: counts the captures of each URL."""

    def add(self, key: bytes, value: bytes) -> Iterable[Line]:
        """Add a page line."""
        if is_no_capture(key, value):
            return ()
        # Most of the time of the step passes here, so few lines are split into fields.
        url = value[: value.find(b'\t')]
        if key.endswith(ONLY_ITEM):
            url = url_of(key, split_fields(key, value))
        return super().add(name_digest(captures.identify(url, key)))


def read_capture(key: bytes, value: bytes) -> Capture | None:
    """Return the capture of a page line; None for a line without one."""
    if is_no_capture(key, value):
        return None
    fields = split_fields(key, value)
    date = to_text(fields[DATE])
    return Capture(url_of(key, fields), key, date, is_page(fields))
