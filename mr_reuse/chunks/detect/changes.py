"""Changes between two runs, of the copies of a label and the badness of a neighborhood.

A label can appear, vanish, grow or shrink. A neighborhood can turn bad or good, get
worse or better while it is bad in both runs, or be in one of the two crawls only.
"""

from collections.abc import Callable
from typing import NamedTuple

from mr_reuse.chunks.chunk_tables import (
    BAD_NEIGHBORHOODS,
    LABEL_CHANGES,
    LABELS,
    NEIGHBORHOOD_CHANGES,
    NEIGHBORHOODS,
)
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting
from mr_reuse.tables.schema import Table

# Changes, in the order of the tables and of the printed summary.
LABEL_WORDS = ('appeared', 'vanished', 'grew', 'shrank')
WORDS = ('turned bad', 'new and bad', 'turned good', 'gone', 'got worse', 'got better')

Row = dict[str, str]  # cells by column
Sides = dict[str, Row]  # rows with one key by side and table, such as 'old labels'


class Change(NamedTuple):
    """A change of a number, which is None for a run without such a row."""

    word: str
    before: int | None
    after: int | None
    cells: list[str]

    def keyed(self, words: tuple[str, ...]) -> sorting.Keyed:
        """Return the sort key and the row: by kind of change, largest change first."""
        size = abs((self.after or 0) - (self.before or 0))
        order = b'%d%b' % (words.index(self.word), sorting.descending(size))
        row = to_bytes('\t'.join([self.word, *self.cells]))
        return order + to_bytes(self.cells[0]), row


def label_change(sides: Sides) -> Change | None:
    """Return the change of the copies of a label, or None if they are equal.

    >>> row = {'hash': 'ff', 'length': '101', 'copies': '9', 'example_url': 'http://a/'}
    >>> label_change({'old labels': row | {'preview': ''}}).word
    'vanished'
    """
    old, new = sides.get('old labels'), sides.get('new labels')
    before, after = (row and int(row['copies']) for row in (old, new))
    if before == after:
        return None
    hash_, length, *example = (
        (new or old)[name] for name in ('hash', 'length', 'example_url', 'preview')
    )
    cells = [hash_, length, format_number(before), format_number(after), *example]
    return Change(label_word(before, after), before, after, cells)


def label_word(before: int | None, after: int | None) -> str:
    """Name a change of copies.

    >>> label_word(None, 3), label_word(5, 3)
    ('appeared', 'shrank')
    """
    if before is None or after is None:
        return 'appeared' if before is None else 'vanished'
    return 'grew' if after > before else 'shrank'


def neighborhood_change(sides: Sides) -> Change | None:
    """Return the change of the pooled ratio of a neighborhood.

    The result is None if the neighborhood is bad in neither run, or if it is bad in
    both with the same ratio.

    >>> row = {'prefix': 'a.org/', 'level': '1', 'pooled': '0.75', 'bad': '3'}
    >>> sides = {'old bad_neighborhoods': row, 'new neighborhoods': row}
    >>> neighborhood_change(sides).word
    'turned good'
    >>> neighborhood_change({'old bad_neighborhoods': row}).word
    'gone'
    """
    was_bad, is_bad = (f'{side} bad_neighborhoods' in sides for side in ('old', 'new'))
    if not (was_bad or is_bad):
        return None
    old, new = (
        sides.get(f'{side} bad_neighborhoods') or sides.get(f'{side} neighborhoods')
        for side in ('old', 'new')
    )
    # As integers, since equality and sort keys need exact numbers. Tables have at most
    # nine decimals.
    before, after = (
        row and round(float(row['pooled'] or 0) * 10**9) for row in (old, new)
    )
    if was_bad and is_bad:
        if before == after:
            return None
        word = 'got worse' if after > before else 'got better'
    elif is_bad:
        word = 'turned bad' if old else 'new and bad'
    else:
        word = 'turned good' if new else 'gone'
    row, none = new or old, {'pooled': '', 'bad': ''}
    cells = [row['prefix'], row['level']]
    cells += [(side or none)[name] for name in none for side in (old, new)]
    return Change(word, before, after, cells)


class Kind(NamedTuple):
    """A kind of rows to compare: the tables to read, and the table to write."""

    title: str
    tables: tuple[Table, ...]
    change: Callable[[Sides], Change | None]
    words: tuple[str, ...]
    result: Table


KINDS = (
    Kind('labels', (LABELS,), label_change, LABEL_WORDS, LABEL_CHANGES),
    Kind(
        'neighborhoods',
        (BAD_NEIGHBORHOODS, NEIGHBORHOODS),
        neighborhood_change,
        WORDS,
        NEIGHBORHOOD_CHANGES,
    ),
)


def format_change(cells: list[str]) -> str:
    """Format a row of a table of changes for printing: before, after, and the name.

    >>> format_change(['grew', 'ff' * 20, '101', '9', '12', 'http://a/', '<p>one'])
    '          9 ->          12  ffffffffffff <p>one'
    """
    _, name, _, before, after, _, last = cells
    if '/' not in name:  # a hash, as each prefix of a URL has a slash
        name = f'{name[:12]} {last[:50]}'
    return f'{before or "-":>11} -> {after or "-":>11}  {name}'


def format_number(number: int | None) -> str:
    """Format a number for a table, None as ''."""
    return '' if number is None else str(number)
