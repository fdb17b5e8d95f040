"""How fast fingerprints of styles are made and compared, and what they estimate.

    python bench/fingerprints.py speed CORPUS/*.warc.gz
    python bench/fingerprints.py estimates CORPUS/*.warc.gz
    python bench/fingerprints.py clusters [--documents 10000,100000] [--pure]

`speed` prints MB of HTML a second of CPU time on one core: with each set of
instructions of the kernel, and without the kernel.

`estimates` compares similarities with the resemblances that they estimate, of pairs of
pages, and prints bias and error beside those of theory.

`clusters` makes fingerprints in families whose sizes follow a power law: the largest
has 19.5 % of all. In a member, up to 89 % of the keys of its family are replaced. It
prints the time to find the clusters, the memory of the larger of two processes (with
the file of fingerprints that it maps), and the comparisons for each document, those
made and those left out.
"""

import argparse
import glob
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterable

import numpy as np
from words import bodies, seconds

from mr_reuse import kernel
from mr_reuse.algorithms.agreement import count_agreeing
from mr_reuse.components import edges, union_find
from mr_reuse.shuffle import partitions
from mr_reuse.styles.fingerprints import FingerprintFile, Shape, split_rows
from mr_reuse.styles.probing import STATS, AlikeFinder, BucketCollector
from mr_reuse.styles.style_options import ClusterRule, Recipe
from mr_reuse.text.noise import fingerprints
from mr_reuse.text.noise.fingerprints import find_fingerprint
from mr_reuse.text.noise.grams import AT_ONCE, hash_grams
from mr_reuse.text.noise.parameters import StyleRule, probed_dimensions
from mr_reuse.text.noise.preprocessors import make_preprocessor

PURE_SHARE = 10  # without the kernel, only each tenth page is read
BLOCK = 20_000  # fingerprints to make at a time
LARGEST, SLOPE, MOST_REPLACED = 0.195, 1.2, 0.89
PAIRS = 8000  # to estimate
PAGES, MAX_BODY = 1500, 200_000  # pages of an archive to choose from, and their bytes
RULE, RECIPE, CLUSTERS = StyleRule(), Recipe(), ClusterRule()
SHAPE = Shape(RECIPE.m, RECIPE.bits)


def measure_speed(options: argparse.Namespace) -> None:
    """Print MB a second."""
    some = bodies(options.archives)
    print(f'{len(some):,} pages, {sum(map(len, some)) / 1e6:,.0f} MB')
    if kernel.load():
        for name in ('avx512', 'plain'):
            finder = fingerprints._make_finder(RULE)
            if finder.choose(name):
                print_speed(name, some, finder.page)
    os.environ[kernel.PURE] = '1'
    finder = fingerprints._make_finder(RULE)
    print_speed('numpy', some[::PURE_SHARE], finder.page)


def print_speed(name: str, some: list[bytes], find) -> None:
    least = seconds(lambda: [find(body) for body in some])
    print(f'{name:8}{sum(map(len, some)) / 1e6 / least:8,.0f} MB/s')


def estimate(options: argparse.Namespace) -> None:
    """Print bias and root mean square error of similarities, by resemblance."""
    some = []
    for name in options.archives:
        mine = [body for body in bodies([name]) if len(body) < MAX_BODY]
        some += mine[:: len(mine) // PAGES + 1]
    found: dict[int, list[tuple[float, float, float]]] = {}
    for pair in choose_pairs(len(some)):
        grams = [all_hashes(some[at]) for at in pair]
        if not all(map(len, grams)):
            continue
        rows = np.stack([find_fingerprint(some[at], RULE) for at in pair])
        common = len(np.intersect1d(*grams, assume_unique=True))
        union = len(grams[0]) + len(grams[1]) - common
        agreeing, empty = (int(x[1]) for x in count_agreeing(rows[0], rows))
        share, filled = common / union, RULE.m - empty
        error, rest = agreeing / filled - share, 1 / max(union - 1, 1)
        # The variance is that of Li, Owen and Zhang, One Permutation Hashing (2012).
        variance = share * (1 - share) * ((1 + rest) / filled - rest)
        tenth = min(int(share * 10), 9)
        found.setdefault(tenth, []).append((error, variance, share))
    print('resemblance    pairs     bias     RMSE   theory')
    rest = []
    for tenth, errors in sorted(found.items()):
        rest += errors
        print_errors(f'{tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}', errors)
    print_errors('all', rest)


def choose_pairs(count: int) -> list[tuple[int, int]]:
    """Choose pairs of pages: near ones, which are often of one site, and far ones.

    The choice must not depend on fingerprints, or it would be biased.
    """
    random = np.random.default_rng(1)
    firsts = random.integers(0, count, PAIRS)
    steps = 2.0 ** random.uniform(0, np.log2(count), PAIRS)
    return list(zip(firsts.tolist(), (firsts + steps.astype(int)) % count, strict=True))


def all_hashes(body: bytes) -> np.ndarray:
    """Return the hashes of the n-grams of a page, each once."""
    noise = make_preprocessor(RULE.preprocessor).read(body, True)[0]
    data = np.frombuffer(noise, np.uint8)
    starts = range(0, max(len(data) - RULE.n + 1, 1), AT_ONCE)
    pieces = [hash_grams(data[s : s + AT_ONCE + RULE.n - 1], RULE.n) for s in starts]
    return np.unique(np.concatenate(pieces))


def print_errors(name: str, found: list[tuple[float, float, float]]) -> None:
    errors, variances, _ = np.array(found).T
    rmse, theory = np.mean(errors**2) ** 0.5, np.mean(variances) ** 0.5
    print(
        f'{name:12}{len(errors):8}{np.mean(errors):+9.4f}{rmse:9.4f}{theory:9.4f}',
        flush=True,
    )


def measure_clusters(options: argparse.Namespace) -> None:
    """Print figures for each number of documents, each in a process of its own."""
    head = ''.join(
        f'{n:>12}' for n in ('clusters', 'largest', 'comparisons', 'left out')
    )
    print(f'documents   CPU s    MB{head}', flush=True)
    environment = os.environ | ({kernel.PURE: '1'} if options.pure else {})
    for count in map(int, options.documents.split(',')):
        with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
            name = os.path.join(folder, 'prints')
            make_prints(name, count)
            told = [
                subprocess.run(
                    [sys.executable, __file__, work, name],
                    env=environment,
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                ).stdout.split()
                for work in ('collect', 'find')
            ]
        cpu = sum(float(words[0]) for words in told)
        memory = max(int(words[1]) for words in told)
        row = ''.join(f'{word:>12}' for word in told[1][2:])
        print(f'{count:>9,}{cpu:>8.1f}{memory:>6}{row}', flush=True)


def make_prints(name: str, count: int) -> None:
    """Write fingerprints in the order of their documents, whose families are mixed."""
    random, sizes = np.random.default_rng(1), []
    while sum(sizes) < count:
        size = int(LARGEST * count / (len(sizes) + 1) ** SLOPE)
        sizes.append(min(max(1, size), count - sum(sizes)))
    family = random.permutation(np.repeat(np.arange(len(sizes)), sizes))
    with open(name, 'wb') as file:
        for start in range(0, count, BLOCK):
            some = family[start : start + BLOCK]
            keys = mixed(some[:, None] * RECIPE.m + np.arange(RECIPE.m))
            shares = random.random(len(some)) * MOST_REPLACED
            is_own = random.random(keys.shape) < shares[:, None]
            keys[is_own] = random.integers(0, 2**16 - 1, int(is_own.sum()))
            servers = np.zeros((len(some), 2), np.uint64)
            rows = [keys.view(np.uint8), servers.view(np.uint8)]
            file.write(np.concatenate(rows, axis=1).tobytes())


def mixed(numbers: np.ndarray) -> np.ndarray:
    """Return keys that depend on numbers and look random."""
    numbers = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    numbers ^= numbers >> np.uint64(29)
    numbers *= np.uint64(0xBF58476D1CE4E5B9)
    return np.minimum(numbers >> np.uint64(48), 2**16 - 2).astype(np.uint16)


def collect(options: argparse.Namespace) -> None:
    """Write the lines of buckets to a file for each partition, as a mapper does."""
    count = os.path.getsize(options.prints) // SHAPE.width
    bits = partitions.bits_for(count * CLUSTERS.p, least=2)
    collector = BucketCollector(probed_dimensions(RECIPE.m, CLUSTERS.p), bits)
    with open(options.prints, 'rb') as file:
        for start in range(0, count, BLOCK):
            data = np.frombuffer(file.read(BLOCK * SHAPE.width), np.uint8)
            numbers = np.arange(start, min(start + BLOCK, count), dtype=np.uint64)
            rows = data.reshape(-1, SHAPE.width)
            write_lines(options.prints, collector.add(split_rows(numbers, rows, SHAPE)))
    write_lines(options.prints, collector.finish())
    print(*used())


def write_lines(name: str, lines: Iterable[tuple[bytes, bytes]]) -> None:
    for key, value in lines:
        with open(f'{name}.{key.decode().replace("/", "-")}', 'ab') as file:
            file.write(value + b'\n')


def find(options: argparse.Namespace) -> None:
    """Find the clusters, as a reducer does."""
    keys = FingerprintFile(options.prints, SHAPE).keys
    finder = AlikeFinder(keys, CLUSTERS.likeness)
    parents = np.arange(len(keys))
    for name in sorted(glob.glob(f'{glob.escape(options.prints)}.*')):
        with open(name, 'rb') as file:
            join(parents, finder.add(b'', (line.rstrip(b'\n') for line in file)))
    join(parents, finder.finish())
    union_find.flatten(parents)
    sizes = np.bincount(parents)
    counts = finder.stats[STATS]
    print(
        *used(),
        f'{(sizes > 1).sum():,}',
        f'{sizes.max():,}',
        f'{counts["comparisons"] / len(keys):,.1f}',
        f'{counts["left_out"] / len(keys):,.1f}',
    )


def used() -> tuple[float, int]:
    """Return the CPU seconds of this process, and its greatest memory in MB."""
    found = resource.getrusage(resource.RUSAGE_SELF)
    return found.ru_utime + found.ru_stime, found.ru_maxrss // 1024


def join(parents: np.ndarray, lines: Iterable[tuple[bytes, bytes]]) -> None:
    """Join the documents at both ends of the edges of lines."""
    for _, value in lines:
        found = edges.unpack(value)
        union_find.add_edges(parents, *(column.astype(np.int64) for column in found))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(required=True, metavar='KIND')
    for name, work in (('speed', measure_speed), ('estimates', estimate)):
        kind = kinds.add_parser(name, help=work.__doc__)
        kind.set_defaults(work=work)
        kind.add_argument('archives', nargs='+')
    kind = kinds.add_parser('clusters', help=measure_clusters.__doc__)
    kind.set_defaults(work=measure_clusters)
    kind.add_argument('--documents', default='10000,100000,1000000', metavar='N,N')
    kind.add_argument('--pure', action='store_true', help='without the kernel')
    kind.add_argument('--scratch', metavar='DIR', help='where files are written (/tmp)')
    for hidden in (collect, find):
        kind = kinds.add_parser(hidden.__name__, help=argparse.SUPPRESS)
        kind.set_defaults(work=hidden)
        kind.add_argument('prints')
    options = parser.parse_args()
    options.work(options)


if __name__ == '__main__':
    main()
