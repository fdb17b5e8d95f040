"""The record of counts and labels, and the summary that `discover` prints."""

from collections.abc import Iterable, Mapping
from itertools import islice

from mr_reuse import storage
from mr_reuse.archives import archive_stats
from mr_reuse.chunks import chunk_steps, chunking, pair_texts, site_pairs
from mr_reuse.chunks.chunk_tables import FILE_LABELS, LABELS
from mr_reuse.chunks.discover import label_rule, label_texts
from mr_reuse.chunks.discover.label_rule import ChosenThreshold
from mr_reuse.chunks.facts import Facts
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.chain import Done
from mr_reuse.engine.record import DiscoverRecord, RunRecord, Steps
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import command_line, format_count
from mr_reuse.pages import disk_space, page_record, planning
from mr_reuse.tables.table_files import read_rows

MAX_LABELS = 10  # to print


def format_dry_run(plan: planning.Plan, steps: Iterable[RunStep]) -> str:
    """Describe a run of these steps, and estimate its time and size by a sample."""
    from mr_reuse.pages import forecast  # noqa: PLC0415 (no run needs it)

    hasher = Hasher(plan.recipe, storage.open_scratch)
    measure = forecast.Measure(hasher.hash_items)
    return forecast.format_forecast(plan, measure, list(steps))


def check_space(plan: planning.Plan, steps: Iterable[RunStep]) -> None:
    """Refuse a run of these steps if the disk has too little space."""
    if disk_space.is_ample(plan.run_options, plan.size):
        return
    from mr_reuse.pages import forecast  # noqa: PLC0415 (slow)

    hasher = Hasher(plan.recipe, storage.open_scratch)
    forecast.check_space(plan, hasher.hash_items, list(steps))


def record_labels(
    steps: Steps, filtered: Done, chosen: ChosenThreshold
) -> DiscoverRecord:
    """Return the record of counts and labels."""
    task_stats = [stats.get('filtered', {}) for stats in filtered.stats]
    return DiscoverRecord(
        counts=steps[chunk_steps.COUNTS.folder].output,
        threshold=chosen.threshold,
        reason=chosen.reason,
        labels={
            unit: archive_stats.sum_stats(task_stats, unit)
            for unit in ('chunk', 'file')
        },
    )


def format_results(run: RunDir, record: RunRecord, frequencies: Mapping) -> str:
    """Format the numbers of chunks and labels, and the most copied labels."""
    discover, options = record.discover, record.options
    labels = discover.labels['chunk']
    chunks = sum(copies * n for copies, n in frequencies['chunk'].items())
    distinct = sum(frequencies['chunk'].values())
    delimiters = Recipe.from_options(record.page_options).delimiters
    tags = chunking.format_tags(delimiters, 'and')
    families = Facts.of(record.detect).families
    rate, pairs = options.get('stop_bloom'), site_pairs.read_first(run.path, families)
    lines = [
        f'{format_count(record.pages_kept, "page")} with '
        f'{format_count(chunks, "chunk")} (cut at every {tags}), '
        f'{distinct:,} of them distinct',
        *page_record.describe_input(record),
        f'labeled: {format_count(labels.get("labels", 0), "chunk")} with more than '
        f'{format_count(discover.threshold, "copy", "copies")} '
        f'(threshold: {discover.reason})',
        f'copied as often, but not labeled: {labels.get("short", 0):,} of at most '
        f'{format_count(options["min_len"], "byte")}, '
        f'{labels.get("stop", 0):,} on the stop list',
        *([label_rule.describe_bloom(rate, labels)] if rate else []),
        *pair_texts.describe_rare(frequencies['chunk'], discover.threshold, pairs),
        '',
        *pair_texts.format_section(run.path, pairs, record.pairs['common']),
        *_format_top_labels(run, record, frequencies['chunk']),
        *_name_tables(run, record),
    ]
    return '\n'.join(lines) + '\n'


def _name_tables(run: RunDir, record: RunRecord) -> list[str]:
    """Name the tables of labels, and the next command; empty without labels."""
    lines = [
        f'all {format_count(number, f"labeled {unit}")}: {run.join(table.file)}'
        for unit, table in (('chunk', LABELS), ('file', FILE_LABELS))
        if (number := record.discover.labels[unit].get('labels', 0))
    ]
    if not lines:
        return []
    command = command_line(
        'detect', *_runner_option(record), '-o', run.path, '--min-chunks', '5'
    )
    return ['', *lines, f'to find the sites with a high share of them: {command}']


def _runner_option(record: RunRecord) -> list[str]:
    """Return the option that runs the next command on the same runner."""
    runner = record.options.get('runner', 'local')
    return [] if runner == 'local' else ['-r', runner]


def _format_top_labels(
    run: RunDir, record: RunRecord, chunks: Mapping[int, int]
) -> list[str]:
    """Format the most copied chunks, with a preview and the URL of an example."""
    rows = list(islice(read_rows(run.path, LABELS), MAX_LABELS))
    if not rows:
        return [_explain_no_labels(chunks, record.discover)]
    lines = [f'{"copies":>9} {"pages":>9} {"hosts":>7} {"bytes":>7}  chunk, example']
    located = record.locate(run.path)
    texts = label_texts.read_hidden_texts(run.path, located, rows)
    for row in rows:
        text = texts.get(row.hash, row.preview)
        numbers = f'{row.copies:>9,} {row.pages:>9,} {row.hosts:>7,} {row.length:>7,}'
        lines += [f'{numbers}  {text[:60]}', f'{"":37}{row.example_url[:200]}']
    command = command_line('show', run.path, rows[0].hash[:12])
    return [*lines, '', f'to print the first one from its archive: {command}']


def _explain_no_labels(chunks: Mapping[int, int], discover: DiscoverRecord) -> str:
    max_copies = max(chunks, default=0)
    if discover.labels['chunk'].get('stop'):
        return 'all other chunks with so many copies are on the stop list'
    if max_copies > discover.threshold:
        return 'all chunks with so many copies are too short; see --min-len'
    copies = format_count(max_copies, 'copy', 'copies')
    return f'no chunk has more than {copies}; see --threshold'
