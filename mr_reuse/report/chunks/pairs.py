"""The section of pairs: the sites that share the most chunks, families apart."""

from typing import Any

from mr_reuse.chunks import pair_texts, site_pairs
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.site_groups import Sharing
from mr_reuse.report import inert
from mr_reuse.report.run import Run

MAX_ROWS = 50  # pairs and groups of different owners; at most as many of one owner
OF_CONNECTED = 10  # of these, those whose sites others connect
MAX_FIRST, FIRST_OF_CONNECTED = 10, 4  # the same in the summary
MAX_HUBS, FIRST_HUBS = 10, 3


def section(run: Run) -> dict[str, Any] | None:
    """Return the first pairs; None for a run without the table."""
    if not (run.has_chunks and run.has(PAIRS)):
        return None
    families = Facts.of(run.record.detect).families
    rows = run.rows(PAIRS)
    shared = site_pairs.take_first(rows, MAX_ROWS, OF_CONNECTED, families)
    left_out = shared.left_out or not shared.is_all
    return {
        'shared': shared,
        'apart': shared.apart,
        'within': shared.within,
        'first': site_pairs.select(shared.apart, MAX_FIRST, FIRST_OF_CONNECTED),
        'hubs': shared.hubs[:MAX_HUBS],
        'more_hubs': len(shared.hubs[MAX_HUBS:]),
        'first_hubs': shared.hubs[:FIRST_HUBS],
        'left_out': pair_texts.describe_number(shared) if left_out else '',
        'rules': (MAX_ROWS, OF_CONNECTED),
    }


def first_pair(section: dict[str, Any] | None) -> Sharing | None:
    """Return the sites that share the most; None without pairs."""
    return section['shared'].first if section and section['shared'] else None


def show_command(run: str, one: Sharing) -> str:
    """Quote the command that lists what two sites share, the first two of a group."""
    a, b = one.sites[:2]
    ends = ['--'] if '-' in (a[:1], b[:1]) else []
    return inert.command('show', run, *ends, a, b)
