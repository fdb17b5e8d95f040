"""The tables of `compare`: the differences between two runs."""

from mr_reuse.tables.columns import CHUNK_HASH, EXAMPLE, LENGTH, LEVEL, PREFIX, PREVIEW
from mr_reuse.tables.schema import COUNT, RATIO, TEXT, Column, Table

LABEL_CHANGES = Table(
    name='label_changes',
    about='labels that differ between two runs',
    written_by='compare',
    order='`change`, in the order below, then the largest difference first',
    columns=(
        Column(
            'change',
            TEXT,
            '`moved` if no host that had it has it now, and another one does; '
            '`appeared`, `now above the threshold`, or `no longer excluded` (too '
            'short, or on the stop list) if it is a label in the new run only; '
            '`vanished`, `now below the threshold`, or `now excluded` if it is a label '
            'in the old run only; `grew` or `shrank`',
        ),
        CHUNK_HASH,
        LENGTH,
        Column('before', COUNT, 'copies in the old run; empty if it has none'),
        Column('after', COUNT, 'copies in the new run; empty if it has none'),
        EXAMPLE._replace(
            about='shortest URL of a page with a copy, in the new run if it has any'
        ),
        PREVIEW,
        Column('moved_from', TEXT, 'such a URL in the old run, if the label has moved'),
    ),
)
NEIGHBORHOOD_CHANGES = Table(
    name='neighborhood_changes',
    about='neighborhoods that differ between two runs, and are bad in at least one',
    written_by='compare',
    order='`change`, in the order below, then the largest difference first',
    columns=(
        Column(
            'change',
            TEXT,
            '`turned bad`, `new and bad`, `turned good`, `gone`, `got worse` or '
            '`got better`',
        ),
        PREFIX,
        LEVEL,
        Column('before', RATIO, '`pooled` in the old run; empty if it has no chunks'),
        Column('after', RATIO, '`pooled` in the new run; empty if it has no chunks'),
        Column('bad_before', COUNT, '`bad` in the old run; empty if it is not in it'),
        Column('bad_after', COUNT, '`bad` in the new run; empty if it is not in it'),
    ),
)
TABLES = (LABEL_CHANGES, NEIGHBORHOOD_CHANGES)
