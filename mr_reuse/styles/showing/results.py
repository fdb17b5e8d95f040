"""The results of `styles` in a run: rows of tables, and fingerprints."""

import math
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np

from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes, to_text
from mr_reuse.pages import capture_lines
from mr_reuse.pages.documents import numbering
from mr_reuse.pages.documents.document_rows import RowReader
from mr_reuse.pages.documents.showing.choice import NameTest
from mr_reuse.pages.documents.showing.document_numbers import DocumentNumbers
from mr_reuse.pages.documents.showing.system_results import SystemResults
from mr_reuse.shuffle import protocol
from mr_reuse.storage import naming
from mr_reuse.styles import common, fingerprints, style_steps
from mr_reuse.styles.features import sampling
from mr_reuse.styles.features.sampling import Other, Sampled
from mr_reuse.styles.fingerprints import FingerprintReader, Fingerprints, Shape
from mr_reuse.styles.style_options import ClusterRule
from mr_reuse.styles.style_tables import STYLE_FEATURES, STYLE_MEMBERS, STYLES
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table

SYSTEM = 'styles'


class StyleResults(SystemResults):
    """The results of `styles` in a finished run.

    Each method reads a table or the output of a step once, in bounded memory.
    """

    def __init__(self, run: str, record: RunRecord):
        super().__init__(run, record, SYSTEM)
        self.record = record
        self.shape, self.rule = self.read_options(_read_options)

    def find_style(self, style: int) -> Any | None:
        """Return the row of a style; None if there is none."""
        row = next((row for row in self.rows(STYLES) if row.style == style), None)
        return row and self._check(row, STYLES, row.mean, row.score)

    def list_members(self, style: int) -> Iterator[Any]:
        """Yield the rows of the members of a style."""
        self.rows(STYLE_MEMBERS)  # raises an error if the table is missing
        start = b'%d\t' % style
        for line in table_files.read_lines(naming.join(self._run, STYLE_MEMBERS.file)):
            if line.startswith(start):
                yield self._parse_member(line)

    def find_members(self, rids: Collection[str]) -> dict[str, Any]:
        """Return the rows of members with some rids."""
        self.rows(STYLE_MEMBERS)
        wanted, found = {to_bytes(rid) for rid in rids}, {}
        for line in table_files.read_lines(naming.join(self._run, STYLE_MEMBERS.file)):
            if not wanted.isdisjoint(line.split(b'\t', 2)[1:2]):
                row = self._parse_member(line)
                found[row.rid] = row
        return found

    def _parse_member(self, line: bytes) -> Any:
        cells = to_text(line).rstrip('\n').split('\t')
        if len(cells) != len(STYLE_MEMBERS.columns):
            raise self._damaged(STYLE_MEMBERS)
        row = STYLE_MEMBERS.parse(cells)
        return self._check(row, STYLE_MEMBERS, row.similarity)

    def _check(self, row: Any, table: Table, *numbers: str) -> Any:
        """Return a row; raise UserError if a number of it is none."""
        try:
            if all(0 <= float(number) < math.inf for number in numbers):
                return row
        except ValueError:
            pass
        raise self._damaged(table)

    def _damaged(self, table: Table) -> UserError:
        name = naming.join(self._run, table.file)
        return UserError(f'{name}: damaged; {self._remedy}')

    def has_member(self, is_wanted: NameTest) -> bool:
        """Test whether a member has a rid and URL that pass a test."""
        return any(is_wanted(row.rid, row.url) for row in self.rows(STYLE_MEMBERS))

    def list_features(self, style: int) -> list[Any]:
        """Return the rows of the features of a style; none if it was not described."""
        return [row for row in self.rows(STYLE_FEATURES) if row.style == style]

    def read_sampled(self, prototype: str) -> list[Sampled]:
        """Return the sampled pages of the style with a prototype."""
        parts = self.parts(style_steps.STYLES)
        groups = groupby(sampling.read_sampled(parts), attrgetter('cluster'))
        pages = (list(group) for _, group in groups)
        return next((found for found in pages if found[0].rid == prototype), [])

    def read_others(self) -> list[Other]:
        """Return the documents that were drawn of all."""
        return list(sampling.read_others(self.parts(style_steps.STYLES)))

    @cached_property
    def numbers(self) -> DocumentNumbers:
        """The numbers of all documents."""
        return DocumentNumbers(self.parts(style_steps.FINGERPRINTS))

    def read_fingerprints(self) -> Iterator[Fingerprints]:
        """Yield the fingerprints of all documents that are not passed over."""
        skipped = self.read_skipped()
        rows = RowReader(self.shape.width, self.numbers.numbers, skipped)
        left_out = None
        if self.rule.ignore is not None:
            left_out = common.read_common(self.parts(style_steps.COMMON))
        reader = FingerprintReader(rows, self.shape, left_out)
        parts = self.parts(style_steps.FINGERPRINTS)
        for key, value in protocol.read_parts(parts):
            if fingerprints.is_fingerprint_line(key):
                yield reader.read(value)

    def read_skipped(self) -> np.ndarray:
        """Return the ascending numbers of documents that were passed over."""
        found = [np.zeros(0, np.uint64)]
        if self.has_step(style_steps.CAPTURES):
            parts = self.parts(style_steps.CAPTURES)
            digests = capture_lines.read_digests(parts, 'skipped')
            width = numbering.width_of(self.numbers.total)
            found += numbering.from_digests(digests, width)
        return np.concatenate(found)


def _read_options(options: Mapping[str, Any]) -> tuple[Shape, ClusterRule]:
    """Return the shape of fingerprints, and which documents are alike."""
    shape = Shape(int(options['m']), int(options['key_bits']))
    rule = ClusterRule(
        t=int(options['t']),
        normalize_empty=bool(options.get('normalize_empty')),
        ignore=options.get('ignore'),
    )
    return shape, rule
