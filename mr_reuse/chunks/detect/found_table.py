"""Write the tables of labels that occur: `label_counts.tsv` and `places.tsv`.

If `discover` found these labels in the same pages, `labels.tsv` has the rows of
`label_counts.tsv` already. Otherwise a job counts the labels in the page lines.
"""

from collections.abc import Mapping

from mr_reuse import storage
from mr_reuse.chunks.chunk_steps import (
    FOUND,
    FOUND_JOINED,
    FOUND_PREVIEWS,
    FOUND_ROWS,
    PREVIEWS,
)
from mr_reuse.chunks.chunk_tables import LABEL_COUNTS, PLACES
from mr_reuse.chunks.detect import places, steps
from mr_reuse.chunks.detect.copied_chunks import load_matches
from mr_reuse.chunks.detect.steps import CrawlPages, KnownLabels
from mr_reuse.chunks.discover.found_labels import FoundCounts
from mr_reuse.chunks.discover.label_tables import LabelTables
from mr_reuse.chunks.discover.steps import Archives, read_previews
from mr_reuse.chunks.jobs.place_labels import PlaceLabels
from mr_reuse.chunks.tables import label_steps
from mr_reuse.chunks.tables.label_steps import LabelSources
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.rundir import RunDir
from mr_reuse.messages import format_count
from mr_reuse.pages.moved_archives import MOVED
from mr_reuse.shuffle import partitions
from mr_reuse.storage import naming
from mr_reuse.tables import table_files


def copy(chain: Chain, table: str, record: RunRecord) -> None:
    """Copy the table of labels that `discover` has written.

    A large one is made again, by a job, of the output of the step before it. `record`
    is that of the run of the table.
    """
    previews = record.steps.get(PREVIEWS.folder)
    if storage.is_dir(table) and previews and storage.is_dir(previews.output):
        done = Done(previews.output, [], naming.last_component(previews.output))
        label_steps.sort_labels(chain, FOUND_ROWS, LABEL_COUNTS, done)
        return
    rows = (line.rstrip(b'\n') for line in table_files.read_lines(table))
    name = chain.run.join(LABEL_COUNTS.file)
    table_files.write_table(name, LABEL_COUNTS.header, rows)


def reset_previews(run: RunDir) -> None:
    """Let the previews be read again if the table lacks one."""
    if not storage.exists(run.join(LABEL_COUNTS.file)):
        return
    if not all(row.preview for row in table_files.read_rows(run.path, LABEL_COUNTS)):
        run.reset_step(FOUND_PREVIEWS.folder)


def write(
    chain: Chain, known: KnownLabels, pages: CrawlPages, paths: Mapping[str, str]
) -> None:
    """Count the labels in page lines, and write the table.

    `paths` are those of archives by their names in rids.
    """
    found = count_labels(chain, known, pages)
    if label_steps.are_many(known.labels):
        alias = steps.alias_labels(chain, known)
        sources = LabelSources(known.labels, alias, [found], paths)
        tables = label_steps.join_labels(chain, FOUND_JOINED, sources)
    else:
        counts = FoundCounts(known.labels, found.parts)
        tables = LabelTables(known.labels, counts, found.parts)
    archives = Archives(known.labels.recipe, paths, f'; {MOVED}')
    rows = read_previews(chain, archives, tables, found, FOUND_PREVIEWS.folder)
    label_steps.sort_labels(chain, FOUND_ROWS, LABEL_COUNTS, rows)


def count_labels(chain: Chain, known: KnownLabels, pages: CrawlPages) -> Done:
    """Run the step that counts labels and finds their hosts and examples."""
    return chain.run_step(
        Step(
            FOUND.folder,
            PlaceLabels,
            {'hash': known.labels.recipe.hash, 'count': 1},
            lambda: pages.folders,
            [*pages.digest, known.digest],
            unhashed={
                'skipped': pages.skipped,
                'labels': steps.alias_labels(chain, known),
                'bits': partitions.bits_for(pages.size // steps.CHUNK_BYTES),
            },
        )
    )


def write_places(chain: Chain, matches: Done, known: KnownLabels) -> int:
    """List the pages of each label in the matches; return the number of rows."""
    listed = steps.list_places(chain, matches, known)
    return sorted_tables.write_made_table(chain.run, listed, PLACES, places.UNIT)


def write_missing_places(chain: Chain, record: RunRecord) -> str:
    """List the pages of each label of a finished `detect`, and describe the table.

    An existing table is kept: `detect` removes it when it finds other labels or pages.
    """
    name, detected = chain.run.join(PLACES.file), record.detect
    load_matches(chain.run.path, detected)  # refuses labels that have changed
    if storage.exists(name):
        return f'{name}: up to date'
    # The recorded name does not change when the run is moved; the digest of the step
    # depends on it.
    digest = chain.run.read_record().detect.matches
    matches = Done(detected.matches, [], digest)
    rows = write_places(chain, matches, steps.load_known(detected.labels))
    return f'{name}: {format_count(rows, "row")}'
