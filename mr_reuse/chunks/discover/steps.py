"""The steps of `discover` and `labels build`: pages in, labels out."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks import choosing, chunk_steps
from mr_reuse.chunks.chunk_options import DiscoverOptions, LabelOptions
from mr_reuse.chunks.chunk_tables import FILE_LABELS, LABELS
from mr_reuse.chunks.discover import label_rule, most_copied
from mr_reuse.chunks.discover.label_counts import LabelCounts
from mr_reuse.chunks.discover.label_rule import ChosenThreshold, Limit
from mr_reuse.chunks.discover.label_tables import LabelTables
from mr_reuse.chunks.jobs.count_duplicates import CountDuplicates
from mr_reuse.chunks.jobs.filter_stop_chunks import FilterStopChunks
from mr_reuse.chunks.jobs.place_labels import PlaceLabels
from mr_reuse.chunks.jobs.read_previews import ReadPreviews
from mr_reuse.chunks.labels import hash_lists, label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.chunks.tables import label_steps
from mr_reuse.chunks.tables.label_steps import LabelSources
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.messages import summarize_names, warn
from mr_reuse.pages import input_status, lookup, page_record
from mr_reuse.pages.planning import Pages, Plan
from mr_reuse.shuffle import partitions
from mr_reuse.tables import table_files

SMALL_INPUT = 100_000  # bytes of rows; reading fewer costs less than a process


class Labeling(NamedTuple):
    """A plan of pages, and the rules for their labels."""

    plan: Plan
    options: LabelOptions
    stop: np.ndarray  # digests of stop chunks, sorted
    captures: str  # to keep of each URL

    @property
    def declared(self) -> tuple[RunStep, ...]:
        """The steps of `discover`."""
        return choosing.select_steps(chunk_steps.DISCOVER, self.captures)


class Archives(NamedTuple):
    """The archives of a run by their names in rids, and the recipe of its chunks."""

    recipe: Recipe
    paths: Mapping[str, str]
    remedy: str = ''  # what to do if one is missing, after a semicolon


def plan_labels(plan: Plan, options: DiscoverOptions) -> Labeling:
    """Add the rules for labels to a plan, and load the list of stop chunks."""
    if options.labels.stop:
        stop = hash_lists.load(options.labels.stop, plan.recipe)
    else:
        stop = np.zeros((0, plan.recipe.width), np.uint8)
    return Labeling(plan, options.labels, stop, options.captures)


def count_duplicates(chain: Chain, plan: Plan, pages: Pages) -> Done:
    """Count the digests of the whole corpus, including the pages of an older run.

    The counts of the older run are of the captures that it kept. They are added if
    these are all, and all are kept now. Revisits may have other targets now.
    """
    old, depends_on = plan.old_run, [pages.done.digest]
    if old and (pages.skipped or pages.filled or old.skipped or old.revisits):
        folders = pages.folders
        depends_on += [pages.old_folders, *pages.chosen]
    else:
        old_counts = old.discover.counts if old else None
        folders = [old_counts, pages.done.output] if old else pages.folders
        depends_on += [old_counts, *pages.chosen]
    # `bits` changes no result, but it is in the digest of the step since the first
    # version. Without it, unfinished runs of older versions could not continue.
    bits = partitions.bits_for(pages.rows, least=2)
    return chain.run_step(
        Step(
            chunk_steps.COUNTS.folder,
            CountDuplicates,
            {'hash': plan.recipe.hash, 'bits': bits},
            lambda: folders,
            depends_on,
            unhashed={
                'combine': int(not plan.run_options.no_combine),
                'skipped': pages.skipped,
            },
        )
    )


def choose_threshold(
    labeling: Labeling, counts: Done, files: Mapping[int, int]
) -> ChosenThreshold:
    """Return the threshold of the command line, or choose it.

    `--top` decides by the counts of all digests, and otherwise the number of files:
    `files` has the numbers of distinct files by their number of copies.
    """
    options = labeling.options
    if options.top:
        stop_list = label_rule.StopList(
            labeling.stop, options.stop_bloom, not options.stop_unchecked
        )
        return most_copied.choose_limits(
            counts.parts, options.top, options.min_len, stop_list
        )
    if options.threshold is None:
        return label_rule.choose_threshold(files)
    return ChosenThreshold(options.threshold, 'as given')


def filter_stop_chunks(
    chain: Chain,
    labeling: Labeling,
    counts: Done,
    chosen: ChosenThreshold,
    copied_bits: int = 0,
) -> Done:
    """Keep the counts of widely copied chunks and files, except stop chunks.

    With `copied_bits` the step also marks the chunks with several copies in a bitmap.
    """
    plan, options, stop, _ = labeling
    stop_file = None
    if len(stop):
        stop_file = chain.run.temporary_name('stop.mrl')
        with storage.write(stop_file) as stream:
            label_files.write(stream, (plan.recipe, 0), [0, 0, len(stop)], [stop])
    files = chosen.files or Limit(chosen.threshold)
    if options.file_threshold is not None:
        files = Limit(options.file_threshold)
    # Only `--top` has these; the digest of the step depends on all options.
    lasts = {'last': chosen.last, 'file-last': files.last}
    args = {
        'hash': plan.recipe.hash,
        'threshold': chosen.threshold,
        'file-threshold': files.threshold,
        **{name: last for name, last in lasts.items() if last},
        'min-len': options.min_len,
        'bloom': options.stop_bloom,
        'recheck': int(not options.stop_unchecked),
    }
    return chain.run_step(
        Step(
            chunk_steps.LABELS.folder,
            FilterStopChunks,
            args,
            lambda: [counts.output],
            [counts.digest, hashlib.sha256(stop).hexdigest()],
            unhashed={'stop': stop_file, 'copied-bits': copied_bits},
        )
    )


def write_labels(
    chain: Chain, labeling: Labeling, pages: Pages, filtered: Done
) -> None:
    """Write the label file, find hosts and examples of the labels, write the tables.

    `filtered` is the step that selected the labels.
    """
    run, plan = chain.run, labeling.plan
    counts = LabelCounts(filtered.parts)
    label_file = run.join(label_files.FILE_NAME)
    counts.write(label_file, plan.recipe, labeling.options.min_len, labeling.stop)
    placed = chain.run_step(
        Step(
            chunk_steps.PLACES.folder,
            PlaceLabels,
            {'hash': plan.recipe.hash},
            lambda: pages.folders,
            [pages.done.digest, pages.old_folders, filtered.digest],
            unhashed={
                'skipped': pages.skipped,
                'labels': label_file,
                'bits': partitions.bits_for(counts.occurrences),
            },
        )
    )
    labels = label_files.load(label_file)
    archives = Archives(plan.recipe, page_record.collect_archives(plan).paths)
    if label_steps.are_many(labels):
        sources = LabelSources(labels, label_file, [filtered, placed], archives.paths)
        files = [FILE_LABELS]
        joined = label_steps.join_labels(chain, chunk_steps.JOINED, sources, files)
        previews = read_previews(chain, archives, joined, placed)
    else:
        tables = LabelTables(labels, counts, placed.parts)
        previews = read_previews(chain, archives, tables, placed)
        table_files.write_table(
            run.join(FILE_LABELS.file), FILE_LABELS.header, tables.file_rows()
        )
    label_steps.sort_labels(chain, chunk_steps.LABEL_ROWS, LABELS, previews)


def read_previews(
    chain: Chain,
    archives: Archives,
    rows: LabelTables | Done,
    placed: Done,
    folder: str = chunk_steps.PREVIEWS.folder,
) -> Done:
    """Read the previews of labeled chunks from their examples.

    `rows` are those of a table without previews, or the step whose output they are.
    `placed` is the step that found the examples, `folder` that of the step to run.
    """

    def write_input() -> list[str]:
        if missing := input_status.find_missing(archives.paths.values()):
            names = summarize_names(missing)
            warn(f'{names}: missing, so its chunks have no preview{archives.remedy}')
        if isinstance(rows, Done):
            return [rows.output]
        return lookup.write_rows_to_read(chain.run, rows.chunk_rows(), archives.paths)

    return chain.run_step(
        Step(
            folder,
            ReadPreviews,
            archives.recipe._asdict(),
            write_input,
            placed.digest,
            SMALL_INPUT,
        )
    )
