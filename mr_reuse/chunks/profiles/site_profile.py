"""Describe a site: the sites that share chunks with it, then its labels."""

from collections.abc import Iterator
from itertools import islice

from mr_reuse.chunks import site_pairs
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.detect import copied_chunks
from mr_reuse.chunks.facts import Facts
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import command_line


def describe_site(run: str, record: RunRecord, prefix: str, most: int) -> Iterator[str]:
    """Yield lines on a neighborhood; the labels only after `detect`."""
    site = site_pairs.strip(prefix)
    rows = site_pairs.find_pairs(run, site)
    pairs = list(islice(rows, most))
    if pairs:
        more, families = sum(1 for _ in rows), Facts.of(record.detect).families
        yield from site_pairs.format_pairs_of(site, pairs, more, families)
        other = pairs[0].a if site == site_pairs.strip(pairs[0].b) else pairs[0].b
        command = site_pairs.show_command(run, site, other)
        yield f'to list what it shares with the first: {command}\n'
    # An interrupted `detect` has labels only, which is an error to report.
    if record.detect.labels or not site_pairs.has_pairs(run):
        if pairs:
            yield '\n'
        matches = copied_chunks.Matches(run, record)
        yield copied_chunks.format_profile(matches, prefix)
    elif not pairs:
        raise UserError(
            f'{prefix}: no other site shares {site_pairs.LEAST_CHUNKS} chunks with it '
            f'({PAIRS.file}); for its labels, run {command_line("detect", "-o", run)}'
        )
