"""Run the jobs that find quilts, one after another."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.pages.documents import document_parts, numbering, servers
from mr_reuse.pages.documents.choosing import Documents
from mr_reuse.quilts import finding, quilt_steps, shares
from mr_reuse.quilts.checks import joining
from mr_reuse.quilts.finding import Needed
from mr_reuse.quilts.jobs.check_quilts import CheckQuilts
from mr_reuse.quilts.jobs.find_covers import FindCovers
from mr_reuse.quilts.jobs.list_documents import ListDocuments
from mr_reuse.quilts.jobs.merge_lists import MergeLists
from mr_reuse.quilts.jobs.sum_patches import SumPatches
from mr_reuse.quilts.quilt_options import GramRecipe, QuiltRule
from mr_reuse.shuffle import mapped_paths, ordered_parts, partitions, ragged
from mr_reuse.shuffle.mapped_paths import Archives
from mr_reuse.storage import mapped

SWEPT_M = 100  # lists of so many documents are kept, for other values of m
GRAMS_PER_ROW = 4  # a gram takes a quarter of the memory of a row of `partitions`
FEW_GRAMS = 5_000_000  # so few need few partitions
DOCUMENTS_PER_PART = 20_000
ENTRIES_PER_PART = 1_000_000
GRAMS_PER_CHECK = 2_000_000  # patch grams of candidates that a reducer compares
MAX_CHECKED = 500_000  # documents whose grams it compares


class Shared(NamedTuple):
    """The shared grams of documents."""

    lists: Done  # with the grams of each list
    classes: Done


def find_shared(
    chain: Chain,
    documents: Documents,
    m: int,
    steps: tuple[RunStep, RunStep] = (quilt_steps.LISTS, quilt_steps.CLASSES),
) -> Shared:
    """Find the documents of each gram, and merge equal lists to classes."""
    grams = documents.done.sum_stats('grams')['grams']
    least = 2 if grams < FEW_GRAMS else partitions.MIN_BITS
    bits = partitions.bits_for(grams // GRAMS_PER_ROW, least)
    lists = chain.run_step(
        Step(
            steps[0].folder,
            ListDocuments,
            {'limit': max(m, SWEPT_M)},
            lambda: [documents.done.output],
            documents.digests,
            unhashed={'bits': bits, **documents.file_args},
        )
    )
    found = lists.sum_stats('lists')['documents']
    bits = partitions.bits_for(found // GRAMS_PER_ROW, least)
    classes = chain.run_step(
        Step(
            steps[1].folder,
            MergeLists,
            {},
            lambda: [lists.output],
            lists.digest,
            unhashed={'bits': bits},
        )
    )
    return Shared(lists, classes)


def sum_patches(
    chain: Chain,
    documents: Documents,
    shared: Shared,
    rule: QuiltRule,
    step: RunStep = quilt_steps.SHARES,
) -> Done:
    """Count the patch grams of each document, and find the candidates."""
    total = documents.numbering.total
    parts = document_parts.parts_for(total, DOCUMENTS_PER_PART, total)
    args = {'m': rule.m, 'alpha': str(rule.alpha), 'foreign': rule.foreign}
    return chain.run_step(
        Step(
            step.folder,
            SumPatches,
            # The number of partitions is in the names of those of the output.
            {**args, 'parts': parts},
            lambda: [documents.done.output, shared.classes.output],
            [*documents.digests, shared.classes.digest],
            unhashed=documents.file_args,
        )
    )


class CoverSearch(NamedTuple):
    """What `FindCovers` needs besides the classes."""

    documents: Documents
    shared: Shared
    patches: Done
    rule: QuiltRule
    # Values to count the quilts for.
    counted: dict[str, list[Any]] = {}


def find_covers(
    chain: Chain, search: CoverSearch, step: RunStep = quilt_steps.COVERS
) -> Done:
    """Find the covers of the candidates."""
    rule, total = search.rule, search.documents.numbering.total
    names = {
        name: chain.run.temporary_name(f'{step.folder}-{name}')
        for name in ('candidates', 'candidate-grams', 'servers')
    }
    if rule.foreign == servers.NONE:
        del names['servers']

    def prepare_inputs() -> list[str]:
        parts = step_output.list_sound_parts(search.patches.output)
        columns = _read_columns(parts, shares.CANDIDATES)
        with (
            storage.write(names['candidates']) as numbers,
            storage.write(names['candidate-grams']) as grams,
        ):
            for documents, _, counts in columns:
                numbering.write_numbers(numbers, [documents])
                numbering.write_numbers(grams, [counts])
        if 'servers' in names:
            _write_servers(names['servers'], parts, total)
        return [search.shared.classes.output]

    entries = search.patches.sum_stats('shares')['entries']
    parts = document_parts.parts_for(entries, ENTRIES_PER_PART, total)
    args = {
        'm': rule.m,
        'c': rule.c,
        'delta': str(rule.delta),
        'foreign': rule.foreign,
        **search.counted,
    }
    return chain.run_step(
        Step(
            step.folder,
            FindCovers,
            args,
            prepare_inputs,
            [search.patches.digest, search.shared.classes.digest],
            unhashed={'parts': parts, 'total': total, **names},
        )
    )


def _read_columns(parts: list[str], unit: str) -> Iterator[list[np.ndarray]]:
    """Yield the columns of the lines of a unit, in the order of documents."""
    values = ordered_parts.read_values_in_order(parts, unit)
    return map(ragged.unpack_columns, values)


def _write_servers(name: str, parts: list[str], total: int) -> None:
    """Write a file with the server of each document; it is 0, 0 without grams."""
    end = 0
    with storage.write(name) as stream:
        for numbers, *columns in _read_columns(parts, shares.SERVERS):
            first, last = end, int(numbers[-1])
            block = np.zeros((last + 1 - first, 2), np.uint64)
            block[numbers.astype(np.int64) - first] = np.stack(columns, axis=1)
            stream.write(block.tobytes())
            end = last + 1
        stream.write(bytes(16 * (total - end)))


class QuiltSearch(NamedTuple):
    """What `CheckQuilts` needs."""

    documents: Documents
    shared: Shared
    patches: Done
    covers: Done
    recipe: GramRecipe
    rule: QuiltRule
    archives: Archives


def check_quilts(chain: Chain, search: QuiltSearch) -> Done:
    """Compare the words of the quilts with those of their sources."""
    step, total = quilt_steps.QUILTS, search.documents.numbering.total
    names = {
        name: chain.run.temporary_name(f'{step.folder}-{name}')
        for name in ('kinds', 'paths')
    }
    parts = step_output.list_sound_parts(search.covers.output)

    def prepare_inputs() -> list[str]:
        write_kinds(parts, names['kinds'], total)
        with storage.write(names['paths']) as stream:
            mapped_paths.write(stream, search.archives.entries())
        return [
            search.patches.output,
            search.covers.output,
            search.shared.lists.output,
        ]

    args = {**search.recipe._asdict(), 'm': search.rule.m}
    grams = search.patches.sum_stats('shares')['patch']
    checks = document_parts.few_parts_for(grams, GRAMS_PER_CHECK, total)
    checks = max(checks, document_parts.few_parts_for(total, MAX_CHECKED, total))
    unhashed = {'parts': checks, 'total': total, **names}
    digests = [search.patches.digest, search.covers.digest, search.shared.lists.digest]
    return chain.run_step(
        Step(step.folder, CheckQuilts, args, prepare_inputs, digests, unhashed=unhashed)
    )


def write_kinds(parts: list[str], name: str, total: int) -> None:
    """Write a byte for each document: whether it is a quilt, and if a cover needs it.

    The bytes are in a file, as there may be very many documents.
    """
    with storage.open_scratch() as scratch:
        scratch.truncate(total)
        kinds = mapped.map_writable(scratch)
        for value in ordered_parts.read_values_in_order(parts, finding.NEEDED):
            needed = Needed.unpack(value)
            kinds[needed.documents] |= joining.NEEDED
            kinds[needed.owners] |= joining.QUILT
        with storage.write(name) as stream:
            stream.write(kinds.data)
