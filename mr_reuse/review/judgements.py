"""The lines of `judgements.tsv`, in the order of time.

Lines are only appended. An undo is a line too. It cancels the newest line of the same
judge on the same sample that is not cancelled yet.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from mr_reuse.messages import to_bytes, to_text
from mr_reuse.review import JUDGEMENTS
from mr_reuse.review.categories import SEPARATOR

MAX_NOTE = 2000  # characters
JUDGED, UNDONE = 'judged', 'undone'
TOP = 'top'  # in place of the method of drawing: the first items of a table
NUMBER = re.compile(r'[0-9]{1,15}')
NAME = re.compile(r'\S.{0,63}')
# The last cell of a line. Its fixed length shows whether the line is complete.
SAMPLE = re.compile(
    r'(uniform|stratified|top) seed=(\d+)(?: folded=([0-9]{1,15}))? frame=[0-9a-f]{16}'
)
# Characters that would end a cell or a line, replaced by a space.
BLANKS = {c: ' ' for c in (*range(32), *range(127, 160), 0x2028, 0x2029)}


class Judgement(NamedTuple):
    """A line of `judgements.tsv`, with its columns in order."""

    time: str
    judge: str
    action: str
    what: str  # kind of item
    item: str
    categories: str
    counts: str  # benign, unclear or bad; '' without a category
    note: str
    place: int  # position in the sample, from 1
    stratum: str
    size: int  # of the stratum
    population: int
    sample: str  # method, seed and population, as in Task.design

    def line(self) -> bytes:
        """Encode the line."""
        cells = (str(cell).translate(BLANKS) for cell in self)
        return to_bytes('\t'.join(cells)) + b'\n'

    @property
    def names(self) -> list[str]:
        """The names of the categories."""
        return self.categories.split(SEPARATOR) if self.categories else []

    @property
    def session(self) -> tuple[str, str, str]:
        """The key of lines that belong together: kind, sample and judge."""
        return self.what, self.sample, self.judge

    @property
    def how(self) -> tuple[str, str]:
        """The method of drawing (uniform, stratified or top), and the seed."""
        return SAMPLE.fullmatch(self.sample).group(1, 2)

    @property
    def folded(self) -> int:
        """The number of rows of the table that were folded with others."""
        return int(SAMPLE.fullmatch(self.sample)[3] or 0)


HEADER = f'{JUDGEMENTS.header}\n'.encode()


def read_line(line: bytes) -> Judgement | None:
    """Parse a line; None if it is damaged or incomplete.

    >>> line = Judgement('t', 'ann', JUDGED, 'pages', 'a:0', 'Ads', 'bad', '', 1, '', 9,
    ...     9, 'uniform seed=1 frame=00000000000000ff')
    >>> read_line(line.line()) == line, read_line(line.line()[:-2])
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


def clean_note(text: str) -> str:
    """Return a note as one line of at most MAX_NOTE characters."""
    # A browser may send half of a surrogate pair, which UTF-8 cannot encode.
    plain = text.translate(BLANKS).encode('utf-8', 'replace').decode()
    return ' '.join(plain.split())[:MAX_NOTE]


Latest = dict[str, Judgement]  # the valid judgement of each item


def stacks(lines: Iterable[Judgement]) -> dict[tuple[str, str, str], list[Judgement]]:
    """Return the lines of each session that are not undone, oldest first.

    >>> first = Judgement('t', 'ann', JUDGED, 'pages', 'a:0', 'Ads', 'bad', '', 1, '',
    ...     9, 9, 'uniform seed=1 frame=00000000000000ff')
    >>> second = first._replace(categories='Blog')
    >>> undo = first._replace(action=UNDONE)
    >>> stacks([first, second, undo])[first.session] == [first]
    True
    """
    by_session: dict[tuple[str, str, str], list[Judgement]] = {}
    for line in lines:
        stack = by_session.setdefault(line.session, [])
        if line.action != UNDONE:
            stack.append(line)
        elif stack:
            stack.pop()
    return by_session


def latest(stack: Iterable[Judgement]) -> Latest:
    """Return the last line of each item."""
    return {line.item: line for line in stack}


def samples(
    lines: Iterable[Judgement], what: str | None = None, judge: str | None = None
) -> dict[tuple[str, str], dict[str, Latest]]:
    """Return the valid judgements with a category, by kind and sample, then by judge.

    `what` and `judge` restrict them to a kind and a judge.
    """
    by_sample: dict[tuple[str, str], dict[str, Latest]] = {}
    for (kind, sample, name), stack in sorted(stacks(lines).items()):
        items = {i: line for i, line in latest(stack).items() if line.names}
        if items and (what or kind, judge or name) == (kind, name):
            by_sample.setdefault((kind, sample), {})[name] = items
    return by_sample
