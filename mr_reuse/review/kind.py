"""A kind of item that can be judged: a table, its strata, and texts for people."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from mr_reuse.algorithms import sampling
from mr_reuse.algorithms.sampling import ONLY_STRATUM
from mr_reuse.tables.schema import Table


class Strata(NamedTuple):
    """The division of the rows of a table into strata."""

    by: str  # the quantity, for people
    column: str
    of: Callable[[bytes], int]  # the number of the stratum of a cell
    name: Callable[[int], str]  # the stratum of a number, for people


def by_decade(column: str) -> Strata:
    """Divide a table with counts in a column into strata by powers of ten."""
    return Strata(column, column, sampling.decade_of, sampling.decade_name)


class Sides(NamedTuple):
    """The texts around pages that are displayed beside others."""

    here: str
    there: str
    none: str  # in place of the other pages
    is_source: bool = False  # the texts are sources of pages


Groups = Iterator[list[bytes]]


def single_rows(lines: Iterable[bytes]) -> Groups:
    """Yield each row of a table as a group."""
    return ([line] for line in lines)


class Kind(NamedTuple):
    """A kind of item that is judged."""

    name: str
    all: str  # noun phrase for all items
    table: Table
    title: str  # the column with the name of an item
    about: Callable[[Any], str]  # describes a row for people
    strata: Strata | None
    # Default files of categories, without their suffix, if they have other names: of
    # samples, and of the first rows of the table.
    own_categories: str = ''
    own_top_categories: str = ''
    sides: Sides | None = None  # beside other pages; None for items with labels
    groups: Callable[[Iterable[bytes]], Groups] = single_rows  # rows of one item

    @property
    def categories(self) -> str:
        """The default file of categories, without its suffix."""
        return self.own_categories or self.name

    @property
    def top_categories(self) -> str:
        """The same for the first rows of the table."""
        return self.own_top_categories or self.categories

    def name_of(self, stratum: int) -> str:
        """Name a stratum for people; '' if there is only one."""
        if stratum == ONLY_STRATUM or not self.strata:
            return ''
        return f'{self.strata.by} {self.strata.name(stratum - 1)}'
