"""Run the jobs that find near-duplicates and phrases, one after another."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from mr_reuse import storage
from mr_reuse.components import connecting, files
from mr_reuse.components.connecting import Components
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.pages import lookup
from mr_reuse.pages.documents import choosing, document_parts, numbering
from mr_reuse.pages.documents.choosing import Documents
from mr_reuse.phrases import covered, page_counts, phrase_steps, sample, sources, texts
from mr_reuse.phrases.jobs.count_popular import CountPopular
from mr_reuse.phrases.jobs.find_near_duplicates import FindNearDuplicates
from mr_reuse.phrases.jobs.find_sources import FindSources
from mr_reuse.phrases.jobs.pick_documents import PickDocuments
from mr_reuse.phrases.jobs.pick_vectors import PickVectors
from mr_reuse.phrases.jobs.read_phrases import ReadPhrases
from mr_reuse.phrases.jobs.sum_hosts import SumHosts
from mr_reuse.phrases.jobs.sum_popular import SumPopular
from mr_reuse.phrases.near_duplicates import KEYS_PER_DOCUMENT
from mr_reuse.phrases.page_counts import Row
from mr_reuse.phrases.phrase_options import PhraseOptions, PhraseRule
from mr_reuse.phrases.popular import PHRASES, PhraseList, unpack_phrases
from mr_reuse.phrases.sample import Sampled
from mr_reuse.phrases.sources import Cover
from mr_reuse.phrases.texts import Phrase
from mr_reuse.phrases.vectors import POSITIONS
from mr_reuse.phrases.verifying import step as verifying
from mr_reuse.phrases.verifying.step import Verification
from mr_reuse.shuffle import ordered_parts, partitions
from mr_reuse.shuffle.partitions import unit_of
from mr_reuse.shuffle.protocol import read_parts

DOCUMENTS_PER_PART = 20_000
COVERED_PER_PART = 100


class Kept(NamedTuple):
    """The documents of a run, without near-duplicates."""

    documents: Documents
    components: Components
    left_out: str  # file with the numbers of those left out, for tasks
    verified: Counter[str]  # pairs that were compared

    @property
    def digests(self) -> list[str]:
        """The digests of the steps, for `depends_on` of later steps."""
        return [*self.documents.digests, self.components.done.digest]

    @property
    def vector_args(self) -> dict[str, Any]:
        """The options of jobs that read vectors, for `Step.unhashed`."""
        return {**self.documents.number_args, 'left-out': self.left_out}


def _bits_for(documents: Documents, rows_per_document: int) -> int:
    return partitions.bits_for(documents.numbering.total * rows_per_document, least=2)


def leave_out_duplicates(
    chain: Chain, documents: Documents, how: Verification | None
) -> Kept:
    """Find the classes of near-duplicates; keep the first document of each."""
    step, total = phrase_steps.EDGES, documents.numbering.total
    edges = chain.run_step(
        Step(
            step.folder,
            FindNearDuplicates,
            {'edges': 'stars' if how else 'any'},
            lambda: [documents.done.output],
            documents.digests,
            unhashed={
                'bits': _bits_for(documents, KEYS_PER_DOCUMENT),
                'left-out': documents.skipped,
                **documents.number_args,
            },
        )
    )
    counts: Counter[str] = Counter()
    if how:
        edges = verifying.verify_pairs(chain, documents, edges, how)
        counts = edges.sum_stats('verified')
    found = connecting.connect_numbers(
        chain, edges, (phrase_steps.STARS, phrase_steps.COMPONENTS), total
    )
    name = chain.run.temporary_name(f'{step.folder}-left-out')
    skipped = choosing.map_numbers(documents.skipped)
    duplicates = files.read_components(step_output.list_sound_parts(found.done.output))
    with storage.write(name) as stream:
        pieces = (rows.numbers for rows in duplicates)
        numbering.write_numbers(stream, files.merge_numbers(pieces, skipped))
    return Kept(documents, found, name, counts)


def count_popular(chain: Chain, kept: Kept, rule: PhraseRule) -> Done:
    """Find the popular shingles."""
    documents = kept.documents
    return chain.run_step(
        Step(
            phrase_steps.POPULAR.folder,
            CountPopular,
            {'popular': rule.popular, 'top': rule.top},
            lambda: [documents.done.output],
            kept.digests,
            unhashed={'bits': _bits_for(documents, POSITIONS), **kept.vector_args},
        )
    )


def sum_pages(chain: Chain, kept: Kept, popular: Done, rule: PhraseRule) -> Done:
    """Count the popular shingles of each page, and draw the sample."""
    documents = kept.documents
    total = documents.numbering.total
    parts = document_parts.parts_for(total, DOCUMENTS_PER_PART, total)
    args = {'covers': rule.covers, 'covers-of': rule.covers_of, 'seed': rule.seed}
    return chain.run_step(
        Step(
            phrase_steps.PAGES.folder,
            SumPopular,
            # The number of partitions is in the names of those of the output.
            {**args, 'parts': parts},
            lambda: [documents.done.output, popular.output],
            [*kept.digests, popular.digest],
            unhashed={
                'skipped': documents.skipped,
                'components': kept.components.file,
                **documents.number_args,
            },
        )
    )


def sum_hosts(chain: Chain, pages: Done) -> Done:
    """Add up the popular shingles of hosts."""
    kept = pages.sum_stats('pages')['kept']
    return chain.run_step(
        Step(
            phrase_steps.HOSTS.folder,
            SumHosts,
            {},
            lambda: [pages.output],
            pages.digest,
            unhashed={'bits': partitions.bits_for(kept, least=2)},
        )
    )


def read_sample(pages: Done, rule: PhraseRule) -> list[Sampled]:
    """Return the pages to cover, in the order of their numbers."""
    parts = step_output.list_sound_parts(pages.output)
    found = map(sample.parse_sampled, ordered_parts.read_in_order(parts, sample.UNIT))
    chosen = found if rule.covers_of else sample.draw_sample(found, rule.covers)
    return sorted(chosen, key=lambda page: page[2])


def find_covers(
    chain: Chain, kept: Kept, popular: Done, pages: Done, sampled: list[Sampled]
) -> Done:
    """Find the covering sets of sampled pages."""
    name = _write_covered(chain, kept, popular, pages, sampled)
    total = kept.documents.numbering.total
    parts = document_parts.few_parts_for(len(sampled), COVERED_PER_PART, total)
    return chain.run_step(
        Step(
            phrase_steps.COVERS.folder,
            FindSources,
            {},
            lambda: [kept.documents.done.output],
            [*kept.digests, popular.digest, pages.digest],
            unhashed={'parts': parts, 'covered': name, **kept.vector_args},
        )
    )


def read_covers(done: Done, sampled: list[Sampled]) -> Iterator[Cover]:
    """Yield the covering sets of sampled pages, in the order of their numbers."""
    parts = step_output.list_sound_parts(done.output)
    found = map(Cover.parse, ordered_parts.read_in_order(parts, sources.COVERS))
    cover = next(found, None)
    for count, _, number in sampled:
        if cover and cover.number == number:
            yield cover
            cover = next(found, None)
        else:  # no other document has a popular shingle of the page
            yield Cover(number, count, [])


def _write_covered(
    chain: Chain, kept: Kept, popular: Done, pages: Done, sampled: list[Sampled]
) -> str:
    """Write the file with the vectors of the pages to cover; return its name."""
    step = phrase_steps.SAMPLE
    wanted = np.array([number for *_, number in sampled], np.uint64)
    done = chain.run_step(
        Step(
            step.folder,
            PickVectors,
            {},
            lambda: [kept.documents.done.output, popular.output],
            [*kept.digests, popular.digest, pages.digest],
            unhashed={
                'wanted': _write_numbers(chain, step.folder, wanted),
                **kept.vector_args,
            },
        )
    )
    name = chain.run.temporary_name(f'{step.folder}-covered')
    parts = step_output.list_sound_parts(done.output)
    with storage.write(name) as stream:
        covered.gather(read_parts(parts), wanted).write(stream)
    return name


def _write_numbers(chain: Chain, folder: str, numbers: np.ndarray) -> str:
    """Write a file of ascending numbers for tasks; return its name."""
    name = chain.run.temporary_name(f'{folder}-wanted')
    with storage.write(name) as stream:
        numbering.write_numbers(stream, [numbers])
    return name


def read_top(popular: Done, top: int) -> PhraseList:
    """Return the popular phrases in most documents."""
    parts = step_output.list_sound_parts(popular.output)
    found = PhraseList.empty()
    for key, value in read_parts(parts):
        if unit_of(key) == PHRASES:
            found = found.join(unpack_phrases(value)).most_frequent(top)
    return found


def pick_rows(chain: Chain, pages: Done, numbers: np.ndarray) -> Done:
    """Pick the pages with some numbers, which ascend."""
    step = phrase_steps.NAMES
    return chain.run_step(
        Step(
            step.folder,
            PickDocuments,
            {},
            lambda: [pages.output],
            [pages.digest, hashlib.sha256(numbers.tobytes()).hexdigest()],
            unhashed={'wanted': _write_numbers(chain, step.folder, numbers)},
        )
    )


def read_rows(picked: Done) -> Iterator[Row]:
    """Yield the pages that were picked, in the order of their numbers."""
    parts = step_output.list_sound_parts(picked.output)
    return map(Row.parse, ordered_parts.read_in_order(parts, page_counts.PAGES))


def read_texts(
    chain: Chain,
    popular: Done,
    picked: Done,
    options: PhraseOptions,
    paths: Mapping[str, str],
) -> Done:
    """Read the words of the popular phrases in most documents."""
    top = read_top(popular, options.rule.top)

    def rows_to_read() -> Iterator[tuple[str, bytes]]:
        rows = read_rows(picked)
        for number, wanted in texts.group_wanted(top):
            row = next(row for row in rows if row.number == number)
            yield row.rid, texts.format_wanted(wanted)

    return chain.run_step(
        Step(
            phrase_steps.TEXTS.folder,
            ReadPhrases,
            {**options.recipe._asdict(), 'top': options.rule.top},
            lambda: lookup.write_rows_to_read(chain.run, rows_to_read(), paths),
            [popular.digest, picked.digest],
        )
    )


def read_phrases(done: Done, top: int) -> list[Phrase]:
    """Return the phrases of the table."""
    parts = step_output.list_sound_parts(done.output)
    found = map(Phrase.parse, ordered_parts.read_in_order(parts, texts.UNIT))
    return texts.keep_first(found, top)
