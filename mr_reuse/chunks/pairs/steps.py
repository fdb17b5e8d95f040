"""Run the step of the pairs, and write their table."""

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import archive_stats, domains
from mr_reuse.chunks.chunk_steps import PAIRS as STEP
from mr_reuse.chunks.chunk_tables import PAIRS
from mr_reuse.chunks.jobs.pair_sites import PairSites
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.pairs import pair_filter, sites
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.record import RunRecord
from mr_reuse.shuffle import partitions
from mr_reuse.storage import naming

LINES = 1  # version of the lines of PairSites
CHUNKS_PER_SITE = 10  # of few copies, at least about, to guess the number of sites


class Source(NamedTuple):
    """The chunks whose sites to pair."""

    recipe: Recipe
    folders: list[str]  # of page lines
    min_len: int
    stop: np.ndarray  # digests of stop chunks, sorted
    rows: int  # chunks of all pages
    skipped: str | None  # file with the captures not kept, for tasks
    skipped_digests: list[str]  # of the step that chose them


class Copied(NamedTuple):
    """The chunks with several copies, and the step that marked them in a bitmap."""

    filtered: Done
    rows: int  # copies of these chunks

    @property
    def bits(self) -> int:
        """The bits of the bitmap, 0 if the step of an older version made none."""
        return min(
            (task.get('copied_bits', 0) for task in self.filtered.stats), default=0
        )


def write_pairs(
    chain: Chain, by: str, source: Source, unit: str, copied: Copied | None = None
) -> dict[str, Any]:
    """Run the step, and write `pairs.tsv`; return the record of it for `run.json`.

    `by` is the command. Without `copied` the step sorts all chunks, not only those with
    several copies; the table is the same.
    """
    done = pair_sites(chain, source, unit, copied)
    count = sorted_tables.write_made_table(chain.run, done, PAIRS, 'row')
    common = archive_stats.sum_stats(done.stats, 'pairs').get('common', 0)
    counts = {'rows': count, 'common': common}
    return {'by': by, 'unit': unit, 'output': done.digest, **counts}


def pair_sites(
    chain: Chain, source: Source, unit: str, copied: Copied | None = None
) -> Done:
    """Run the step that finds the pairs of sites, and writes their table if large."""
    run, stop = chain.run, source.stop
    stop_file = run.temporary_name('pairs-stop.mrl') if len(stop) else None
    has_bitmap = copied is not None and copied.bits > 0
    bitmap_file = run.temporary_name('copied') if has_bitmap else None

    def prepare_inputs() -> list[str]:
        if stop_file:
            fields = source.recipe, source.min_len
            with storage.write(stop_file) as stream:
                label_files.write(stream, fields, [0, 0, len(stop)], [stop])
        if bitmap_file:
            pair_filter.write_bitmap(bitmap_file, copied.bits, copied.filtered.parts)
        return source.folders

    rows = source.rows
    if has_bitmap:
        rows = max(copied.rows, rows // CHUNKS_PER_SITE)
    suffixes = domains.LIST_VERSION if unit == sites.DOMAIN else None
    attempts = [naming.last_component(folder) for folder in source.folders]
    stop_digest = hashlib.sha256(stop).hexdigest()
    return sorted_tables.run_step(
        chain,
        Step(
            STEP.folder,
            PairSites,
            {'hash': source.recipe.hash, 'unit': unit, 'min-len': source.min_len},
            prepare_inputs,
            [attempts, source.skipped_digests, stop_digest, suffixes, LINES],
            unhashed={
                'skipped': source.skipped,
                'stop': stop_file,
                'copied': bitmap_file,
                'bits': partitions.bits_for(rows),
            },
        ),
        [PAIRS],
        rows,
    )


def count_copied(frequencies: Mapping[int, int]) -> tuple[int, int]:
    """Count the chunks with several copies, and the copies of them.

    >>> count_copied({1: 1000, 2: 30, 7: 1})
    (31, 67)
    """
    several = {copies: n for copies, n in frequencies.items() if copies > 1}
    return sum(several.values()), sum(copies * n for copies, n in several.items())


def is_written(record: RunRecord | None, run: str, unit: str | None) -> bool:
    """Test whether `discover` has written the pairs of a run, of this unit if any."""
    pairs = (record and record.pairs) or {}
    is_same = pairs.get('by') == 'discover' and unit in (None, pairs['unit'])
    return is_same and storage.exists(naming.join(run, PAIRS.file))
