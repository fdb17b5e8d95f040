"""Write the tables of labels by jobs, if they are large."""

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import FILE_LABELS
from mr_reuse.chunks.jobs.join_labels import JoinLabels
from mr_reuse.chunks.jobs.sort_labels import SortLabels
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.tables import label_join
from mr_reuse.chunks.tables.label_rows import LabelRows
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.sorted_tables import Sorting
from mr_reuse.engine.step_record import JsonList
from mr_reuse.shuffle import mapped_paths, ranges, sorting
from mr_reuse.shuffle.mapped_paths import Archives
from mr_reuse.shuffle.ranges import Sample
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table

BLOCKS, BLOCK = 32, 1 << 20  # of a sample of lines, each of which has many labels


def sort_labels(chain: Chain, step: RunStep, table: Table, previews: Done) -> None:
    """Write a table of labels with their previews, most copied first.

    `step` is the one that sorts a large table.
    """
    rows = Sorting(
        step.folder,
        SortLabels,
        lambda: [LabelRows(table)],
        [previews.output],
        {'table': table.name},
        [previews.digest],
        {},
    )
    sorted_tables.write_tables(chain, rows)


class LabelSources(NamedTuple):
    """What is known of labels, in the output of several steps."""

    labels: Labels
    file: str  # the label file, for tasks
    steps: Sequence[Done]  # that counted the labels, and found hosts and examples
    paths: Mapping[str, str]  # of archives, by their names in rids


def are_many(labels: Labels) -> bool:
    """Test whether the tables of labels may be large."""
    return labels.label_count >= table_files.MAX_PART_ROWS


def join_labels(
    chain: Chain, step: RunStep, sources: LabelSources, tables: Sequence[Table] = ()
) -> Done:
    """Join what is known of labels by a job.

    The output has the lines for ReadPreviews. The table of files is written if it is
    among `tables`; without it no label of a file may have an example.
    """
    run = chain.run
    folders = [done.output for done in sources.steps]
    paths_file = run.temporary_name('paths')
    with storage.write(paths_file) as stream:
        mapped_paths.write(stream, Archives(sources.paths, {}).entries())
    bounds = choose_bounds(folders, len(sources.labels.chunks), sources.paths)
    digests = [done.digest for done in sources.steps]
    joined = Step(
        step.folder,
        JoinLabels,
        {},
        lambda: folders,
        JsonList(lambda: itertools.chain(digests, sources.paths.items())),
        unhashed={
            'labels': sources.file,
            'paths': paths_file,
            'bounds': sorted_tables.write_bounds(run, bounds),
        },
    )
    return sorted_tables.run_and_publish(chain, joined, tables)


def choose_bounds(
    folders: Sequence[str], chunks: int, paths: label_join.Paths
) -> dict[str, list[bytes]]:
    """Choose the bounds of the lines for ReadPreviews, and of the rows of files."""
    parts = [part for folder in folders for part in storage.list_parts(folder)]
    sample = Sample(parts, BLOCKS, BLOCK)
    keyed: dict[str, list[bytes]] = {label_join.TO_READ: [], FILE_LABELS.name: []}
    for unit, row in label_join.sample_rows(sample.lines, chunks, paths):
        keyed[unit].append(sorting.add_key(*row))
    counts = {
        unit: sorted_tables.count_parts(sample.scale(len(keyed[unit])))
        for unit in keyed
    }
    return {
        unit: ranges.choose_bounds(lines, counts[unit]) for unit, lines in keyed.items()
    }
