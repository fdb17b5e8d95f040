"""Run `detect`: from its work to its tables and its summary."""

from dataclasses import replace
from typing import Any

from mr_reuse import storage
from mr_reuse.chunks import chunk_steps
from mr_reuse.chunks.chunk_tables import ORIGINS
from mr_reuse.chunks.detect import badness_tables, origin_table, steps, summary
from mr_reuse.chunks.detect.work import Work, is_own
from mr_reuse.chunks.discover import summary as pages_summary
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.labels import label_files
from mr_reuse.engine import run_steps
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.errors import DONE
from mr_reuse.messages import format_count, say, write_stdout
from mr_reuse.pages import page_record, planning
from mr_reuse.pages.planning import Plan
from mr_reuse.pages.run_inputs import PAGES_OF
from mr_reuse.shuffle import protocol
from mr_reuse.storage import naming
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import tables_of_command


def describe(work: Work) -> str:
    """Describe the run; if it hashes pages, estimate its time and size."""
    if work.plan:
        return pages_summary.format_dry_run(work.plan, chunk_steps.HASH_AND_DETECT)
    jobs = ', '.join(run_steps.name_jobs(chunk_steps.DETECT))
    folders = ', '.join(work.record.pages)
    output = work.options.run.output
    return f'would run {jobs} on the pages in {folders}, into {output}\n'


def detect(chain: Chain, work: Work) -> int:
    """Run the steps, write the tables, and print a summary; return the exit code."""
    run, rule, known = chain.run, work.options.rule, work.known
    record, folders = take_pages(chain, work)
    before = record.detect
    # The name of its own labels is relative, to stay valid in a copy of the run.
    own = is_own(known.name, run.path)
    labels = label_files.FILE_NAME if own else naming.absolute(known.name)
    begun = replace(record, detect=DetectRecord(labels=labels))
    # Until the end, no result of `detect` is complete: a crash must not leave a record
    # of the former results beside tables that are being replaced.
    if before != DetectRecord():
        run.write_record(begun)
    matches = steps.match_labels(chain, work.options.matching, folders, known)
    sums = steps.sum_neighborhoods(chain, rule.min_chunks, matches)
    results = identify_results(begun.detect, work, matches, sums)
    is_new = not results.has_results_of(before)
    removed = (
        derived.remove_stale(run.path, tables_of_command('detect')) if is_new else []
    )
    tables = badness_tables.BadnessTables(run, rule, matches, sums)
    stats = tables.write(known.labels, before)
    write_origins(chain, work, matches, tables)
    stats['label_threshold'] = work.label_threshold
    run.write_json('stats.json', stats)
    results = replace(results, options=work.options.recorded, steps=chain.steps)
    record = replace(record, detect=results)
    run.write_record(record)
    quiet = work.options.run.quiet
    if not quiet:
        for line in page_record.describe_input(record) if work.plan else ():
            write_stdout(f'{line}\n')
        chunks = format_count(len(known.labels.chunks), 'chunk')
        files = format_count(len(known.labels.files), 'file')
        write_stdout(f'looked for the labels in {known.name}: {chunks} and {files}\n')
        if run_preset := record.preset:
            write_stdout(summary.describe_preset(run_preset, rule))
        write_stdout(summary.format_results(run, stats, rule))
    for line in removed:
        say(line)
    return page_record.report_damage(record) if work.plan else DONE


def take_pages(chain: Chain, work: Work) -> tuple[RunRecord, list[str]]:
    """Return the record of the run that has the pages, and the folders of pages."""
    if work.plan:
        return hash_pages(chain, work.plan, work.options.recorded)
    run, folders = chain.run, work.record.pages
    inputs = work.options.inputs.inputs
    other = inputs[0] if inputs else run.path
    if storage.canonical_name(other) == storage.canonical_name(run.path):
        return run.read_record(), folders
    run.claim(f'{PAGES_OF}{storage.canonical_name(other)}\n')
    before = run.read_record()  # None if the run was of other pages
    detected = before.detect if before else DetectRecord()
    return work.record.share_pages(run.path, detected), folders


def hash_pages(
    chain: Chain, plan: Plan, options: dict[str, Any]
) -> tuple[RunRecord, list[str]]:
    """Hash the pages of archives; return the record and the folders of pages."""
    run = chain.run
    before = run.read_record()
    planning.claim_run(run, plan)
    plan = planning.upload_inputs(chain, plan)
    pages = planning.read_pages(chain, plan, chunk_steps.PAGES, HashChunks)
    record = page_record.record_pages(plan, chain.steps, pages, options)
    return record.keep_results(before), pages.folders


def identify_results(
    begun: DetectRecord, work: Work, matches: Done, sums: Done
) -> DetectRecord:
    """Record the inputs and options on which the content of the tables depends."""
    rule = work.options.rule
    return replace(
        begun,
        labels_digest=work.known.digest,
        matches=matches.digest,
        neighborhoods=sums.digest,
        levels=rule.levels,
        level=rule.site_level,
        rule=rule.as_dict(),
    )


def write_origins(
    chain: Chain, work: Work, matches: Done, tables: badness_tables.BadnessTables
) -> None:
    """Find the labels that bad sites share with others, and write `origins.tsv`."""
    level, chunks = work.options.rule.site_level, len(work.known.labels.chunks)
    bad = tables.bad_ones(level)
    shared = steps.share_labels(chain, matches, bad, level, chunks)
    lines = protocol.read_parts(shared)
    name = chain.run.join(ORIGINS.file)
    origin_table.write(name, lines, lambda: tables.prefixes(level))
