"""The cost of a search for quilts, from a sample of the input."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from mr_reuse import storage
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import Item
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.pages.documents.reading import DocumentReader
from mr_reuse.pages.estimate import Estimate, Sample, sum_costs
from mr_reuse.pages.forecast import Measure
from mr_reuse.quilts.grams.collecting import GramCollector
from mr_reuse.quilts.quilt_options import GramRecipe
from mr_reuse.text.page_words import WordRule

# Bytes of all steps in RUN, for each byte of the output of ReadGrams, about.
DISK_SHARE = 1.5


def make_measure(recipe: GramRecipe) -> Measure:
    """Make the measure of documents that are read with this recipe."""
    rule = WordRule(recipe.scripts, recipe.words)
    reader = DocumentReader(rule, recipe.types, lambda media: True)

    def read(archive: str, items: Iterable[Item]) -> Iterator[tuple[Item, Any]]:
        collector, last = GramCollector(recipe.k, storage.open_scratch), None
        for item in items:
            try:
                if words := reader.open_words(item):
                    rid = f'{archive}:{item.offset}'
                    yield item, collector.add(rid, item, words)
                    last = item
            except Lost:
                continue
        if last:
            yield last, collector.finish()

    return Measure(read, count_line, extrapolate)


def count_line(line: Any) -> np.ndarray:
    """Return one key for a line: the grams themselves are not compared."""
    del line
    return np.zeros((1, 1), np.uint8)


def extrapolate(
    sample: Sample, size: int, tasks: int, steps: Sequence[RunStep], runner: str
) -> Estimate:
    """Scale a sample to an input of `size` bytes.

    >>> grams = RunStep('11-grams', 'ReadGrams', '', 1.0)
    >>> extrapolate(Sample(100, 2.0, 50, 10, 4, 0, 0.5), 10_000, 4, [grams], 'hadoop')
    Estimate(seconds=200.0, shuffle=5000, disk=7500)
    """
    del tasks, runner
    scale = size / max(1, sample.read)
    lines = int(sample.lines * scale)  # all grams travel, each with its documents
    seconds = sample.seconds * scale * sum_costs(steps)
    return Estimate(seconds, lines, int(DISK_SHARE * lines))
