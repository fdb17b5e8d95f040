"""Run the jobs that find styles, one after another."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mr_reuse.components import connecting
from mr_reuse.components.connecting import Components
from mr_reuse.engine import step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.pages.documents import choosing, document_parts
from mr_reuse.pages.documents.choosing import Documents
from mr_reuse.pages.documents.document_rows import RowReader
from mr_reuse.pages.documents.numbering import Numbers
from mr_reuse.shuffle import partitions
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.storage import mapped
from mr_reuse.styles import common, fingerprints, style_steps
from mr_reuse.styles.fingerprints import FingerprintReader, Fingerprints, Shape
from mr_reuse.styles.jobs.describe_styles import DescribeStyles
from mr_reuse.styles.jobs.find_alike import FindAlike
from mr_reuse.styles.jobs.find_common_values import FindCommonValues
from mr_reuse.styles.style_options import ClusterRule, Recipe

DOCUMENTS_PER_PART = 20_000


class Prints(NamedTuple):
    """The fingerprints of the documents of a run."""

    documents: Documents
    shape: Shape
    common: Done | None = None  # the step that found common values
    common_file: str | None = None  # for tasks
    file: str | None = None  # all fingerprints, for tasks
    count: int = 0  # of the documents with one

    @property
    def digests(self) -> list[str]:
        """The digests of the steps, for `depends_on` of later steps."""
        return [*self.documents.digests, *([self.common.digest] if self.common else [])]

    @property
    def shape_args(self) -> dict[str, Any]:
        """The options of jobs that read fingerprints."""
        return {'m': self.shape.m, 'key-bits': self.shape.bits}

    @property
    def file_args(self) -> dict[str, Any]:
        """The options with files of the driver, for `Step.unhashed`."""
        names = {'common': self.common_file, 'prints': self.file}
        return {**self.documents.file_args, **names}

    def read(self) -> Iterator[Fingerprints]:
        """Yield the fingerprints of all documents that are not passed over."""
        documents = self.documents
        numbers = Numbers(mapped.map_bytes(documents.numbers))
        skipped = choosing.map_numbers(documents.skipped)
        rows = RowReader(self.shape.width, numbers, skipped)
        found = common.map_common(self.common_file)
        reader = FingerprintReader(rows, self.shape, found)
        parts = step_output.list_sound_parts(documents.done.output)
        for key, value in read_parts(parts):
            if fingerprints.is_fingerprint_line(key):
                yield reader.read(value)


def collect_prints(
    chain: Chain, documents: Documents, recipe: Recipe, rule: ClusterRule
) -> Prints:
    """Bring all fingerprints into one file for tasks, without common values."""
    prints = Prints(documents, Shape(recipe.m, recipe.bits))
    if rule.ignore is not None:
        prints = _leave_out_common(chain, prints, rule)
    name = chain.run.temporary_name(f'{style_steps.EDGES.folder}-prints')
    count = fingerprints.write_file(name, prints.read(), prints.shape)
    return prints._replace(file=name, count=count)


def _leave_out_common(chain: Chain, prints: Prints, rule: ClusterRule) -> Prints:
    """Find the values that are on more than a share of all domains."""
    step, total = style_steps.COMMON, prints.documents.numbering.total
    domains = common.count_domains(prints.read())
    file_args = {k: v for k, v in prints.file_args.items() if k != 'prints'}
    done = chain.run_step(
        Step(
            step.folder,
            FindCommonValues,
            {**prints.shape_args, 'least': common.least_common(rule.ignore, domains)},
            lambda: [prints.documents.done.output],
            prints.digests,
            unhashed={
                'bits': partitions.bits_for(total * prints.shape.m, least=2),
                **file_args,
            },
        )
    )
    name = chain.run.temporary_name(f'{step.folder}-values')
    found = common.read_common(step_output.list_sound_parts(done.output))
    common.write_values(name, found)
    return prints._replace(common=done, common_file=name)


def find_edges(chain: Chain, prints: Prints, rule: ClusterRule) -> Done:
    """Find the documents that are alike."""
    documents = prints.documents
    rows = documents.numbering.total * rule.p
    return chain.run_step(
        Step(
            style_steps.EDGES.folder,
            FindAlike,
            {
                **prints.shape_args,
                't': rule.t,
                'p': rule.p,
                'normalize-empty': int(rule.normalize_empty),
                'exact': int(rule.exact),
            },
            lambda: [documents.done.output],
            prints.digests,
            unhashed={
                'bits': partitions.bits_for(rows, least=2),
                **prints.file_args,
            },
        )
    )


def connect(chain: Chain, prints: Prints, edges: Done) -> Components:
    """Find the clusters of documents."""
    total = prints.documents.numbering.total
    steps = style_steps.STARS, style_steps.COMPONENTS
    return connecting.connect_numbers(chain, edges, steps, total)


def describe_styles(
    chain: Chain, prints: Prints, clusters: Components, rule: ClusterRule
) -> Done:
    """Find the prototype of each cluster, and how similar its documents are."""
    documents = prints.documents
    total = documents.numbering.total
    parts = document_parts.parts_for(total, DOCUMENTS_PER_PART, total)
    file_args = {k: v for k, v in prints.file_args.items() if k != 'common'}
    return chain.run_step(
        Step(
            style_steps.STYLES.folder,
            DescribeStyles,
            {
                **prints.shape_args,
                'normalize-empty': int(rule.normalize_empty),
                # The number of partitions is in the names of those of the output.
                'parts': parts,
            },
            lambda: [documents.done.output],
            [*prints.digests, clusters.done.digest],
            unhashed={**file_args, 'components': clusters.file},
        )
    )
