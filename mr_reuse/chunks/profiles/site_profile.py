"""Describe a site: the sites that share chunks with it, then its labels."""

from collections.abc import Iterator

from mr_reuse.chunks import pair_texts, site_pairs
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.detect import copied_chunks
from mr_reuse.chunks.facts import Facts
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import command_line


def describe_site(run: str, record: RunRecord, prefix: str, most: int) -> Iterator[str]:
    """Yield lines on a neighborhood; the labels only after `detect`."""
    site = site_pairs.strip(prefix)
    families = Facts.of(record.detect).families
    pairs = site_pairs.read_pairs_of(run, site, most, families)
    if pairs.first:
        yield from pair_texts.format_pairs_of(site, pairs, families)
        first = pairs.first[0]
        other = first.a if site == site_pairs.strip(first.b) else first.b
        command = pair_texts.show_command(run, site, other)
        yield f'to list what it shares with the first: {command}\n'
    # An interrupted `detect` has labels only, which is an error to report.
    if record.detect.labels or not site_pairs.has_pairs(run):
        if pairs.first:
            yield '\n'
        matches = copied_chunks.Matches(run, record)
        yield copied_chunks.format_profile(matches, prefix)
    elif not pairs.first:
        raise UserError(
            f'{prefix}: no other site shares {site_pairs.LEAST_CHUNKS} chunks with it '
            f'({PAIRS.file}); for its labels, run {command_line("detect", "-o", run)}'
        )
