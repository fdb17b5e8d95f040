"""Write `origins.tsv`, the table of pairs that share labels, in bounded memory.

The driver writes it for few neighborhoods, and a job for many.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.algorithms import most_shared
from mr_reuse.chunks.chunk_steps import ORIGIN_ROWS
from mr_reuse.chunks.chunk_tables import ORIGINS
from mr_reuse.chunks.detect.neighborhoods import read_neighborhood
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.jobs.name_origins import NameOrigins
from mr_reuse.chunks.tables import origin_rows
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import partitions, protocol, ranges, sorting
from mr_reuse.shuffle.ranges import Sample
from mr_reuse.tables import table_files

Origin = ORIGINS.row

MIN_SHARE = 0.25  # of the labels, and of the chunks, of a site: shared with another
Prefixes = Callable[[], Iterable[tuple[bytes, int]]]


class SharedLabels(NamedTuple):
    """The labels that bad sites share with others, and the names of all sites."""

    level: int  # of sites
    shared: Done | None  # the output of ShareLabels; None without bad sites
    sums: Done  # the output of NeighborhoodBadness


def write(
    chain_: Chain, labels: SharedLabels, prefixes: Prefixes, facts: Facts
) -> None:
    """Write the table.

    `prefixes` returns all prefixes of the level, each with the number of its chunks
    that are no labels.
    """
    sample = sorted_tables.take_sample(storage.list_parts(labels.sums.output))
    if labels.shared and sample:
        _write_by_job(chain_, labels, labels.shared, sample, facts)
        return
    lines = protocol.read_parts(labels.shared.parts if labels.shared else ())
    name = chain_.run.join(ORIGINS.file)
    write_here(name, lines, prefixes, facts)


def write_here(
    name: str,
    pairs: Iterable[tuple[bytes, bytes]],
    prefixes: Prefixes,
    facts: Facts,
) -> None:
    """Write the table in this process. `pairs` are the lines of ShareLabels."""

    def join(keyed: Iterable[sorting.Keyed]) -> Iterable[tuple[bytes, bytes]]:
        names = (origin_rows.key_name(*prefix) for prefix in prefixes())
        lines = (sorting.add_key(*line) for line in chain(names, keyed))
        return origin_rows.join_names(sorting.sort_lines(lines))

    by_other = (origin_rows.key_pair(*pair) for pair in pairs)
    by_bad = (origin_rows.key_named_pair(*pair) for pair in join(by_other))
    rows = (origin_rows.make_row(name_, pair, facts) for name_, pair in join(by_bad))
    table_files.write_table(name, ORIGINS.header, sorting.sort_rows(rows))


def _write_by_job(
    chain_: Chain, labels: SharedLabels, shared: Done, sample: Sample, facts: Facts
) -> None:
    """Write the table by a job. `sample` is one of the neighborhoods."""
    run = chain_.run
    bits = partitions.bits_for(sample.scale(len(sample.lines)))
    even = origin_rows.even_bounds(bits)
    bounds = {
        origin_rows.OTHER: even,
        origin_rows.BAD: even,
        ORIGINS.name: choose_bounds(sample, labels.level),
    }
    facts_file = run.temporary_name('facts')
    with storage.write(facts_file, 'w') as stream:
        stream.write(facts.to_json())
    folders = [shared.output, labels.sums.output]
    step = Step(
        ORIGIN_ROWS.folder,
        NameOrigins,
        {'level': labels.level},
        lambda: folders,
        [shared.digest, labels.sums.digest, facts.to_json()],
        unhashed={
            'facts': facts_file,
            'bounds': sorted_tables.write_bounds(run, bounds),
        },
    )
    sorted_tables.run_and_publish(chain_, step, [ORIGINS])


def choose_bounds(sample: Sample, level: int) -> Sequence[bytes]:
    """Choose the bounds of the rows, which sites with labels have."""
    hoods = (read_neighborhood(b'\t'.join(line)) for line in sample.lines)
    keys = [
        origin_rows.key_site(to_bytes(hood.prefix))
        for hood in hoods
        if hood.level == level and hood.bad
    ]
    most = sample.scale(len(keys)) * most_shared.MAX_OTHERS
    return ranges.choose_bounds(keys, sorted_tables.count_parts(most))


def is_close(row: Origin) -> bool:
    """Test whether a site shares enough of its labels, and of all its chunks.

    Without the second condition, a few chunks of a common template would tie sites
    that have no other labels.

    >>> row = Origin('b/', 'a/', 63, 1.0, '', '', 0, 0, 0, 63 / 2363, '')
    >>> is_close(row), is_close(row._replace(chunk_share=0.25))
    (False, True)
    """
    shares = [row.share] if row.chunk_share is None else [row.share, row.chunk_share]
    return all(share and share >= MIN_SHARE for share in shares)
