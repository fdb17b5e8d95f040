"""Revisits of a run: how many count with the content of another record."""

from collections.abc import Iterator

from mr_reuse.engine.record_shapes import RevisitsRecord
from mr_reuse.messages import format_count

# Reasons why a revisit does not count, by the plural of their description.
NOT_HERE = 'refer to records that are not in the crawl'
NO_REFERENCE = 'refer to no record'
ENDLESS = 'refer to other revisits only'
SINGULAR = {
    NOT_HERE: 'refers to a record that is not in the crawl',
    NO_REFERENCE: 'refers to no record',
    ENDLESS: 'refers to other revisits only',
}


def describe_revisits(record: RevisitsRecord) -> Iterator[str]:
    """Describe the revisits of a run, from its record, in a few lines.

    >>> reasons = {NOT_HERE: 1, ENDLESS: 2}
    >>> numbers = {'resolved': 1200, 'pages': 9, 'unresolved': reasons}
    >>> record = RevisitsRecord(**numbers, targets='', filled='')
    >>> print(*describe_revisits(record), sep='\\n')
    1,200 revisits count with the content of the records to which they refer
    2 revisits refer to other revisits only, so they do not count
    1 revisit refers to a record that is not in the crawl, so it does not count
    """
    if record.resolved:
        yield format_count(
            record.resolved,
            'revisit counts with the content of the record to which it refers',
            'revisits count with the content of the records to which they refer',
        )
    for reason, number in sorted(record.unresolved.items()):
        yield format_count(
            number,
            f'revisit {SINGULAR.get(reason, reason)}, so it does not count',
            f'revisits {reason}, so they do not count',
        )
