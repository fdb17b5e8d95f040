"""What has changed between two runs: labels and neighborhoods.

A label has appeared, vanished, grown or shrunk. A neighborhood has turned bad or good,
has got worse or better while it was bad in both, or was in one of the crawls only.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from mr_reuse import storage
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine.rundir import finished
from mr_reuse.errors import UserError
from mr_reuse.messages import put, warn
from mr_reuse.shuffle import sorting
from mr_reuse.storage import naming
from mr_reuse.tables import table_files

LABELS, BAD, ALL = 'labels.tsv', 'bad_neighborhoods.tsv', 'neighborhoods.tsv'
TOP = 5
MOST = 10**20 - 1
EPILOG = """\
results in DIR:
  label_changes.tsv         all labels that have changed, and how
  neighborhood_changes.tsv  the same for neighborhoods
"""

Row = list[str]
Sides = dict[str, Row]  # '0labels.tsv': the row of the old run, '1…': of the new one


class Change(NamedTuple):
    """Something that has changed; None where it was not."""

    word: str
    before: int | None
    after: int | None
    row: list[str]

    def line(self, words: tuple[str, ...]) -> bytes:
        """The row with what sorts it: by kind of change, the largest first."""
        size = abs((self.after or 0) - (self.before or 0))
        text = encoded('\t'.join([self.word, *self.row]))
        key = encoded(self.row[0])
        return b'%d%020d%b\0%b' % (words.index(self.word), MOST - size, key, text)


def of_label(sides: Sides) -> Change | None:
    """How the copies of a label have changed.

    >>> old = ['ff', '101', '9', '9', '1', 'http://a/', 'x']
    >>> of_label({'0labels.tsv': old}).word, of_label({'1labels.tsv': old}).word
    ('vanished', 'appeared')
    """
    old, new = sides.get(f'0{LABELS}'), sides.get(f'1{LABELS}')
    before, after = (row and int(row[2]) for row in (old, new))
    if before == after:
        return None
    hash_, length, *_, url, preview = new or old
    cells = [hash_, length, shown(before), shown(after), url, preview]
    return Change(word_for(before, after, LABEL_WORDS), before, after, cells)


def of_neighborhood(sides: Sides) -> Change | None:
    """How the pooled ratio of a neighborhood that is bad in a run has changed.

    >>> row = ['a.org/', '1', '9', '3', '4', '0.75', '0.7']
    >>> of_neighborhood({'0bad_neighborhoods.tsv': row, '1neighborhoods.tsv': row}).word
    'turned good'
    >>> of_neighborhood({'0bad_neighborhoods.tsv': row}).word
    'gone'
    """
    bad = [f'{side}{BAD}' in sides for side in '01']
    if not any(bad):
        return None
    rows = [sides.get(f'{side}{BAD}') or sides.get(f'{side}{ALL}') for side in '01']
    before, after = (row and round(float(row[5] or 0) * 10**9) for row in rows)
    if all(bad) and before == after:
        return None
    if all(bad):
        word = 'got worse' if after > before else 'got better'
    elif bad[1]:
        word = 'turned bad' if rows[0] else 'new and bad'
    else:
        word = 'turned good' if rows[1] else 'gone'
    old, new = (row or [''] * 7 for row in rows)
    prefix, level = (rows[1] or rows[0])[:2]
    cells = [prefix, level, old[5], new[5], old[3], new[3]]
    return Change(word, before, after, cells)


def word_for(before: int | None, after: int | None, words: tuple[str, ...]) -> str:
    """Whether something is new, gone, more or less."""
    if before is None or after is None:
        return words[0] if before is None else words[1]
    return words[2] if after > before else words[3]


def shown(number: int | None) -> str:
    """A number in a table, or nothing."""
    return '' if number is None else str(number)


def encoded(text: str) -> bytes:
    """A text of a table as bytes."""
    return text.encode('utf-8', 'surrogateescape')


LABEL_WORDS = ('appeared', 'vanished', 'grew', 'shrank')
WORDS = ('turned bad', 'new and bad', 'turned good', 'gone', 'got worse', 'got better')


class Kind(NamedTuple):
    """What is compared: the tables of a run, and what is made of their rows."""

    title: str
    tables: tuple[str, ...]
    change: Callable[[Sides], Change | None]
    words: tuple[str, ...]
    result: str
    header: str


KINDS = (
    Kind(
        'labels',
        (LABELS,),
        of_label,
        LABEL_WORDS,
        'label_changes.tsv',
        'change\thash\tlength\tbefore\tafter\texample_url\tpreview',
    ),
    Kind(
        'neighborhoods',
        (BAD, ALL),
        of_neighborhood,
        WORDS,
        'neighborhood_changes.tsv',
        'change\tprefix\tlevel\tbefore\tafter\tbad_before\tbad_after',
    ),
)


def parser() -> argparse.ArgumentParser:
    """The command line of compare."""
    found = Parser(
        description=__doc__,
        example='compare RUN_OF_MAY RUN_OF_JUNE -o CHANGES',
        epilog=EPILOG,
    )
    found.add_argument('old', metavar='OLD_RUN', help='a run of the earlier crawl')
    found.add_argument('new', metavar='NEW_RUN', help='a run of the later one')
    found.add_argument(
        '-o', '--output', metavar='DIR', help='write all changes into tables there'
    )
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: two runs side by side."""
    given = parser().parse_args(args)
    runs = [given.old, given.new]
    made_of = [
        {name: finished(run)['made_of'][name] for name in Recipe._fields}
        for run in runs
    ]
    if made_of[0] != made_of[1]:
        raise UserError(
            f'{given.new}: cut or hashed otherwise than {given.old}; '
            'run discover with the same options'
        )
    if given.output:
        storage.make_dir(given.output)
    compared = [kind for kind in KINDS if has_both(runs, kind.tables[0])]
    if KINDS[1] in compared:
        tell_apart(runs)
    if not compared:
        raise UserError(
            f'{given.old}, {given.new}: there is no table that both have; '
            'run the same command on both'
        )
    put('\n'.join(compare(kind, runs, given.output) for kind in compared))
    if given.output:
        names = [naming.join(given.output, kind.result) for kind in compared]
        put(f'\nall of them: {", ".join(names)}\n')


def has_both(runs: list[str], name: str) -> bool:
    """Whether both runs have a table; if only one has, that is said."""
    lacking = [run for run in runs if not storage.exists(naming.join(run, name))]
    if len(lacking) == 1:
        warn(f'{lacking[0]}: has no {name}, so it is not compared')
    return not lacking


def tell_apart(runs: list[str]) -> None:
    """Warn if what is bad was not decided alike."""
    old, new = (finished(run).get('detect', {}) for run in runs)
    if not (old.get('rule') and new.get('rule')):
        warn(
            f'{", ".join(runs)}: detect has not finished on both, so neighborhoods may '
            'be of other labels'
        )
        return
    names = [name for name in old['rule'] if old['rule'][name] != new['rule'].get(name)]
    if old['labels_digest'] != new['labels_digest']:
        names.insert(0, 'labels')
    if names:
        options_ = ', '.join(f'--{name.replace("_", "-")}' for name in names)
        warn(f'{", ".join(runs)}: what is bad was decided otherwise: {options_}')


def compare(kind: Kind, runs: list[str], folder: str | None) -> str:
    """Write a table of changes, if there is a folder for it; tell the largest."""
    counts: Counter[str] = Counter()
    top: dict[str, list[str]] = {word: [] for word in kind.words}

    def rows() -> Iterator[bytes]:
        for line in sorting.sort_lines(changes(kind, runs)):
            row = line.partition(b'\0')[2]
            word = row.partition(b'\t')[0].decode()
            counts[word] += 1
            if len(top[word]) < TOP:
                top[word].append(row.decode('utf-8', 'surrogateescape'))
            yield row

    if folder:
        table_files.write(naming.join(folder, kind.result), kind.header, rows())
    else:
        for _ in rows():
            pass
    lines = [f'{kind.title}:']
    for word in kind.words:
        lines.append(f'{counts[word]:>9,} {word}')
        lines += [f'{"":11}{told(row.split(chr(9)))}' for row in top[word]]
    return '\n'.join(lines) + '\n'


def told(row: Row) -> str:
    """A change for people: what it was, what it is, of what.

    >>> told(['grew', 'ff' * 20, '101', '9', '12', 'http://a/', '<p>one'])
    '          9 ->          12  ffffffffffff <p>one'
    """
    _, what, _, before, after, _, last = row
    if '/' not in what:
        what = f'{what[:12]} {last[:50]}'
    return f'{before or "-":>11} -> {after or "-":>11}  {what}'


def changes(kind: Kind, runs: list[str]) -> Iterator[bytes]:
    """All changes with what sorts them."""
    names = [
        (side, run, name)
        for side, run in zip('01', runs, strict=True)
        for name in kind.tables
    ]
    lines = (line for one in names for line in rows_of(*one))
    for _, same in groupby(
        sorting.sort_lines(lines), lambda line: line.partition(b'\0')[0]
    ):
        sides: Sides = {}
        for line in same:
            side, _, row = line.partition(b'\0')[2].partition(b'\0')
            sides[side.decode()] = row.decode('utf-8', 'surrogateescape').split('\t')
        if change := kind.change(sides):
            yield change.line(kind.words)


def rows_of(side: str, run: str, name: str) -> Iterator[bytes]:
    """The rows of a table, each behind its key and where it is from."""
    if storage.exists(path := naming.join(run, name)):
        for row in table_files.read(path):
            yield encoded(f'{row[0]}\0{side}{name}\0' + '\t'.join(row))


if __name__ == '__main__':
    sys.exit(main())
