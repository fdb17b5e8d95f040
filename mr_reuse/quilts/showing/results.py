"""The results of `quilts` in a run: pages by rid or URL, their sources, their grams."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages.documents.showing.system_results import SystemResults
from mr_reuse.quilts import quilt_steps, shares
from mr_reuse.quilts.checks import confirming
from mr_reuse.quilts.quilt_options import GramRecipe
from mr_reuse.quilts.quilt_tables import QUILT_SOURCES, QUILTS
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle import ordered_parts, protocol, ragged

SYSTEM = 'quilts'
NO_GRAMS = np.zeros(0, np.uint64)


class PatchGrams(NamedTuple):
    """The patch grams of a quilted page, sorted, and the source of each, from 0.

    Behind the last source are documents that have the grams, but are no sources:
    those that --foreign or --delta leave out.
    """

    keys: np.ndarray
    checks: np.ndarray
    owners: np.ndarray


class QuiltResults(SystemResults):
    """The results of `quilts` in a finished run."""

    def __init__(self, run: str, record: RunRecord):
        super().__init__(run, record, SYSTEM)
        self.recipe, self.alpha = self.read_options(_read_options)

    def find_quilts(self, is_wanted: Callable[[str, str], bool]) -> Iterator[Any]:
        """Yield the rows of quilts whose rid and URL pass a test."""
        for row in self.rows(QUILTS):
            if is_wanted(row.rid, row.url):
                yield row

    def read_sources(self, rids: Collection[str]) -> dict[str, list[Any]]:
        """Return the rows of the sources of some quilts, by rid."""
        found: dict[str, list[Any]] = {rid: [] for rid in rids}
        missing = set(rids)  # in the table the sources of a page are together
        last = ''
        for row in self.rows(QUILT_SOURCES):
            if row.rid != last and last in missing:
                missing.remove(last)
            if not missing:
                break
            last = row.rid
            if last in found:
                found[last].append(row)
        return found

    def read_patch_grams(self, rids: Collection[str]) -> dict[str, PatchGrams]:
        """Return the patch grams of some quilts, by rid."""
        wanted = {to_bytes(rid): rid for rid in rids}
        columns: dict[str, list[Sequence[np.ndarray]]] = {rid: [] for rid in rids}
        unit = confirming.PATCHES.encode() + b'/'
        for key, value in protocol.read_parts(self.parts(quilt_steps.QUILTS)):
            if key.startswith(unit):
                rid, _, packed = value.rpartition(b';')
                if rid in wanted:
                    columns[wanted[rid]].append(ragged.unpack_columns(packed))
        return {rid: _sort_grams(found) for rid, found in columns.items()}

    def find_documents(self, is_wanted: Callable[[str, str], bool]) -> Iterator[Row]:
        """Yield the documents with grams whose rid and URL pass a test."""
        parts = self.parts(quilt_steps.SHARES)
        for text in ordered_parts.read_in_order(parts, shares.UNIT):
            _, rid, url, _ = text.split(b'\t', 3)
            if is_wanted(to_text(rid), to_text(url)):
                yield Row.parse(text)


def _read_options(options: Mapping[str, Any]) -> tuple[GramRecipe, Fraction]:
    """Return the recipe of grams, and the least share of a quilt."""
    recipe = GramRecipe(*map(options.__getitem__, GramRecipe._fields))
    return recipe, Fraction(options['alpha'])


def _sort_grams(columns: list[Sequence[np.ndarray]]) -> PatchGrams:
    """Sort the grams of the lines of a quilt; no gram is in two of them."""
    keys, checks, owners = (
        np.concatenate([NO_GRAMS, *(found[n] for found in columns)]) for n in range(3)
    )
    order = np.lexsort((checks, keys))
    checks, owners = checks[order].astype(np.uint16), owners[order].astype(np.int32)
    return PatchGrams(keys[order], checks, owners)
