"""Runs all steps of discover and detect on made pages, and shows what each step takes.

    python bench/scale.py [--pages 1000000] [--folder DIR] [--labels 20]
    python bench/scale.py --crawl 'crawl/*.warc.gz'

Nothing is read from archives: tasks of HashChunks make page lines (`made_pages.py`), so
its time says nothing. All other steps, the tables and the driver are those of a crawl.
With `--crawl`, archives are read as usual.
The table has for each step its seconds, the CPU seconds and the memory of its tasks,
the memory of the driver after it, and the bytes for each page: shuffled, and written.
"""

import argparse
import glob
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import made_pages

from mr_reuse.__main__ import import_command
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.chunks.discover import steps as chunk_steps
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.engine import forks
from mr_reuse.engine.chain import Chain, Step
from mr_reuse.engine.runners.local import SHUFFLED
from mr_reuse.pages import planning, task_lines

PAGES_PER_ARCHIVE = 250_000
ARCHIVE_BYTES = 256 << 20  # by which pages are divided among tasks; no disk space
LOG, STEP, MADE = 'MADE_LOG', 'MADE_STEP', 'MADE_PAGES'  # environment variables
HEAD = (
    f'{"step":<22}{"s":>9}{"CPU s":>9}{"task MB":>9}{"driver MB":>11}'
    f'{"B shuffled":>12}{"B written":>11}'
)


def note(what: str) -> None:
    """Note the memory and the CPU time of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    cpu = round(usage.ru_utime + usage.ru_stime, 2)
    fields = {'step': os.environ.get(STEP, ''), 'cpu': cpu, 'mb': usage.ru_maxrss >> 10}
    with open(os.environ[LOG], 'a') as stream:
        stream.write(json.dumps({'what': what, **fields}) + '\n')


def run_made(command: str, args: list[str]) -> int:
    """Run a command in this process, with made pages in place of archives."""

    def mapper(job, _, line):
        for source in task_lines.parse_line(line):
            first, last, count = map(int, source.path.split('-')[-1][:-8].split('_'))
            stats = ArchiveStats(source.name)
            stats.counts['pages'] = last - first
            stats.counts['chunks'] = made_pages.CHUNKS * (last - first)
            yield from made_pages.page_lines(source.name, first, last, count)
            job.stats.append(stats.as_dict())
            os.unlink(source.path)  # so that later steps do not search it for chunks

    run_task, run_step = forks._run, Chain.run_step

    def noted_task(*args):
        run_task(*args)
        note('task')

    def noted_step(chain, step, *more):
        os.environ[STEP] = step.folder
        done = run_step(chain, step, *more)
        note('driver')
        return done

    forks._run, Chain.run_step = noted_task, noted_step
    if MADE in os.environ:
        HashChunks.mapper = mapper
    # Small steps run in forks as well, so that their time is noted.
    planning.SMALL_ARCHIVES = chunk_steps.SMALL_INPUT = -1
    Step.__new__.__defaults__ = (-1, None, {})
    code = import_command(command).main(args)
    os.environ[STEP] = f'end of {command}'
    note('driver')
    return code


def run_apart(command: str, args: list[str], log: str) -> float:
    """Run a command in a process of its own; return its seconds."""
    begun = time.monotonic()
    line = [sys.executable, __file__, '--made', command, '--', *args]
    subprocess.run(line, check=True, env={**os.environ, LOG: log})
    return time.monotonic() - begun


def make_archives(folder: str, count: int) -> list[str]:
    """Make empty files in place of archives, named after the pages in them."""
    names = []
    for first in range(0, count, PAGES_PER_ARCHIVE):
        last = min(first + PAGES_PER_ARCHIVE, count)
        names.append(os.path.join(folder, f'made-{first}_{last}_{count}.warc.gz'))
        with open(names[-1], 'wb') as stream:
            stream.truncate(ARCHIVE_BYTES * (last - first) // PAGES_PER_ARCHIVE)
    return names


def measure(count: int, labels: int, folder: str, names: list[str]) -> dict:
    """Run discover and detect on so many pages; print and return what they took.

    `names` are archives; without any, pages are made.
    """
    out, log = os.path.join(folder, 'run'), os.path.join(folder, 'log')
    if not names:
        os.environ[MADE] = str(count)
        names = make_archives(folder, count)
    seconds = {}
    args = [*names, '-o', out, '-q', f'--threshold={labels}']
    seconds['discover'] = run_apart('discover', args, log)
    seconds['detect'] = run_apart('detect', ['-o', out, '-q', '--places'], log)
    with open(os.path.join(out, 'run.json')) as stream:
        record = json.load(stream)
    with open(log) as stream:
        notes = list(map(json.loads, stream))
    steps = {**record['steps'], **record['detect']['steps']}
    count = record['read']['counts']['pages']
    rows = [describe_step(name, step, notes, count) for name, step in steps.items()]
    print(f'{count:,} pages, {record["rows"]:,} chunks\n{HEAD}')
    for row in rows:
        print(
            f'{row["step"]:<22}{row["s"]:>9.1f}{row["cpu"]:>9.1f}{row["task_mb"]:>9}'
            f'{row["driver_mb"]:>11}{row["shuffled"]:>12.1f}{row["written"]:>11.1f}'
        )
    files = [
        path for path in Path(out).rglob('*.tsv') if 'places.tsv' not in path.parts
    ]
    tables = sum(path.stat().st_size for path in files) / count
    print(f'{"tables":<22}{"":>49}{tables:>12.1f}')
    largest = max(note['mb'] for note in notes)
    for command, took in seconds.items():
        print(f'{command}: {took:.1f} s')
    print(f'the largest process had {largest} MB')
    counts = record['read']['counts']
    found = {'pages': count, 'chunks': record['rows'], 'tables': tables}
    found |= {'bytes': counts.get('bytes', 0), 'made': MADE in os.environ}
    return found | {'seconds': seconds, 'steps': rows, 'largest_mb': largest}


def describe_step(name: str, step: dict, notes: list[dict], pages: int) -> dict:
    """Return the numbers of a step, by its record in run.json and by the notes."""
    tasks = [n for n in notes if n['step'] == name and n['what'] == 'task']
    driver = [n['mb'] for n in notes if n['step'] == name and n['what'] == 'driver']
    counters = (step.get('counters') or {}).get('mr_reuse', {})
    return {
        'step': name,
        's': step['seconds'],
        'cpu': sum(n['cpu'] for n in tasks),
        'task_mb': max((n['mb'] for n in tasks), default=0),
        'driver_mb': max(driver, default=0),
        'shuffled': counters.get(SHUFFLED, 0) / pages,
        'written': step['bytes'] / pages,
    }


def main() -> None:
    """Measure one number of pages, or run a command in this process."""
    line = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    line.add_argument('--pages', default='1000000', help='numbers, such as 10000,20000')
    line.add_argument(
        '--labels', type=int, default=5, help='label above so many copies'
    )
    line.add_argument('--crawl', help='names of archives, with wildcards')
    line.add_argument('--folder', help='where to work; needs 2 kB for each page')
    line.add_argument('--results', help='file to which to append a line of JSON')
    line.add_argument('--made', help=argparse.SUPPRESS)
    line.add_argument('args', nargs='*', help=argparse.SUPPRESS)
    options = line.parse_args()
    if options.made:
        sys.exit(run_made(options.made, options.args))
    names = sorted(glob.glob(options.crawl)) if options.crawl else []
    for count in map(int, options.pages.split(',')) if not names else [0]:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            found = measure(count, options.labels, folder, names)
            if options.results:
                import results

                results.append(options.results, 'scale', found=found)


if __name__ == '__main__':
    main()
