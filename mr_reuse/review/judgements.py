"""What people said, in the order in which they said it: `judgements.tsv`.

Lines are only added. An undo is a line as well, and takes back the newest line of the
same judge on the same sample that was not taken back before.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from mr_reuse.messages import to_bytes, to_text
from mr_reuse.review.categories import BETWEEN
from mr_reuse.tables.run_tables import JUDGEMENTS

MAX_NOTE = 2000
JUDGED, UNDONE = 'judged', 'undone'
NUMBER = re.compile(r'[0-9]{1,15}')
NAME = re.compile(r'\S.{0,63}')
# The last cell of a line; what was cut off in it is no line.
SAMPLE = re.compile(
    r'(uniform|stratified) seed=(\d+)(?: folded=([0-9]{1,15}))? frame=[0-9a-f]{16}'
)
BLANKS = {c: ' ' for c in (*range(32), *range(127, 160), 0x2028, 0x2029)}


class Judgement(NamedTuple):
    """A line: who called what a what, and what it stands for."""

    time: str
    judge: str
    action: str
    what: str  # kind of thing
    item: str
    categories: str
    counts: str  # as what: benign, unclear, bad; '' with no category
    note: str
    place: int  # in the sample
    stratum: str
    size: int  # of the stratum
    population: int
    sample: str  # how it was drawn, and out of what

    def line(self) -> bytes:
        """The line as bytes."""
        cells = (str(cell).translate(BLANKS) for cell in self)
        return to_bytes('\t'.join(cells)) + b'\n'

    @property
    def names(self) -> list[str]:
        """The names of the categories."""
        return self.categories.split(BETWEEN) if self.categories else []

    @property
    def session(self) -> tuple[str, str, str]:
        """What has to be the same for lines to belong together."""
        return self.what, self.sample, self.judge

    @property
    def how(self) -> tuple[str, str]:
        """How the sample was drawn: uniform or stratified, with which seed."""
        return SAMPLE.fullmatch(self.sample).group(1, 2)

    @property
    def folded(self) -> int:
        """How many rows of the table were folded with others."""
        return int(SAMPLE.fullmatch(self.sample)[3] or 0)


HEADER = f'{JUDGEMENTS.header}\n'.encode()


def read_line(line: bytes) -> Judgement | None:
    """A judgement from its line; None if the line is not whole.

    >>> one = Judgement('t', 'ann', JUDGED, 'pages', 'a:0', 'Ads', 'bad', '', 1, '', 9,
    ...     9, 'uniform seed=1 frame=00000000000000ff')
    >>> read_line(one.line()) == one, read_line(one.line()[:-2])
    (True, None)
    """
    cells = to_text(line).rstrip('\n').split('\t')
    if len(cells) != len(Judgement._fields) or not SAMPLE.fullmatch(cells[-1]):
        return None
    numbers = cells[8], cells[10], cells[11]
    if not all(NUMBER.fullmatch(cell) for cell in numbers):
        return None
    place, size, population = map(int, numbers)
    if not (1 <= place <= population and 1 <= size <= population):
        return None
    return Judgement(*cells[:8], place, cells[9], size, population, cells[12])


def note_of(text: str) -> str:
    """A note as it is kept: in one line, and not without end."""
    plain = text.translate(BLANKS).encode('utf-8', 'replace').decode()
    return ' '.join(plain.split())[:MAX_NOTE]


Held = dict[str, Judgement]  # what holds of each item


def standing(lines: Iterable[Judgement]) -> dict[tuple[str, str, str], list[Judgement]]:
    """The lines of each session that were not taken back, oldest first.

    >>> one = Judgement('t', 'ann', JUDGED, 'pages', 'a:0', 'Ads', 'bad', '', 1, '', 9,
    ...     9, 'uniform seed=1 frame=00000000000000ff')
    >>> other = one._replace(categories='Blog')
    >>> undo = one._replace(action=UNDONE)
    >>> standing([one, other, undo])[one.session] == [one]
    True
    """
    found: dict[tuple[str, str, str], list[Judgement]] = {}
    for line in lines:
        stack = found.setdefault(line.session, [])
        if line.action != UNDONE:
            stack.append(line)
        elif stack:
            stack.pop()
    return found


def holding(stack: Iterable[Judgement]) -> Held:
    """What holds of each item: the last thing that was said."""
    return {line.item: line for line in stack}


def samples(
    lines: Iterable[Judgement], what: str | None = None, judge: str | None = None
) -> dict[tuple[str, str], dict[str, Held]]:
    """What holds of the items of each sample that have a category, judge by judge."""
    found: dict[tuple[str, str], dict[str, Held]] = {}
    for (kind, sample, who), stack in sorted(standing(lines).items()):
        held = {i: line for i, line in holding(stack).items() if line.names}
        if held and (what or kind, judge or who) == (kind, who):
            found.setdefault((kind, sample), {})[who] = held
    return found
