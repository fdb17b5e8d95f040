"""Write the results of styles from the output of the jobs: tables, a style file."""

from collections.abc import Iterable, Iterator

from mr_reuse import storage
from mr_reuse.engine import sorted_tables, step_output
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.sorted_tables import Sorting
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import ordered_parts, sorting
from mr_reuse.shuffle.sorting import DIGITS
from mr_reuse.styles import common, describing, ranking, style_file, style_steps
from mr_reuse.styles.describing import Style
from mr_reuse.styles.fingerprints import FingerprintFile
from mr_reuse.styles.jobs.sort_style_tables import SortStyleTables
from mr_reuse.styles.ranking import Ranks
from mr_reuse.styles.steps import Prints
from mr_reuse.styles.style_file import KnownMember, StyleFileWriter
from mr_reuse.styles.style_options import ClusterRule, Recipe
from mr_reuse.styles.style_tables import STYLES
from mr_reuse.styles.table_rows import new_makers
from mr_reuse.tables import table_files
from mr_reuse.tables.decimals import format_decimal


def write_styles(chain: Chain, done: Done, digits: int) -> Ranks:
    """Write the table of styles; return their numbers.

    `digits` is the number of decimals that tell two scores apart.
    """
    clusters: list[int] = []
    rows = _number_rows(done, digits, clusters)
    table_files.write_table(chain.run.join(STYLES.file), STYLES.header, rows)
    return ranking.sort_ranks(clusters)


def _number_rows(done: Done, digits: int, clusters: list[int]) -> Iterator[bytes]:
    """Yield the rows of styles in their order; append the clusters in that order."""
    parts = step_output.list_sound_parts(done.output)
    texts = ordered_parts.read_in_order(parts, describing.STYLES)
    keyed = ((ranking.rank_key(Style.parse(text), digits), text) for text in texts)
    for number, text in enumerate(sorting.sort_rows(keyed), 1):
        style = Style.parse(text)
        clusters.append(style.cluster)
        yield style_row(number, style)


def style_row(number: int, style: Style) -> bytes:
    """Make the row of a style."""
    decimals = map(format_decimal, (style.mean, style.score))
    cells = number, style.pages, style.hosts, style.domains, *decimals
    return to_bytes('\t'.join(map(str, (*cells, style.rid, style.url))))


def write_members(chain: Chain, done: Done, ranks: Ranks) -> None:
    """Write the table of members."""
    name = chain.run.temporary_name(f'{style_steps.TABLES.folder}-ranks')
    with storage.write(name) as stream:
        for column in ranks:
            stream.write(column.tobytes())
    how = Sorting(
        style_steps.TABLES.folder,
        SortStyleTables,
        lambda: new_makers(ranks),
        [done.output],
        {},
        [done.digest],
        {'ranks': name},
    )
    sorted_tables.write_tables(chain, how)


def write_style_file(
    chain: Chain,
    done: Done,
    ranks: Ranks,
    prints: Prints,
    options: tuple[Recipe, ClusterRule],
) -> None:
    """Write the fingerprints of all members, for other crawls."""
    parts = step_output.list_sound_parts(done.output)
    texts = ordered_parts.read_in_order(parts, describing.MEMBERS)
    lines = sorting.sort_lines(key_members(texts, ranks))
    writer = StyleFileWriter(*options)
    keys = FingerprintFile(prints.file, prints.shape).keys
    writer.add(map(parse_member, lines), keys)
    ignored = common.map_common(prints.common_file)
    writer.write(chain.run.join(style_file.FILE_NAME), ignored)


def key_members(texts: Iterable[bytes], ranks: Ranks) -> Iterator[bytes]:
    """Yield the keyed names of members, to sort them by their styles and numbers.

    >>> import numpy as np
    >>> ranks = Ranks(np.array([3]), np.array([1]))
    >>> [line] = key_members([b'3\\t0.5\\t4\\ta:0\\thttp://a/'], ranks)
    >>> parse_member(line)
    KnownMember(style=1, number=4, name=b'a:0\\thttp://a/')
    """
    last, style = b'', b''
    for text in texts:
        cluster, _, number, name = text.split(b'\t', 3)
        if cluster != last:
            last, style = cluster, b'%0*d' % (DIGITS, ranks.find(int(cluster)))
        yield sorting.add_key(style + number.zfill(DIGITS), name)


def parse_member(line: bytes) -> KnownMember:
    """Parse a sorted line."""
    key, name = sorting.split_key(line)
    return KnownMember(int(key[:DIGITS]), int(key[DIGITS:]), name)
