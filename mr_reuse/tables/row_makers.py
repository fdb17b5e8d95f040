"""Makers of the rows of tables, from lines of steps."""

from collections.abc import Iterator
from typing import Any

from mr_reuse.shuffle.sorting import Keyed
from mr_reuse.tables.schema import Table


class RowMaker:
    """Makes the rows of a table from lines, and collects numbers of them.

    The driver makes the rows of a small table with it, and the mappers of a job those
    of a large one. The numbers of all mappers are added up by `merge`.
    """

    table: Table

    def add(self, key: bytes, value: bytes) -> Iterator[Keyed]:
        """Yield the rows of a line, each after its sort key."""
        raise NotImplementedError

    @property
    def stats(self) -> dict[str, Any]:
        """The numbers so far, for JSON; empty if there are none to collect."""
        return {}

    def merge(self, stats: dict[str, Any]) -> None:
        """Add the `stats` of another maker."""
