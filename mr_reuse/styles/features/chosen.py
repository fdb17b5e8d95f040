"""The styles that are described: those of the greatest scores, and the largest ones.

If all pages are of one domain, the greatest scores are those of copies of one page.
"""

import heapq
from collections.abc import Iterable, Iterator

from mr_reuse.storage import naming
from mr_reuse.styles.style_tables import STYLES
from mr_reuse.tables import table_files


def read_sizes(run: str) -> Iterator[tuple[int, int]]:
    """Yield number and pages of each style, the first columns of the table.

    The table may have millions of rows, so no other cell is parsed.
    """
    for line in table_files.read_lines(naming.join(run, STYLES.file)):
        style, pages, _ = line.split(b'\t', 2)
        yield int(style), int(pages)


def choose_styles(sizes: Iterable[tuple[int, int]], most: int) -> list[int]:
    """Return the numbers of the first `most` styles, and of as many largest ones.

    >>> sizes = [(n, 9 * n) for n in (1, 2, 3, 4)]
    >>> choose_styles(sizes, 1), choose_styles(sizes, 3), choose_styles(sizes, 0)
    ([1, 4], [1, 2, 3, 4], [])
    """
    first: list[int] = []
    largest: list[tuple[int, int]] = []  # a heap, the smallest first
    for style, pages in sizes:
        if len(first) < most:
            first.append(style)
        entry = pages, -style
        if len(largest) < most:
            heapq.heappush(largest, entry)
        elif most and entry > largest[0]:
            heapq.heapreplace(largest, entry)
    return sorted({*first, *(-style for _, style in largest)})
