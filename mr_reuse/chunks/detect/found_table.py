"""Write `label_counts.tsv`: the labels that occur in the pages of a run.

If `discover` found these labels in the same pages, `labels.tsv` has these rows already.
Otherwise a job counts the labels in the page lines.
"""

from collections.abc import Mapping

from mr_reuse.chunks.chunk_steps import FOUND, FOUND_PREVIEWS
from mr_reuse.chunks.chunk_tables import LABEL_COUNTS
from mr_reuse.chunks.detect import steps
from mr_reuse.chunks.detect.steps import CrawlPages, KnownLabels
from mr_reuse.chunks.discover.found_labels import FoundCounts
from mr_reuse.chunks.discover.label_tables import LabelTables, sort_chunk_rows
from mr_reuse.chunks.discover.steps import Archives, read_previews
from mr_reuse.chunks.jobs.place_labels import PlaceLabels
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.shuffle import partitions
from mr_reuse.tables import table_files


def copy(chain: Chain, table: str) -> None:
    """Copy the table of labels that `discover` has written."""
    rows = (line.rstrip(b'\n') for line in table_files.read_lines(table))
    name = chain.run.join(LABEL_COUNTS.file)
    table_files.write_table(name, LABEL_COUNTS.header, rows)


def write(
    chain: Chain, known: KnownLabels, pages: CrawlPages, paths: Mapping[str, str]
) -> None:
    """Count the labels in page lines, and write the table.

    `paths` are those of archives by their names in rids.
    """
    found = count_labels(chain, known, pages)
    counts = FoundCounts(known.labels, found.parts)
    tables = LabelTables(known.labels, counts, found.parts)
    archives = Archives(known.labels.recipe, paths)
    rows = read_previews(chain, archives, tables, found, FOUND_PREVIEWS.folder)
    name = chain.run.join(LABEL_COUNTS.file)
    table_files.write_table(name, LABEL_COUNTS.header, sort_chunk_rows(rows.parts))


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
