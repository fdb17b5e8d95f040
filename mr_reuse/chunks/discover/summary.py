"""What a run says of itself: in `run.json`, and to the person who started it."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from mr_reuse import __version__, storage
from mr_reuse.archives import archive_stats
from mr_reuse.chunks.detect.badness import Rule
from mr_reuse.chunks.discover import stop_chunks
from mr_reuse.chunks.discover.thresholds import Choice
from mr_reuse.chunks.hasher import Hasher
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine import run_steps
from mr_reuse.engine.chain import Done
from mr_reuse.engine.record import DiscoverRecord, RunRecord, Steps
from mr_reuse.engine.run_options import drop_unset
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import RunDir
from mr_reuse.errors import DAMAGED, DONE
from mr_reuse.messages import (
    command_line,
    format_share,
    format_threshold,
    make_visible,
    say,
    warn,
)
from mr_reuse.pages import forecast, planning
from mr_reuse.tables.rows import read_rows
from mr_reuse.tables.run_tables import BAD_NEIGHBORHOODS, BAD_PAGES, FILE_LABELS, LABELS

TOP = 10
ROWS = 20  # of the table of damage
KINDS = {  # of neighborhoods, by --levels
    'all': 'hosts and folders',
    'site': 'hosts',
    '1': 'hosts',
    'domain': 'registered domains',
}


def dry_run(plan: planning.Plan, steps: Iterable[RunStep]) -> str:
    """Describe a run of these steps, and estimate its time and size by a sample."""
    hasher, jobs = Hasher(plan.recipe, storage.open_scratch), run_steps.name_jobs(steps)
    return forecast.format_forecast(plan, hasher.pages, jobs)


def record_pages(
    plan: planning.Plan, steps: Steps, pages: planning.Pages, options: dict[str, Any]
) -> RunRecord:
    """The record of a finished run, as far as pages are concerned."""
    parts = ('counts', 'types', 'skipped', 'notes', 'damage', 'depths')
    old_read, old_damaged = [], []
    if plan.old:
        old_read, old_damaged = [plan.old.read], plan.old.damaged or []
    all_read = [*old_read, *pages.accounts]
    damaged = [account for account in pages.accounts if account.get('damage')]
    return RunRecord(
        finished=True,
        version=__version__,
        run=plan.run_options.output,
        options=options | drop_unset(plan.input_options._asdict()),
        made_of=planning.counting_recipe(plan.input_options, plan.recipe),
        inputs=[s.name for s in plan.sources],
        paths=plan.paths,
        pages=[*pages.folders[:-1], steps[run_steps.PAGES.folder].output],
        rows=pages.rows,
        read={part: archive_stats.sum_stats(all_read, part) for part in parts},
        damaged=[*old_damaged, *damaged],
        steps=dict(steps),
    )


def record_labels(steps: Steps, kept: Done, choice: Choice) -> DiscoverRecord:
    """The record of counts and labels."""
    filtered = [told.get('filtered', {}) for told in kept.told]
    return DiscoverRecord(
        counts=steps[run_steps.COUNTS.folder].output,
        threshold=choice.threshold,
        reason=choice.reason,
        labels={
            unit: archive_stats.sum_stats(filtered, unit) for unit in ('chunk', 'file')
        },
    )


def found(run: RunDir, record: RunRecord, frequencies: Mapping) -> str:
    """What was found, and the top of the table of labels."""
    read, discover, options = record.read['counts'], record.discover, record.options
    labels, files = discover.labels['chunk'], discover.labels['file']
    chunks = sum(copies * n for copies, n in frequencies['chunk'].items())
    distinct = sum(frequencies['chunk'].values())
    names = Recipe.from_options(record.made_of).delimiters.partition('/')[0].split(',')
    tags = ' or '.join(f'<{name}>' for name in names)
    rate = options.get('stop_bloom')
    lines = [
        f'{read.get("pages", 0):,} pages have {chunks:,} chunks (what lies between one '
        f'{tags} and the next), {distinct:,} of them distinct',
        f'labeled: {labels.get("labels", 0):,} chunks that have more than '
        f'{discover.threshold:,} copies ({discover.reason})',
        f'not labeled, though copied as often: {labels.get("short", 0):,} of at most '
        f'{options["min_len"]:,} bytes, {labels.get("stop", 0):,} on the stop list',
        *([stop_chunks.bloom_line(rate, labels)] if rate else []),
        '',
        *_top(run, record, frequencies['chunk']),
        '',
        f'all {labels.get("labels", 0):,} of them: {run.join(LABELS.file)}',
        f'{files.get("labels", 0):,} whole files: {run.join(FILE_LABELS.file)}',
    ]
    if labels.get('labels') or files.get('labels'):
        next_ = command_line(
            'detect', *_with(record), '-o', run.path, '--min-chunks', '5'
        )
        lines.append(f'which sites live on them: {next_}')
    return '\n'.join(lines) + '\n'


def _with(record: RunRecord) -> list[str]:
    """The option of the next command for the same runner."""
    runner = record.options.get('runner', 'local')
    return [] if runner == 'local' else ['-r', runner]


def _top(run: RunDir, record: RunRecord, chunks: Mapping[int, int]) -> list[str]:
    """The most copied chunks, each with what it is and an example of where it is."""
    rows = list(islice(read_rows(run.path, LABELS), TOP))
    if not rows:
        return [_nothing(chunks, record.discover)]
    lines = [f'{"copies":>9} {"pages":>9} {"hosts":>7} {"bytes":>7}  chunk, example']
    for row in rows:
        numbers = f'{row.copies:>9,} {row.pages:>9,} {row.hosts:>7,} {row.length:>7,}'
        lines += [f'{numbers}  {row.preview[:60]}', f'{"":37}{row.example_url[:200]}']
    shown = command_line('show', run.path, rows[0].hash[:12])
    return [*lines, '', f'the first one, out of its archive: {shown}']


def _nothing(chunks: Mapping[int, int], discover: DiscoverRecord) -> str:
    most = max(chunks, default=0)
    if discover.labels['chunk'].get('stop'):
        return 'all else that is copied so often is on the stop list'
    if most > discover.threshold:
        return 'nothing long enough is copied so often; see --min-len'
    return f'nothing is copied so often: at most {most:,} times; see --threshold'


def detected(run: RunDir, stats: Mapping[str, Any], rule: Rule) -> str:
    """What was found, and the worst neighborhoods."""
    pages, hoods = stats['pages'], stats['neighborhoods']
    kinds = KINDS.get(rule.levels, f'folders of level {rule.levels}')
    of_hoods = hoods | hoods[rule.ratio]
    lines = [
        judged('pages', pages['pages'], pages),
        f'bad pages: {bad_of(pages, 0)}',
        judged(kinds, hoods['neighborhoods'], of_hoods),
        f'bad neighborhoods: {bad_of(of_hoods, rule.min_bad)}',
        '',
        *worst(run),
        '',
        f'{listed(hoods["bad"], rule)} of them: {run.join(BAD_NEIGHBORHOODS.file)}',
        f'{listed(pages["bad"], rule)} bad pages: {run.join(BAD_PAGES.file)}',
        f'all of this as a page: {command_line("report", run.path)}',
    ]
    return '\n'.join(lines) + '\n'


def listed(bad: int, rule: Rule) -> str:
    """How many of the bad ones are in the table of them.

    >>> listed(9000, Rule()), listed(9000, Rule(top=1000)), listed(3, Rule(top=7))
    ('all 9,000', 'the first 1,000', 'all 3')
    """
    if rule.top is None or bad <= rule.top:
        return f'all {bad:,}'
    return f'the first {rule.top:,}'


def judged(kinds: str, number: int, told: Mapping[str, Any]) -> str:
    """How many there are, and how many of these cannot be judged."""
    few = number - told['count']
    return f'{number:,} {kinds}, {few:,} of them with too few chunks to judge'


def bad_of(told: Mapping[str, Any], least: int) -> str:
    """How many of those that were judged are bad, and by which threshold.

    >>> told = {'bad': 3, 'count': 9, 'threshold': 0.5, 'mean': 0.0004, 'deviation': 0}
    >>> bad_of(told, 0)
    '3 of 9, with more than 50.0 % labeled chunks (mean under 0.1 %, deviation 0.0 %)'
    >>> bad_of(told | {'threshold': 0.0}, 7)
    '3 of 9, with at least 7 labeled chunks (mean under 0.1 %, deviation 0.0 %)'
    """
    threshold, found = told['threshold'], f'{told["bad"]:,} of {told["count"]:,}'
    if threshold is None:
        return f'{found}, each level by its own threshold (see stats.json)'
    wanted = [f'at least {least:,} labeled chunks'] if least else []
    if threshold or not least:
        of_all = 'of all chunks' if least else 'labeled chunks'
        wanted.append(f'more than {format_threshold(threshold)} {of_all}')
    mean, deviation = (format_share(told[name]) for name in ('mean', 'deviation'))
    return f'{found}, with {", ".join(wanted)} (mean {mean}, deviation {deviation})'


def worst(run: RunDir) -> list[str]:
    """The first lines of the table of bad neighborhoods, for people."""
    rows = list(islice(read_rows(run.path, BAD_NEIGHBORHOODS), TOP))
    if not rows:
        return ['no neighborhood is above the threshold']
    first = rows[0].prefix
    lines = [f'{"pooled":>7} {"mean":>7} {"bad":>9} {"total":>9} {"pages":>8}  prefix']
    for row in rows:
        shares = f'{_decimals(row.pooled):>7} {_decimals(row.mean):>7}'
        numbers = f'{row.bad:>9,} {row.total:>9,} {row.pages:>8,}'
        lines.append(f'{shares} {numbers}  {row.prefix}')
    shown = command_line('show', run.path, *(['--'] if first[0] == '-' else []), first)
    return [
        *lines,
        '(pooled: which share of its chunks are labels; mean: the same, page by page)',
        '',
        f'what the first one has copied: {shown}',
    ]


def _decimals(share: float) -> str:
    """A ratio with as many decimals as a line has room for."""
    return '<0.001' if 0 < share < 0.0005 else f'{share:.3f}'


def end(record: RunRecord) -> int:
    """Print the damage in the inputs, and return the exit code."""
    if record.damaged:
        say(damage_table(record.damaged))
        return DAMAGED
    if not record.read['counts'].get('pages'):
        warn('no pages in the input')
    return DONE


def damage_table(accounts: list[Mapping[str, Any]]) -> str:
    """What was not read, by archive and cause.

    >>> print(damage_table([{'archive': 'a.warc', 'damage': {'empty file': [0, 0]}}]))
    damaged input; everything else was read:
     records        bytes  cause, archive
           0            0  empty file, a.warc
    """
    lines = [
        f'{records:>8,} {size:>12,}  {cause}, {make_visible(one["archive"])}'
        for one in accounts
        for cause, (records, size) in sorted(one['damage'].items())
    ]
    head = 'damaged input; everything else was read:'
    more = len(lines) - ROWS
    shown = lines[:ROWS]
    if more > 0:
        sums = archive_stats.sum_stats(list(accounts), 'damage')
        shown.append(f'{"…":>8} {"…":>12}  and {more:,} more; in all:')
        shown += [f'{n:>8,} {s:>12,}  {cause}' for cause, (n, s) in sums.items()]
    return '\n'.join([head, f'{"records":>8} {"bytes":>12}  cause, archive', *shown])
