"""How fast bodies become words, grams and shingles, on one core.

    python bench/words.py CORPUS/*.warc.gz

MB of bodies a second of CPU time, the best of three times: with the kernel and without.
The last row has millions of phrases a second, from words in memory to shingles. With
selectolax installed, also the words by its parser, which builds a tree.
"""

import os
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from mr_reuse import kernel
from mr_reuse.archives import reader
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.sources import Source
from mr_reuse.pages.filters import Filter
from mr_reuse.text.gram_block import GramBlock
from mr_reuse.text.page_words import HTML, WordRule, read_words
from mr_reuse.text.shingles import find_shingles

PURE_SHARE = 10  # without the kernel, only each tenth body is read
SAMPLE = 300_000_000  # bytes of bodies
REPETITIONS = 3
K = 5
FOR_PHRASES = WordRule('keep', 'unicode', 'fingerprints')


def bodies(names: list[str]) -> list[bytes]:
    found, size = [], 0
    for name in names:
        stats = ArchiveStats(name)
        source = Source('archive', name, name, '', os.path.getsize(name))
        wanted = Filter([], 'length').item_test(stats)
        for item in reader.read_source(source, stats, wanted):
            size += len(item.body or b'')
            if size > SAMPLE:
                return found
            found += [item.body] if item.body else []
    return found


def seconds(work: Callable[[], object]) -> float:
    """The least CPU time of some repetitions."""
    found = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def read(some: list[bytes], rule: WordRule) -> None:
    for body in some:
        read_words(body, '', HTML, rule).lanes()


def find_offsets(some: list[bytes]) -> None:
    for body in some:
        read_words(body, 'utf-8', HTML, WordRule('drop')).offsets()


def sort_grams(some: list[bytes]) -> None:
    block = GramBlock(K)
    for number, body in enumerate(some):
        block.add(read_words(body, 'utf-8', HTML, WordRule('drop')).lanes(), number)
    block.take()


def read_fingerprints(some: list[bytes]) -> list[np.ndarray]:
    return [
        read_words(body, 'utf-8', HTML, FOR_PHRASES).fingerprints() for body in some
    ]


def shingle(some: list[bytes]) -> None:
    for words in read_fingerprints(some):
        find_shingles(words)


def phrases_a_second(some: list[bytes]) -> float:
    pages = read_fingerprints(some)
    least = seconds(lambda: [find_shingles(words) for words in pages])
    return sum(map(len, pages)) / 1e6 / least


def parse_with_lexbor(some: list[bytes]) -> None:
    from selectolax.lexbor import LexborHTMLParser

    for body in some:
        page = LexborHTMLParser(body.decode('utf-8', 'replace'))
        for node in page.css('script,style'):
            node.decompose()
        page.root.text(separator=' ').lower().split()


WORK: dict[str, Callable[[list[bytes]], None]] = {
    'words, scripts dropped': lambda some: read(some, WordRule('drop')),
    'words, scripts kept': lambda some: read(some, WordRule('keep')),
    'words of the papers': lambda some: read(some, WordRule('drop', 'paper')),
    'words and offsets': find_offsets,
    'words and sorted grams': sort_grams,
    'words and shingles': shingle,
}


def main() -> None:
    some = bodies(sys.argv[1:])
    few = some[::PURE_SHARE]
    print(
        f'{len(some):,} bodies, {sum(map(len, some)) / 1e6:,.0f} MB', kernel.version()
    )
    for name, work in WORK.items():
        with_kernel = speed(some, work)
        os.environ[kernel.PURE] = '1'
        print(f'{name:24}{with_kernel:8,.0f}{speed(few, work):8,.0f}')
        del os.environ[kernel.PURE]
    with_kernel = phrases_a_second(some)
    os.environ[kernel.PURE] = '1'
    print(f'{"phrases to shingles":24}{with_kernel:8,.1f}{phrases_a_second(few):8,.1f}')
    del os.environ[kernel.PURE]
    if find_spec('selectolax'):
        print(f'{"words by lexbor":24}{speed(few, parse_with_lexbor):8,.0f}')


def speed(some: list[bytes], work: Callable[[list[bytes]], None]) -> float:
    return sum(map(len, some)) / 1e6 / seconds(lambda: work(some))


if __name__ == '__main__':
    main()
