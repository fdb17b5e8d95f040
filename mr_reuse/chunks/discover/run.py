"""Run `discover`: from its options to its tables and its summary."""

from dataclasses import replace
from typing import Any

from mr_reuse.chunks import chunk_steps
from mr_reuse.chunks.chunk_options import DiscoverOptions
from mr_reuse.chunks.chunk_tables import FREQUENCY
from mr_reuse.chunks.discover import label_tables, steps, summary
from mr_reuse.chunks.discover.steps import Labeling
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.pairs import sites
from mr_reuse.chunks.pairs import steps as pair_steps
from mr_reuse.chunks.revisits import steps as revisit_steps
from mr_reuse.engine.chain import Chain
from mr_reuse.messages import say, write_stdout
from mr_reuse.pages import page_record, planning
from mr_reuse.shuffle import bitmap
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import tables_of_command


def plan_discover(options: DiscoverOptions) -> Labeling:
    """Find all inputs and load the stop list, to fail before the work begins."""
    plan = planning.make_plan(options.run, options.inputs, options.recipe)
    return steps.plan_labels(plan, options)


def discover(chain: Chain, labeling: Labeling, options: dict[str, Any]) -> int:
    """Run the steps, write the tables, and print a summary; return the exit code.

    `options` are recorded in `run.json`.
    """
    run, plan = chain.run, planning.upload_inputs(chain, labeling.plan)
    labeling = labeling._replace(plan=plan)
    before = run.read_record()
    pages = planning.read_pages(chain, plan, chunk_steps.PAGES, HashChunks)
    pages = revisit_steps.choose_captures(chain, pages, labeling.captures)
    counts = steps.count_duplicates(chain, plan, pages)
    frequencies = label_tables.sum_frequencies(counts.stats)
    label_tables.write_frequency(run.join(FREQUENCY.file), frequencies)
    chosen = steps.choose_threshold(labeling, counts, frequencies['file'])
    number, copies = pair_steps.count_copied(frequencies['chunk'])
    filtered = steps.filter_stop_chunks(
        chain, labeling, counts, chosen, bitmap.bits_for(number)
    )
    steps.write_labels(chain, labeling, pages, filtered)
    source = pair_steps.Source(
        plan.recipe,
        pages.folders,
        labeling.options.min_len,
        labeling.stop,
        pages.rows,
        pages.skipped,
        pages.chosen,
    )
    copied = pair_steps.Copied(filtered, copies)
    unit = labeling.options.pairs or sites.HOST
    pairs = pair_steps.write_pairs(chain, 'discover', source, unit, copied)
    record = page_record.record_pages(plan, chain.steps, pages, options)
    labels = summary.record_labels(chain.steps, filtered, chosen)
    record = replace(record, discover=labels, pairs=pairs).keep_detect(before)
    record = record.keep_systems(before)
    stale_lines = []
    if not record.has_steps_of(before):
        changed = tables_of_command('discover')
        stale_lines = derived.remove_stale(run.path, changed)
    run.write_record(record)
    if not plan.run_options.quiet:
        write_stdout(summary.format_results(run, record, frequencies))
    for line in stale_lines:
        say(line)
    return page_record.report_damage(record)
