"""Quilts with a gram whose hash other words have, too. There are hardly ever any."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mr_reuse.messages import to_bytes
from mr_reuse.quilts import lists, shares
from mr_reuse.quilts.checks import clashes
from mr_reuse.quilts.grams.gram_sets import NO_GRAM, number_grams
from mr_reuse.quilts.lists import Lists
from mr_reuse.quilts.shares import Row
from mr_reuse.shuffle import ordered_parts, protocol


class Parts(NamedTuple):
    """The part files of steps."""

    lists: list[str]
    documents: list[str]
    checked: list[str]


def find_refuted(parts: Parts) -> set[bytes]:
    """Return the rids of the documents that have a gram with different words."""
    names = set(ordered_parts.read_in_order(parts.checked, clashes.CLASHES))
    if not names:
        return set()
    grams = sorted(map(clashes.parse_gram, names))
    keys, checks = np.array(grams, np.uint64).T
    owners: set[int] = set()
    for found in _read_lists(parts.lists):
        which = number_grams((keys, checks), found.keys, found.checks) != NO_GRAM
        if which.any():
            of_grams = np.repeat(np.arange(len(found.counts)), found.counts)
            documents = found.take(np.unique(of_grams[which])).documents
            owners.update(documents.tolist())
    texts = ordered_parts.read_in_order(parts.documents, shares.UNIT)
    rows = (Row.parse(t) for t in texts if int(t[: shares.DIGITS]) in owners)
    return {to_bytes(row.rid) for row in rows}


def _read_lists(parts: list[str]) -> Iterator[Lists]:
    for key, value in protocol.read_parts(parts):
        if lists.is_list_line(key):
            yield lists.unpack(value)
