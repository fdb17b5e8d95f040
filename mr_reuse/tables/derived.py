"""What was made of the tables of a run, when these are made anew.

What is read as if it were of them is removed: it is made again in no time. Copies,
which somebody may have worked on, and tables that took long are left. Both are told.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.messages import typed
from mr_reuse.storage import naming

DISCOVERED = ('labels', 'file_labels', 'frequency')
OF_LABELS = (
    *('pages', 'bad_pages', 'neighborhoods', 'bad_neighborhoods'),
    *('origins', 'file_matches'),
)
DETECTED = (*OF_LABELS, 'links', 'rings')
FORMATS = ('parquet', 'jsonl', 'csv')


class Made(NamedTuple):
    """Files that are made of some tables, and what makes them."""

    names: list[str]
    kept: bool  # when the tables are made anew
    command: tuple[str, ...]


def remove(run: str, tables: Collection[str]) -> list[str]:
    """Remove what was made of these tables; what is of older ones, for people."""
    there, lines = set(storage.listing(run)), []
    for made in made_of(tables):
        old = [name for name in made.names if name in there]
        if not old:
            continue
        for name in old if not made.kept else ():
            storage.remove(naming.join(run, name))
        what = 'left, though of older results' if made.kept else 'removed'
        again = typed(made.command[0], *(w or run for w in made.command[1:]))
        lines.append(f'{what}: {", ".join(old)}; made anew by: {again}')
    return lines


def made_of(tables: Collection[str]) -> Iterator[Made]:
    """What is made of some tables; '' in a command stands for the run.

    >>> [(made.names[0], made.kept) for made in made_of(['labels'])][:3]
    [('report.html', False), ('pages.tsv', True), ('labels.parquet', True)]
    """
    yield Made(['report.html'], False, ('report', ''))
    if 'labels' in tables:
        tables_of_labels = [f'{name}.tsv' for name in OF_LABELS]
        yield Made(tables_of_labels, True, ('detect', '-o', ''))
    if 'origins' in tables:
        yield Made(['links.tsv', 'rings.tsv'], False, ('links', ''))
    for form in FORMATS:
        names = [f'{name}.{form}' for name in tables]
        yield Made(names, True, ('export', '', '--format', form))
