"""The styles that are described: those of the greatest scores, and the largest ones.

If all pages are of one domain, the greatest scores are those of copies of one page.
"""

import heapq
from collections.abc import Iterable
from typing import Any


def choose_styles(rows: Iterable[Any], most: int) -> list[int]:
    """Return the numbers of the first `most` styles, and of as many largest ones.

    `rows` are those of the table of styles, or their beginning.

    >>> from mr_reuse.styles.style_tables import STYLES
    >>> rows = [STYLES.row(n, 9 * n, 1, 1, '', '', '', '') for n in (1, 2, 3, 4)]
    >>> choose_styles(rows, 1), choose_styles(rows, 3)
    ([1, 4], [1, 2, 3, 4])
    """
    first: list[int] = []
    largest: list[tuple[int, int]] = []  # a heap, the smallest first
    for row in rows:
        if len(first) < most:
            first.append(row.style)
        entry = row.pages, -row.style
        if len(largest) < most:
            heapq.heappush(largest, entry)
        elif most and entry > largest[0]:
            heapq.heapreplace(largest, entry)
    return sorted({*first, *(-style for _, style in largest)})
