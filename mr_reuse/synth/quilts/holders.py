"""The pages that have a passage, and which of their servers differ."""

from ipaddress import ip_address

from mr_reuse.synth.planned.passages import Passage
from mr_reuse.synth.planned.planned_page import PlannedPage, Server

# Designs of the passages that pages share. Each design has its own rule for the cover.
# All other pages have the design `apart`.
COPIES, TWINS, ALL_BUT_ONE = 'copies', 'twins', 'all but one'


class Holders:
    """Pages in the order of capture, and those among them that have a passage."""

    def __init__(self, pages: list[PlannedPage]) -> None:
        self.pages = pages
        self.by_passage: dict[Passage, list[PlannedPage]] = {}
        for page in pages:
            for passage in page.content:
                self.by_passage.setdefault(passage, []).append(page)

    def of(self, passage: Passage) -> list[PlannedPage]:
        """Return the pages that have a passage."""
        return self.by_passage[passage]


def is_foreign(one: Server, other: Server, by: str) -> bool:
    """Return whether two servers differ, by `none`, `host`, `domain` or `ip`.

    With `none` all are foreign. If a server has no address, the domains decide.

    >>> a = Server('www.a.example', 'a.example', '2001:db8::1')
    >>> b = Server('b.example', 'b.example', '2001:0db8:0:0:0:0:0:1')
    >>> [is_foreign(a, b, by) for by in ('none', 'host', 'domain', 'ip')]
    [True, True, True, False]
    """
    if by == 'host':
        return one.host != other.host
    if by == 'ip' and one.address and other.address:
        return ip_address(one.address) != ip_address(other.address)
    return by == 'none' or one.domain != other.domain
