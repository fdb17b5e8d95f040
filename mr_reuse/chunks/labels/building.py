"""Run `labels build`: make a label of every chunk and file of known content."""

from dataclasses import replace

from mr_reuse import storage
from mr_reuse.chunks import chunk_steps
from mr_reuse.chunks.chunk_options import DiscoverOptions
from mr_reuse.chunks.discover import steps, summary
from mr_reuse.chunks.discover.label_counts import LabelCounts
from mr_reuse.chunks.discover.label_rule import ChosenThreshold
from mr_reuse.chunks.discover.steps import Labeling
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.labels import label_files, label_text
from mr_reuse.cli import outputs
from mr_reuse.engine.chain import Chain
from mr_reuse.engine.interrupts import raise_interrupts
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import DONE, UserError
from mr_reuse.messages import write_stdout
from mr_reuse.pages import page_record, planning
from mr_reuse.pages.planning import Plan
from mr_reuse.pages.source_list import SourceList

LABEL_ALL = ChosenThreshold(0, 'all known content is labeled')


def build(options: DiscoverOptions) -> int:
    """Make a label file of archives, and print a summary; return the exit code."""
    labeling = steps.plan_labels(plan_pages(options), options)
    if options.run.dry_run:
        write_stdout(summary.format_dry_run(labeling.plan, chunk_steps.BUILD_LABELS))
        return DONE
    summary.check_space(labeling.plan, chunk_steps.BUILD_LABELS)
    folder = labeling.plan.run_options.output
    with raise_interrupts(), RunDir(folder, options.run.force) as run:
        outputs.remove_partial(options.run.output)
        planning.claim_run(run, labeling.plan)
        chain = Chain(run, options.run, chunk_steps.BUILD_LABELS)
        record, counts = make_labels(chain, labeling, options)
    if not options.run.quiet:
        write_stdout(label_text.format_built(options.run.output, record, counts))
    return page_record.report_damage(record)


def plan_pages(options: DiscoverOptions) -> Plan:
    """Find all inputs before the work begins; the label file to write is not one."""
    output = options.run.output
    run = options.run._replace(output=f'{output}.run')
    plan = planning.make_plan(run, options.inputs, options.recipe)
    result = storage.canonical_name(output)
    if any(s.path == result and s.kind == 'archive' for s in plan.sources):
        raise UserError(f'{output}: is one of the inputs; name another file with -o')
    others = SourceList(s for s in plan.sources if s.path != result)
    return plan._replace(sources=others)


def make_labels(
    chain: Chain, labeling: Labeling, options: DiscoverOptions
) -> tuple[RunRecord, list[int]]:
    """Run the steps, write the label file, and remove the run directory.

    Returns the record of the run, and the number of digests in each section.
    """
    run = chain.run
    plan = planning.upload_inputs(chain, labeling.plan)
    labeling = labeling._replace(plan=plan)
    pages = planning.read_pages(chain, plan, chunk_steps.PAGES, HashChunks)
    counts = steps.count_duplicates(chain, plan, pages)
    filtered = steps.filter_stop_chunks(chain, labeling, counts, LABEL_ALL)
    record = page_record.record_pages(plan, chain.steps, pages, options.recorded)
    labels = summary.record_labels(chain.steps, filtered, LABEL_ALL)
    label_counts = LabelCounts(filtered.parts)
    sections = [label_counts.keys('chunk'), label_counts.keys('file'), [labeling.stop]]
    label_fields = plan.recipe, labeling.options.min_len
    name = options.run.output
    with storage.write(name) as stream:
        digest_counts = label_files.write_uncounted(
            name, stream, label_fields, sections
        )
        stream.flush()
        # The label file appears after the run is removed. If both existed after a
        # crash, the same command would refuse to replace the file.
        run.delete()
    return replace(record, discover=labels), digest_counts
