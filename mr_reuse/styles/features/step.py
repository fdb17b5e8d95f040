"""Run the job that reads the pages of styles, and write the table of features."""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.messages import to_bytes
from mr_reuse.pages import lookup
from mr_reuse.shuffle import ordered_parts
from mr_reuse.shuffle.partitions import part_of, unit_of, unpack_texts
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.styles import style_steps
from mr_reuse.styles.features import choosing, reading, sampling
from mr_reuse.styles.features.choosing import Described, Others
from mr_reuse.styles.features.chosen import choose_styles, read_sizes
from mr_reuse.styles.features.page_features import PageFeatures
from mr_reuse.styles.features.reading import PageRow
from mr_reuse.styles.features.shared import Feature
from mr_reuse.styles.jobs.read_features import ReadFeatures
from mr_reuse.styles.ranking import Ranks
from mr_reuse.styles.style_tables import STYLE_FEATURES
from mr_reuse.tables import table_files
from mr_reuse.tables.decimals import format_decimal

Rows = Iterator[tuple[str, bytes]]


def read_features(
    chain: Chain, described: Done, ranks: Ranks, most: int, paths: Mapping[str, str]
) -> Done | None:
    """Read some pages of the first and the largest styles, and some of all documents.

    Returns None if no style is described.

    `described` is the step that found the styles, and `paths` are those of archives.
    The table of styles has to be there.
    """
    chosen = choose_styles(read_sizes(chain.run.path), most)
    if not chosen:
        return None
    return chain.run_step(
        Step(
            style_steps.FEATURES.folder,
            ReadFeatures,
            {},
            lambda: lookup.write_rows_to_read(
                chain.run, rows_to_read(described, ranks, chosen), paths
            ),
            [described.digest, chosen],
        )
    )


def rows_to_read(described: Done, ranks: Ranks, styles: Collection[int]) -> Rows:
    """Yield the pages to read, with their rows."""
    parts = step_output.list_sound_parts(described.output)
    clusters = ranks.find_clusters(styles)
    sampled = sampling.read_sampled(parts, clusters)
    for cluster, pages in groupby(sampled, attrgetter('cluster')):
        for place, page in enumerate(pages):
            yield page.rid, PageRow(clusters[cluster], place, page.url).to_row()
    for page in sampling.read_others(parts):
        style = 0 if page.cluster == sampling.NONE else ranks.find(page.cluster)
        yield page.rid, PageRow(reading.ALL, style, page.url).to_row()


def write_features(chain: Chain, done: Done | None) -> None:
    """Write the table of features."""
    table = STYLE_FEATURES
    rows = map(feature_row, choose_features(done) if done else ())
    table_files.write_table(chain.run.join(table.file), table.header, rows)


def choose_features(done: Done) -> Iterator[Described]:
    """Yield the features that describe each style, style by style."""
    parts = step_output.list_sound_parts(done.output)
    texts = ordered_parts.read_in_order(parts, reading.PAGE)
    others = Others([parse_other(text) for text in texts])
    found: dict[int, list[bytes]] = {}
    for key, value in read_parts(parts):
        if unit_of(key) == reading.SHARED:
            found.setdefault(part_of(key), []).extend(unpack_texts(value))
    for style in sorted(found):
        pages = int(found[style][0].partition(b'\t')[0])
        features = [Feature.parse(text.partition(b'\t')[2]) for text in found[style]]
        yield from choosing.describe_style(style, pages, features, others)


def parse_other(text: bytes) -> tuple[int, PageFeatures]:
    """Parse a document that was drawn of all, with the number of its style, or 0."""
    style, _, features = text.partition(b'\t')
    return int(style), PageFeatures.parse(features)


def feature_cells(one: Described) -> list[str]:
    """Return the cells of the row of a feature.

    >>> from fractions import Fraction
    >>> feature_cells(Described(3, Feature('tag', 'p', 9, ()), Fraction(1), None))
    ['3', 'tag', 'p', '1.000000000', '']
    """
    feature = one.feature
    shares = ('' if s is None else format_decimal(s) for s in (one.share, one.others))
    return [str(one.style), feature.kind, feature.value, *shares]


def feature_row(one: Described) -> bytes:
    """Make the row of a feature."""
    return to_bytes('\t'.join(feature_cells(one)))
