"""What `styles spread` prints: how many names had a style, and the first domains."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mr_reuse.messages import format_count, make_visible
from mr_reuse.styles.describing import Member
from mr_reuse.styles.spread.spreading import DOMAIN, HOST, PAGE, Known, Spread
from mr_reuse.tables.decimals import format_decimal

SHOWN = 10  # domains
COUNTED = {PAGE: ('page',), HOST: ('host',), DOMAIN: ('domain',)}


class SpreadSummary:
    """Counts the names of a list, and the rows of the table, as they pass."""

    def __init__(self, known: Known):
        self.known = known
        self._unused = set(known.names)
        self._rows: Counter[str] = Counter()
        self._first: list[Spread] = []

    def count_members(self, members: Iterable[Member]) -> None:
        """Note which names of the list are those of members of a style."""
        for member in members:
            self._unused.difference_update(self.known.names_of(member))

    def count_rows(self, rows: Iterable[Spread]) -> Iterator[Spread]:
        """Yield rows, and count them."""
        for row in rows:
            self._rows[row.unit] += 1
            if row.unit == DOMAIN:
                self._first.append(row)
            if len(self._first) > 100 * SHOWN:
                self._first = self._choose_first()
            yield row

    def _choose_first(self) -> list[Spread]:
        return sorted(self._first, key=Spread.to_row)[:SHOWN]

    def format(self, file: str) -> str:
        """Format the summary."""
        names = format_count(len(self.known.names), 'known name')
        of_style = len(self.known.names) - len(self._unused)
        lines = [f'{names}, {of_style:,} of them with pages in a style of this run']
        if not of_style:
            return '\n'.join([*lines, f'{file} is empty', ''])
        counts = (format_count(self._rows[u], *COUNTED[u]) for u in COUNTED)
        lines.append(f'of the same styles, not known: {", ".join(counts)}')
        if self._first:
            lines.append('  similarity     style  domain')
        for row in self._choose_first():
            near = format_decimal(row.similarity)[:5]
            lines.append(f'  {near:>10}  {row.style:>8,}  {make_visible(row.name)}')
        if (more := self._rows[DOMAIN] - SHOWN) > 0:
            lines.append(f'  and {format_count(more, "more domain")}')
        return '\n'.join([*lines, file, ''])
