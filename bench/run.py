"""Runs the floor, the hand-written program and discover side by side.

    python bench/run.py compare CORPUS     time and memory on the same archives
    python bench/run.py small CORPUS       the same on 20 MB of them
    python bench/run.py linear DIR         synthetic crawls of 1, 2, 5, 10 and 20 GB
    python bench/run.py hot DIR            one chunk with 10^7 copies; a record of 1 GB
    python bench/run.py phrases CORPUS     the same for phrases, with a floor of its own
    python bench/run.py quilts CORPUS      the same for quilts, with a floor of its own
    python bench/run.py styles CORPUS      the same for styles, with a floor of its own

The table goes to standard output, a line of JSON to bench/results.jsonl.
"""

import argparse
import json
import os
import sys
import tempfile

import corpus
import figures
import results
import systems
from measure import Usage, apart, measure

SMALL, SMALL_TARGET = 20_000_000, 2.5
SIZES = '1GB,2GB,5GB,10GB,20GB'


class Bench:
    """Repeated runs of several systems over one corpus."""

    def __init__(self, options: argparse.Namespace, archives: list[str]):
        self.options, self.archives = options, archives
        self.usages: dict[str, list[Usage]] = {name: [] for name in options.only}
        self.found: dict[str, tuple[str, int]] = {}
        self.totals: dict[str, int] = {}
        self.digest = ''

    def run(self) -> 'Bench':
        """Go round the systems, so that a noisy minute hits all of them."""
        # This also warms the page cache, or the first system would do it for all.
        self.digest = apart(corpus.digest, self.archives)
        for repetition in range(self.options.n):
            for name in self.options.only:
                usage = self.run_once(name)
                self.usages[name].append(usage)
                note = usage.failed or f'{usage.wall:.2f} s'
                sys.stderr.write(f'{repetition + 1}/{self.options.n} {name}: {note}\n')
        return self

    def run_once(self, name: str) -> Usage:
        with tempfile.TemporaryDirectory(dir=self.options.scratch) as out:
            values = {
                'python': sys.executable,
                'bench': systems.HERE,
                'out': out,
                'threshold': str(self.options.threshold),
            }
            template = self.options.ours if name == 'discover' else ''
            template = template or systems.TEMPLATES[name]
            command = systems.command(template, values, self.archives)
            usage = measure(command, corpus.ROOT, out)
            if not usage.failed:
                self.check(name, out, usage)
        return usage

    def check(self, name: str, out: str, usage: Usage) -> None:
        """Compare with what was found first, by whichever system that was."""
        try:
            self.found[name] = systems.found_by(name, out)
            usage.told = systems.told_by(name, out)
        except OSError as error:
            usage.failed = f'{name} left no result: {error}'
            return
        first, *others = [n for n in self.found if n not in systems.UNCOMPARED] or ['']
        if name in others and self.found[name] != self.found[first]:
            usage.failed = (
                f'found {self.found[name]}, not what {first} found '
                f'({self.found[first]})'
            )
        if name in (*systems.FLOORS, 'handwritten'):
            self.totals = json.loads(usage.output)

    def best(self, name: str, what: str) -> float | None:
        """The least of all repetitions; None where one has failed."""
        usages = self.usages.get(name)
        if not usages or any(usage.failed for usage in usages):
            return None
        return min(getattr(usage, what) for usage in usages)

    def fastest(self, name: str) -> Usage:
        whole = [usage for usage in self.usages[name] if not usage.failed]
        return min(whole, key=lambda usage: usage.wall, default=Usage())

    def ratios(self, name: str, base: str) -> list[float]:
        """Wall times, relative to another system's in the same repetition."""
        pairs = zip(self.usages[name], self.usages.get(base, ()), strict=False)
        return [
            ours.wall / theirs.wall
            for ours, theirs in pairs
            if not (ours.failed or theirs.failed)
        ]

    def peak(self, name: str, what: str) -> float:
        return max(getattr(usage, what) for usage in self.usages[name])


def compare(options: argparse.Namespace) -> list[Bench]:
    bench = Bench(options, corpus_archives(options.corpus)).run()
    print(results.table(bench))
    results.log(options.work.__name__, bench)
    return [bench]


def phrases(options: argparse.Namespace) -> list[Bench]:
    """Near-duplicates and popular shingles, in time and memory on a corpus."""
    return compare(options)


def quilts(options: argparse.Namespace) -> list[Bench]:
    """Quilted pages, in time and memory on a corpus."""
    return compare(options)


def styles(options: argparse.Namespace) -> list[Bench]:
    """Fingerprints and their clusters, in time and memory on a corpus."""
    return compare(options)


def small(options: argparse.Namespace) -> list[Bench]:
    """A job so small that little but starting it is measured."""
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        target = os.path.join(folder, 'small.warc.gz')
        apart(corpus.sample, corpus_archives(options.corpus), SMALL, target)
        bench = Bench(options, [target]).run()
        print(results.table(bench))
        if wall := bench.best('discover', 'wall'):
            verdict = 'within' if wall <= SMALL_TARGET else 'over'
            print(f'discover: {wall:.2f} s, {verdict} the {SMALL_TARGET} s aimed at')
        results.log('small', bench)
    return [bench]


def linear(options: argparse.Namespace) -> list[Bench]:
    """Time and memory against size; every byte of the larger crawls is new."""
    benches: list[tuple[int, Bench]] = []
    for size in options.sizes.split(','):
        made = corpus.synthetic(os.path.abspath(options.corpus), size)
        bench = Bench(options, corpus.archives_in(made)).run()
        benches.append((corpus.size_of(size), bench))
        print(f'{size}\n{results.table(bench)}')
        results.log('linear', bench, {'size': size})
    for name in options.only:
        walls = [(size, bench.best(name, 'wall')) for size, bench in benches]
        peaks = ', '.join(f'{b.peak(name, "process_mb"):.0f}' for _, b in benches)
        if len(walls) > 1 and all(wall for _, wall in walls):
            print(
                f'{name}: time grows as size^{figures.slope(walls):.2f}; '
                f'largest process, MB: {peaks}'
            )
    return [bench for _, bench in benches]


def hot(options: argparse.Namespace) -> list[Bench]:
    """Memory where one chunk has ten million copies, and where one record has a GB."""
    folder = os.path.abspath(options.corpus)
    benches = []
    for make, much in ((corpus.hot, options.copies), (corpus.large, options.record)):
        made = apart(make, folder, much)
        bench = Bench(options, corpus.archives_in(made)).run()
        print(f'{os.path.basename(made)}\n{results.table(bench)}')
        results.log('hot', bench, {make.__name__: much})
        benches.append(bench)
    return benches


# The systems of each run, where they are not those of the others.
USUAL = {
    phrases: systems.OF_PHRASES,
    quilts: systems.OF_QUILTS,
    styles: systems.OF_STYLES,
}


def corpus_archives(folder: str) -> list[str]:
    found = corpus.archives_in(folder)
    if not found:
        sys.exit(f'error: no *.warc.gz in {folder}; bench/corpus.py makes a corpus')
    return [os.path.abspath(name) for name in found]


def names_of(text: str) -> list[str]:
    names = text.split(',')
    if wrong := set(names) - set(systems.TEMPLATES):
        raise argparse.ArgumentTypeError(f'no system {", ".join(wrong)}')
    return names


def parse_args() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(required=True, metavar='KIND')
    for work, repetitions, threshold in (
        (compare, 3, 10),
        (phrases, 3, 10),
        (quilts, 3, 10),
        (styles, 3, 10),
        (small, 3, 10),
        (linear, 1, 10),
        (hot, 1, 10),
    ):
        kind = kinds.add_parser(work.__name__, help=work.__doc__)
        kind.set_defaults(work=work)
        usual = USUAL.get(work, systems.USUAL)
        add = kind.add_argument
        add('corpus', help='a folder of archives, or where to make them')
        add('-n', type=int, default=repetitions, help='repetitions (%(default)s)')
        add(
            '--threshold',
            type=int,
            default=threshold,
            metavar='T',
            help='more copies than that are reported (%(default)s)',
        )
        add(
            '--only',
            type=names_of,
            default=usual,
            metavar='A,B',
            help=f'systems, of {",".join(systems.TEMPLATES)} ({",".join(usual)})',
        )
        add(
            '--ours',
            metavar='COMMAND',
            help='another command for discover, with '
            '{python} {archives} {out} {threshold} in it',
        )
        add('--results', default=os.path.join(systems.HERE, 'results.jsonl'))
        add('--scratch', metavar='DIR', help='where runs are written (/tmp)')
        if work is linear:
            add('--sizes', default=SIZES, help='(%(default)s)')
        if work is hot:
            add('--copies', type=int, default=10_000_000, help='(%(default)s)')
            add('--record', type=int, default=10**9, help='bytes (%(default)s)')
    return parser.parse_args()


def main() -> int:
    options = parse_args()
    if set(systems.FLOORS) & set(options.only):
        systems.build_floors()
    benches = options.work(options)
    failed = {
        usage.failed
        for bench in benches
        for usages in bench.usages.values()
        for usage in usages
        if usage.failed
    }
    for line in sorted(failed):
        sys.stderr.write(f'error: {line}\n')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
