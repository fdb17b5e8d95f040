"""Describe a site: the sites that share chunks with it, then its labels."""

from collections.abc import Iterator

from mr_reuse.chunks import pair_texts, site_pairs
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.detect import copied_chunks
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.profiles.sharing import (
    describe_no_pairs,
    describe_sharing,
    find_site,
)
from mr_reuse.engine.record import RunRecord
from mr_reuse.errors import UserError
from mr_reuse.messages import command_line


def describe_site(run: str, record: RunRecord, prefix: str, most: int) -> Iterator[str]:
    """Yield lines on a neighborhood; the labels only after `detect`."""
    name = site_pairs.strip(prefix)
    pairs = list(list_pairs(run, record, name, most))
    # An interrupted `detect` has labels only, which is an error to report.
    has_labels = record.detect.labels or not site_pairs.has_pairs(run)
    if not has_labels:
        if not pairs:
            raise UserError(f'{prefix}: {explain_no_pairs(run, record, prefix)}')
        yield from pairs
        return
    profile = copied_chunks.format_profile(copied_chunks.Matches(run, record), prefix)
    site = find_site(run, record, f'http://{prefix}')
    if pairs:
        yield from [*pairs, '\n']
    elif site and site_pairs.strip(site) == name:
        yield f'{describe_no_pairs(name)}\n\n'
    yield profile
    if site and site_pairs.strip(site) != name:
        yield f'{describe_sharing(run, site)}\n'


def list_pairs(run: str, record: RunRecord, site: str, most: int) -> Iterator[str]:
    """Yield lines on the sites that share chunks with a site; none without any."""
    families = Facts.of(record.detect).families
    pairs = site_pairs.read_pairs_of(run, site, most, families)
    if pairs.first:
        yield from pair_texts.format_pairs_of(site, pairs, families)
        first = pairs.first[0]
        other = first.a if site == site_pairs.strip(first.b) else first.b
        command = pair_texts.show_command(run, site, other)
        yield f'to list what it shares with the first: {command}\n'


def explain_no_pairs(run: str, record: RunRecord, prefix: str) -> str:
    """Explain why a run of `discover` alone has nothing on a neighborhood."""
    why = f'no other site shares {site_pairs.LEAST_CHUNKS} chunks with it'
    site = find_site(run, record, f'http://{prefix}')
    if site and site_pairs.strip(site) != site_pairs.strip(prefix):
        why = f'not a site of its own; run {pair_texts.show_command(run, site)}'
    detect = command_line('detect', '-o', run)
    return f'{why} ({PAIRS.file}); for its labels, run {detect}'
