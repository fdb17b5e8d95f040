"""What a run says of itself: in `run.json`, and to the person who started it."""

import argparse
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

from mr_reuse import __version__, account, corpus, stopping, tables
from mr_reuse.chain import Done
from mr_reuse.cli import say, typed
from mr_reuse.errors import DAMAGED, DONE
from mr_reuse.rundir import RunDir
from mr_reuse.thresholds import Choice
from mr_reuse.visible import visible

TOP = 10
ROWS = 20  # of the table of damage


def run_json(
    plan: corpus.Plan, steps: Mapping[str, Any], pages: corpus.Pages
) -> dict[str, Any]:
    """The record of a finished run, as far as pages are concerned."""
    parts = ('counts', 'types', 'skipped', 'notes', 'damage', 'depths')
    all_read = [plan.old.get('read', {}), *pages.accounts]
    return {
        'finished': True,
        'version': __version__,
        'run': plan.given.output,
        'options': options(plan.given),
        'made_of': corpus.made_of(plan.given, plan.chunker),
        'inputs': [s.name for s in plan.sources],
        'paths': plan.paths,
        'pages': [*pages.folders[:-1], steps['01-pages']['output']],
        'rows': pages.rows,
        'read': {part: account.total(all_read, part) for part in parts},
        'damaged': [*plan.old.get('damaged', []), *filter(_damaged, pages.accounts)],
        'steps': dict(steps),
    }


def _damaged(told: Mapping[str, Any]) -> bool:
    return bool(told.get('damage'))


def options(given: argparse.Namespace) -> dict[str, Any]:
    """The options of a command line, as far as they say something."""
    return {
        name: str(value) if isinstance(value, Fraction) else value
        for name, value in vars(given).items()
        if value not in (None, [], '')
    }


def labeled(steps: Mapping[str, Any], kept: Done, choice: Choice) -> dict[str, Any]:
    """What the record of a run says of its counts and labels."""
    filtered = [told.get('filtered', {}) for told in kept.told]
    return {
        'counts': steps['02-counts']['output'],
        'threshold': choice.threshold,
        'reason': choice.reason,
        'labels': {unit: account.total(filtered, unit) for unit in ('chunk', 'file')},
    }


def found(run: RunDir, told: Mapping[str, Any], frequencies: Mapping) -> str:
    """What was found, and the top of the table of labels."""
    read = told['read']['counts']
    labels, files = told['labels']['chunk'], told['labels']['file']
    chunks = sum(copies * n for copies, n in frequencies['chunk'].items())
    distinct = sum(frequencies['chunk'].values())
    names = told['made_of']['delimiters'].partition('/')[0].split(',')
    tags = ' or '.join(f'<{name}>' for name in names)
    rate = told['options'].get('stop_bloom')
    lines = [
        f'{read.get("pages", 0):,} pages have {chunks:,} chunks (what lies between one '
        f'{tags} and the next), {distinct:,} of them distinct',
        f'labeled: {labels.get("labels", 0):,} chunks that have more than '
        f'{told["threshold"]:,} copies ({told["reason"]})',
        f'not labeled, though copied as often: {labels.get("short", 0):,} of at most '
        f'{told["options"]["min_len"]:,} bytes, {labels.get("stop", 0):,} on the stop '
        'list',
        *([stopping.bloom_line(rate, labels)] if rate else []),
        '',
        *_top(run, told, frequencies['chunk']),
        '',
        f'all {labels.get("labels", 0):,} of them: {run.join("labels.tsv")}',
        f'{files.get("labels", 0):,} whole files: {run.join("file_labels.tsv")}',
    ]
    if labels.get('labels') or files.get('labels'):
        next_ = typed('detect', *_with(told), '-o', run.path)
        lines.append(f'which sites live on them: {next_}')
    return '\n'.join(lines) + '\n'


def _with(told: Mapping[str, Any]) -> list[str]:
    """How the next command is told what runs its jobs."""
    runner = told['options'].get('runner', 'local')
    return [] if runner == 'local' else ['-r', runner]


def _top(run: RunDir, told: Mapping[str, Any], chunks: Mapping[int, int]) -> list[str]:
    """The most copied chunks, each with what it is and an example of where it is."""
    rows = list(islice(tables.read(run.join('labels.tsv')), TOP))
    if not rows:
        return [_nothing(chunks, told)]
    lines = [f'{"copies":>9} {"pages":>9} {"hosts":>7} {"bytes":>7}  chunk, example']
    for _, size, copies, pages, hosts, url, preview in rows:
        numbers = f'{int(copies):>9,} {int(pages):>9,} {int(hosts):>7,} {int(size):>7,}'
        lines += [f'{numbers}  {preview[:60]}', f'{"":37}{url[:200]}']
    shown = typed('show', run.path, rows[0][0][:12])
    return [*lines, '', f'the first one, out of its archive: {shown}']


def _nothing(chunks: Mapping[int, int], told: Mapping[str, Any]) -> str:
    most = max(chunks, default=0)
    if told['labels']['chunk'].get('stop'):
        return 'all else that is copied so often is on the stop list'
    if most > told['threshold']:
        return 'nothing long enough is copied so often; see --min-len'
    return f'nothing is copied so often: at most {most:,} times; see --threshold'


def detected(run: RunDir, stats: Mapping[str, Any]) -> str:
    """What was found, and the worst neighborhoods."""
    pages, hoods = stats['pages'], stats['neighborhoods']
    lines = [
        f'{pages["pages"]:,} pages, {pages["empty"] + pages["few"]:,} of them with too '
        'few chunks to judge',
        f'bad pages: {pages["bad"]:,}, {judged(pages, pages)}',
        f'bad neighborhoods (hosts and folders): {hoods["bad"]:,} of '
        f'{hoods["neighborhoods"]:,}, '
        f'{judged(hoods, hoods[hoods["ratio"]])}',
        '',
        *worst(run),
        '',
        f'all of them: {run.join("bad_neighborhoods.tsv")}',
        f'pages: {run.join("bad_pages.tsv")}',
    ]
    return '\n'.join(lines) + '\n'


def judged(told: Mapping[str, Any], moments_: Mapping[str, Any]) -> str:
    """By which threshold something was judged."""
    if told['threshold'] is None:
        return 'each level by its own threshold (see stats.json)'
    share, mean, deviation = (
        f'{100 * number:.1f} %'
        for number in (told['threshold'], moments_['mean'], moments_['deviation'])
    )
    return (
        f'with more than {share} labeled chunks (of all: mean {mean}, deviation '
        f'{deviation})'
    )


def worst(run: RunDir) -> list[str]:
    """The first lines of the table of bad neighborhoods, for people."""
    rows = list(islice(tables.read(run.join('bad_neighborhoods.tsv')), TOP))
    if not rows:
        return ['no neighborhood is above the threshold']
    first = rows[0][0]
    lines = [f'{"pooled":>7} {"mean":>7} {"bad":>9} {"total":>9} {"pages":>8}  prefix']
    for prefix, _, pages, bad, total, *ratios in rows:
        shares = ' '.join(f'{float(ratio):7.3f}' for ratio in ratios)
        numbers = f'{int(bad):>9,} {int(total):>9,} {int(pages):>8,}'
        lines.append(f'{shares} {numbers}  {prefix}')
    shown = typed('show', run.path, *(['--'] if first[0] == '-' else []), first)
    return [
        *lines,
        '(pooled: which share of its chunks are labels; mean: the same, page by page)',
        '',
        f'what the first one has copied: {shown}',
    ]


def end(told: Mapping[str, Any], quiet: bool) -> int:
    """Tell what was not read, and give the exit code."""
    if told['damaged']:
        say(damage_table(told['damaged']))
        return DAMAGED
    if not told['read']['counts'].get('pages'):
        say('warning: no pages in the input')
    return DONE


def damage_table(accounts: list[Mapping[str, Any]]) -> str:
    """What was not read, by archive and cause.

    >>> print(damage_table([{'archive': 'a.warc', 'damage': {'empty file': [0, 0]}}]))
    damaged input; everything else was read:
     records        bytes  cause, archive
           0            0  empty file, a.warc
    """
    lines = [
        f'{records:>8,} {size:>12,}  {cause}, {visible(one["archive"])}'
        for one in accounts
        for cause, (records, size) in sorted(one['damage'].items())
    ]
    head = 'damaged input; everything else was read:'
    more = len(lines) - ROWS
    shown = lines[:ROWS]
    if more > 0:
        sums = account.total(list(accounts), 'damage')
        shown.append(f'{"…":>8} {"…":>12}  and {more:,} more; in all:')
        shown += [f'{n:>8,} {s:>12,}  {cause}' for cause, (n, s) in sums.items()]
    return '\n'.join([head, f'{"records":>8} {"bytes":>12}  cause, archive', *shown])
