"""Compare the tables of two runs, row by row, in bounded memory."""

import itertools
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import numpy as np

from mr_reuse import storage
from mr_reuse.chunks.compare import label_sources
from mr_reuse.chunks.compare.changes import KINDS, Kind, Sides, format_change
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.recipe import Recipe
from mr_reuse.engine.record import load_complete
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes, to_text, warn
from mr_reuse.pages.captures import ALL
from mr_reuse.shuffle import sorting
from mr_reuse.storage import naming
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table

MAX_PRINTED = 5  # changes of each word


def check_recipes(old: str, new: str) -> None:
    """Refuse runs with different recipes, as their digests are not comparable."""
    recipes = {
        Recipe.from_options(load_complete(run).page_options) for run in (old, new)
    }
    if len(recipes) > 1:
        raise UserError(
            f'{new}: was cut or hashed with other options than {old}; '
            'run discover with the same options'
        )


def find_comparable(old: str, new: str) -> list[Kind]:
    """Return the kinds of rows that both runs have.

    Warns of a table that only one of them has.
    """
    kinds = [kind for kind in KINDS if both_have(old, new, kind.tables[0].file)]
    if kinds:
        warn_of_captures(old, new)
    if KINDS[0] in kinds:
        warn_of_label_rules(old, new)
    if KINDS[1] in kinds:
        warn_of_options(old, new)
    if not kinds:
        raise UserError(
            f'{old}, {new}: have no table in common; run the same command on both'
        )
    return kinds


def both_have(old: str, new: str, file: str) -> bool:
    """Test whether both runs have a table; warn if only one has."""
    without = [run for run in (old, new) if not storage.exists(naming.join(run, file))]
    if len(without) == 1:
        warn(f'{without[0]}: has no {file}, so it is not compared')
    return not without


def warn_of_captures(old: str, new: str) -> None:
    """Warn if the runs have searched other captures of URLs."""
    before, after = (load_complete(run).kept_captures or ALL for run in (old, new))
    if before != after:
        warn(
            f'{old}, {new}: --captures differs ({before} and {after}); to compare the '
            'crawls, run discover with the same option on both'
        )


def warn_of_label_rules(old: str, new: str) -> None:
    """Warn if the rules for labels differ between the runs."""
    records = [load_complete(run) for run in (old, new)]
    thresholds = [record.discover.threshold for record in records]
    labels = [label_files.load(run) for run in (old, new)]
    differences = []
    if thresholds[0] != thresholds[1]:
        before, after = thresholds
        differences.append(f'--threshold ({before:,} and {after:,})')
    if labels[0].min_len != labels[1].min_len:
        differences.append('--min-len')
    if not np.array_equal(labels[0].stop, labels[1].stop):
        differences.append('--stop')
    if differences:
        warn(
            f'{old}, {new}: the rules for labels differ: {", ".join(differences)}; '
            'to compare the crawls, run discover with the same options on both'
        )


def warn_of_options(old: str, new: str) -> None:
    """Warn if the options or labels of `detect` differ between the runs."""
    before, after = (load_complete(run).detect for run in (old, new))
    if not (before.rule and after.rule):
        warn(
            f'{old}, {new}: detect has not finished on both, so the neighborhoods may '
            'depend on different labels'
        )
        return
    rule, other = before.rule, after.rule
    names = [name for name in rule if rule[name] != other.get(name)]
    if before.labels_digest != after.labels_digest:
        names.insert(0, 'labels')
    if names:
        options = ', '.join(f'--{name.replace("_", "-")}' for name in names)
        warn(
            f'{old}, {new}: the options of detect differ: {options}; to compare the '
            'crawls, run detect with the same options on both'
        )


def compare_rows(kind: Kind, old: str, new: str, folder: str | None) -> str:
    """Compare the rows of a kind, and format the counts and the largest changes.

    If a folder is named, all changes are written into a table in it.
    """
    counts: Counter[str] = Counter()
    top: dict[str, list[str]] = {word: [] for word in kind.words}

    def rows() -> Iterator[bytes]:
        for row in sorting.sort_rows(find_changes(kind, old, new)):
            word = row.partition(b'\t')[0].decode()
            counts[word] += 1
            if len(top[word]) < MAX_PRINTED:
                top[word].append(to_text(row))
            yield row

    if folder:
        name = naming.join(folder, kind.result.file)
        table_files.write_table(name, kind.result.header, rows())
    else:
        for _ in rows():
            pass
    lines = [f'{kind.title}:']
    for word in kind.words:
        lines.append(f'{counts[word]:>9,} {word}')
        lines += [f'{"":11}{format_change(row.split(chr(9)))}' for row in top[word]]
    return '\n'.join(lines) + '\n'


def find_changes(kind: Kind, old: str, new: str) -> Iterator[sorting.Keyed]:
    """Yield the sort key and the row of each change, in no order."""
    tables = (
        line
        for side, run in (('old', old), ('new', new))
        for table in kind.tables
        for line in keyed_rows(side, run, table)
    )
    columns = {table.name: table.names for table in kind.tables}
    columns |= label_sources.COLUMNS
    is_of_labels = kind is KINDS[0]
    others = label_sources.read_lines(old, new) if is_of_labels else ()
    lines = itertools.chain(tables, others)
    # Equal first cells put the old and the new row side by side: a merge join.
    in_order = sorting.sort_lines(lines)
    for _, same in groupby(in_order, lambda line: line.partition(b'\t')[0]):
        sides: Sides = {}
        for line in same:
            _, side, *cells = to_text(line).split('\t')
            names = columns[side.partition(' ')[2]]
            # Of several pages the first one is the example.
            sides.setdefault(side, dict(zip(names, cells, strict=True)))
        if change := kind.change(sides):
            yield change.to_keyed_row(kind.words)


def keyed_rows(side: str, run: str, table: Table) -> Iterator[bytes]:
    """Yield the rows of a table, each behind its first cell, side and table."""
    path = naming.join(run, table.file)
    if not storage.exists(path):
        return
    for line, cells in enumerate(table_files.read_cells(path), 2):
        if len(cells) != len(table.columns):
            why = f'line {line:,} is damaged; run {table.written_by} again'
            raise UserError(f'{path}: {why}')
        yield to_bytes('\t'.join([cells[0], f'{side} {table.name}', *cells]))
