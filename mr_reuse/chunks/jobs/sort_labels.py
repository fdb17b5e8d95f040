"""SortLabels: sort the rows of a large table of labels."""

from mr_reuse.chunks.chunk_tables import LABEL_COUNTS, LABELS
from mr_reuse.chunks.tables.label_rows import LabelRows
from mr_reuse.engine.table_job import TableJob

BY_NAME = {table.name: table for table in (LABELS, LABEL_COUNTS)}


class SortLabels(TableJob):
    """The mappers make rows of labels with previews; the reducers sort them.

    Without `--mark` the reducers write the rows in lines, not into parts of a table.
    """

    def configure_args(self):
        super().configure_args()
        text = 'Name of the table. Default: %(default)s'
        self.add_passthru_arg(
            '--table', choices=tuple(BY_NAME), default=LABELS.name, help=text
        )

    def make_makers(self):
        return [LabelRows(BY_NAME[self.options.table])]


if __name__ == '__main__':
    SortLabels.run()
