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

    sites: list[str]
    pairs: np.ndarray  # a row for each link: the numbers of both sites

    def find_rings(self) -> list[list[str]]:
        """Return the rings, the largest first; the sites of a ring are sorted."""
        rings = graphs.find_rings(self.pairs, len(self.sites), _make_array)
        named = (sorted(self.sites[number] for number in ring) for ring in rings)
        return sorted(named, key=lambda ring: (-len(ring), ring))


def _make_array(count: int) -> np.ndarray:
    """Make an array of numbers in a scratch file."""
    with storage.open_scratch() as stream:
        stream.truncate(max(1, count) * PAIR.itemsize)
        return np.memmap(stream, PAIR, 'r+', shape=(count,))


def write_links(name: str, parts: Iterable[str]) -> SiteLinks:
    """Write `links.tsv`, in the order of sources and targets; return the links.

    Links are in scratch files. Of them, only the sites are in memory.
    """
    numbers: dict[str, int] = {}
    with storage.open_scratch() as pairs:

        def rows() -> Iterator[bytes]:
            for row in sorting.sort_lines(
                b'\t'.join(line) for line in protocol.read_parts(parts)
            ):
                for site in to_text(row).split('\t')[:2]:
                    number = numbers.setdefault(site, len(numbers))
                    pairs.write(number.to_bytes(PAIR.itemsize, sys.byteorder))
                yield row

        table_files.write_table(name, LINKS.header, rows())
        data = mapped.map_stream(pairs)
    return SiteLinks(list(numbers), np.frombuffer(data, PAIR).reshape(-1, 2))


def write_rings(name: str, rings: list[list[str]]) -> None:
    """Write `rings.tsv`, the largest ring first."""
    rows = (
        to_bytes(f'{number}\t{len(ring)}\t{site}')
        for number, ring in enumerate(rings, 1)
        for site in ring
    )
    table_files.write_table(name, RINGS.header, rows)


def summarize(run: RunDir, pairs: int, rings: list[list[str]]) -> str:
    """Format the numbers of links and rings, the largest rings, and the tables."""
    if not pairs:
        return 'no links from one bad site to another, so no rings\n'
    lines = [
        f'{format_count(pairs, "link")} from one bad site to another, '
        f'rings: {len(rings):,}'
    ]
    for ring in rings[:MAX_RINGS]:
        others = len(ring) - MAX_SITES
        more = f' and {others:,} more' if others > 0 else ''
        lines.append(f'{len(ring):>9,} sites  {", ".join(ring[:MAX_SITES])}{more}')
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
