"""Write the tables of `links`, and its summary."""

from collections.abc import Iterable, Iterator, Mapping

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import LINKS, LINKS_UNREAD, RINGS
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import format_count, to_bytes, to_text
from mr_reuse.shuffle import protocol, sorting
from mr_reuse.tables import table_files

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


def read_tables(run: RunDir) -> list[str]:
    """Return the texts of the tables of links, '' for a table that does not exist."""
    names = [run.join(table.file) for table in (LINKS, LINKS_UNREAD)]
    return [
        storage.read_text(name)
        if storage.exists(name) and not storage.is_dir(name)
        else ''
        for name in names
    ]


def write_links(name: str, parts: Iterable[str]) -> dict[str, list[str]]:
    """Write `links.tsv`, in the order of sources and targets.

    Returns the links as a graph: the targets of each source.
    """
    links: dict[str, list[str]] = {}

    def rows() -> Iterator[bytes]:
        for row in sorting.sort_lines(
            b'\t'.join(line) for line in protocol.read_parts(parts)
        ):
            source, target, *_ = to_text(row).split('\t')
            links.setdefault(source, []).append(target)
            yield row

    table_files.write_table(name, LINKS.header, rows())
    return links


def write_rings(name: str, rings: list[list[str]]) -> None:
    """Write `rings.tsv`, the largest ring first."""
    rows = (
        to_bytes(f'{number}\t{len(ring)}\t{site}')
        for number, ring in enumerate(rings, 1)
        for site in ring
    )
    table_files.write_table(name, RINGS.header, rows)


def summarize(run: RunDir, links: dict[str, list[str]], rings: list[list[str]]) -> str:
    """Format the numbers of links and rings, the largest rings, and the tables."""
    pairs = sum(map(len, links.values()))
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
