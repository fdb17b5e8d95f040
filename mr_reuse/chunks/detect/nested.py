"""Nested neighborhoods with the same pages: a host, and a folder with all its pages."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, AnyStr, TypeVar

Row = TypeVar('Row')
Numbers = Any  # of pages, labels and chunks; equal in nested neighborhoods


def group_nested(
    rows: Iterable[Row], describe: Callable[[Row], tuple[AnyStr, Numbers]]
) -> Iterator[list[Row]]:
    """Group rows of `bad_neighborhoods.tsv` that have the same pages.

    The outermost neighborhood of a group is first. `describe` returns the prefix and
    the numbers of a row. Rows with equal numbers have to be in the order of prefixes,
    as in the table.

    >>> rows = [('a/', 9), ('a/x/', 9), ('a/x/y/', 9), ('b/', 9), ('b/z/', 8)]
    >>> groups = group_nested(rows, lambda row: row)
    >>> [[prefix for prefix, _ in group] for group in groups]
    [['a/', 'a/x/', 'a/x/y/'], ['b/'], ['b/z/']]
    """
    group: list[Row] = []
    outer_prefix, outer_numbers = None, None
    for row in rows:
        prefix, numbers = describe(row)
        is_nested = group and prefix.startswith(outer_prefix)
        if not (is_nested and numbers == outer_numbers):
            if group:
                yield group
            group, outer_prefix, outer_numbers = [], prefix, numbers
        group.append(row)
    if group:
        yield group
