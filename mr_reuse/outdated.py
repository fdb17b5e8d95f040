"""What was made of the tables of a run, and goes when these are made anew.

So whatever lies in a run directory is of the tables beside it.
"""

from collections.abc import Collection, Iterator

from mr_reuse import storage
from mr_reuse.cli import typed
from mr_reuse.rundir import RunDir

DISCOVERED = ('labels', 'file_labels', 'frequency')
DETECTED = (
    *('pages', 'bad_pages', 'neighborhoods', 'bad_neighborhoods'),
    *('origins', 'file_matches', 'links', 'rings'),
)
LINKS = ('links.tsv', 'rings.tsv')
FORMATS = ('parquet', 'jsonl', 'csv')


def remove(run: RunDir, tables: Collection[str]) -> list[str]:
    """Remove what is of these tables as they were; what was removed, for people."""
    there, lines = set(storage.listing(run.path)), []
    for names, command, *words in made_of(tables):
        old = [name for name in names if name in there]
        for name in old:
            storage.remove(run.join(name))
        if old:
            again = typed(command, run.path, *words)
            told = f'removed, being of older results: {", ".join(old)}'
            lines.append(f'{told}; made anew by: {again}')
    return lines


def made_of(tables: Collection[str]) -> Iterator[tuple]:
    """Files that are made of some tables, and what makes them.

    >>> for made in made_of(['labels']): print(*made)
    ['report.html'] report
    ['labels.parquet'] export --format parquet
    ['labels.jsonl'] export --format jsonl
    ['labels.csv'] export --format csv
    """
    yield ['report.html'], 'report'
    if 'links' in tables:
        yield LINKS, 'links'
    for form in FORMATS:
        names = [f'{name}.{form}' for name in tables]
        yield names, 'export', '--format', form
