"""Neighborhoods that hold the same pages: a host, and the folders that fill it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, AnyStr, TypeVar

Row = TypeVar('Row')
Numbers = Any  # pages, labels and chunks: those that are in one another have the same


def folded(
    rows: Iterable[Row], of: Callable[[Row], tuple[AnyStr, Numbers]]
) -> Iterator[list[Row]]:
    """Rows of `bad_neighborhoods.tsv`, those together that hold the same pages.

    The outermost comes first. `of` gives the prefix and the numbers of a row. Rows with
    the same numbers have to be in the order of the prefixes, as they are in the table.

    >>> rows = [('a/', 9), ('a/x/', 9), ('a/x/y/', 9), ('b/', 9), ('b/z/', 8)]
    >>> [[prefix for prefix, _ in some] for some in folded(rows, lambda row: row)]
    [['a/', 'a/x/', 'a/x/y/'], ['b/'], ['b/z/']]
    """
    group: list[Row] = []
    outer = None
    for row in rows:
        prefix, numbers = of(row)
        if not (outer and prefix.startswith(outer[0]) and numbers == outer[1]):
            if group:
                yield group
            group, outer = [], (prefix, numbers)
        group.append(row)
    if group:
        yield group
