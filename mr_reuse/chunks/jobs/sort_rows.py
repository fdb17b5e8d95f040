"""SortRows: sort the rows of tables of many rows."""

from mr_reuse.chunks.detect.badness import RANKS, RATIOS
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.tables import makers
from mr_reuse.engine.table_job import TableJob


class SortRows(TableJob):
    """The mappers make rows of the output of a step; the reducers sort them.

    Without `--mark` the reducers write the rows in lines, not into parts of a table.
    """

    def configure_args(self):
        super().configure_args()
        add, default = self.add_passthru_arg, makers.RowOptions()
        text = 'Names of the tables, separated by commas. Default: %(default)s'
        add('--tables', default=default.tables, help=text)
        text = 'Levels of neighborhoods, as in detect. Default: %(default)s'
        add('--levels', default=default.levels, help=text)
        text = 'Ratio of neighborhoods to judge. Default: %(default)s'
        add('--ratio', choices=RATIOS, default=default.ratio, help=text)
        text = 'Order of bad rows. Default: %(default)s'
        add('--rank', choices=RANKS, default=default.rank, help=text)
        text = 'Least number of labels of a bad neighborhood. Default: %(default)s'
        add('--min-bad', type=int, default=default.min_bad, help=text)
        text = 'Least number of chunks of a page to judge. Default: %(default)s'
        add('--min-chunks', type=int, default=default.min_chunks, help=text)
        text = 'Highest ratios that are not bad, in 10^-12: LEVEL:RATIO,…'
        add('--limits', default=default.limits, help=text)
        self.add_file_arg('--labels', help='Label file, for the matches of files')

    def make_makers(self):
        options = makers.RowOptions.from_args(self.options)
        labels = None
        if self.options.labels:
            labels = label_files.load(self.options.labels, is_trusted=True)
        return makers.make_makers(options, labels)


if __name__ == '__main__':
    SortRows.run()
