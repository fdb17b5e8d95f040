"""The runners for one machine: mrjob's inline runner, with tasks that are forked.

mrjob's own local runner starts a Python for each task (0.4 s each, more than many a
step takes), copies all input into splits line by line, and sorts it as text. Here a
task is a fork of the driver (`local`) or runs in it (`inline`), a part file is a split
as it is, and a reducer reads its lines where the mappers wrote them: a line is a batch
of records, so there are few.
"""

import contextlib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from mrjob.inline import InlineMRJobRunner

from mr_reuse.engine import forks


class InlineRunner(InlineMRJobRunner):
    """One task after another, in this process."""

    def _split_mapper_input(self, input_paths, step_num):
        """Every file is the input of one task, without a copy of it."""
        splits = []
        for number, path in enumerate(input_paths):
            if path.endswith('.gz'):  # mrjob unpacks what is gzipped
                return super()._split_mapper_input(input_paths, step_num)
            target = self._task_input_path('mapper', step_num, number)
            self.fs.mkdir(os.path.dirname(target))
            os.symlink(os.path.abspath(path), target)
            size = os.path.getsize(path)
            splits.append({'file': path, 'start': 0, 'length': size})
        return splits

    def _sort_reducer_input(self, step_num, num_map_tasks):
        """Note where the lines of each key are, for `_split_reducer_input`."""
        self._mapped = [
            os.path.abspath(self._task_output_path('mapper', step_num, number))
            for number in range(num_map_tasks)
        ]
        self._index = sorted(index_lines(self._mapped), key=lambda line: line[0])
        self.fs.mkdir(os.path.dirname(self._sorted_reducer_input_path(step_num)))

    def _split_reducer_input(self, step_num):
        """The input of a reducer says where its lines are."""
        shuffled = sum(size for *_, size in self._index)
        self._counters[step_num].setdefault('mr_reuse', {})[SHUFFLED] = shuffled
        shares = split_by_key(self._index, self._num_reducers(step_num))
        for number, share in enumerate(shares):
            target = self._task_input_path('reducer', step_num, number)
            self.fs.mkdir(os.path.dirname(target))
            with open(target, 'w', encoding='ascii') as stream:
                stream.writelines(
                    f'{file} {at} {size}\n' for _, file, at, size in share
                )
        return len(shares)

    def _invoke_task_func(self, task_type, step_num, task_num):
        invoke = super()._invoke_task_func(task_type, step_num, task_num)

        def invoke_mapper(stdin, *others):
            with io.BufferedReader(stdin.raw, BUFFER) as lines:
                invoke(lines, *others)

        def invoke_reducer(stdin, *others):
            with contextlib.closing(lines_at(stdin, self._mapped)) as lines:
                invoke(lines, *others)

        return {'mapper': invoke_mapper, 'reducer': invoke_reducer}[task_type]

    def _num_reducers(self, step_num):
        return 1


class LocalRunner(InlineRunner):
    """Tasks in forked processes, as many at a time as there are cores."""

    alias = 'local'

    def _num_reducers(self, step_num):
        return self._num_cores()

    def _run_multiple(self, funcs, num_processes=None):
        forks.run_all(funcs, num_processes or self._num_cores())


SHUFFLED = 'bytes shuffled'
BUFFER = 256 << 10  # bytes: lines are long
OPEN = 100  # files at a time, of as many as there are map tasks
Line = tuple[bytes, int, int, int]  # key, number of the file, offset, length


def index_lines(paths: Iterable[str]) -> Iterator[Line]:
    """The key and the place of each line of some files."""
    keys: dict[bytes, bytes] = {}  # each once, however many lines have it
    for number, path in enumerate(paths):
        offset = 0
        with open(path, 'rb', BUFFER) as stream:
            for line in stream:
                key = line.partition(b'\t')[0]
                yield keys.setdefault(key, key), number, offset, len(line)
                offset += len(line)


def split_by_key(lines: list[Line], most: int) -> list[list[Line]]:
    """Sorted lines in at most so many shares of about one size; a key is in one.

    >>> lines = [(b'a', 0, 0, 5), (b'a', 0, 5, 5), (b'b', 0, 10, 5)]
    >>> [len(share) for share in split_by_key(lines, 2)]
    [2, 1]
    """
    total = sum(line[3] for line in lines)
    shares: list[list[Line]] = [[]]
    size = 0
    for i, line in enumerate(lines):
        full = size >= total / most
        if full and lines[i - 1][0] != line[0] and len(shares) < most:
            shares.append([])
            size = 0
        shares[-1].append(line)
        size += line[3]
    return shares


def lines_at(places: Iterable[bytes], paths: Sequence[str]) -> Iterator[bytes]:
    """The lines at some places: the number of a file, offset, length."""
    with contextlib.ExitStack() as stack:
        files: dict[int, BinaryIO] = {}
        for place in places:
            number, offset, length = map(int, place.split())
            if number not in files:
                if len(files) == OPEN:
                    stack.close()
                    files.clear()
                files[number] = stack.enter_context(open(paths[number], 'rb'))
            files[number].seek(offset)
            line = files[number].read(length)
            if len(line) < length:
                raise OSError(f'{paths[number]}: a part of it is gone')
            yield line
