"""The record of a run that has read pages, and the damage that it reports."""

import itertools
from typing import Any

from mr_reuse import __version__
from mr_reuse.archives import archive_stats, causes
from mr_reuse.engine.record import RunRecord, Steps
from mr_reuse.engine.record_shapes import RevisitsRecord
from mr_reuse.engine.run_options import drop_unset
from mr_reuse.errors import DAMAGED, DONE
from mr_reuse.messages import format_count, say, warn
from mr_reuse.pages import captures, damage, planning, revisits
from mr_reuse.pages.filters import LOOP
from mr_reuse.pages.inputs import known_size
from mr_reuse.shuffle import mapped_paths
from mr_reuse.shuffle.mapped_paths import Archive, Archives


def record_pages(
    plan: planning.Plan, steps: Steps, pages: planning.Pages, options: dict[str, Any]
) -> RunRecord:
    """Return the record of a finished run, without the results of systems."""
    old, accounts = plan.old_run, pages.accounts
    all_read = archive_stats.sum_all([*([old.read] if old else []), *accounts], '')
    is_damaged = any(account.get('damage') for account in accounts)
    found = damage.join(
        damage.of_record(old) if old else damage.collect([]),
        damage.read_accounts(pages.done.parts if is_damaged else ()),
    )
    choice = pages.choice
    archives = collect_archives(plan)
    is_short = isinstance(archives.paths, dict)
    filled = [pages.filled.digest] if pages.filled else []
    return RunRecord(
        finished=True,
        version=__version__,
        run=plan.run_options.output,
        options=options | drop_unset(plan.input_options._asdict()),
        page_options=planning.counting_recipe(plan.input_options, plan.recipe),
        inputs=[source.name for source in plan.sources] if is_short else [],
        paths=archives.paths,
        sizes=archives.sizes,
        pages=[*pages.old_folders, steps[pages.step.folder].output, *filled],
        rows=pages.rows,
        read={
            part: dict(sorted(all_read.get(part, {}).items()))
            for part in archive_stats.PARTS
        },
        damaged=found.archives,
        damage_counts=found.recorded_counts,
        steps=dict(steps),
        kept_captures=choice.keep,
        captures=choice.captures or None,
        urls=choice.urls,
        passed_over=choice.passed_over,
        passed_pages=choice.passed_pages,
        skipped=choice.folder,
        revisits=record_revisits(pages),
    )


def collect_archives(plan: planning.Plan) -> Archives:
    """Collect all archives of a run by name, those of the older run included."""
    old, sources = plan.old_run, plan.sources
    before = Archives(old.paths, old.sizes) if old else Archives({}, {})
    new = (Archive(s.name, s.path, known_size(s)) for s in sources)
    count = len(before.paths) + len(sources)
    return mapped_paths.collect(itertools.chain(before.entries(), new), count)


def record_revisits(pages: planning.Pages) -> RevisitsRecord | None:
    """Return the record of revisits; None without any."""
    if not (pages.targets and pages.filled):
        return None
    counts = archive_stats.sum_stats(pages.targets.stats, 'revisits')
    numbers = {name: counts.pop(name, 0) for name in ('resolved', 'pages')}
    folders = {'targets': pages.targets.digest, 'filled': pages.filled.digest}
    return RevisitsRecord(**numbers, unresolved=counts, **folders)


def describe_input(record: RunRecord) -> list[str]:
    """Describe inputs that could not be read, and records that were left out.

    The result is empty if there are none.
    """
    lines = []
    if unread := damage.of_record(record).counts.unread:
        total = format_count(len(record.paths), 'input')
        lines.append(f'could not be read at all: {unread:,} of {total}')
    skipped = record.read.get('skipped', {})
    loops = sum(n for reason, n in skipped.items() if reason.startswith(LOOP))
    if loops:
        records = format_count(loops, 'record')
        lines.append(f'left out as crawler loops: {records} (see --recursion)')
    if truncated := record.read.get('notes', {}).get(causes.TRUNCATED_NOTE):
        lines.append(f'{causes.TRUNCATED_NOTE}: {format_count(truncated, "record")}')
    if record.revisits:
        lines += revisits.describe_revisits(record.revisits)
    return lines + describe_captures(record)


def describe_captures(record: RunRecord) -> list[str]:
    """Describe captures that were passed over; empty if there are none."""
    if not record.passed_over:
        return []
    counts = record.captures, record.urls, record.passed_over
    return [captures.describe_choice(record.kept_captures, *counts)]


def describe_searched(record: RunRecord) -> str:
    """Describe which captures were searched; '' if all were."""
    if not record.passed_over:
        return ''
    return captures.describe_searched(record.kept_captures, record.passed_over)


def report_damage(record: RunRecord) -> int:
    """Print the damage in the inputs, and return the exit code."""
    if record.damaged:
        found = damage.of_record(record)
        say(damage.format_damage(found, record.read['damage']))
        return DAMAGED
    if not record.read['counts'].get('pages'):
        warn('no pages in the input; check INPUT and --filter')
    return DONE
