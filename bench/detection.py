"""Runs detect on a run of discover, and its joins and sums on much of everything.

    python bench/detection.py detect CORPUS   discover, then detect with what it labeled
    python bench/detection.py joins CORPUS    5 million labels by each of the joins
    python bench/detection.py pages DIR       1, 2, 5 and 10 million pages of one host

The table goes to standard output, a line of JSON to bench/results.jsonl.
"""

import argparse
import json
import os
import sys
import tempfile

import corpus
import figures
import numpy as np
import results
import systems
from measure import Usage, apart, measure

from mr_reuse import storage
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.shuffle import digest_index, packing

PAGES = '1000000,2000000,5000000,10000000'
JOINS = ('map', 'bloom', 'reduce')
BADNESS = """
import sys
from mr_reuse.chunks.detect import steps
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.engine.rundir import RunDir
options = RunOptions(sys.argv[1], 'local', None, quiet=True)
with RunDir(options.output) as run:
    done = steps.sum_neighborhoods(Chain(run, options), 1, Done(sys.argv[2], [], 'x'))
    [pages] = [task['pages'] for task in done.stats if task.get('pages')]
    print(pages['pages'])
"""


def ours(command: str, *args: str) -> list[str]:
    return [sys.executable, '-m', f'mr_reuse.{command}', *args, '-q']


def run(command: list[str], scratch: str) -> Usage:
    usage = measure(command, corpus.ROOT, scratch)
    if usage.failed:
        sys.exit(f'error: {usage.failed}')
    return usage


def row(name: str, usage: Usage, base: Usage) -> str:
    return (
        f'{name:<20}{usage.wall:>10.2f}{usage.wall / base.wall:>10.2f}'
        f'{usage.cpu:>10.2f}{usage.process_mb:>12.0f}'
    )


HEAD = f'{"":<20}{"wall s":>10}{"x first":>10}{"CPU s":>10}{"process MB":>12}'


def detect(options: argparse.Namespace, scratch: str) -> dict:
    """Detect on the run of discover, against the time of discover itself."""
    archives = corpus.archives_in(options.corpus)
    out = os.path.join(scratch, 'run')
    steps = {
        'discover': ours(
            'discover', *map(os.path.abspath, archives), '-o', out, '--force'
        ),
        'detect': ours('detect', '-o', out),
        'other thresholds': ours('detect', '-o', out, '--sigmas', '2'),
    }
    best: dict[str, Usage] = {}
    for _ in range(options.n):
        storage.remove(out)
        for name, command in steps.items():
            usage = run(command, scratch)
            if name not in best or usage.wall < best[name].wall:
                best[name] = usage
    print(HEAD)
    for name, usage in best.items():
        print(row(name, usage, best['discover']))
    return {name: usage.__dict__ | {'output': ''} for name, usage in best.items()}


def write_labels(folder: str, count: int, name: str) -> int:
    """Every chunk of a run, filled up with digests that are nowhere; sorted."""
    known = digest_index.sort_distinct(
        np.concatenate([digests for digests in digests_in(folder)])
    )[:count]
    new = np.random.default_rng(1).integers(0, 256, (count - len(known), 20), np.uint8)
    keys = digest_index.sort_distinct(np.concatenate([known, new]))
    with storage.write(name) as stream:
        label_files.write(stream, (Recipe(), 0), [len(keys), 0, 0], [keys])
    return len(keys)


def digests_in(folder: str):
    for part in storage.list_part_names(folder):
        with storage.open_read(part) as stream:
            for line in stream:
                if line.startswith(b'chunk/'):
                    yield packing.unpack(line.rstrip().split(b'\t')[1]).keys


def joins(options: argparse.Namespace, scratch: str) -> dict:
    """The same labels by each join: the same tables, time and memory."""
    archives = [os.path.abspath(name) for name in corpus.archives_in(options.corpus)]
    out, labels = os.path.join(scratch, 'run'), os.path.join(scratch, 'many.mrl')
    run(ours('discover', *archives, '-o', out), scratch)
    told = json.loads(storage.read_text(os.path.join(out, 'run.json')))
    count = apart(
        write_labels, os.path.join(out, told['counts']), options.labels, labels
    )
    print(f'{count:,} labels\n{HEAD}')
    found, tables = {}, set()
    for join in JOINS:
        target = os.path.join(scratch, join)
        line = ours('detect', out, '-l', labels, '-o', target, '--join', join)
        found[join] = run(line, scratch)
        print(row(join, found[join], found['map']))
        tables.add(storage.read_text(os.path.join(target, 'pages.tsv')))
    if len(tables) > 1:
        sys.exit('error: the joins do not give the same pages')
    return {name: usage.__dict__ | {'output': ''} for name, usage in found.items()}


def pages(options: argparse.Namespace, scratch: str) -> dict:
    """NeighborhoodBadness alone, on matches of one host with ever more pages."""
    found, walls = {}, []
    print(HEAD)
    for count in map(int, options.pages.split(',')):
        matches = os.path.join(scratch, f'matches-{count}')
        apart(write_matches, matches, count)
        out = os.path.join(scratch, f'run-{count}')
        command = [sys.executable, '-c', BADNESS, out, matches]
        usage = found[count] = run(command, scratch)
        if int(usage.output) != count:
            sys.exit(f'error: {usage.output} pages were counted of {count}')
        print(row(f'{count:,}', usage, next(iter(found.values()))))
        walls.append((count, usage.wall))
        storage.remove(matches)
    print(f'time grows as pages^{figures.slope(walls):.2f}')
    return {str(n): usage.__dict__ | {'output': ''} for n, usage in found.items()}


def write_matches(folder: str, count: int) -> None:
    """The output of MatchLabeled for pages of one host in folders of a hundred."""
    storage.make_dir(folder)
    for part in range(2):
        with open(os.path.join(folder, f'part-{part:05d}'), 'w') as stream:
            for n in range(part, count, 2):
                url = f'http://one.example/{n // 100 % 1000}/{n // 100_000}/{n}.html'
                stream.write(f'a.warc.gz:{n}\t{url}\t\t{n % 7}\t9\t8,4:\n')


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(required=True, metavar='KIND')
    for work in (detect, joins, pages):
        kind = kinds.add_parser(work.__name__, help=work.__doc__)
        kind.set_defaults(work=work)
        kind.add_argument('corpus', nargs='?' if work is pages else None)
        kind.add_argument('-n', type=int, default=3, help='repetitions (%(default)s)')
        kind.add_argument('--labels', type=int, default=5_000_000)
        kind.add_argument('--pages', default=PAGES)
        kind.add_argument(
            '--results', default=os.path.join(systems.HERE, 'results.jsonl')
        )
        kind.add_argument(
            '--scratch', metavar='DIR', help='where runs are written (/tmp)'
        )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        found = options.work(options, scratch)
    more = {}
    if options.corpus:
        archives = [os.path.abspath(n) for n in corpus.archives_in(options.corpus)]
        more['corpus'] = apart(corpus.digest, archives)
    results.append(options.results, options.work.__name__, usages=found, **more)


if __name__ == '__main__':
    main()
