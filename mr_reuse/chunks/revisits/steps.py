"""The steps that give revisits the content of their targets.

They run only if the crawl has revisits.
"""

from collections.abc import Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.archives import archive_stats
from mr_reuse.chunks import choosing
from mr_reuse.chunks.chunk_steps import FILLED, REVISITS, TARGETS
from mr_reuse.chunks.jobs.fill_revisits import FillRevisits
from mr_reuse.chunks.jobs.find_revisits import FindRevisits
from mr_reuse.chunks.jobs.resolve_revisits import ResolveRevisits
from mr_reuse.chunks.page_lines import split_fields
from mr_reuse.chunks.revisits import filling
from mr_reuse.chunks.revisits.resolving import target_of
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.messages import to_bytes
from mr_reuse.pages import capture_lines
from mr_reuse.pages.planning import Pages
from mr_reuse.pages.skipped import SkippedCaptures, rid_digest
from mr_reuse.shuffle import (
    mapped_digests,
    packing,
    partitions,
    protocol,
    spilling,
)
from mr_reuse.shuffle.packing import MAX
from mr_reuse.storage import mapped

BATCH = 100_000  # targets to merge together
LINE_BITS = 3  # a page line is about eight times as large as a capture


def choose_captures(chain: Chain, pages: Pages, keep: str) -> Pages:
    """Choose among the captures of all pages, with resolved revisits among them."""
    pages = choosing.choose(chain, resolve(chain, pages), keep)
    return fill(chain, pages)


def resolve(chain: Chain, pages: Pages) -> Pages:
    """Find the targets of revisits; return the pages with them."""
    if not pages.revisits:
        return pages
    bits = choose_bits(pages)
    found = chain.run_step(
        Step(
            REVISITS.folder,
            FindRevisits,
            {},
            lambda: pages.folders,
            [pages.done.digest, pages.old_folders],
            choosing.SMALL_LINES,
            unhashed={'bits': bits},
        )
    )
    wanted = chain.run.temporary_name('wanted')

    def prepare_inputs() -> list[str]:
        with storage.write(wanted) as stream:
            keys = capture_lines.read_digests(found.parts, 'key')
            mapped_digests.write(stream, keys)
        return pages.folders

    targets = chain.run_step(
        Step(
            TARGETS.folder,
            ResolveRevisits,
            {},
            prepare_inputs,
            [found.digest],
            unhashed={'wanted': wanted, 'bits': bits},
        )
    )
    return pages._replace(targets=targets)


def fill(chain: Chain, pages: Pages) -> Pages:
    """Add the chunks of targets to revisits; return the pages with their lines."""
    targets = pages.targets
    if not targets:
        return pages
    file = chain.run.temporary_name('targets')

    def prepare_inputs() -> list[str]:
        with storage.write(file) as stream:
            mapped_digests.write(stream, find_targets(targets, pages.skipped))
        return [*pages.folders, targets.output]

    filled = chain.run_step(
        Step(
            FILLED.folder,
            FillRevisits,
            {},
            prepare_inputs,
            [targets.digest, *pages.chosen],
            unhashed={
                'targets': file,
                'skipped': pages.skipped,
                'bits': choose_bits(pages),
            },
        )
    )
    sums = archive_stats.sum_stats(filled.stats, 'revisits')
    return pages._replace(filled=filled, rows=pages.rows + sums.get('chunks', 0))


def choose_bits(pages: Pages) -> int:
    """Choose the number of partitions for whole page lines, as bits."""
    bits = choosing.choose_bits(pages.folders) + LINE_BITS
    return min(bits, partitions.MAX_BITS)


def find_targets(targets: Done, skipped: str | None) -> Iterator[np.ndarray]:
    """Yield the sorted digests of the targets whose chunks are needed."""
    captures = SkippedCaptures(mapped.map_bytes(skipped) if skipped else None)
    table, digests = spilling.MergeTable([MAX], storage.open_scratch), []

    def flush() -> None:
        ones = np.ones(len(digests), np.uint64)
        width = mapped_digests.WIDTH
        table.add(packing.make_rows(b''.join(digests), width, ones))
        digests.clear()

    for key, value in protocol.read_parts(targets.parts):
        fields = split_fields(key, value)
        if filling.needs_chunks(key, fields, captures):
            digests.append(rid_digest(to_bytes(target_of(fields).id)))
        if len(digests) >= BATCH:
            flush()
    flush()
    for rows in table.drain():
        yield rows.keys
