"""The description of an input, which the driver sends to tasks."""

from typing import NamedTuple

PACKED = 'packed page'  # a page in a gzipped file
PACKED_TEXT = 'packed text'  # a gzipped text: a page in a folder, else a list of names


class Source(NamedTuple):
    """An archive, a slice of one, or a file that is a page."""

    kind: str  # 'archive'; 'page' or PACKED for a file that is a page itself
    name: str  # as typed, for rids and tables
    path: str  # absolute
    url: str = ''  # of a page
    size: int = 0
    stamp: str = ''  # version stamp of the file; empty if unknown
    rows: str = ''  # of a slice: its records, as `slices.format_rows` has them

    @property
    def identity(self) -> tuple[str | int, ...]:
        """What is part of the digest of a step, besides the version stamp."""
        fields = self.kind, self.name, self.path, self.url, self.size
        return (*fields, self.rows) if self.rows else fields


def page_kind(kind: str) -> str:
    """Return the kind of the source for a file that is a page.

    >>> page_kind('markup'), page_kind(PACKED_TEXT), page_kind('binary')
    ('page', 'packed page', 'page')
    """
    return PACKED if kind in (PACKED, PACKED_TEXT) else 'page'
