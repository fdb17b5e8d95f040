"""The rows of the tables with a row for each document."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import numpy as np

from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.partitions import unit_of, unpack_texts
from mr_reuse.shuffle.sorting import DIGITS, Keyed
from mr_reuse.storage import mapped
from mr_reuse.styles import comparing, describing
from mr_reuse.styles.describing import Member
from mr_reuse.styles.match import pairing
from mr_reuse.styles.ranking import Ranks
from mr_reuse.styles.style_tables import NEAR, STYLE_MATCHES, STYLE_MEMBERS
from mr_reuse.tables.row_makers import RowMaker


class MemberRows(RowMaker):
    """The members of styles: those most similar to the prototype first."""

    table = STYLE_MEMBERS

    def __init__(self, ranks: Ranks):
        self._ranks = ranks

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the rows of a line."""
        if unit_of(key) == describing.MEMBERS:
            members = map(Member.parse, unpack_texts(value))
            for cluster, group in groupby(members, attrgetter('cluster')):
                style = self._ranks.find(cluster)
                yield from (member_row(member, style) for member in group)


def member_row(member: Member, style: int) -> Keyed:
    """Make the row of a member of a style, with its sort key.

    >>> member_row(Member(3, '0.500000000', 4, 'a:0', 'http://a/'), 1)[1]
    b'1\\ta:0\\thttp://a/\\t0.500000000'
    """
    # Two different similarities differ in the first decimals.
    billionths = int(member.similarity.replace('.', ''))
    key = b'%0*d%b%0*d' % (
        *(DIGITS, style),
        sorting.descending(billionths),
        *(DIGITS, member.number),
    )
    row = str(style), member.rid, member.url, member.similarity
    return key, to_bytes('\t'.join(row))


class NearRows(RowMaker):
    """Documents by their similarity to one page. Their rows are complete."""

    table, unit = NEAR, comparing.NEAR

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the rows of a line."""
        if unit_of(key) == self.unit:
            yield from map(sorting.split_key, unpack_texts(value))


class MatchRows(NearRows):
    """Documents that are alike a known one. Their rows are complete as well."""

    table, unit = STYLE_MATCHES, pairing.UNIT


def new_makers(ranks: Ranks | None, table: str = NEAR.name) -> Sequence[RowMaker]:
    """Return the makers of a table: of members, given the ranks of styles, or another.

    >>> [maker.table.name for maker in new_makers(None)]
    ['near']
    """
    if ranks is not None:
        return (MemberRows(ranks),)
    return (MatchRows(),) if table == STYLE_MATCHES.name else (NearRows(),)


def map_ranks(name: str) -> Ranks:
    """Map the file of ranks into memory."""
    data = np.frombuffer(mapped.map_bytes(name), np.uint64)
    return Ranks(*np.split(data, 2))
