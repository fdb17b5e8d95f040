"""SortStyleTables: sort the rows of tables of many rows."""

from mr_reuse.engine.table_job import TableJob
from mr_reuse.styles.table_rows import map_ranks, new_makers


class SortStyleTables(TableJob):
    """Reads the output of DescribeStyles, or that of CompareWithOne."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--ranks', help='File of the driver: numbers of styles')

    def make_makers(self):
        ranks = self.options.ranks
        return new_makers(map_ranks(ranks) if ranks else None)


if __name__ == '__main__':
    SortStyleTables.run()
