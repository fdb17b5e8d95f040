"""What is told of a benchmark: a table for people, a line of JSON for the record."""

import json
import math
import os
import platform
import re
import time
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import corpus
import systems

if TYPE_CHECKING:
    from run import Bench

PACKAGES = 'mrjob', 'fastwarc', 'deflate', 'numpy'


def table(bench: 'Bench') -> str:
    """Format the figures: least time, greatest memory."""
    head = (
        'system',
        'wall s',
        'x floor',
        'x handwr.',
        'CPU s',
        'x floor',
        'x handwr.',
        'process MB',
        'tree MB',
        'chunks',
    )
    lines = ['  '.join([f'{head[0]:12}', *(f'{cell:>10}' for cell in head[1:])])]
    for name in bench.usages:
        if bench.best(name, 'wall') is None:
            lines.append(f'{name:12}  failed')
            continue
        cells = []
        for what in ('wall', 'cpu'):
            least = bench.best(name, what)
            bases = bench.best('floor', what), bench.best('handwritten', what)
            cells += [f'{least:.2f}', *(f'{least / x:.2f}' if x else '' for x in bases)]
        cells += [
            f'{bench.peak(name, "process_mb"):.0f}',
            f'{bench.peak(name, "tree_mb"):.0f}',
            f'{bench.found[name][1]:,}',
        ]
        lines.append('  '.join([f'{name:12}', *(f'{cell:>10}' for cell in cells)]))
    return '\n'.join(lines)


def slope(points: list[tuple[float, float]]) -> float:
    """Fit log y over log x by least squares: 1 is linear.

    >>> round(slope([(1, 2), (2, 4), (10, 20)]), 6)
    1.0
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    over = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return over / sum((x - mean_x) ** 2 for x, _ in logs)


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
        if name == 'discover' and bench.options.ours:
            figures['template'] = bench.options.ours
        systems_[name] = figures
    line = {
        'time': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()),
        'kind': kind,
        'machine': machine(),
        'versions': versions(),
        'corpus': {
            'digest': bench.digest,
            'archives': len(bench.archives),
            'bytes': sum(map(os.path.getsize, bench.archives)),
            **bench.totals,
        },
        'threshold': bench.options.threshold,
        'systems': systems_,
        **(more or {}),
    }
    with open(bench.options.results, 'a') as file:
        file.write(json.dumps(line) + '\n')
