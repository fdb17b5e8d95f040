"""Changes between two runs, of the copies of a label and the badness of a neighborhood.

A chunk that is a label in one of the runs can appear, vanish, move to other hosts,
grow, shrink, or pass the threshold. A neighborhood can turn bad or good, get worse or
better while it is bad in both runs, or be in one of the two crawls only.
"""

from collections.abc import Callable
from typing import NamedTuple

from mr_reuse.chunks.change_tables import LABEL_CHANGES, NEIGHBORHOOD_CHANGES
from mr_reuse.chunks.chunk_tables import BAD_NEIGHBORHOODS, LABELS, NEIGHBORHOODS
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting
from mr_reuse.tables.schema import Table

# Changes, in the order of the tables and of the printed summary.
ABOVE, BELOW = 'now above the threshold', 'now below the threshold'
ADMITTED, EXCLUDED = 'no longer excluded', 'now excluded'
LABEL_WORDS = (
    *('moved', 'appeared', ABOVE, ADMITTED, 'vanished', BELOW, EXCLUDED),
    *('grew', 'shrank'),
)
NEIGHBORHOOD_WORDS = (
    *('turned bad', 'new and bad', 'turned good', 'gone'),
    *('got worse', 'got better'),
)
UNITS = 10**9  # of the ratio 1, as tables have at most nine decimals

Row = dict[str, str]  # cells by column
Sides = dict[str, Row]  # rows with one key by side and table, such as 'old labels'


class Change(NamedTuple):
    """A change of a number, which is None for a run without such a row."""

    word: str
    before: int | None
    after: int | None
    cells: list[str]

    def to_keyed_row(self, words: tuple[str, ...]) -> sorting.Keyed:
        """Return the sort key and the row: by kind of change, largest change first."""
        size = abs((self.after or 0) - (self.before or 0))
        order = b'%d%b' % (words.index(self.word), sorting.descending(size))
        row = to_bytes('\t'.join([self.word, *self.cells]))
        return order + to_bytes(self.cells[0]), row


def label_change(sides: Sides) -> Change | None:
    """Return the change of the copies or of the hosts of a label, or None.

    >>> row = {'hash': 'ff', 'length': '101', 'copies': '9', 'example_url': 'http://a/'}
    >>> label_change({'old labels': row | {'preview': ''}}).word
    'vanished'
    """
    old, new = sides.get('old labels'), sides.get('new labels')
    # A row of counts is there only if the chunk is no label in that run.
    counted = (old or sides.get('old counts'), new or sides.get('new counts'))
    before, after = (row and int(row['copies']) for row in counted)
    moved = [sides.get(f'{side} pages') for side in ('old', 'new')]
    if all(moved):
        word = 'moved'
    elif before == after and old and new:
        return None
    else:
        word = label_word(before, after) if old and new else _crossing(sides)
    label = new or old
    url_before, url_after = (page['url'] if page else '' for page in moved)
    cells = [label['hash'], label['length'], format_number(before)]
    cells += [format_number(after), url_after or label['example_url']]
    return Change(word, before, after, [*cells, label['preview'], url_before])


def _crossing(sides: Sides) -> str:
    """Name the change of a chunk that is a label in one of the two runs."""
    was_label = 'old labels' in sides
    count = sides.get('new counts' if was_label else 'old counts')
    if not count:
        return 'vanished' if was_label else 'appeared'
    is_above = int(count['copies']) > int(count['threshold'])
    words = (BELOW, EXCLUDED) if was_label else (ABOVE, ADMITTED)
    return words[is_above]


def label_word(before: int, after: int) -> str:
    """Name a change of copies.

    >>> label_word(5, 3)
    'shrank'
    """
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
    # As integers, since equality and sort keys need exact numbers.
    before, after = (
        row and round(float(row['pooled'] or 0) * UNITS) for row in (old, new)
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
        NEIGHBORHOOD_WORDS,
        NEIGHBORHOOD_CHANGES,
    ),
)


def format_change(row: list[str]) -> str:
    """Format a row of a table of changes for printing: before, after, and the name.

    >>> row = ['grew', 'ff' * 20, '101', '9', '12', 'http://a/', '<p>one', '']
    >>> format_change(row)
    '          9 ->          12  ffffffffffff <p>one'
    >>> format_change(['moved', *row[1:-1], 'http://b/x'])
    '          9 ->          12  ffffffffffff <p>one, from http://b/x to http://a/'
    """
    _, name, _, before, after, *rest = row
    if '/' not in name:  # a hash, as each prefix of a URL has a slash
        url, preview, url_before = rest
        name = f'{name[:12]} {preview[:50]}'
        name += f', from {url_before} to {url}' if url_before else ''
    return f'{before or "-":>11} -> {after or "-":>11}  {name}'


def format_number(number: int | None) -> str:
    """Format a number for a table, None as ''."""
    return '' if number is None else str(number)
