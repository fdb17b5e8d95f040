"""What is told of a benchmark: a table for people, a line of JSON for the record."""

import json
import os
import platform
import re
import subprocess
import time
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from typing import TYPE_CHECKING

import corpus
import systems

if TYPE_CHECKING:
    from run import Bench

PACKAGES = 'mrjob', 'fastwarc', 'pyspark', 'deflate', 'numpy'


HEAD = ('system', 'wall s', 'x floor', 'spread', 'x handwr.', 'CPU s', 'x floor') + (
    'MB/s core',
    'shuffle MB',
    'process MB',
    'tree MB',
    'found',
)


def table(bench: 'Bench') -> str:
    """Format the figures: least time, greatest memory."""
    rows = [HEAD, *(row(bench, name) for name in bench.usages)]
    widths = [max(map(len, cells)) for cells in zip_longest(*rows, fillvalue='')]
    lines = []
    for first, *cells in rows:
        others = (f'{c:>{w}}' for c, w in zip(cells, widths[1:], strict=False))
        lines.append('  '.join([f'{first:{widths[0]}}', *others]))
    if steps := steps_table(bench):
        lines += ['', *steps]
    return '\n'.join(lines)


def row(bench: 'Bench', name: str) -> list[str]:
    """The figures of a system."""
    wall, cpu = bench.best(name, 'wall'), bench.best(name, 'cpu')
    if not wall or not cpu:
        return [name, 'failed']
    floor = next((n for n in bench.usages if n in systems.FLOORS), 'floor')
    ratios = bench.ratios(name, floor)
    shuffled = bench.fastest(name).told.get('shuffled', 0)
    return [
        name,
        f'{wall:.2f}',
        _ratio(wall, bench.best(floor, 'wall')),
        f'{min(ratios):.2f}-{max(ratios):.2f}' if len(ratios) > 1 else '',
        _ratio(wall, bench.best('handwritten', 'wall')),
        f'{cpu:.2f}',
        _ratio(cpu, bench.best(floor, 'cpu')),
        f'{bench.totals["payload"] / 1e6 / cpu:.0f}' if bench.totals else '',
        f'{shuffled / 1e6:.1f}' if shuffled else '',
        f'{bench.peak(name, "process_mb"):.0f}',
        f'{bench.peak(name, "tree_mb"):.0f}',
        f'{bench.found[name][1]:,}',
    ]


def _ratio(ours: float, theirs: float | None) -> str:
    return f'{ours / theirs:.2f}' if theirs else ''


def steps_table(bench: 'Bench') -> list[str]:
    """Seconds of each step of the fastest run of ours."""
    told = {name: bench.fastest(name).told for name in bench.usages}
    names = [name for name in told if told[name]]
    if not names:
        return []
    lines = ['  '.join([f'{"step":14}', *(f'{name:>8}' for name in names)])]
    for step in told[names[0]]['seconds']:
        cells = (f'{told[name]["seconds"][step]:8.2f}' for name in names)
        lines.append('  '.join([f'{step:14}', *cells]))
    return lines


def machine() -> dict[str, object]:
    """What the figures depend on, without the machine's name."""
    with open('/proc/cpuinfo') as file:
        info = dict(line.split(':', 1) for line in file if ':' in line)
    cpu = {key.strip(): value.strip() for key, value in info.items()}
    memory = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE')
    return {
        'cpu': cpu.get('model name', platform.machine()),
        'cores': os.cpu_count(),
        'sha_ni': 'sha_ni' in cpu.get('flags', '').split(),
        'memory_gb': round(memory / 1e9),
        'load': os.getloadavg()[0],
        'kernel': platform.release().partition('-')[0],
    }


def versions() -> dict[str, str]:
    with open(os.path.join(corpus.ROOT, 'mr_reuse', '__init__.py')) as file:
        ours = re.search(r"__version__ = '(.+)'", file.read())
    found = {'python': platform.python_version(), 'mr_reuse': ours[1] if ours else ''}
    command = ['git', '-C', corpus.ROOT, 'describe', '--always']
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    found['commit'] = told.stdout.strip()
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = 'not installed'
    return found


def log(kind: str, bench: 'Bench', more: dict[str, object] | None = None) -> None:
    """Append one line to the results."""
    systems_ = {}
    for name, usages in bench.usages.items():
        figures = {
            key: [round(getattr(usage, key), 3) for usage in usages]
            for key in ('wall', 'cpu', 'process_mb', 'tree_mb')
        }
        figures['failed'] = next((u.failed for u in usages if u.failed), '')
        figures['template'] = systems.TEMPLATES[name]
        if told := bench.fastest(name).told:
            figures['told'] = told
        if name == 'discover' and bench.options.ours:
            figures['template'] = bench.options.ours
        systems_[name] = figures
    append(
        bench.options.results,
        kind,
        corpus={
            'digest': bench.digest,
            'archives': len(bench.archives),
            'bytes': sum(map(os.path.getsize, bench.archives)),
            **bench.totals,
        },
        threshold=bench.options.threshold,
        systems=systems_,
        **(more or {}),
    )


def append(path: str, kind: str, **found: object) -> None:
    """Append what a run has found, and where it was, to the results."""
    line = {
        'time': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()),
        'kind': kind,
        'machine': machine(),
        'versions': versions(),
        **found,
    }
    with open(path, 'a') as file:
        file.write(json.dumps(line) + '\n')
