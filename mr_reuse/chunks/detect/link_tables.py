"""Write the tables of `links`, and its summary."""

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.algorithms import graphs
from mr_reuse.chunks.chunk_tables import LINKS, LINKS_UNREAD, RINGS
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import format_count, to_bytes, to_text
from mr_reuse.shuffle import protocol, sorting
from mr_reuse.shuffle.numbered_names import NumberedNames
from mr_reuse.storage import mapped
from mr_reuse.tables import table_files

PAIR = np.dtype(np.uint32)  # of the numbers of sites
MAX_RINGS = 10  # to print
MAX_SITES = 3  # of a ring, to print
MAX_NAMES = 10  # of missing archives to print
NO_BAD_SITES = 'no links: the run has no bad sites, so no page was read\n'


def has_links(run: RunDir) -> bool:
    """Test whether the run has the tables of an earlier `links`."""
    return storage.exists(run.join(LINKS.file))


def read_unread(run: RunDir) -> set[str]:
    """Read the names of the archives that an earlier `links` could not read."""
    if not storage.exists(run.join(LINKS_UNREAD.file)):
        return set()
    return {row.archive for row in table_files.read_rows(run.path, LINKS_UNREAD)}


def write_unread(name: str, unread: Mapping[str, int]) -> None:
    """Write the table of missing archives, or remove it if none is missing."""
    if not unread:
        storage.remove(name)
        return
    rows = (to_bytes(f'{archive}\t{pages}') for archive, pages in unread.items())
    table_files.write_table(name, LINKS_UNREAD.header, rows)


def digest_tables(run: RunDir) -> list[str]:
    """Return the digests of the tables of links, '' for a table that does not exist."""
    names = [run.join(table.file) for table in (LINKS, LINKS_UNREAD)]
    return [_digest_table(name) if storage.exists(name) else '' for name in names]


def _digest_table(name: str) -> str:
    digest = hashlib.sha256()
    for line in table_files.read_lines(name):
        digest.update(line)
    return digest.hexdigest()


class SiteLinks(NamedTuple):
    """The sites that have links or to which links lead, and the links of these."""

    sites: NumberedNames
    pairs: np.ndarray  # a row for each link: the numbers of both sites

    def find_rings(self) -> Iterator[tuple[int, Iterator[bytes]]]:
        """Yield the size and the sorted sites of each ring, the largest ring first."""
        for key, sites in sorting.group_rows(self._key_rings()):
            yield sorting.parse_descending(key), sites

    def _key_rings(self) -> Iterator[bytes]:
        for ring in graphs.find_rings(self.pairs, len(self.sites), _make_array):
            first = min(self.sites[number] for number in ring)
            key = sorting.descending(len(ring)) + first
            yield from (sorting.add_key(key, self.sites[number]) for number in ring)


class Rings(NamedTuple):
    """The number of rings, and the largest ones: their sizes, and their first sites."""

    count: int
    largest: list[tuple[int, list[str]]]


def _make_array(count: int) -> np.ndarray:
    """Make an array of numbers in a scratch file."""
    with storage.open_scratch() as stream:
        stream.truncate(max(1, count) * PAIR.itemsize)
        return np.memmap(stream, PAIR, 'r+', shape=(count,))


def write_links(name: str, parts: Iterable[str]) -> SiteLinks:
    """Write `links.tsv`, in the order of sources and targets; return the links.

    Links and the names of sites are in scratch files.
    """
    numbers = NumberedNames()
    with storage.open_scratch() as pairs:

        def rows() -> Iterator[bytes]:
            for row in sorting.sort_lines(
                b'\t'.join(line) for line in protocol.read_parts(parts)
            ):
                for site in row.split(b'\t')[:2]:
                    number = numbers.number(site)
                    pairs.write(number.to_bytes(PAIR.itemsize, sys.byteorder))
                yield row

        table_files.write_table(name, LINKS.header, rows())
        data = mapped.map_stream(pairs)
    return SiteLinks(numbers, np.frombuffer(data, PAIR).reshape(-1, 2))


def write_rings(name: str, links: SiteLinks) -> Rings:
    """Write `rings.tsv`, the largest ring first."""
    count, largest = 0, []

    def rows() -> Iterator[bytes]:
        nonlocal count
        for count, (size, sites) in enumerate(links.find_rings(), 1):
            if count <= MAX_RINGS:
                largest.append((size, []))
            for site in sites:
                if count <= MAX_RINGS and len(largest[-1][1]) < MAX_SITES:
                    largest[-1][1].append(to_text(site))
                yield b'%d\t%d\t%b' % (count, size, site)

    table_files.write_table(name, RINGS.header, rows())
    return Rings(count, largest)


def summarize(run: RunDir, pairs: int, rings: Rings) -> str:
    """Format the numbers of links and rings, the largest rings, and the tables."""
    if not pairs:
        return 'no links from one bad site to another, so no rings\n'
    lines = [
        f'{format_count(pairs, "link")} from one bad site to another, '
        f'rings: {rings.count:,}'
    ]
    for size, sites in rings.largest:
        others = size - len(sites)
        more = f' and {others:,} more' if others > 0 else ''
        lines.append(f'{size:>9,} sites  {", ".join(sites)}{more}')
    lines += ['', f'all of them: {run.join(LINKS.file)}, {run.join(RINGS.file)}']
    return '\n'.join(lines) + '\n'


def describe_unread(run: RunDir, unread: Mapping[str, int], is_kept: bool) -> str:
    """Name the missing archives, and describe the effect on the tables."""
    names = list(unread)
    more = f' and {len(names) - MAX_NAMES:,} more' if len(names) > MAX_NAMES else ''
    archives = format_count(len(names), 'archive is', 'archives are')
    pages = format_count(sum(unread.values()), 'page')
    if is_kept:
        effect = f'{run.join(LINKS.file)} and {RINGS.file} stay as they were'
    else:
        effect = f'links and rings of {pages} of bad sites are not in the tables'
    if len(names) == 1:
        remedy = 'put it back, or give --archives DIR if it was moved'
    else:
        remedy = 'put them back, or give --archives DIR if they were moved'
    return (
        f'{archives} missing: {", ".join(names[:MAX_NAMES])}{more}; {effect}; '
        f'{remedy}, and type the same command again'
    )
