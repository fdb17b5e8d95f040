"""What revisits stand for, in the plainest way there is; for tests only.

Like `reference.py` it is written from the definitions alone. It turns revisits with
their references into pages, which the other references then take like any others.
"""

import hashlib
from typing import NamedTuple

from reference import Page


class Stored(NamedTuple):
    """A record with what others may refer to."""

    page: Page  # of a revisit, without its body
    id: str = ''
    digest: str = ''
    is_revisit: bool = False
    refers_to: str = ''  # an id
    refers_to_url: str = ''
    refers_to_date: str = ''
    status: int = 200


def with_targets(records: list[Stored]) -> list[Page]:
    """All pages, and the revisits with the bodies of their targets."""
    pages = []
    for record in records:
        target = find_target(record, records)
        if target:
            pages.append(record.page._replace(body=target.page.body))
    return pages


def find_target(record: Stored, records: list[Stored]) -> Stored | None:
    """The record with the content of a record; None for a revisit without one."""
    passed = []
    while record.is_revisit:
        if record in passed:
            return None
        passed.append(record)
        found = [*candidates(record, records)]
        whole = [other for other in found if not other.is_revisit]
        if not found:
            return None
        record = (whole or found)[0]
    return record


def candidates(revisit: Stored, records: list[Stored]):
    """All records that a revisit may mean, the best first."""
    url, date = revisit.refers_to_url, revisit.refers_to_date
    if date and not url:
        url = revisit.page.url
    ordered = sorted(records, key=lambda r: (r.page.archive.encode(), r.page.offset))
    if revisit.refers_to:
        yield from (r for r in ordered if r.id == revisit.refers_to)
    if url and date:
        yield from (r for r in ordered if (r.page.url, r.page.date) == (url, date))
    if revisit.digest:
        whole = [r for r in ordered if not r.is_revisit]
        yield from (r for r in whole if r.digest.upper() == revisit.digest.upper())


def payload_digest(body: bytes) -> str:
    return f'sha1:{hashlib.sha1(body).hexdigest()}'
