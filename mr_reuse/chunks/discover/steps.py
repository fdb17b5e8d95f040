"""The steps of `discover` and `labels build`: pages in, labels out."""

import hashlib
import os
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks import chunk_steps
from mr_reuse.chunks.chunk_options import LabelOptions
from mr_reuse.chunks.chunk_tables import FILE_LABELS, LABELS
from mr_reuse.chunks.discover import label_rule, label_tables
from mr_reuse.chunks.discover.label_rule import Choice
from mr_reuse.chunks.jobs.count_duplicates import CountDuplicates
from mr_reuse.chunks.jobs.filter_stop_chunks import FilterStopChunks
from mr_reuse.chunks.jobs.place_labels import PlaceLabels
from mr_reuse.chunks.jobs.read_previews import ReadPreviews
from mr_reuse.chunks.labels import hash_lists, label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.messages import summarize_names, warn
from mr_reuse.pages import inputs
from mr_reuse.pages.planning import Pages, Plan
from mr_reuse.shuffle import partitions
from mr_reuse.tables import table_files

FEW_ROWS = 100_000  # bytes of input; below this, reading costs less than a process


class Labeling(NamedTuple):
    """A plan of pages, and the rules for their labels."""

    plan: Plan
    options: LabelOptions
    stop: np.ndarray  # digests of stop chunks, sorted


def plan_labels(plan: Plan, options: LabelOptions) -> Labeling:
    """Add the rules for labels to a plan, and load the list of stop chunks."""
    stop = _no_digests(plan.recipe)
    if options.stop:
        stop = hash_lists.load(options.stop, plan.recipe)
    return Labeling(plan, options, stop)


def _no_digests(recipe: Recipe) -> np.ndarray:
    return np.zeros((0, recipe.width), np.uint8)


def count_duplicates(chain: Chain, plan: Plan, pages: Pages) -> Done:
    """Count the digests of the whole corpus, including the counts of an older run."""
    old = [plan.old_run.discover.counts] if plan.old_run else []
    folders = [pages.done.output, *old]
    # `bits` changes no result, but it is in the digest of the step since the first
    # version. Without it, unfinished runs of older versions could not continue.
    bits = partitions.bits_for(pages.rows, least=2)
    args = {'hash': plan.recipe.hash, 'bits': bits}
    unhashed = {'combine': int(not plan.run_options.no_combine)}
    made = [pages.done.digest, old[0] if old else None]
    return chain.run_step(
        Step(
            chunk_steps.COUNTS.folder,
            CountDuplicates,
            args,
            lambda: folders,
            made,
            unhashed=unhashed,
        )
    )


def choose_threshold(options: LabelOptions, files: Mapping[int, int]) -> Choice:
    """Return the threshold of the command line, or choose it by the number of files."""
    if options.threshold is None:
        return label_rule.choose_threshold(files)
    return Choice(options.threshold, 'as given')


def filter_stop_chunks(
    chain: Chain, labeling: Labeling, counts: Done, choice: Choice
) -> Done:
    """Keep the counts of widely copied chunks and files, except stop chunks."""
    plan, options, stop = labeling
    name = chain.run.temporary_name('stop.mrl') if len(stop) else None
    if name:
        made_of = plan.recipe, 0
        with storage.write(name) as stream:
            label_files.write(stream, made_of, [0, 0, len(stop)], [stop])
    of_files = options.file_threshold
    args = {
        'hash': plan.recipe.hash,
        'threshold': choice.threshold,
        'file-threshold': choice.threshold if of_files is None else of_files,
        'min-len': options.min_len,
        'bloom': options.stop_bloom,
        'recheck': int(not options.stop_unchecked),
    }
    made = [counts.digest, hashlib.sha256(stop).hexdigest()]
    inputs_ = [counts.output]
    return chain.run_step(
        Step(
            chunk_steps.LABELS.folder,
            FilterStopChunks,
            args,
            lambda: inputs_,
            made,
            unhashed={'stop': name},
        )
    )


def write_labels(chain: Chain, labeling: Labeling, pages: Pages, kept: Done) -> None:
    """Write the label file, find hosts and examples of the labels, write the tables."""
    run, plan = chain.run, labeling.plan
    counted = label_tables.Counted(kept.parts)
    name = run.join('labels.mrl')
    counted.write(name, plan.recipe, labeling.options.min_len, labeling.stop)
    args = {'hash': plan.recipe.hash}
    made = [pages.done.digest, pages.folders[:-1], kept.digest]
    places = Step(
        chunk_steps.PLACES.folder,
        PlaceLabels,
        args,
        lambda: pages.folders,
        made,
        unhashed={'labels': name, 'bits': partitions.bits_for(counted.occurrences)},
    )
    placed = chain.run_step(places)
    rows = label_tables.LabelTables(label_files.load(name), counted, placed.parts)

    def to_read() -> list[str]:
        if missing := inputs.find_missing(plan.paths.values()):
            warn(f'{summarize_names(missing)}: missing, so its chunks have no preview')
        names = [run.temporary_name(f'to-read-{n}') for n in range(os.cpu_count() or 1)]
        return label_tables.write_input_lines(names, rows.to_read(plan.paths))

    args = plan.recipe._asdict()
    previews = Step(
        chunk_steps.PREVIEWS.folder,
        ReadPreviews,
        args,
        to_read,
        placed.digest,
        FEW_ROWS,
    )
    read = chain.run_step(previews)
    labels, files = label_tables.chunk_rows(read.parts), rows.file_rows()
    table_files.write_table(run.join(LABELS.file), LABELS.header, labels)
    table_files.write_table(run.join(FILE_LABELS.file), FILE_LABELS.header, files)
