"""Runs discover and detect with each runner, and compares all bytes of the results.

    python bench/runners.py CORPUS                        inline and local
    python bench/runners.py CORPUS --runners local,hadoop --remote hdfs:///bench

The table of seconds a step goes to standard output, a line of JSON to results.jsonl.
A run on Hadoop is made below the folder that --remote names, and left there.
"""

import argparse
import hashlib
import json
import os
import sys
import tempfile
import uuid
from typing import Any

import corpus
import results
from measure import apart, measure

RESULTS = (
    'labels.tsv file_labels.tsv frequency.tsv labels.mrl pages.tsv bad_pages.tsv '
    'neighborhoods.tsv bad_neighborhoods.tsv origins.tsv file_matches.tsv stats.json'
).split()
SHUFFLED = 'Map output materialized bytes'


def work(runner: str, archives: list[str], out: str, scratch: str) -> dict[str, Any]:
    """Discover and detect with a runner; what it took and what it found."""
    walls = {}
    for command, inputs in (('discover', archives), ('detect', [])):
        line = [sys.executable, '-m', f'mr_reuse.{command}', *inputs, '-o', out]
        usage = measure([*line, '-r', runner, '-q'], corpus.ROOT, scratch)
        if usage.failed:
            sys.exit(f'error: {runner}: {usage.failed}')
        walls[command] = usage.wall
        print(f'{runner} {command}: {usage.wall:.1f} s', file=sys.stderr)
    if '://' in out:
        near = os.path.join(scratch, runner)
        line = [sys.executable, '-m', 'mr_reuse.get', out, '-o', near, '-q']
        walls['get'] = measure(line, corpus.ROOT, scratch).wall
        out = near
    with open(os.path.join(out, 'run.json')) as file:
        told = json.load(file)
    steps = told['steps'] | told['detect']['steps']
    return {'walls': walls, 'steps': steps, 'digest': digest(out), 'out': out}


def digest(run: str) -> str:
    """The bytes of all results; in stats.json nothing depends on the runner either."""
    whole = hashlib.sha256()
    for name in RESULTS:
        with open(os.path.join(run, name), 'rb') as file:
            whole.update(name.encode() + hashlib.file_digest(file, 'sha256').digest())
    return whole.hexdigest()[:16]


def table(found: dict[str, dict[str, Any]]) -> str:
    """Seconds of each step by each runner, and what went through the shuffle."""
    lines = [f'{"":<16}' + ''.join(f'{name:>10}' for name in found)]
    first = next(iter(found.values()))
    for step in first['steps']:
        cells = [f'{one["steps"][step]["seconds"]:>10.1f}' for one in found.values()]
        lines.append(f'{step:<16}' + ''.join(cells))
    for command in ('discover', 'detect'):
        cells = [f'{one["walls"][command]:>10.1f}' for one in found.values()]
        lines.append(f'{command:<16}' + ''.join(cells))
    cells = [f'{one["digest"][:8]:>10}' for one in found.values()]
    lines.append(f'{"results":<16}' + ''.join(cells))
    return '\n'.join(lines)


def shuffled(steps: dict[str, Any]) -> dict[str, int]:
    """Bytes of map output, as the reducers fetched them, by step."""
    found = {}
    for name, step in steps.items():
        for counters in step['counters'].values():
            if SHUFFLED in counters:
                found[name] = counters[SHUFFLED]
    return found


def parse_args() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add('corpus', help='a folder of archives')
    add('--runners', default='inline,local', help='(%(default)s)')
    add('--remote', help='where runs of -r hadoop are made')
    add('--results', default=os.path.join(os.path.dirname(__file__), 'results.jsonl'))
    return parser.parse_args()


def main() -> int:
    """Run all, compare, tell."""
    options = parse_args()
    archives = [os.path.abspath(name) for name in corpus.archives_in(options.corpus)]
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for runner in options.runners.split(','):
            out = os.path.join(scratch, runner)
            if runner == 'hadoop':
                out = f'{options.remote}/RUN-{uuid.uuid4().hex[:6]}'
            found[runner] = work(runner, archives, out, scratch)
    print(table(found))
    for runner, one in found.items():
        for step, size in shuffled(one['steps']).items():
            print(f'{runner} {step}: {size:,} bytes of map output')
    told = {
        name: {
            'walls': one['walls'],
            'digest': one['digest'],
            'seconds': {s: v['seconds'] for s, v in one['steps'].items()},
            'shuffled': shuffled(one['steps']),
        }
        for name, one in found.items()
    }
    digest = apart(corpus.digest, archives)
    results.append(options.results, 'runners', corpus=digest, found=told)
    return int(len({one['digest'] for one in found.values()}) > 1)


if __name__ == '__main__':
    sys.exit(main())
