"""The steps of `detect`: pages and labels in, neighborhoods out."""

from collections.abc import Iterable
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.archives import domains
from mr_reuse.chunks.chunk_steps import MATCHES, NEIGHBORHOODS, ORIGINS
from mr_reuse.chunks.detect import origins
from mr_reuse.chunks.detect.detect_options import MatchingOptions
from mr_reuse.chunks.jobs.match_labeled import MatchLabeled
from mr_reuse.chunks.jobs.neighborhood_badness import NeighborhoodBadness
from mr_reuse.chunks.jobs.share_labels import ShareLabels
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.shuffle import partitions
from mr_reuse.shuffle.bloom import Bloom
from mr_reuse.shuffle.partitions import name_digest
from mr_reuse.storage import mapped, naming

TASK = 160 << 20  # bytes that a task needs besides the labels
RATE = 0.01  # false positive rate of the Bloom filter of `--join bloom`
# Bytes of a row, to estimate the number of rows before a step: a chunk of a page line,
# a match, a label of a match.
CHUNK, MATCH, LABEL = 32, 100, 16


class KnownLabels(NamedTuple):
    """The labels to look for."""

    name: str
    labels: Labels
    digest: str  # of the label file

    @property
    def count(self) -> int:
        """The number of labels of chunks and of files."""
        return len(self.labels.chunks) + len(self.labels.files)

    @property
    def size(self) -> int:
        """The number of digests that a task of `--join map` looks up."""
        return self.count + len(self.labels.stop)


def load_known(name: str) -> KnownLabels:
    """Load a label file, or the label file of a run."""
    name = label_files.resolve_name(name)
    return KnownLabels(name, label_files.load(name), mapped.file_digest(name))


def check_recipe(wanted: KnownLabels, recipe: Recipe) -> None:
    """Refuse labels with another recipe than the pages."""
    label_files.check_recipe(wanted.name, wanted.labels, recipe, 'the pages')


def choose_join(option: str, count: int, width: int, memory: int) -> str:
    """Choose the join for a number of digests, by the memory of a task in megabytes.

    >>> choose_join('auto', 10_000, 20, 400), choose_join('auto', 75_000_000, 20, 400)
    ('map', 'bloom')
    """
    if option != 'auto':
        return option
    # A task touches the digests that are looked up, and copies their first eight bytes.
    needed = count * (width + 8) + TASK
    return 'map' if needed <= memory << 20 else 'bloom'


def match_labels(
    chain: Chain, options: MatchingOptions, folders: list[str], wanted: KnownLabels
) -> Done:
    """Run the step that finds the labels of all pages."""
    width = wanted.labels.recipe.width
    join = choose_join(options.join, wanted.size, width, options.task_memory)
    maybe = chain.run.temporary_name('labels.maybe') if join == 'bloom' else None

    # In a file name, mrjob interprets some characters, such as `#`.
    labels = chain.run.temporary_name('known.mrl')
    storage.make_alias(wanted.name, labels)

    def inputs() -> list[str]:
        if maybe:
            write_bloom(maybe, wanted)
        return folders

    args = {
        'hash': wanted.labels.recipe.hash,
        'scope': options.stop_scope,
        'distinct': int(options.distinct),
    }
    unhashed = {
        'labels': labels,
        'join': 'map' if join == 'map' else 'reduce',
        'maybe': maybe,
        'rate': RATE,
        'bits': partitions.bits_for(sum(map(size_of, folders)) // CHUNK),
        'ask-bits': partitions.bits_for(wanted.count, least=2),
    }
    made = [[naming.last_component(folder) for folder in folders], wanted.digest]
    return chain.run_step(
        Step(MATCHES.folder, MatchLabeled, args, inputs, made, unhashed=unhashed)
    )


def size_of(output: str) -> int:
    """Return the bytes in the part files of a step."""
    return sum(part.size for part in storage.list_parts(output))


def write_bloom(name: str, wanted: KnownLabels) -> None:
    """Write a Bloom filter of all labels, as a file for tasks."""
    bloom = Bloom(wanted.count, RATE)
    bloom.add(wanted.labels.chunks).add(wanted.labels.files)
    with storage.write(name) as stream:
        stream.write(bloom.data)


def write_hashes(chain: Chain, prefixes: Iterable[str]) -> tuple[list[bytes], str]:
    """Write the digests of neighborhoods, as a file for tasks; return both."""
    hashes, name = sorted(map(name_digest, prefixes)), chain.run.temporary_name('bad')
    with storage.write(name) as stream:
        stream.write(b''.join(hashes))
    return hashes, name


def share_labels(
    chain: Chain, matches: Done, bad: Iterable[str], level: int, chunks: int
) -> list[str]:
    """Run the step that finds shared labels; return its part files.

    Without bad neighborhoods no job runs.
    """
    hashes, name = write_hashes(chain, bad)
    if not hashes:
        return []
    args = {'level': level, 'chunks': chunks, 'common': origins.COMMON}
    made = [matches.digest, mapped.file_digest(name)]
    pages = [matches.output]
    unhashed = {
        'bad': name,
        'bits': partitions.bits_for(size_of(matches.output) // LABEL),
    }
    step = Step(
        ORIGINS.folder, ShareLabels, args, lambda: pages, made, unhashed=unhashed
    )
    return chain.run_step(step).parts


def sum_neighborhoods(chain: Chain, min_chunks: int, matches: Done) -> Done:
    """Run the step that sums the pages of each neighborhood."""
    args = {'min-chunks': min_chunks}
    inputs, made_of = lambda: [matches.output], [matches.digest, domains.LIST_VERSION]
    unhashed = {'bits': partitions.bits_for(size_of(matches.output) // MATCH)}
    return chain.run_step(
        Step(
            NEIGHBORHOODS.folder,
            NeighborhoodBadness,
            args,
            inputs,
            made_of,
            unhashed=unhashed,
        )
    )
