"""The review of a run: samples, the web page of a judge, and the tables."""

from mr_reuse.tables.schema import TEXT, Column, Table

JUDGEMENTS = Table(
    name='judgements',
    about='judgements of people on samples of chunks, files, neighborhoods or pages',
    written_by='review',
    order='`time`',
    columns=(
        Column(
            'time', TEXT, 'UTC time of the judgement, such as `2020-01-02T03:04:05Z`'
        ),
        Column('judge', TEXT, 'name of the judge'),
        Column(
            'action',
            TEXT,
            '`judged`, or `undone`, which cancels the previous judgement of the judge',
        ),
        Column('what', TEXT, 'kind of the item: the value of `--what`'),
        Column('item', TEXT, 'hash, prefix, rid or host of the judged item'),
        Column('categories', TEXT, 'names of the categories, separated by `; `'),
        Column('counts', TEXT, '`benign`, `unclear` or `bad`; may be empty'),
        Column('note', TEXT, 'note of the judge; may be empty'),
        Column('place', TEXT, 'position of the item in the sample, from 1'),
        Column('stratum', TEXT, 'stratum of the item'),
        Column('size', TEXT, 'number of rows in the stratum'),
        Column('population', TEXT, 'number of rows from which the sample was drawn'),
        Column('sample', TEXT, 'method and seed of the sample, digest of the rows'),
    ),
    is_append_only=True,
)
TABLES = (JUDGEMENTS,)
