"""Write the tables of `links`, and its summary."""

from collections.abc import Iterable, Iterator

from mr_reuse import storage
from mr_reuse.chunks.chunk_tables import LINKS, RINGS
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import format_count, to_bytes, to_text
from mr_reuse.shuffle import protocol, sorting
from mr_reuse.tables import table_files

TOP = 10  # rings to print


def read_links(run: RunDir) -> str:
    """Return the text of `links.tsv`, '' without such a file."""
    name = run.join(LINKS.file)
    is_file = storage.exists(name) and not storage.is_dir(name)
    return storage.read_text(name) if is_file else ''


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
    lines = [
        f'{format_count(pairs, "link")} from one bad site to another, '
        f'rings: {len(rings):,}'
    ]
    for ring in rings[:TOP]:
        more = f' and {len(ring) - 3:,} more' if len(ring) > 3 else ''
        lines.append(f'{len(ring):>9,} sites  {", ".join(ring[:3])}{more}')
    lines += ['', f'all of them: {run.join(LINKS.file)}, {run.join(RINGS.file)}']
    return '\n'.join(lines) + '\n'
