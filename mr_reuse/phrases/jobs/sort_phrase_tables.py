"""SortPhraseTables: sort the rows of tables of many rows."""

from mr_reuse.engine.table_job import TableJob
from mr_reuse.phrases.table_rows import new_makers


class SortPhraseTables(TableJob):
    """Reads the output of SumPopular and of SumHosts."""

    def make_makers(self):
        return new_makers()


if __name__ == '__main__':
    SortPhraseTables.run()
