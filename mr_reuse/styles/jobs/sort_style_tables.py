"""SortStyleTables: sort the rows of tables of many rows."""

from mr_reuse.engine.table_job import TableJob
from mr_reuse.styles.style_tables import NEAR
from mr_reuse.styles.table_rows import map_ranks, new_makers


class SortStyleTables(TableJob):
    """Reads the output of DescribeStyles, CompareWithOne or NameMatches."""

    def configure_args(self):
        super().configure_args()
        self.add_file_arg('--ranks', help='File of the driver: numbers of styles')
        text = 'The table of an input without styles. Default: %(default)s'
        self.add_passthru_arg('--table', default=NEAR.name, help=text)

    def make_makers(self):
        ranks = self.options.ranks
        return new_makers(map_ranks(ranks) if ranks else None, self.options.table)


if __name__ == '__main__':
    SortStyleTables.run()
