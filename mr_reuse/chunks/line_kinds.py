"""Recognize the output of a job by a line, to refuse the wrong input of another job."""

import re
from collections.abc import Collection

from mr_reuse import storage
from mr_reuse.chunks.page_lines import PACKED
from mr_reuse.errors import UserError
from mr_reuse.shuffle import protocol

MAX_LINE = 4 << 20  # bytes; the jobs write lines of about a megabyte
RID = re.compile(rb'.*:\d+(\+\d+)?(#\d+)?')
# What a line is, and the job that writes such lines.
PAGES = 'page lines', 'HashChunks'
COUNTS = 'counts', 'CountDuplicates'
MATCHES = 'matches', 'MatchLabeled'
NEIGHBORHOODS = 'neighborhoods', 'NeighborhoodBadness'
COUNTED = re.compile(rb'(chunk|file|copied)/[0-9a-f]{4}')
MATCH_FIELDS = 5
NEIGHBORHOOD_FIELDS = 6
# The statistics in the last line of a task.
STATISTICS = {
    'accounts': PAGES,
    'revisits': PAGES,
    'frequency': COUNTS,
    'filtered': COUNTS,
    'pages': NEIGHBORHOODS,
}
Kind = tuple[str, str]


def kind_of(line: bytes) -> Kind | None:
    """Return the kind of a line; None if no job writes such lines.

    >>> kind_of(b'a.warc:0\\thttp://a/\\t2020-01-01T00:00:00Z\\t1\\t2\\t8,4:')
    ('matches', 'MatchLabeled')
    >>> kind_of(b'chunk/0001\\t20,1,1,2:')
    ('counts', 'CountDuplicates')
    >>> kind_of(b'@\\t{"accounts": []}'), kind_of(b'<html>')
    (('page lines', 'HashChunks'), None)
    """
    key, _, value = line.rstrip(b'\t\r\n').partition(b'\t')
    fields = value.split(b'\t')
    if key == protocol.LAST_KEY:
        return _kind_of_statistics(line)
    if COUNTED.fullmatch(key) and len(fields) == 1:
        return COUNTS
    if RID.fullmatch(key) and len(fields) > PACKED:
        return PAGES
    if RID.fullmatch(key) and len(fields) == MATCH_FIELDS:
        return MATCHES
    if b'/' in key and len(fields) == NEIGHBORHOOD_FIELDS:
        return NEIGHBORHOODS if all(map(bytes.isdigit, fields)) else None
    return None


def _kind_of_statistics(line: bytes) -> Kind | None:
    try:
        names = protocol.parse_stats(line)
    except ValueError:
        return None
    return next((STATISTICS[name] for name in names if name in STATISTICS), None)


def check_file(name: str, expected: Collection[Kind]) -> None:
    """Refuse a file whose first line is of no expected kind. An empty file has none."""
    with storage.open_read(name) as stream:
        line = stream.readline(MAX_LINE)
    kind = kind_of(line)
    if not line or kind in expected:
        return
    content = f'{kind[0]}, the output of {kind[1]}' if kind else 'no output of a job'
    wanted = ' or '.join(f'the output of {job} ({lines})' for lines, job in expected)
    raise UserError(f'{name}: {content}; name {wanted}')
