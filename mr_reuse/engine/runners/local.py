"""The runners for one machine, derived from mrjob's inline runner.

mrjob's own local runner starts a Python process for each task, which takes 0.4 s, more
than many steps. It copies all input into splits line by line, and sorts it as text.

These runners avoid all of that. A task is a fork of the driver (`local`) or runs in the
driver (`inline`). A part file is a split as it is. A reducer reads its lines from the
files of the mappers, by an index of their keys and offsets. Only the index is sorted,
on disk if it is long. It is short, since a line is a batch of many rows.
"""

import contextlib
import io
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import BinaryIO

from mrjob.inline import InlineMRJobRunner

from mr_reuse.engine import forks, progress
from mr_reuse.shuffle import sorting

SHUFFLED = 'bytes shuffled'  # name of a counter
BUFFER = 256 << 10  # bytes: lines are long
MAX_OPEN_FILES = 500  # of a reducer, which reads from the files of all mappers
Line = tuple[bytes, int, int, int]  # key, number of the file, offset, length


class InlineRunner(InlineMRJobRunner):
    """A runner that runs one task after another in this process."""

    # By kind of task: what a byte of its input adds to the progress of the step (see
    # `progress.WHOLE`). It is 0 for tasks that read archives and report progress
    # themselves.
    _weights = MappingProxyType({'mapper': 0.0, 'reducer': 0.0})

    def _split_mapper_input(self, input_paths, step_num):
        """Make each file the input of a task, by a link instead of a copy."""
        input_paths = list(input_paths)
        is_list = step_num == 0 and self._hadoop_input_format  # a line is a task
        if is_list or any(path.endswith('.gz') for path in input_paths):
            # mrjob unpacks gzipped files, and divides others at line ends.
            return super()._split_mapper_input(input_paths, step_num)
        self._weigh('mapper', sum(map(os.path.getsize, input_paths)))
        splits = []
        for number, path in enumerate(input_paths):
            target = self._task_input_path('mapper', step_num, number)
            self.fs.mkdir(os.path.dirname(target))
            os.symlink(os.path.abspath(path), target)
            size = os.path.getsize(path)
            splits.append({'file': path, 'start': 0, 'length': size})
        return splits

    def _sort_reducer_input(self, step_num, num_map_tasks):
        """Note the files of the mappers for `_split_reducer_input`; sort no lines."""
        self._mapped = [
            os.path.abspath(self._task_output_path('mapper', step_num, number))
            for number in range(num_map_tasks)
        ]
        self.fs.mkdir(os.path.dirname(self._sorted_reducer_input_path(step_num)))

    def _split_reducer_input(self, step_num):
        """Write the input of each reducer: file, offset and length of its lines.

        Values of a key are in the order of files and offsets.
        """
        shuffled = sum(map(os.path.getsize, self._mapped))
        self._counters[step_num].setdefault('mr_reuse', {})[SHUFFLED] = shuffled
        self._weigh('reducer', shuffled)
        lines = sort_index(index_lines(self._mapped))
        partitions = split_by_key(lines, shuffled, self._num_reducers(step_num))
        number = 0
        for number, of_reducer in itertools.groupby(partitions, lambda pair: pair[0]):
            self._write_positions(step_num, number, (line for _, line in of_reducer))
        if not shuffled:
            self._write_positions(step_num, number, [])
        return number + 1

    def _write_positions(self, step_num, number, lines):
        target = self._task_input_path('reducer', step_num, number)
        self.fs.mkdir(os.path.dirname(target))
        with open(target, 'w', encoding='ascii') as stream:
            stream.writelines(
                f'{file} {offset} {size}\n' for _, file, offset, size in lines
            )

    def _invoke_task_func(self, task_type, step_num, task_num):
        invoke = super()._invoke_task_func(task_type, step_num, task_num)
        weight = self._weights[task_type]

        def invoke_metered(lines, *others):
            if not weight:
                return invoke(lines, *others)
            with contextlib.closing(progress.meter_lines(lines, weight)) as metered:
                return invoke(metered, *others)

        def invoke_mapper(stdin, *others):
            with io.BufferedReader(stdin.raw, BUFFER) as lines:
                invoke_metered(lines, *others)

        def invoke_reducer(stdin, *others):
            with contextlib.closing(read_lines_at(stdin, self._mapped)) as lines:
                invoke_metered(lines, *others)

        return {'mapper': invoke_mapper, 'reducer': invoke_reducer}[task_type]

    def _weigh(self, task_type, size):
        """Set the weight of a byte of a phase. All phases of a step weigh the same."""
        phases = sum(1 + ('reducer' in step) for step in self._get_steps())
        weight = progress.WHOLE / phases / size if size else 0.0
        self._weights = {**self._weights, task_type: weight}

    def _num_reducers(self, step_num):
        return 1


class LocalRunner(InlineRunner):
    """A runner that runs tasks in forks, as many at a time as there are cores."""

    alias = 'local'

    def _num_reducers(self, step_num):
        return self._num_cores()

    def _run_multiple(self, funcs, num_processes=None):
        forks.run_all(funcs, num_processes or self._num_cores())


def index_lines(paths: Iterable[str]) -> Iterator[Line]:
    """Yield key, file number, offset and length of each line of these files."""
    for number, path in enumerate(paths):
        offset = 0
        with open(path, 'rb', BUFFER) as stream:
            for line in stream:
                key = line.partition(b'\t')[0]
                yield key, number, offset, len(line)
                offset += len(line)


def sort_index(lines: Iterable[Line]) -> Iterator[Line]:
    """Sort lines by key, file and offset, in bounded memory.

    >>> list(sort_index([(b'b', 0, 0, 5), (b'a', 1, 0, 5), (b'a', 0, 5, 5)]))
    [(b'a', 0, 5, 5), (b'a', 1, 0, 5), (b'b', 0, 0, 5)]
    """
    texts = (
        sorting.add_key(key, b'%010d %020d %d' % (file, offset, size))
        for key, file, offset, size in lines
    )
    for text in sorting.sort_lines(texts):
        key, position = sorting.split_key(text)
        yield key, *map(int, position.split())


def split_by_key(
    lines: Iterable[Line], total: int, count: int
) -> Iterator[tuple[int, Line]]:
    """Divide sorted lines into at most `count` partitions of similar size.

    Yields the number of the partition of each line. All lines of a key are in the same
    partition. `total` is the sum of the lengths.

    >>> lines = [(b'a', 0, 0, 5), (b'a', 0, 5, 5), (b'b', 0, 10, 5)]
    >>> [number for number, _ in split_by_key(lines, 15, 2)]
    [0, 0, 1]
    """
    number = size = 0
    key_before = None
    for line in lines:
        is_full = size >= total / count and number + 1 < count
        if is_full and line[0] != key_before:
            number += 1
            size = 0
        yield number, line
        key_before = line[0]
        size += line[3]


def read_lines_at(positions: Iterable[bytes], paths: Sequence[str]) -> Iterator[bytes]:
    """Read lines by position: `FILE_NUMBER OFFSET LENGTH`.

    Raises OSError if a file is shorter than when it was indexed.
    """
    with contextlib.ExitStack() as stack:
        files: dict[int, BinaryIO] = {}
        for position in positions:
            number, offset, length = map(int, position.split())
            if number not in files:
                if len(files) == MAX_OPEN_FILES:
                    stack.close()
                    files.clear()
                files[number] = stack.enter_context(open(paths[number], 'rb'))
            files[number].seek(offset)
            line = files[number].read(length)
            if len(line) < length:
                raise OSError(f'{paths[number]}: shorter than when it was written')
            yield line
