"""The section of pairs: the sites that share the most chunks, families apart."""

from typing import Any

from mr_reuse.chunks import site_pairs
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.facts import Facts
from mr_reuse.report import inert
from mr_reuse.report.run import Run

MAX_ROWS = 50  # pairs of different owners; at most as many of one owner
OF_GROUP = 10  # of these, pairs of sites that other pairs connect
MAX_FIRST, FIRST_OF_GROUP = 8, 4  # the same in the summary


def section(run: Run) -> dict[str, Any] | None:
    """Return the first pairs; None for a run without the table."""
    if not (run.has_chunks and run.has(PAIRS)):
        return None
    families = Facts.of(run.record.detect).families
    rows = run.rows(PAIRS)
    shared = site_pairs.take_first(rows, MAX_ROWS, OF_GROUP, families)
    first = site_pairs.take_first(shared.apart, MAX_FIRST, FIRST_OF_GROUP, families)
    return {
        'shared': shared,
        'apart': shared.apart,
        'within': shared.within,
        'first': first.apart,
        'of_group': OF_GROUP,
    }


def first_pair(section: dict[str, Any] | None) -> Any:
    """Return the pair that shares the most; None without pairs."""
    return section['shared'].first if section and section['shared'] else None


def show_command(run: str, pair: Any) -> str:
    """Quote the command that lists what two sites share."""
    ends = ['--'] if '-' in (pair.a[:1], pair.b[:1]) else []
    return inert.command('show', run, *ends, pair.a, pair.b)
