"""A run of `detect`, from its work to its tables and its summary."""

from typing import Any

from mr_reuse import storage
from mr_reuse.chunks.detect import badness_tables, origin_table, steps
from mr_reuse.chunks.detect.work import Work, is_own
from mr_reuse.chunks.discover import summary
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.labels import label_files
from mr_reuse.engine import run_steps
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.rundir import RUN_JSON
from mr_reuse.errors import DONE
from mr_reuse.messages import put, say
from mr_reuse.pages import planning
from mr_reuse.pages.planning import Plan
from mr_reuse.pages.run_inputs import PAGES_OF
from mr_reuse.shuffle import protocol
from mr_reuse.storage import naming
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import ORIGINS, made_by

# What a record says of pages, whoever uses them.
OF_PAGES = 'finished version made_of inputs paths pages rows read steps'.split()


def describe(work: Work) -> str:
    """Describe the run; if pages are to be hashed, estimate its time and size."""
    if work.plan:
        return summary.dry_run(work.plan, run_steps.HASH_AND_DETECT)
    jobs = ', '.join(run_steps.name_jobs(run_steps.DETECT))
    folders = ', '.join(work.record['pages'])
    output = work.options.run.output
    return f'would run {jobs} on the pages in {folders}, into {output}\n'


def detect(chain: Chain, work: Work) -> int:
    """Run the steps, write the tables, and print a summary; returns the exit code."""
    run, rule, known = chain.run, work.options.rule, work.known
    record, folders = take_pages(chain, work)
    before = record.get('detect', {})
    # A run that is moved or copied takes its own labels along.
    own = is_own(known.name, run.path)
    labels = label_files.LABELS if own else naming.absolute(known.name)
    if before:  # from here on its tables are those of nothing that is finished
        record['detect'] = {'labels': labels}
        run.write_json(RUN_JSON, record)
    matches = steps.match_labels(chain, work.options.matching, folders, known)
    sums = steps.neighborhoods(chain, rule.min_chunks, matches)
    made_of = identify_results(work, matches, sums)
    is_new = before | made_of != before
    removed = derived.remove_stale(run.path, made_by('detect')) if is_new else []
    found = badness_tables.Findings(run, rule, matches, sums)
    stats = found.write(known.labels, before)
    write_origins(chain, work, matches, found)
    run.write_json('stats.json', stats)
    more = {'options': work.options.recorded, 'steps': dict(chain.steps)}
    record['detect'] = {'labels': labels} | made_of | more
    run.write_json(RUN_JSON, record)
    quiet = work.options.run.quiet
    if not quiet:
        chunks, files = len(known.labels.chunks), len(known.labels.files)
        put(f'looked for {chunks:,} chunks and {files:,} files: {known.name}\n')
        put(summary.detected(run, stats, rule))
    for line in removed:
        say(line)
    return summary.end(record, quiet) if work.plan else DONE


def take_pages(chain: Chain, work: Work) -> tuple[dict[str, Any], list[str]]:
    """The record of a run that has the pages, and the folders that they are in."""
    if work.plan:
        return hash_pages(chain, work.plan, work.options.recorded)
    run, folders = chain.run, work.record['pages']
    inputs = work.options.inputs.inputs
    other = inputs[0] if inputs else run.path
    if storage.real(other) == storage.real(run.path):
        return run.read_json(RUN_JSON), folders
    before = run.read_json(RUN_JSON)
    run.claim(f'{PAGES_OF}{storage.real(other)}\n')
    before = before if run.read_json(RUN_JSON) else {}
    record = {name: work.record[name] for name in OF_PAGES} | {'run': run.path}
    return record | {'detect': before.get('detect', {})}, folders


def hash_pages(
    chain: Chain, plan: Plan, options: dict[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Hash the pages of archives: the record of the run, and the folders of pages."""
    run = chain.run
    before = run.read_json(RUN_JSON)
    planning.claim(run, plan)
    plan = planning.sent(chain, plan)
    pages = planning.read_pages(chain, plan, HashChunks)
    record = summary.run_json(plan, chain.steps, pages, options)
    # The results of `discover` hold as long as the pages are the same.
    if before.get('pages') == record['pages']:
        record = record | before | {'finished': True}
    return record, pages.folders


def identify_results(work: Work, matches: Done, sums: Done) -> dict[str, Any]:
    """The inputs and options on which the content of the tables depends."""
    rule = work.options.rule
    return {
        'labels_digest': work.known.digest,
        'matches': matches.digest,
        'neighborhoods': sums.digest,
        'levels': rule.levels,
        'level': rule.site_level,
        'rule': rule.as_dict(),
    }


def write_origins(
    chain: Chain, work: Work, matches: Done, found: badness_tables.Findings
) -> None:
    """Find which labels bad sites share with others; write the table of them."""
    level, chunks = work.options.rule.site_level, len(work.known.labels.chunks)
    bad = found.bad_ones(level)
    shared = steps.share_labels(chain, matches, bad, level, chunks)
    lines = protocol.read_parts(shared)
    name = chain.run.join(ORIGINS.file)
    origin_table.write(name, lines, lambda: found.prefixes(level))
