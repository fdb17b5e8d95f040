"""The steps that choose among the captures of each URL, and the file that they make."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.chunk_steps import CAPTURES, CHOOSE, COUNTS, MATCHES, URLS
from mr_reuse.chunks.jobs.choose_captures import ChooseCaptures
from mr_reuse.chunks.jobs.find_repeated_urls import FindRepeatedUrls
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.rundir import RunDir
from mr_reuse.pages import capture_lines
from mr_reuse.pages.captures import ALL, Choice
from mr_reuse.pages.planning import Pages
from mr_reuse.pages.skipped import SkippedCaptures
from mr_reuse.shuffle import mapped_digests, partitions
from mr_reuse.storage import mapped

SMALL_LINES = 256 << 20  # bytes of page lines; one task reads them in half a second
PAGE_BYTES = 1_000  # of a page line, to estimate the number of captures


def select_steps(steps: Iterable[RunStep], keep: str) -> tuple[RunStep, ...]:
    """Leave out the steps of this module if all captures are kept.

    >>> from mr_reuse.chunks.chunk_steps import BUILD_LABELS, DISCOVER
    >>> select_steps(DISCOVER, 'all')[:3] == BUILD_LABELS
    True
    """
    return tuple(step for step in steps if keep != ALL or step not in CHOOSE)


def choose(chain: Chain, pages: Pages, keep: str) -> Pages:
    """Choose among the captures of all pages; return the pages with the choice."""
    if keep == ALL:
        return pages
    had_all = has_results_of_all(chain.run)
    found = find_repeated(chain, pages)
    counts = sum_counts(found)
    choice = Choice(keep, counts['captures'], counts['urls'])
    if choice.captures == choice.urls:
        return pages._replace(choice=choice)
    chosen = choose_captures(chain, pages, keep, found)
    choice = choice._replace(**sum_counts(chosen), folder=chosen.digest)
    if had_all:
        chain.display.report(
            f'captures: all {choice.captures:,} were searched before; '
            f'{choice.passed_over:,} are left out now (--captures all keeps them)'
        )
    skipped = write_skipped(chain, chosen.output)
    return pages._replace(choice=choice, skipped=skipped)


def sum_counts(done: Done) -> Counter[str]:
    """Sum the counts of all tasks of a step."""
    return sum(map(Counter, done.stats), Counter())


def has_results_of_all(run: RunDir) -> bool:
    """Test whether a run has results of all captures, as those of older versions."""
    has_results = any(run.read_step(step.folder) for step in (COUNTS, MATCHES))
    return has_results and not run.read_step(URLS.folder)


def find_repeated(chain: Chain, pages: Pages) -> Done:
    """Run the step that finds the URLs with several captures."""
    targets = [pages.targets.digest] if pages.targets else []
    return chain.run_step(
        Step(
            URLS.folder,
            FindRepeatedUrls,
            {},
            lambda: pages.capture_folders,
            [pages.done.digest, pages.old_folders, *targets],
            SMALL_LINES,
            unhashed={'bits': choose_bits(pages.capture_folders)},
        )
    )


def choose_bits(folders: Iterable[str]) -> int:
    """Choose the number of partitions for page lines, as bits."""
    sizes = (part.size for name in folders for part in storage.list_parts(name))
    return partitions.bits_for(sum(sizes) // PAGE_BYTES, least=2)


def choose_captures(chain: Chain, pages: Pages, keep: str, found: Done) -> Done:
    """Run the step that chooses among the captures of repeated URLs."""
    repeated = chain.run.temporary_name('repeated')

    def prepare_inputs() -> list[str]:
        digests = capture_lines.read_digests(found.parts, 'url')
        with storage.write(repeated) as stream:
            mapped_digests.write(stream, digests)
        return pages.capture_folders

    bits = choose_bits(pages.capture_folders)
    return chain.run_step(
        Step(
            CAPTURES.folder,
            ChooseCaptures,
            {'keep': keep},
            prepare_inputs,
            [found.digest],
            unhashed={'repeated': repeated, 'bits': bits},
        )
    )


def write_skipped(chain: Chain, folder: str | None) -> str | None:
    """Write the file of skipped captures for tasks; None if a run keeps all.

    `folder` is the output of ChooseCaptures.
    """
    if not folder:
        return None
    name = chain.run.temporary_name('skipped')
    with storage.write(name) as stream:
        mapped_digests.write(stream, read_skipped(folder))
    return name


def read_skipped(folder: str) -> Iterator[np.ndarray]:
    """Yield the digests of skipped captures from the output of ChooseCaptures."""
    return capture_lines.read_digests(step_output.list_sound_parts(folder), 'skipped')


def load_skipped(record: RunRecord) -> SkippedCaptures:
    """Load the skipped captures of a run, for a command that runs no jobs."""
    if not record.skipped:
        return SkippedCaptures()
    with storage.open_scratch() as stream:
        mapped_digests.write(stream, read_skipped(record.skipped))
        return SkippedCaptures(mapped.map_stream(stream))
