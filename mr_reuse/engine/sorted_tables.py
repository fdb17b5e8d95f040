"""Write tables that are sorted: the driver writes small ones, and jobs large ones.

The number of rows decides the form of a table: a file, or a folder of parts. Who sorts
depends on an estimate, and changes no byte.
"""

import json
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.engine.chain import Chain, Done, Step
from mr_reuse.engine.rundir import RunDir
from mr_reuse.engine.table_job import NUMBERS, TableJob
from mr_reuse.shuffle import ordered_parts, ranges, sorting
from mr_reuse.shuffle.protocol import read_parts
from mr_reuse.shuffle.ranges import Sample
from mr_reuse.storage import Entry, naming
from mr_reuse.tables import table_files
from mr_reuse.tables.row_makers import RowMaker
from mr_reuse.tables.schema import Table
from mr_reuse.tables.table_parts import STATS, MadeTable, unfinished_name

LEAST_LINE = 10  # bytes of a line with a row
PARTS_PER_BOUND = 16  # parts of a table with as many rows as a single file may have


class Sorting(NamedTuple):
    """A step that sorts the rows of tables, if these are large."""

    folder: str  # of the step
    job: type[TableJob]
    make_makers: Callable[[], Sequence[RowMaker]]  # those of the job
    inputs: list[str]  # folders with the output of other steps
    args: dict[str, Any]
    depends_on: Any
    unhashed: dict[str, Any]
    limit: int | None = None  # rows to keep of each table


def write_tables(
    chain: Chain, sorting_: Sorting, is_needed: bool = True
) -> Sequence[RowMaker]:
    """Write the tables; return the makers of their rows, with all numbers.

    Unless it is needed, no small table is written, but the numbers are collected.
    """
    parts = [part for name in sorting_.inputs for part in storage.list_parts(name)]
    names = [part.name for part in parts]
    sample = take_sample(parts)
    if sample is None:
        makers = sorting_.make_makers()
        for maker in makers:
            _sort_here(chain.run, maker, names, sorting_.limit, is_needed)
        return makers
    bounds = choose_bounds(sample, sorting_.make_makers())
    return _sort_by_job(chain, sorting_, bounds)


def take_sample(parts: Sequence[Entry]) -> Sample | None:
    """Take a sample of part files; None if the driver should read all of them."""
    bound = table_files.MAX_PART_ROWS
    if sum(part.size for part in parts) < bound * LEAST_LINE:
        return None
    sample = Sample(parts)
    return sample if sample.scale(len(sample.lines)) >= bound else None


def choose_bounds(sample: Sample, makers: Iterable[RowMaker]) -> dict[str, list[bytes]]:
    """Choose the bounds of the partitions of each table."""
    bounds = {}
    for maker in makers:
        keyed = [
            sorting.add_key(*row) for line in sample.lines for row in maker.add(*line)
        ]
        parts = count_parts(sample.scale(len(keyed)))
        bounds[maker.table.name] = ranges.choose_bounds(keyed, parts)
    return bounds


def count_parts(rows: int) -> int:
    """Return the number of parts for about so many rows.

    >>> count_parts(0), count_parts(10**7), count_parts(10**9)
    (1, 17, 1601)
    """
    return 1 + rows // max(2, table_files.MAX_PART_ROWS // PARTS_PER_BOUND)


def _sort_here(
    run: RunDir, maker: RowMaker, names: Sequence[str], limit: int | None, write: bool
) -> None:
    """Sort the rows of a table in this process."""
    keyed = (keyed for line in read_parts(names) for keyed in maker.add(*line))
    if write:
        rows = islice(sorting.sort_rows(keyed), limit)
        table_files.write_table(run.join(maker.table.file), maker.table.header, rows)
    else:
        deque(keyed, maxlen=0)


def _sort_by_job(
    chain: Chain, sorting_: Sorting, bounds: dict[str, list[bytes]]
) -> Sequence[RowMaker]:
    """Sort the rows by a job."""
    run, makers = chain.run, sorting_.make_makers()
    tables = [maker.table for maker in makers]
    step = Step(
        sorting_.folder,
        sorting_.job,
        sorting_.args,
        lambda: sorting_.inputs,
        sorting_.depends_on,
        unhashed={**sorting_.unhashed, 'bounds': write_bounds(run, bounds)},
    )
    done = run_and_publish(chain, step, tables, sorting_.limit)
    for task in done.stats:
        for maker in makers:
            maker.merge(task[NUMBERS][maker.table.name])
    return makers


def write_bounds(run: RunDir, bounds: ranges.Bounds) -> str:
    """Write the bounds of partitions, by unit, to a file for tasks."""
    name = run.temporary_name(f'bounds-{uuid.uuid4().hex[:8]}')
    texts = {unit: [line.hex() for line in lines] for unit, lines in bounds.items()}
    with storage.write(name, 'w') as stream:
        stream.write(json.dumps(texts))
    return name


def run_step(chain: Chain, step: Step, tables: Sequence[Table], rows: int) -> Done:
    """Run a step whose reducers have the rows of tables in order.

    For about so many rows or more, the reducers write the parts of the tables, and
    these are moved to their place. Otherwise the rows are in the output of the step,
    for `write_made_table`. If the step was finished before, its output decides.
    """
    if rows < table_files.MAX_PART_ROWS:
        done = chain.run_step(step)
        if not is_made_by_tasks(done):
            return done
    return run_and_publish(chain, step, tables)


def is_made_by_tasks(done: Done) -> bool:
    """Test whether the tasks of a step have written parts of tables."""
    return any(STATS in task for task in done.stats)


def write_made_table(run: RunDir, done: Done, table: Table, unit: str) -> int:
    """Write the table of the rows in the output of `run_step`; return their number.

    A table of parts is in its place already.
    """
    if is_made_by_tasks(done):
        return MadeTable(table, done.stats).rows
    rows = ordered_parts.read_in_order(done.parts, unit)
    return table_files.write_table(run.join(table.file), table.header, rows)


def run_and_publish(
    chain: Chain, step: Step, tables: Sequence[Table], limit: int | None = None
) -> Done:
    """Run a step that writes parts of tables, and move these to their place.

    If it was finished before, but its tables are gone, it runs again.
    """
    done = _run_with_parts(chain, step, tables)
    if is_made_by_tasks(done) and not _publish(chain.run, done, tables, limit):
        done = _run_with_parts(chain, step, tables, is_incomplete=True)
        if not _publish(chain.run, done, tables, limit):
            names = ', '.join(table.file for table in tables)
            raise OSError(f'{chain.run.path}: the parts of {names} are gone')
    return done


def _run_with_parts(
    chain: Chain, step: Step, tables: Sequence[Table], is_incomplete: bool = False
) -> Done:
    """Run a step whose reducers write parts of tables into new folders."""
    run, mark = chain.run, uuid.uuid4().hex[:8]
    folders = [unfinished_name(run.path, table, mark) for table in tables]

    def make_folders() -> Sequence[str]:
        for folder in folders:
            storage.make_dir(folder)
        return step.inputs()

    # In a list, as it is no name of a file that tasks need on this machine.
    parts = {'parts-in': [naming.absolute(run.path)], 'mark': mark}
    unhashed = {**step.unhashed, **parts}
    step_with_parts = step._replace(inputs=make_folders, unhashed=unhashed)
    try:
        return chain.run_step(step_with_parts, is_incomplete)
    except BaseException:
        # On a cluster the job may go on, and the next driver may wait for it.
        for folder in folders if not naming.is_remote(run.path) else ():
            storage.remove(folder)
        raise


def _publish(
    run: RunDir, done: Done, tables: Sequence[Table], limit: int | None
) -> bool:
    made = [MadeTable(table, done.stats) for table in tables]
    return all([table.publish(run.path, limit) for table in made])
