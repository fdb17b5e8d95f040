"""Changes between two runs: of the copies of a label, the badness of a neighborhood.

A label has appeared, vanished, grown or shrunk. A neighborhood has turned bad or good,
has got worse or better while it was bad in both, or was in one of the crawls only.
"""

from collections.abc import Callable
from typing import NamedTuple

LABELS, BAD, ALL = 'labels.tsv', 'bad_neighborhoods.tsv', 'neighborhoods.tsv'
LABEL_WORDS = ('appeared', 'vanished', 'grew', 'shrank')
WORDS = ('turned bad', 'new and bad', 'turned good', 'gone', 'got worse', 'got better')
MAX_SIZE = 10**20 - 1

Row = list[str]
Sides = dict[str, Row]  # '0labels.tsv': the row of the old run, '1…': of the new one


class Change(NamedTuple):
    """A change of a number, which is None where the run has no such row."""

    word: str
    before: int | None
    after: int | None
    row: list[str]

    def line(self, words: tuple[str, ...]) -> bytes:
        """The row behind its sort key: by kind of change, the largest first."""
        size = abs((self.after or 0) - (self.before or 0))
        text = encode('\t'.join([self.word, *self.row]))
        key = encode(self.row[0])
        return b'%d%020d%b\0%b' % (words.index(self.word), MAX_SIZE - size, key, text)


def label_change(sides: Sides) -> Change | None:
    """The change of the copies of a label.

    >>> old = ['ff', '101', '9', '9', '1', 'http://a/', 'x']
    >>> label_change({'0labels.tsv': old}).word, label_change({'1labels.tsv': old}).word
    ('vanished', 'appeared')
    """
    old, new = sides.get(f'0{LABELS}'), sides.get(f'1{LABELS}')
    before, after = (row and int(row[2]) for row in (old, new))
    if before == after:
        return None
    hash_, length, *_, url, preview = new or old
    cells = [hash_, length, format_number(before), format_number(after), url, preview]
    return Change(label_word(before, after), before, after, cells)


def label_word(before: int | None, after: int | None) -> str:
    """The word for a change of copies.

    >>> label_word(None, 3), label_word(5, 3)
    ('appeared', 'shrank')
    """
    if before is None or after is None:
        return 'appeared' if before is None else 'vanished'
    return 'grew' if after > before else 'shrank'


def neighborhood_change(sides: Sides) -> Change | None:
    """The change of the pooled ratio of a neighborhood that is bad in a run.

    >>> row = ['a.org/', '1', '9', '3', '4', '0.75', '0.7']
    >>> sides = {'0bad_neighborhoods.tsv': row, '1neighborhoods.tsv': row}
    >>> neighborhood_change(sides).word
    'turned good'
    >>> neighborhood_change({'0bad_neighborhoods.tsv': row}).word
    'gone'
    """
    bad = [f'{side}{BAD}' in sides for side in '01']
    if not any(bad):
        return None
    rows = [sides.get(f'{side}{BAD}') or sides.get(f'{side}{ALL}') for side in '01']
    before, after = (row and round(float(row[5] or 0) * 10**9) for row in rows)
    if all(bad) and before == after:
        return None
    if all(bad):
        word = 'got worse' if after > before else 'got better'
    elif bad[1]:
        word = 'turned bad' if rows[0] else 'new and bad'
    else:
        word = 'turned good' if rows[1] else 'gone'
    old, new = (row or [''] * 7 for row in rows)
    prefix, level = (rows[1] or rows[0])[:2]
    cells = [prefix, level, old[5], new[5], old[3], new[3]]
    return Change(word, before, after, cells)


class Kind(NamedTuple):
    """A kind of rows that are compared: the tables to read, and the one to write."""

    title: str
    tables: tuple[str, ...]
    change: Callable[[Sides], Change | None]
    words: tuple[str, ...]
    result: str
    header: str


KINDS = (
    Kind(
        'labels',
        (LABELS,),
        label_change,
        LABEL_WORDS,
        'label_changes.tsv',
        'change\thash\tlength\tbefore\tafter\texample_url\tpreview',
    ),
    Kind(
        'neighborhoods',
        (BAD, ALL),
        neighborhood_change,
        WORDS,
        'neighborhood_changes.tsv',
        'change\tprefix\tlevel\tbefore\tafter\tbad_before\tbad_after',
    ),
)


def format_change(row: Row) -> str:
    """A row of a table of changes as a line: before, after, and the thing.

    >>> format_change(['grew', 'ff' * 20, '101', '9', '12', 'http://a/', '<p>one'])
    '          9 ->          12  ffffffffffff <p>one'
    """
    _, name, _, before, after, _, last = row
    if '/' not in name:
        name = f'{name[:12]} {last[:50]}'
    return f'{before or "-":>11} -> {after or "-":>11}  {name}'


def format_number(number: int | None) -> str:
    """A number in a table, '' for None."""
    return '' if number is None else str(number)


def encode(text: str) -> bytes:
    """A text of a table as bytes."""
    return text.encode('utf-8', 'surrogateescape')
