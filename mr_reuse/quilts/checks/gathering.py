"""What the lines of a partition say of its documents, put together."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from mr_reuse.quilts import lists, shares
from mr_reuse.quilts.checks.joining import COVER
from mr_reuse.quilts.finding import Cover
from mr_reuse.quilts.lists import Lists
from mr_reuse.shuffle import ragged
from mr_reuse.shuffle.partitions import unpack_texts


class Wanted(NamedTuple):
    """The documents of a partition that covers need."""

    texts: dict[int, bytes]  # as in the output of SumPatches, by number
    covers: dict[int, Cover]  # of the quilts among them
    references: list[list[np.ndarray]]  # documents, partitions of the quilts with them
    lists: Lists  # that have a quilt, with all documents that covers need


def gather(values: Iterable[bytes]) -> Wanted:
    """Put the lines of a partition together."""
    texts: dict[int, bytes] = {}
    covers: dict[int, Cover] = {}
    references: list[list[np.ndarray]] = []
    pieces: list[Lists] = []
    for value in values:
        if b':' not in value:
            for text in unpack_texts(value):
                if text.startswith(COVER):
                    cover = Cover.parse(text[len(COVER) :])
                    covers[cover.number] = cover
                else:
                    texts[int(text[: shares.DIGITS])] = text
            continue
        columns = ragged.unpack_columns(value)
        if len(columns) == len(Lists._fields):
            pieces.append(Lists(*columns))
        else:
            references.append(columns)
    joined = lists.join(pieces)
    keys = joined.keys.astype(np.uint64, copy=False)
    checks = joined.checks.astype(np.uint16, copy=False)
    return Wanted(texts, covers, references, joined._replace(keys=keys, checks=checks))
