"""The steps of `detect`: pages and labels in, neighborhoods out."""

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.archives import domains
from mr_reuse.chunks.chunk_steps import (
    ALL_PLACES,
    MATCHES,
    NEIGHBORHOODS,
    ORIGINS,
)
from mr_reuse.chunks.chunk_tables import PLACES
from mr_reuse.chunks.detect import origins
from mr_reuse.chunks.detect.detect_options import MatchingOptions
from mr_reuse.chunks.jobs.list_places import ListPlaces
from mr_reuse.chunks.jobs.match_labeled import MatchLabeled
from mr_reuse.chunks.jobs.neighborhood_badness import NeighborhoodBadness
from mr_reuse.chunks.jobs.share_labels import ShareLabels
from mr_reuse.chunks.labels import label_files, task_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.part_files import sum_sizes
from mr_reuse.shuffle import packing, partitions
from mr_reuse.shuffle.partitions import NAME_WIDTH, name_digest
from mr_reuse.shuffle.spilling import MergeTable
from mr_reuse.storage import mapped, naming

TASK_BYTES = 160 << 20  # that a task needs besides the labels
# Bytes of a row, to estimate the number of rows before a step: a chunk of a page line,
# a match, a label of a match.
CHUNK_BYTES, MATCH_BYTES, LABEL_BYTES = 32, 100, 16
PREFIX_BYTES = 8  # of each digest, that a DigestIndex has in memory
BATCH_NAMES = 100_000  # names to sort together


class CrawlPages(NamedTuple):
    """The page lines to search."""

    folders: list[str]
    skipped: str | None = None  # file with the captures not kept, for tasks
    choice: str | None = None  # folder with these captures

    @property
    def digest(self) -> list[Any]:
        """The value for `depends_on` of a step."""
        attempts = [naming.last_component(folder) for folder in self.folders]
        chosen = [naming.last_component(self.choice)] if self.choice else []
        return [attempts, *chosen]

    @property
    def size(self) -> int:
        """Bytes of all lines."""
        return sum_sizes(self.folders)


class KnownLabels(NamedTuple):
    """The labels to look for."""

    name: str
    labels: Labels
    digest: str  # of the label file

    @property
    def digests(self) -> int:
        """The number of digests in the label file."""
        return self.labels.label_count + len(self.labels.stop)


class Sites(NamedTuple):
    """The neighborhoods of the level of sites whose labels are compared."""

    level: int
    bad: Iterable[str]
    sources: Iterable[str]  # that the user named


def load_known(name: str) -> KnownLabels:
    """Load a label file, or the label file of a run."""
    name = label_files.resolve_name(name)
    return KnownLabels(name, label_files.load(name), label_files.read_digest(name))


def check_recipe(known: KnownLabels, recipe: Recipe) -> None:
    """Refuse labels with another recipe than the pages."""
    label_files.check_recipe(known.name, known.labels, recipe, 'the pages')


def choose_join(option: str, digests: int, width: int, memory: int) -> str:
    """Choose the join for a number of digests, by the memory of a task in megabytes.

    >>> choose_join('auto', 10_000, 20, 400), choose_join('auto', 75_000_000, 20, 400)
    ('map', 'bloom')
    """
    if option != 'auto':
        return option
    # A task touches the digests that are looked up, and copies their first eight bytes.
    needed = digests * (width + PREFIX_BYTES) + TASK_BYTES
    return 'map' if needed <= memory << 20 else 'bloom'


def match_labels(
    chain: Chain, options: MatchingOptions, pages: CrawlPages, known: KnownLabels
) -> Done:
    """Run the step that finds the labels of all pages."""
    width = known.labels.recipe.width
    join = choose_join(options.join, known.digests, width, options.task_memory)
    bloom = chain.run.temporary_name('labels.maybe') if join == 'bloom' else None

    def prepare_inputs() -> list[str]:
        if bloom:
            task_files.write_bloom(bloom, known.labels)
        return pages.folders

    args = {
        'hash': known.labels.recipe.hash,
        'scope': options.stop_scope,
        'distinct': int(options.distinct),
    }
    unhashed = {
        'labels': alias_labels(chain, known),
        'join': 'map' if join == 'map' else 'reduce',
        'maybe': bloom,
        'rate': task_files.BLOOM_RATE,
        'skipped': pages.skipped,
        'bits': partitions.bits_for(pages.size // CHUNK_BYTES),
        'ask-bits': partitions.bits_for(known.labels.label_count, least=2),
    }
    return chain.run_step(
        Step(
            MATCHES.folder,
            MatchLabeled,
            args,
            prepare_inputs,
            [*pages.digest, known.digest],
            unhashed=unhashed,
        )
    )


def alias_labels(chain: Chain, known: KnownLabels) -> str:
    """Make an alias of the label file, as a file for tasks.

    In a file name, mrjob interprets some characters, such as `#`.
    """
    alias = chain.run.temporary_name('known.mrl')
    storage.make_alias(known.name, alias)
    return alias


def write_name_digests(
    chain: Chain, prefixes: Iterable[str], file: str = 'bad'
) -> tuple[int, str]:
    """Write the digests of neighborhoods, sorted, as a file for tasks.

    Returns their number and the file.
    """
    # A table without columns of numbers is a sorted set, which may spill to disk.
    table, names, count = MergeTable([], storage.open_scratch), iter(prefixes), 0
    while some := list(map(name_digest, itertools.islice(names, BATCH_NAMES))):
        table.add(packing.make_rows(b''.join(some), NAME_WIDTH))
    name = chain.run.temporary_name(file)
    with storage.write(name) as stream:
        for rows in table.drain():
            stream.write(rows.keys.tobytes())
            count += len(rows.keys)
    return count, name


def share_labels(chain: Chain, matches: Done, sites: Sites, chunks: int) -> Done | None:
    """Run the step that finds shared labels; None without bad sites."""
    count, name = write_name_digests(chain, sites.bad)
    if not count:
        return None
    named, source_file = write_name_digests(chain, sites.sources, 'sources')
    files = [name, source_file] if named else [name]
    bits = partitions.bits_for(sum_sizes([matches.output]) // LABEL_BYTES)
    step = Step(
        ORIGINS.folder,
        ShareLabels,
        {'level': sites.level, 'chunks': chunks, 'common': origins.COMMON},
        lambda: [matches.output],
        [matches.digest, *map(mapped.file_digest, files), origins.LINES],
        unhashed={'bad': name, 'sources': source_file if named else None, 'bits': bits},
    )
    return chain.run_step(step)


def sum_neighborhoods(chain: Chain, min_chunks: int, matches: Done) -> Done:
    """Run the step that sums the pages of each neighborhood."""
    bits = partitions.bits_for(sum_sizes([matches.output]) // MATCH_BYTES)
    return chain.run_step(
        Step(
            NEIGHBORHOODS.folder,
            NeighborhoodBadness,
            {'min-chunks': min_chunks},
            lambda: [matches.output],
            [matches.digest, domains.LIST_VERSION],
            unhashed={'bits': bits},
        )
    )


def list_places(chain: Chain, matches: Done, known: KnownLabels) -> Done:
    """Run the step that lists the pages of each label, and writes a large table."""
    rows = sum_sizes([matches.output]) // LABEL_BYTES
    bits = partitions.bits_for(rows)
    return sorted_tables.run_step(
        chain,
        Step(
            ALL_PLACES.folder,
            ListPlaces,
            {'hash': known.labels.recipe.hash},
            lambda: [matches.output],
            [matches.digest, known.digest],
            unhashed={'labels': alias_labels(chain, known), 'bits': bits},
        ),
        [PLACES],
        rows,
    )
