"""Run the jobs that compare documents with known ones, one after another."""

from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.engine import sorted_tables, step_output
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.sorted_tables import Sorting
from mr_reuse.engine.step_record import digest_of
from mr_reuse.styles import common, style_steps
from mr_reuse.styles.jobs.match_known import MatchKnown
from mr_reuse.styles.jobs.name_matches import NameMatches
from mr_reuse.styles.jobs.sort_style_tables import SortStyleTables
from mr_reuse.styles.match import buckets, pairing
from mr_reuse.styles.steps import Prints
from mr_reuse.styles.style_file import StyleFile
from mr_reuse.styles.style_options import ClusterRule
from mr_reuse.styles.style_tables import STYLE_MATCHES
from mr_reuse.styles.table_rows import new_makers
from mr_reuse.text.noise.parameters import probed_dimensions


class KnownFiles(NamedTuple):
    """A style file, and the files that are made of it for tasks."""

    digest: str  # of the style file, and of what is compared
    file: str
    buckets: str
    ignored: str | None  # values that count as empty


def make_files(chain: Chain, name: str, known: StyleFile, is_exact: bool) -> KnownFiles:
    """Make the files for tasks of the style file of a name."""
    folder, header = style_steps.MATCHES.folder, known.header
    # In a file name, mrjob interprets some characters, such as `#`.
    file, buckets_file, ignored = (
        chain.run.temporary_name(f'{folder}-{part}')
        for part in ('known', 'buckets', 'ignored')
    )
    storage.make_alias(name, file)
    likeness = ClusterRule(header.t, header.p, exact=is_exact).likeness
    probed = probed_dimensions(header.m, header.p)
    with storage.write(buckets_file) as stream:
        buckets.write_buckets(stream, known, probed, likeness)
    has_ignored = bool(len(known.ignored.keys))
    if has_ignored:
        common.write_values(ignored, known.ignored)
    digest = digest_of([known.digest, is_exact])
    return KnownFiles(digest, file, buckets_file, ignored if has_ignored else None)


def find_matches(chain: Chain, prints: Prints, known: KnownFiles) -> Done:
    """Find the documents that are alike a known one."""
    documents = prints.documents
    return chain.run_step(
        Step(
            style_steps.MATCHES.folder,
            MatchKnown,
            prints.shape_args,
            lambda: [documents.done.output],
            [*prints.digests, known.digest],
            unhashed={
                **documents.file_args,
                'common': known.ignored,
                'known': known.file,
                'buckets': known.buckets,
            },
        )
    )


def write_table(chain: Chain, prints: Prints, known: KnownFiles, matches: Done) -> None:
    """Name the documents that were found, and write the table."""
    documents, folder = prints.documents, style_steps.NAMES.folder
    file = chain.run.temporary_name(f'{folder}-matches')
    parts = step_output.list_sound_parts(matches.output)
    pairing.write_matches(file, parts, documents.numbering.total)
    named = chain.run_step(
        Step(
            folder,
            NameMatches,
            {},
            lambda: [documents.done.output],
            [*prints.digests, matches.digest],
            unhashed={**documents.number_args, 'known': known.file, 'matches': file},
        )
    )
    how = Sorting(
        style_steps.MATCH_TABLE.folder,
        SortStyleTables,
        lambda: new_makers(None, STYLE_MATCHES.name),
        [named.output],
        {'table': STYLE_MATCHES.name},
        [named.digest],
        {},
    )
    sorted_tables.write_tables(chain, how)
