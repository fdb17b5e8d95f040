"""The documents of a run: numbered, and one chosen of each URL.

The steps are those that a system declares, with its own folders.
"""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.engine import part_files, step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.pages import capture_lines
from mr_reuse.pages.captures import ALL
from mr_reuse.pages.documents import numbering
from mr_reuse.pages.documents.numbering import Numbering
from mr_reuse.pages.jobs.choose_documents import ChooseDocuments
from mr_reuse.pages.jobs.find_repeated_documents import FindRepeatedDocuments
from mr_reuse.shuffle import mapped_digests, partitions
from mr_reuse.storage import mapped


class Documents(NamedTuple):
    """The documents of a run."""

    done: Done  # the step that read them
    numbering: Numbering
    chosen: str  # digest of the choice, for `depends_on` of later steps
    skipped: str | None = None  # file with the numbers of those passed over, for tasks
    passed_over: int = 0

    @property
    def numbers(self) -> str:
        """The file with the numbering, for tasks."""
        return self.numbering.file

    @property
    def number_args(self) -> dict[str, Any]:
        """The options of jobs that number documents, for `Step.unhashed`."""
        return {'numbers': self.numbers, 'total': self.numbering.total}

    @property
    def file_args(self) -> dict[str, Any]:
        """The same, with the documents that are passed over."""
        return {**self.number_args, 'skipped': self.skipped}

    @property
    def digests(self) -> list[str]:
        """The digests of the steps, for `depends_on` of later steps."""
        return [self.done.digest, self.chosen]


def choose_documents(
    chain: Chain, done: Done, steps: tuple[RunStep, RunStep], keep: str
) -> Documents:
    """Number the documents that a step has read, and choose those to keep.

    `steps` are the two that choose: to find repeated URLs, and to choose among them.
    """
    name = chain.run.temporary_name(f'{steps[0].folder}-numbers')
    with storage.write(name) as stream:
        stats = part_files.read_all_stats(done.parts)
        total = numbering.number_batches(stats, stream)
    documents = Documents(done, Numbering(name, total), keep)
    if keep == ALL or not total:
        return documents
    bits = partitions.bits_for(total, least=2)
    found = chain.run_step(
        Step(
            steps[0].folder,
            FindRepeatedDocuments,
            {},
            lambda: [done.output],
            done.digest,
            unhashed={'bits': bits},
        )
    )
    counts = sum(map(Counter, found.stats), Counter())
    if counts['captures'] == counts['urls']:
        return documents
    chosen = _choose(chain, documents, found, steps[1])
    passed_over = sum(map(Counter, chosen.stats), Counter())['passed_over']
    skipped = chain.run.temporary_name(f'{steps[1].folder}-skipped')
    with storage.write(skipped) as stream:
        digests = capture_lines.read_digests(
            step_output.list_sound_parts(chosen.output), 'skipped'
        )
        width = numbering.width_of(total)
        numbering.write_numbers(stream, numbering.from_digests(digests, width))
    return documents._replace(
        skipped=skipped, chosen=chosen.digest, passed_over=passed_over
    )


def _choose(chain: Chain, documents: Documents, found: Done, step: RunStep) -> Done:
    """Run the step that chooses among the documents of repeated URLs."""
    repeated = chain.run.temporary_name(f'{step.folder}-repeated')

    def prepare_inputs() -> list[str]:
        digests = capture_lines.read_digests(found.parts, 'url')
        with storage.write(repeated) as stream:
            mapped_digests.write(stream, digests)
        return [documents.done.output]

    total = documents.numbering.total
    bits = partitions.bits_for(total, least=2)
    files = {'numbers': documents.numbers, 'total': total}
    return chain.run_step(
        Step(
            step.folder,
            ChooseDocuments,
            {'keep': documents.chosen},
            prepare_inputs,
            found.digest,
            unhashed={'repeated': repeated, 'bits': bits, **files},
        )
    )


def map_numbers(name: str | None) -> np.ndarray:
    """Map a file of ascending numbers into memory; empty without a name."""
    if not name:
        return np.zeros(0, np.uint64)
    return np.frombuffer(mapped.map_bytes(name), np.uint64)
