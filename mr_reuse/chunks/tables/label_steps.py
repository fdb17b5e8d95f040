"""Write the tables of labels from the output of ReadPreviews."""

from mr_reuse.chunks.jobs.sort_rows import SortRows
from mr_reuse.chunks.tables import makers
from mr_reuse.chunks.tables.makers import RowOptions
from mr_reuse.engine import sorted_tables
from mr_reuse.engine.chain import Chain, Done
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.engine.sorted_tables import Sorting
from mr_reuse.tables.schema import Table


def sort_labels(chain: Chain, step: RunStep, table: Table, previews: Done) -> None:
    """Write a table of labels with their previews, most copied first.

    `step` is the one that sorts a large table.
    """
    options = RowOptions(table.name)
    sorting = Sorting(
        step.folder,
        SortRows,
        lambda: makers.make_makers(options),
        [previews.output],
        options.as_args(),
        [previews.digest],
        {},
    )
    sorted_tables.write_tables(chain, sorting)
