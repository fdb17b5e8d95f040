"""Where the time of discover goes, part by part, on one core.

    python bench/parts.py CORPUS

HashChunks stage by stage, what the kernel does of it against the same in Python, what
a unit of each step costs, and what `--dry-run` expects of all that. A table goes to
standard output, a line of JSON to bench/results.jsonl.
"""

import argparse
import gc
import itertools
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import corpus
import results
import systems
from measure import apart, measure

from mr_reuse import kernel as native
from mr_reuse.archives import reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.containers import members
from mr_reuse.archives.ordinary import ordinary_parser
from mr_reuse.archives.sources import Source
from mr_reuse.archives.window import Window
from mr_reuse.chunks import cutters
from mr_reuse.chunks.discover import counting
from mr_reuse.chunks.hasher import BATCH_BYTES, Hasher
from mr_reuse.chunks.jobs.hash_chunks import HashChunks
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.pages.filters import Filter
from mr_reuse.shuffle import protocol as records

SAMPLE = 300_000_000  # bytes of bodies for what is measured apart
REPETITIONS = 3
KINDS = ('kernel', 'pure')


def seconds(work: Callable[[], object]) -> float:
    """The least CPU time of some repetitions."""
    found = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def drain(some: Iterator[object]) -> None:
    for _ in some:
        pass


# HashChunks, one stage more each time


def inflated(names: list[str]) -> Iterator[bytearray]:
    """The members of some archives, which are sound."""
    for name in names:
        with open(name, 'rb') as file:
            window = Window(lambda at, file=file: file)
            while (data := members.inflate_member(window)) is not None:
                yield data
            if window.need(1):
                sys.exit(f'error: {name}: not all members are small and sound')


def items(names: list[str]) -> Iterator[reader.Item]:
    """The items of some archives."""
    for name in names:
        stats = ArchiveStats(name)
        wanted = Filter([], 'length').item_test(stats)
        yield from reader.read_source(source(name), stats, wanted)


def hashed(names: list[str]) -> Iterator[object]:
    """The pages of some archives, cut and hashed."""
    for _, lines in Hasher(Recipe()).hash_items('a', items(names)):
        yield from lines


def written(names: list[str]) -> Iterator[object]:
    """The lines of pages, with the accounts, as the task writes them."""
    job = HashChunks(['--mapper', '--step-num=0'])
    job.mapper_init()
    protocol = records.Lines()
    for name in names:
        for key, value in job.pages_of(source(name)):
            yield protocol.write(key, value)


def source(name: str) -> Source:
    return Source('archive', name, name, '', os.path.getsize(name))


STAGES = {'inflate': inflated, 'read': items, 'cut and hash': hashed, 'lines': written}


def stages(names: list[str]) -> dict[str, float]:
    """CPU seconds of HashChunks up to and with each stage."""
    found = {
        stage: seconds(lambda stage=stage: drain(STAGES[stage](names)))
        for stage in STAGES
    }
    gc.disable()
    return found | {'lines, gc off': seconds(lambda: drain(written(names)))}


# What the kernel does of it


def bodies(names: list[str]) -> list[bytes]:
    sizes = itertools.accumulate(len(item.body or b'') for item in items(names))
    pairs = zip(items(names), sizes, strict=True)
    some = itertools.takewhile(lambda pair: pair[1] < SAMPLE, pairs)
    return [item.body for item, _ in some if item.body]


def batches(some: list[bytes]) -> Iterator[list[bytes]]:
    """Bodies as HashChunks puts them together, a megabyte at a time."""
    held, size = [], 0
    for body in some:
        held.append(body)
        size += len(body)
        if size >= BATCH_BYTES:
            yield held
            held, size = [], 0
    yield held


def cut(names: list[str]) -> dict[str, float]:
    """MB of bodies that are cut and hashed in a second."""
    some = bodies(names)
    size = sum(map(len, some)) / 1e6
    cutter = cutters.make_cutter('p,div', 'sha1')

    def work(parts: list[list[bytes]]) -> float:
        pairs = [[(body, body) for body in part] for part in parts]
        return size / seconds(lambda: [cutter.hash_pages(part) for part in pairs])

    return {
        'a page at a time': work([[body] for body in some]),
        'a megabyte at a time': work(list(batches(some))),
    }


def small(names: list[str]) -> dict[str, float]:
    """Microseconds a page of what else has been moved to C."""
    data = list(itertools.islice(inflated(names), 10_000))
    read = ordinary_parser()
    lines = list(itertools.islice(hashed(names), 50_000))
    pairs = [line.to_line() for line in lines]
    with open(names[0], 'rb') as file:
        packed = file.read()

    def count() -> None:
        table = counting.ChunkCounter(Recipe().width, 2)
        for pair in pairs:
            drain(table.add_page(*pair))
        drain(table.finish())

    def find() -> None:
        at = -1
        while (at := members.find(packed, members.MAGIC, at + 1)) >= 0:
            pass

    def work(do: Callable[[], object], pages: int) -> float:
        return seconds(do) / pages * 1e6

    return {
        'head': work(lambda: [read(member) for member in data], len(data)),
        'ends of members': work(find, packed.count(members.MAGIC)),
        'count': work(count, len(pairs)),
    }


# Whole runs


def ours(kind: str, names: list[str], out: str, *more: str) -> list[str]:
    pure = ['env', f'{native.PURE}=1'] if kind == 'pure' else []
    line = [*names, '-o', out, '--force', '-q', '--threshold', '10', *more]
    return [*pure, sys.executable, '-m', 'mr_reuse.discover', *line]


def whole(kind: str, names: list[str], scratch: str) -> dict[str, object]:
    """Seconds of each step in one process, CPU of a run in many, and what it leaves."""
    out = os.path.join(scratch, kind)
    wanted = measure(
        [a for a in ours(kind, names, out, '-r', 'local', '--dry-run') if a != '-q'],
        corpus.ROOT,
        scratch,
    )
    local = measure(ours(kind, names, out, '-r', 'local'), corpus.ROOT, scratch)
    disk = sum(
        os.path.getsize(os.path.join(folder, name))
        for folder, _, found in os.walk(out)
        for name in found
    )
    out = os.path.join(scratch, f'{kind}-inline')
    inline = measure(ours(kind, names, out, '-r', 'inline'), corpus.ROOT, scratch)
    for usage in (wanted, local, inline):
        if usage.failed:
            sys.exit(f'error: {usage.failed}')
    with open(os.path.join(out, 'run.json')) as file:
        told = json.load(file)
    return {
        'cpu': local.cpu,
        'disk': disk,
        'inline': {step: one['seconds'] for step, one in told['steps'].items()},
        'expected': expected(wanted.output),
    }


def expected(text: str) -> dict[str, float]:
    """What `--dry-run` says.

    >>> expected('it would take about 0.003 core-hours (11 s of a core) like … , 74 MB '
    ...          'of shuffle in the largest step, and 304 MB in /tmp')
    {'cpu': 11.0, 'shuffle': 74000000.0, 'disk': 304000000.0}
    """
    cpu = re.search(r'\(([\d,.]+) s of a core\)|([\d,.]+) s of a core', text)
    shuffle = re.search(r'([\d,.]+) MB of shuffle', text)
    disk = re.search(r'and ([\d,.]+) MB in', text)

    def number(found: re.Match[str]) -> float:
        return float(next(filter(None, found.groups())).replace(',', ''))

    return {
        'cpu': number(cpu),
        'shuffle': number(shuffle) * 1e6,
        'disk': number(disk) * 1e6,
    }


def units(out: str) -> dict[str, int]:
    """How much there was of what costs."""
    with open(os.path.join(out, 'run.json')) as file:
        told = json.load(file)
    with open(os.path.join(out, 'frequency.tsv')) as file:
        rows = [line.split('\t') for line in file]
    return {
        **{unit: told['read']['counts'][unit] for unit in ('bytes', 'pages', 'chunks')},
        'distinct': sum(int(row[2]) for row in rows if row[0] == 'chunk'),
        'labels': told['labels']['chunk']['labels'],
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('corpus', help='a folder of sound archives')
    parser.add_argument(
        '--results', default=os.path.join(systems.HERE, 'results.jsonl')
    )
    parser.add_argument(
        '--scratch', metavar='DIR', help='where runs are written (/tmp)'
    )
    parser.add_argument('--whole', action='store_true', help='only whole runs')
    options = parser.parse_args()
    names = [os.path.abspath(name) for name in corpus.archives_in(options.corpus)]
    found: dict[str, dict] = {'stages': {}, 'cut': {}, 'small': {}, 'whole': {}}
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        for kind in KINDS:
            os.environ.pop(native.PURE, None)
            found['whole'][kind] = whole(kind, names, scratch)
            if kind == 'pure':
                os.environ[native.PURE] = '1'
            for part in () if options.whole else (stages, cut, small):
                found[part.__name__][kind] = apart(part, names)
        found['units'] = units(os.path.join(scratch, 'kernel-inline'))
    print(json.dumps(found, indent=1))
    name = os.path.basename(os.path.normpath(options.corpus))
    digest = name if name.startswith('synth-') else apart(corpus.digest, names)
    results.append(options.results, 'parts', corpus=digest, **found)


if __name__ == '__main__':
    main()
