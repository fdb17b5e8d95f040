"""Run `detect`: from its work to its tables and its summary."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mr_reuse import storage
from mr_reuse.chunks import choosing, chunk_steps
from mr_reuse.chunks.chunk_tables import LABEL_COUNTS, ORIGINS, PAIRS, PLACES
from mr_reuse.chunks.detect import (
    badness_tables,
    found_table,
    origin_table,
    steps,
    summary,
    support,
)
from mr_reuse.chunks.detect.badness_tables import Judged
from mr_reuse.chunks.detect.origin_table import SharedLabels
from mr_reuse.chunks.detect.steps import CrawlPages
from mr_reuse.chunks.detect.work import Work, is_own
from mr_reuse.chunks.discover import summary as pages_summary
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.pairs import sites
from mr_reuse.chunks.pairs import steps as pair_steps
from mr_reuse.chunks.revisits import steps as revisit_steps
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.record import DetectRecord, RunRecord
from mr_reuse.engine.rundir import STATS
from mr_reuse.errors import DONE
from mr_reuse.messages import say, to_text, warn, write_stdout
from mr_reuse.pages import input_status, moved_archives, page_record, planning
from mr_reuse.pages.run_inputs import PAGES_OF
from mr_reuse.storage import naming
from mr_reuse.tables import derived
from mr_reuse.tables.run_tables import tables_of_command


def describe_work(work: Work) -> str:
    """Describe the run, and estimate its time and size."""
    from mr_reuse.chunks.detect import forecast  # noqa: PLC0415 (no run needs it)

    if work.plan:
        return pages_summary.format_dry_run(work.plan, work.declared)
    run, pages = work.options.run, work.record.pages
    labels, steps = work.known.labels, work.declared
    return forecast.format_forecast(pages, labels, steps, run.output, run.runner)


def check_space(work: Work) -> None:
    """Refuse the run if the disk has too little space."""
    from mr_reuse.chunks.detect import forecast  # noqa: PLC0415 (slow)

    if work.plan:
        pages_summary.check_space(work.plan, work.declared)
    else:
        args = work.record.pages, work.known.labels, work.declared
        forecast.check_space(work.options.run, *args)


def detect(chain: Chain, work: Work) -> int:
    """Run the steps, write the tables, and print a summary; return the exit code."""
    run, options, known = chain.run, work.options, work.known
    record, pages = take_pages(chain, work)
    before = record.detect
    begun = begin_record(work, run.path)
    # Until the end, no result of `detect` is complete: a crash must not leave a record
    # of the former results beside tables that are being replaced.
    if before != DetectRecord():
        run.write_record(replace(record, detect=begun))
    matches = steps.match_labels(chain, options.matching, pages, known)
    sums = steps.sum_neighborhoods(chain, options.rule.min_chunks, matches)
    results = identify_results(begun, work, matches, sums)
    stale_lines = []
    has_matches = results.has_matches_of(before)
    if not results.has_results_of(before):
        changed = list_changed(work, results, before)
        stale_lines = derived.remove_stale(run.path, changed)
    tables = badness_tables.BadnessTables(chain, options.rule, known, matches, sums)
    stats, judged = tables.write(before)
    write_origins(chain, work, matches, sums, judged)
    is_known = has_matches and storage.exists(run.join(LABEL_COUNTS.file))
    if not is_known or options.archives:
        write_label_counts(chain, work, record, pages)
    has_places = has_matches and storage.exists(run.join(PLACES.file))
    if options.matching.places and not has_places:
        found_table.write_places(chain, matches, known)
    pairs = write_pairs(chain, work, record, pages)
    if record.pairs and pairs['output'] != record.pairs['output']:
        stale_lines += derived.remove_stale(run.path, [PAIRS.name])
    stats['label_threshold'] = work.label_threshold
    stats['pairs'] = {name: pairs[name] for name in ('unit', 'rows', 'common')}
    of_systems = {k: v for k, v in run.read_json(STATS).items() if k in record.systems}
    run.write_json(STATS, stats | of_systems)
    results = replace(results, options=options.recorded, steps=chain.steps)
    record = replace(record, detect=results, pairs=pairs)
    run.write_record(record)
    if not options.run.quiet:
        write_stdout(format_summary(chain, work, record, stats))
    for line in stale_lines:
        say(line)
    return page_record.report_damage(record) if work.plan else DONE


def format_summary(
    chain: Chain, work: Work, record: RunRecord, stats: dict[str, Any]
) -> str:
    """Format the input, the labels, and the results."""
    rule, known = work.options.rule, work.known
    describe = (
        page_record.describe_input if work.plan else page_record.describe_captures
    )
    lines = describe(record)
    parts = [f'{line}\n' for line in lines]
    parts.append(summary.format_labels(known.name, known.labels))
    if record.preset:
        parts.append(summary.describe_preset(record.preset, rule))
    parts.append(summary.format_results(chain.run, stats, rule, work.facts))
    return ''.join(parts)


def begin_record(work: Work, run: str) -> DetectRecord:
    """Return the record of `detect` before it has results."""
    facts = work.facts
    return DetectRecord(
        labels=name_labels(work.known.name, run),
        sources=facts.sources or None,
        families=facts.families.named or None,
    )


def list_changed(
    work: Work, results: DetectRecord, before: DetectRecord
) -> Sequence[str]:
    """List the tables whose content may have changed since an older record.

    Some tables depend on the matches alone, or on the facts that the user states.
    """
    facts = {'sources': before.sources, 'families': before.families}
    if replace(results, **facts).has_results_of(before):
        return [ORIGINS.name]
    has_matches = results.has_matches_of(before)
    kept = {LABEL_COUNTS.name} if has_matches else set()
    if has_matches or not work.options.matching.places:
        kept.add(PLACES.name)
    return [name for name in tables_of_command('detect') if name not in kept]


def name_labels(name: str, run: str) -> str:
    """Return the name of a label file for the record of a run.

    It is relative for the file that the run has written, to stay valid in a copy of the
    run.
    """
    return label_files.FILE_NAME if is_own(name, run) else naming.absolute(name)


def take_pages(chain: Chain, work: Work) -> tuple[RunRecord, CrawlPages]:
    """Return the record of the run that has the pages, and the pages."""
    if work.plan:
        return hash_pages(chain, work)
    run, choice = chain.run, work.record.skipped
    skipped = choosing.write_skipped(chain, choice)
    pages = CrawlPages(work.record.pages, skipped, choice)
    typed = work.options.inputs.inputs
    run_of_pages = storage.canonical_name(typed[0] if typed else run.path)
    if run_of_pages == storage.canonical_name(run.path):
        return run.read_record(), pages
    run.claim(lambda: [f'{PAGES_OF}{run_of_pages}\n'])
    before = run.read_record()  # None if the run was of other pages
    detected = before.detect if before else DetectRecord()
    shared = work.record.share_pages(run.path, detected)
    return replace(shared, pairs=before.pairs if before else None), pages


def hash_pages(chain: Chain, work: Work) -> tuple[RunRecord, CrawlPages]:
    """Hash the pages of archives, and choose among captures; return the record too."""
    run, plan = chain.run, work.plan
    before = run.read_record()
    planning.claim_run(run, plan)
    plan = planning.upload_inputs(chain, plan)
    pages = planning.read_pages(chain, plan, chunk_steps.PAGES, HashChunks)
    pages = revisit_steps.choose_captures(chain, pages, work.captures)
    options = work.options.recorded | {'captures': work.captures}
    record = page_record.record_pages(plan, chain.steps, pages, options)
    searched = CrawlPages(pages.folders, pages.skipped, pages.choice.folder)
    return record.keep_results(before).keep_systems(before), searched


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


def write_label_counts(
    chain: Chain, work: Work, record: RunRecord, pages: CrawlPages
) -> None:
    """Write `label_counts.tsv`; count labels only if `discover` has not."""
    if work.label_table:
        found_table.copy(chain, work.label_table, work.record)
    else:
        # The run keeps the names of the archives as they were.
        found = moved_archives.find_moved(record, work.options.archives)
        paths = found.paths.values()
        if work.options.archives and not input_status.find_missing(paths):
            found_table.reset_previews(chain.run)
        moved_archives.warn_of_changes(found)
        found_table.write(chain, work.known, pages, found.paths)


def write_pairs(
    chain: Chain, work: Work, record: RunRecord, pages: CrawlPages
) -> dict[str, Any]:
    """Write `pairs.tsv` unless `discover` has; return the record of it."""
    unit = work.options.matching.pairs
    if pair_steps.is_written(record, chain.run.path, unit):
        return record.pairs
    labels, before = work.known.labels, record.pairs or {}
    source = pair_steps.Source(
        labels.recipe,
        pages.folders,
        labels.min_len,
        labels.stop,
        record.rows,
        pages.skipped,
        [naming.last_component(pages.choice)] if pages.skipped else [],
    )
    unit = unit or before.get('unit', sites.HOST)
    return pair_steps.write_pairs(chain, 'detect', source, unit)


def write_origins(
    chain: Chain, work: Work, matches: Done, sums: Done, judged: Judged
) -> None:
    """Find the labels that bad sites share with others, and write `origins.tsv`."""
    level, chunks = work.options.rule.site_level, len(work.known.labels.chunks)
    sources = find_sources(work.facts, judged, level) if work.facts.sources else []
    bad = judged.find_bad_prefixes(level)
    if work.options.rule.top is None:
        bad = badness_tables.read_bad_prefixes(chain.run, level)
    sites = steps.Sites(level, bad, sources)
    shared = steps.share_labels(chain, matches, sites, chunks)
    labels = SharedLabels(level, shared, sums)
    prefixes = functools.partial(judged.read_prefixes, level)
    origin_table.write(chain, labels, prefixes, work.facts)


def find_sources(facts: Facts, judged: Judged, level: int) -> list[str]:
    """Find the neighborhoods of the sources that the user named; warn without any."""
    prefixes = (to_text(prefix) for prefix, _ in judged.read_prefixes(level))
    found = {prefix: host for prefix in prefixes if (host := facts.source_of(prefix))}
    for host in facts.sources:
        if facts.source_of(host) not in found.values():
            noun = support.nouns_of_level(level)[0]
            warn(f'--source {host}: no {noun} in this run belongs to it')
    return list(found)
