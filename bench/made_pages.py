"""Page lines and matches of pages with few chunks, made without archives.

`HashChunks` would write such lines for pages with these chunks. A page has four chunks:
two that no other page has, one that about ten pages have, and one of a thousand that
are on very many. A host has twenty pages. One page in fifty is a second capture.
"""

import os
from collections.abc import Iterator

import numpy as np
import pybase64 as base64

from mr_reuse.chunks.detect import matching
from mr_reuse.chunks.page_lines import pack_short_page

CHUNKS = 4  # of a page
WIDTH, LENGTH = 20, 200  # bytes of a digest, and of each chunk
PAGES_PER_HOST, PAGES_PER_CHUNK, HOT = 20, 10, 1000
CAPTURES = 50  # pages, one of which is captured twice
BLOCK = 10_000  # pages to make at a time
ODD = np.uint64(0x9E3779B97F4A7C15)


def mix(numbers: np.ndarray) -> np.ndarray:
    """Scramble numbers, with the generator splitmix64."""
    with np.errstate(over='ignore'):
        mixed = (numbers + np.uint64(1)) * ODD
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def make_digests(numbers: np.ndarray) -> np.ndarray:
    """Make a digest of each number: a row of bytes."""
    words = [mix(numbers * np.uint64(3) + np.uint64(n)) for n in range(3)]
    return np.stack(words, axis=1).view(np.uint8)[:, :WIDTH]


def number_chunks(pages: np.ndarray, count: int) -> np.ndarray:
    """Number the chunks of pages, of which there are `count` in all: a row a page."""
    unique = np.uint64(1 << 40) + np.uint64(2) * pages
    some = np.uint64(1 << 20) + mix(pages) % np.uint64(max(1, count // PAGES_PER_CHUNK))
    hot = mix(pages + np.uint64(1 << 50)) % np.uint64(HOT)
    return np.stack([unique, unique + np.uint64(1), some, hot], axis=1)


def make_urls(pages: np.ndarray, count: int) -> Iterator[str]:
    """Make the URL of each page."""
    hosts = mix(pages) % np.uint64(max(1, count // PAGES_PER_HOST))
    for page, host in zip(pages.tolist(), hosts.tolist(), strict=True):
        yield f'http://www.host-{host}.example/folder-{page % 7}/{page}.html'


def page_lines(
    archive: str, first: int, last: int, count: int
) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys and values of the page lines of some pages of `count`."""
    lengths = np.full(CHUNKS, LENGTH, '<u4').tobytes()
    for start in range(first, last, BLOCK):
        pages = np.arange(start, min(start + BLOCK, last), dtype=np.uint64)
        is_again = pages % np.uint64(CAPTURES) == CAPTURES - 1
        chunks = make_digests(number_chunks(pages, count).ravel()).tobytes()
        files = make_digests(pages + np.uint64(1 << 60)).tobytes().hex()
        urls = make_urls(pages - is_again.astype(np.uint64), count)
        for n, (page, url) in enumerate(zip(pages.tolist(), urls, strict=True)):
            digests = chunks[n * CHUNKS * WIDTH : (n + 1) * CHUNKS * WIDTH]
            hash_ = files[n * 2 * WIDTH : (n + 1) * 2 * WIDTH]
            facts = (
                f'{url}\t2020-01-{1 + page % 28:02}T00:00:00Z\t\ttext/html\t'
                f'{CHUNKS * LENGTH}\t{hash_}\t{CHUNKS}\t'
            )
            packed = pack_short_page(digests, lengths, WIDTH)
            yield f'{archive}:{page * 1000}'.encode(), facts.encode() + packed


def match_lines(
    archive: str, first: int, last: int, count: int, labels: int
) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys and values of the matches of pages; each has up to three labels."""
    for start in range(first, last, BLOCK):
        pages = np.arange(start, min(start + BLOCK, last), dtype=np.uint64)
        rows = np.stack([mix(pages + np.uint64(n)) for n in (5, 6, 7)], axis=1)
        numbers = rows % np.uint64(max(1, labels))
        urls = make_urls(pages, count)
        for page, url, some in zip(pages.tolist(), urls, numbers, strict=True):
            found = np.unique(some[: page % CHUNKS])
            payload = found.astype('>u8').tobytes() + b'\1\0\0\0' * len(found)
            packed = matching.NO_LABELS + base64.b64encode(payload)
            facts = f'{url}\t2020-01-02T00:00:00Z\t{len(found)}\t{CHUNKS}\t'
            yield f'{archive}:{page * 1000}'.encode(), facts.encode() + packed


def write_parts(folder: str, make, count: int, files: int, *args: int) -> None:
    """Write the lines that `page_lines` or `match_lines` makes to part files."""
    os.makedirs(folder)
    for number in range(files):
        first, last = (count * n // files for n in (number, number + 1))
        with open(os.path.join(folder, f'part-{number:05d}'), 'wb') as stream:
            for line in make(f'made-{number}.warc.gz', first, last, count, *args):
                stream.write(b'\t'.join(line) + b'\n')
