"""A run of `discover`, from its options to its tables and its summary."""

from collections.abc import Mapping
from typing import Any

from mr_reuse.chunks.chunk_options import DiscoverOptions
from mr_reuse.chunks.discover import label_tables, steps, summary
from mr_reuse.chunks.discover.steps import Labeling
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.rundir import RUN_JSON
from mr_reuse.messages import put, say
from mr_reuse.pages import planning
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import FREQUENCY, made_by


def prepare(options: DiscoverOptions) -> Labeling:
    """Look at all inputs, and load the stop list, before work begins."""
    plan = planning.plan(options.run, options.inputs, options.recipe)
    return steps.plan_labels(plan, options.labels)


def discover(chain: Chain, labeling: Labeling, options: dict[str, Any]) -> int:
    """Run the steps, write the tables, and print a summary; returns the exit code.

    `options` are those that `run.json` records.
    """
    run, plan = chain.run, planning.sent(chain, labeling.plan)
    labeling = labeling._replace(plan=plan)
    before = run.read_json(RUN_JSON)
    pages = planning.read_pages(chain, plan, HashChunks)
    counts = steps.count_duplicates(chain, plan, pages)
    frequencies = label_tables.frequencies(counts.told)
    label_tables.write_frequency(run.join(FREQUENCY.file), frequencies)
    choice = steps.choose_threshold(labeling.options, frequencies['file'])
    kept = steps.filter_stop_chunks(chain, labeling, counts, choice)
    steps.label(chain, labeling, pages, kept)
    record = summary.run_json(plan, chain.steps, pages, options)
    record |= summary.labeled(chain.steps, kept, choice)
    is_new = step_outputs(before) != step_outputs(record)
    if 'detect' in before and not is_new:
        record['detect'] = before['detect']
    removed = derived.remove_stale(run.path, made_by('discover')) if is_new else []
    run.write_json(RUN_JSON, record)
    quiet = plan.run_options.quiet
    if not quiet:
        put(summary.found(run, record, frequencies))
    for line in removed:
        say(line)
    return summary.end(record, quiet)


def step_outputs(record: Mapping[str, Any]) -> list[str]:
    """The output folders of the steps of a run: they differ if a step ran again."""
    return [step['output'] for step in record.get('steps', {}).values()]
