"""The results of `quilts` in a run: pages by rid or URL, their sources, their grams."""

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from mr_reuse.engine.record import RunRecord
from mr_reuse.messages import to_text
from mr_reuse.pages.documents.showing.system_results import SystemResults
from mr_reuse.quilts import lists, quilt_steps, shares
from mr_reuse.quilts.checks import reports
from mr_reuse.quilts.quilt_options import GramRecipe
from mr_reuse.quilts.quilt_tables import QUILT_SOURCES, QUILTS
from mr_reuse.quilts.shares import Row
from mr_reuse.quilts.showing import patch_grams
from mr_reuse.quilts.showing.patch_grams import PatchGrams
from mr_reuse.shuffle import ordered_parts, protocol

SYSTEM = 'quilts'


class QuiltResults(SystemResults):
    """The results of `quilts` in a finished run."""

    def __init__(self, run: str, record: RunRecord):
        super().__init__(run, record, SYSTEM)
        self.recipe, self.alpha, self._m = self.read_options(_read_options)

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
        texts = ordered_parts.read_in_order(
            self.parts(quilt_steps.QUILTS), reports.COVERS
        )
        covers = {}
        for text in texts:
            rid, cover = reports.parse_cover_row(text)
            if rid in rids:
                covers[rid] = cover
        lines = protocol.read_parts(self.parts(quilt_steps.LISTS))
        found = (lists.unpack(value) for key, value in lines if lists.is_list_line(key))
        small = (lists.up_to(piece, self._m) for piece in found)
        grams = patch_grams.find_patch_grams(list(covers.values()), small)
        return dict(zip(covers, grams, strict=True))

    def find_documents(self, is_wanted: Callable[[str, str], bool]) -> Iterator[Row]:
        """Yield the documents with grams whose rid and URL pass a test."""
        parts = self.parts(quilt_steps.SHARES)
        for text in ordered_parts.read_in_order(parts, shares.UNIT):
            _, rid, url, _ = text.split(b'\t', 3)
            if is_wanted(to_text(rid), to_text(url)):
                yield Row.parse(text)


def _read_options(options: Mapping[str, Any]) -> tuple[GramRecipe, Fraction, int]:
    """Return the recipe of grams, the least share of a quilt, and m."""
    recipe = GramRecipe(*map(options.__getitem__, GramRecipe._fields))
    return recipe, Fraction(options['alpha']), int(options['m'])
