"""Run the job that compares near-duplicates by all of their phrases."""

from fractions import Fraction
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.pages.documents import document_parts
from mr_reuse.pages.documents.choosing import Documents
from mr_reuse.phrases import phrase_steps
from mr_reuse.phrases.jobs.verify_pairs import VerifyPairs
from mr_reuse.phrases.phrase_options import WordRecipe
from mr_reuse.shuffle import mapped_paths, partitions
from mr_reuse.shuffle.mapped_paths import Archives

DOCUMENTS_PER_PART = 10_000


class Verification(NamedTuple):
    """How pairs are compared."""

    least: Fraction  # resemblance of a pair
    recipe: WordRecipe
    archives: Archives


def verify_pairs(
    chain: Chain, documents: Documents, pairs: Done, how: Verification
) -> Done:
    """Compare pairs of documents, which are the edges that a step has written."""
    step, total = phrase_steps.VERIFIED, documents.numbering.total
    name = chain.run.temporary_name(f'{step.folder}-paths')

    def prepare_inputs() -> list[str]:
        with storage.write(name) as stream:
            mapped_paths.write(stream, how.archives.entries())
        return [documents.done.output, pairs.output]

    return chain.run_step(
        Step(
            step.folder,
            VerifyPairs,
            {**how.recipe._asdict(), 'verify': str(how.least)},
            prepare_inputs,
            [*documents.digests, pairs.digest],
            unhashed={
                'bits': partitions.bits_for(total, least=2),
                'parts': document_parts.parts_for(total, DOCUMENTS_PER_PART, total),
                'numbers': documents.numbers,
                'total': total,
                'paths': name,
            },
        )
    )
