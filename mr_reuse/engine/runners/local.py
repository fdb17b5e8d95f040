"""The runners for one machine, derived from mrjob's inline runner.

mrjob's own local runner starts a Python process for each task, which takes 0.4 s, more
than many steps. It copies all input into splits line by line, and sorts it as text.

These runners avoid all of that. A task is a fork of the driver (`local`) or runs in the
driver (`inline`). A part file is a split as it is. A reducer reads its lines from the
files of the mappers, by an index of their keys and offsets. The index fits into memory,
since a line is a batch of many rows.
"""

import contextlib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import BinaryIO

from mrjob.inline import InlineMRJobRunner

from mr_reuse.engine import forks, progress

SHUFFLED = 'bytes shuffled'  # name of a counter
BUFFER = 256 << 10  # bytes: lines are long
MAX_OPEN_FILES = 100  # of a reducer, which reads from the files of all mappers
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
        """Build the index of keys for `_split_reducer_input`; sort no lines.

        The sort is stable, so values of a key are in the order of files and offsets.
        """
        self._mapped = [
            os.path.abspath(self._task_output_path('mapper', step_num, number))
            for number in range(num_map_tasks)
        ]
        self._index = sorted(index_lines(self._mapped), key=lambda line: line[0])
        self.fs.mkdir(os.path.dirname(self._sorted_reducer_input_path(step_num)))

    def _split_reducer_input(self, step_num):
        """Write the input of each reducer: file, offset and length of its lines."""
        shuffled = sum(size for *_, size in self._index)
        self._counters[step_num].setdefault('mr_reuse', {})[SHUFFLED] = shuffled
        self._weigh('reducer', shuffled)
        partitions = split_by_key(self._index, self._num_reducers(step_num))
        for number, lines in enumerate(partitions):
            target = self._task_input_path('reducer', step_num, number)
            self.fs.mkdir(os.path.dirname(target))
            with open(target, 'w', encoding='ascii') as stream:
                stream.writelines(
                    f'{file} {offset} {size}\n' for _, file, offset, size in lines
                )
        return len(partitions)

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
    keys: dict[bytes, bytes] = {}  # one object a key, shared by all lines that have it
    for number, path in enumerate(paths):
        offset = 0
        with open(path, 'rb', BUFFER) as stream:
            for line in stream:
                key = line.partition(b'\t')[0]
                yield keys.setdefault(key, key), number, offset, len(line)
                offset += len(line)


def split_by_key(lines: list[Line], count: int) -> list[list[Line]]:
    """Divide sorted lines into at most `count` partitions of similar size.

    All lines of a key are in the same partition.

    >>> lines = [(b'a', 0, 0, 5), (b'a', 0, 5, 5), (b'b', 0, 10, 5)]
    >>> [len(partition) for partition in split_by_key(lines, 2)]
    [2, 1]
    """
    total = sum(line[3] for line in lines)
    partitions: list[list[Line]] = [[]]
    size = 0
    for i, line in enumerate(lines):
        full = size >= total / count
        if full and lines[i - 1][0] != line[0] and len(partitions) < count:
            partitions.append([])
            size = 0
        partitions[-1].append(line)
        size += line[3]
    return partitions


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
