"""How similar all documents are to the prototypes of some styles."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

import numpy as np

from mr_reuse.algorithms.agreement import count_agreeing
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.shuffle import ordered_parts
from mr_reuse.styles import describing
from mr_reuse.styles.describing import Style
from mr_reuse.styles.features.chosen import choose_styles, read_sizes
from mr_reuse.styles.fingerprints import FingerprintFile
from mr_reuse.styles.ranking import Ranks
from mr_reuse.styles.steps import Prints
from mr_reuse.styles.style_tables import STYLE_CURVES
from mr_reuse.tables import table_files
from mr_reuse.tables.decimals import format_decimal

FIRST = 2  # styles, and as many of the largest
AT_ONCE = 1 << 16  # documents
Pairs = Counter[tuple[int, int]]  # documents by dimensions that agree, or are empty


def write_curves(
    chain: Chain, described: Done, prints: Prints, ranks: Ranks, normalizes: bool
) -> None:
    """Write the table of how similar all documents are to some prototypes.

    They are those of the first and of the largest styles. The table of styles has to be
    there.
    """
    chosen = choose_styles(read_sizes(chain.run.path), FIRST)
    prototypes = find_prototypes(described, ranks, chosen)
    keys = FingerprintFile(prints.file, prints.shape).keys
    found = count_pairs(keys, [prototypes[style] for style in chosen], prints.count)
    rows = (
        b'%d\t%b\t%d' % (style, similarity, documents)
        for style, pairs in zip(chosen, found, strict=True)
        for similarity, documents in sort_curve(pairs, prints.shape.m, normalizes)
    )
    name = chain.run.join(STYLE_CURVES.file)
    table_files.write_table(name, STYLE_CURVES.header, rows)


def find_prototypes(
    described: Done, ranks: Ranks, styles: Collection[int]
) -> dict[int, int]:
    """Return the numbers of the prototypes of some styles."""
    wanted = ranks.find_clusters(styles)
    parts = step_output.list_sound_parts(described.output)
    found = {}
    for text in ordered_parts.read_in_order(parts, describing.STYLES):
        cluster = int(text.partition(b'\t')[0])
        if cluster in wanted:
            found[wanted[cluster]] = Style.parse(text).number
    return found


def count_pairs(
    keys: np.ndarray, prototypes: Sequence[int], documents: int
) -> list[Pairs]:
    """Count the documents by their agreement with each prototype.

    `keys` has a row for each number. The rows of numbers that are no documents with a
    fingerprint are zeros; `documents` is the number of the others.

    >>> keys = np.array([[1, 0, 255], [0, 0, 0], [1, 9, 255]], np.uint8)
    >>> [sorted(pairs.items()) for pairs in count_pairs(keys, [0], 2)]
    [[((1, 1), 1), ((2, 1), 1)]]
    """
    found: list[Pairs] = [Counter() for _ in prototypes]
    for start in range(0, len(keys), AT_ONCE):
        rows = keys[start : start + AT_ONCE]
        for number, pairs in zip(prototypes, found, strict=True):
            agreement = count_agreeing(keys[number], rows)
            both = np.stack(agreement).astype(np.int64)
            codes = np.bincount(both[0] * 256 + both[1])
            for code in np.flatnonzero(codes).tolist():
                pairs[divmod(code, 256)] += int(codes[code])
    for number, pairs in zip(prototypes, found, strict=True):
        zeros = int(np.count_nonzero(keys[number] == 0))
        pairs[zeros, 0] -= len(keys) - documents
    return [+pairs for pairs in found]


def sort_curve(pairs: Pairs, m: int, normalizes: bool) -> Iterator[tuple[bytes, int]]:
    """Yield similarities with their numbers of documents, the greatest ones first.

    >>> pairs = Counter({(1, 2): 5, (2, 0): 3, (0, 4): 1})
    >>> list(sort_curve(pairs, 4, False))
    [(b'0.500000000', 3), (b'0.250000000', 5), (b'0.000000000', 1)]
    >>> list(sort_curve(pairs, 4, True))
    [(b'0.500000000', 8), (b'0.000000000', 1)]
    """
    counts: Counter[Fraction] = Counter()
    for (agreeing, both_empty), documents in pairs.items():
        of = m - both_empty if normalizes and agreeing else m
        counts[Fraction(agreeing, of)] += documents
    for similarity in sorted(counts, reverse=True):
        yield format_decimal(similarity).encode(), counts[similarity]
