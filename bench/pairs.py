"""Memory and time of PairSites: many hosts that share many chunks, without archives.

    python bench/pairs.py [--hosts 10000] [--chunks 10000000] [--near 0] [--folder DIR]

Each chunk is on 2 to 10 hosts: any, or with `--near N` any of N neighbors. `HashChunks`
would write the same lines for pages with these chunks.
"""

import argparse
import contextlib
import io
import json
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from mr_reuse.chunks.jobs.pair_sites import PairSites
from mr_reuse.chunks.page_lines import pack_short_page
from mr_reuse.shuffle import partitions

WIDTH, LENGTH = 20, 200
CHUNKS_PER_PAGE = 500
FILES = 8


def main() -> None:
    """Write the page lines, run the job, and print what it took."""
    line = argparse.ArgumentParser()
    line.add_argument('--hosts', type=int, default=10_000)
    line.add_argument('--chunks', type=int, default=10_000_000)
    line.add_argument('--near', type=int, default=0)
    line.add_argument('--folder', default=None)
    args = line.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        begun = time.monotonic()
        rows = write_pages(Path(folder) / 'pages', args)
        print(f'{rows:,} rows written in {time.monotonic() - begun:.0f} s', flush=True)
        print(json.dumps(run(Path(folder), partitions.bits_for(rows))))


def write_pages(folder: Path, args: argparse.Namespace) -> int:
    """Write part files of page lines; return the number of rows."""
    folder.mkdir()
    dice = np.random.default_rng(1)
    holders = dice.integers(2, 11, args.chunks)
    chunks = np.repeat(np.arange(args.chunks, dtype=np.uint32), holders)
    if args.near:
        first = np.repeat(dice.integers(0, args.hosts, args.chunks), holders)
        hosts = (first + dice.integers(0, args.near, len(chunks))) % args.hosts
    else:
        hosts = dice.integers(0, args.hosts, len(chunks))
    order = np.argsort(hosts, kind='stable')
    chunks, hosts = chunks[order], hosts[order]
    starts = np.searchsorted(hosts, np.arange(args.hosts + 1)).tolist()
    files = [open(folder / f'part-{n:05d}', 'wb') for n in range(FILES)]  # noqa: SIM115
    for host in range(args.hosts):
        for start in range(starts[host], starts[host + 1], CHUNKS_PER_PAGE):
            of_page = chunks[start : min(start + CHUNKS_PER_PAGE, starts[host + 1])]
            files[host % FILES].write(page_line(host, start, np.unique(of_page)))
    for file in files:
        file.close()
    return len(chunks)


def page_line(host: int, page: int, chunks: np.ndarray) -> bytes:
    """Make the line of a page with these chunks."""
    lengths = np.full(len(chunks), LENGTH, '<u4').tobytes()
    facts = f'a.warc.gz:{page}\thttp://host-{host}.example/{page}\t'
    facts += f'2020-01-{1 + page % 28:02}T00:00:00Z\t\ttext/html\t0\t\t{len(chunks)}\t'
    return facts.encode() + pack_short_page(digests(chunks), lengths, WIDTH) + b'\n'


def digests(chunks: np.ndarray) -> bytes:
    """Make digests of numbers, with the generator splitmix64."""
    words = []
    with np.errstate(over='ignore'):
        for n in range(1, 4):
            mixed = (
                chunks.astype(np.uint64) * np.uint64(3) + np.uint64(n)
            ) * np.uint64(0x9E3779B97F4A7C15)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            words.append(mixed ^ (mixed >> np.uint64(31)))
    return np.stack(words, axis=1).view(np.uint8)[:, :WIDTH].tobytes()


def run(folder: Path, bits: int) -> dict[str, float]:
    """Run the job in processes of its own; return seconds, megabytes and rows."""
    begun = time.monotonic()
    parts = sorted(map(str, (folder / 'pages').iterdir()))
    args = ['-r', 'local', '--no-conf', f'--bits={bits}', *parts]
    args += [f'--output-dir={folder}/out', f'--local-tmp-dir={folder}/tmp']
    (folder / 'tmp').mkdir()
    with (
        contextlib.redirect_stderr(io.StringIO()),
        PairSites(args).make_runner() as job,
    ):
        job.run()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        'seconds': round(time.monotonic() - begun, 1),
        'cpu seconds': round(usage.ru_utime + usage.ru_stime, 1),
        'MB of the largest task': usage.ru_maxrss // 1024,
        'MB of the driver': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        'MB of output': sum(p.stat().st_size for p in (folder / 'out').iterdir()) >> 20,
    }


if __name__ == '__main__':
    main()
