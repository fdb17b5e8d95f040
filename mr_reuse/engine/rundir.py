"""A run directory: its files, its lock, and the state of its steps.

    RUN/run.json  RUN/inputs.txt  RUN/*.tsv                     results, for people
    RUN/labels.mrl  RUN/styles.msf                              results, for programs
    RUN/_sources.json  RUN/_archives.txt                        inputs, for programs
    RUN/01-pages/_step.json  RUN/01-pages/ATTEMPT/part-00000    a step and its output

A step is finished when its `_step.json` exists, which is written last and atomically.
"""

import itertools
import json
import re
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from mr_reuse import storage
from mr_reuse.engine import interrupts, processes
from mr_reuse.engine.record import ARCHIVES, INPUTS, RUN_JSON, RunRecord, read_record
from mr_reuse.engine.run_steps import FOLDER
from mr_reuse.engine.step_record import (
    ATTEMPT_JSON,
    STEP_JSON,
    Attempt,
    FinishedStep,
    encode_json,
    read_state,
    to_state,
)
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes
from mr_reuse.shuffle import sorting
from mr_reuse.shuffle.mapped_paths import MappedColumn
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote
from mr_reuse.storage.text_files import read_json
from mr_reuse.tables.derived import REPORT
from mr_reuse.tables.run_tables import EXPORTED, TABLES
from mr_reuse.tables.schema import EXPORTS, SUFFIX

LOCK, TEMPORARY = '_lock', '_tmp'
SOURCES = '_sources.json'
COPIES, BUNDLES = '_inputs', '_bundle'  # copies of inputs and code for a cluster
SPECIAL = re.compile(r'[][#$*?]')  # characters with a meaning for mrjob in paths
SPECIAL_REMOTE = re.compile(r'[][#$*?,{}\\ %]')  # the same for mrjob and Hadoop
SETTLE = 0.1  # seconds within which another process finishes writing its lock
STEP = re.compile(rf'{FOLDER.pattern}(-\d+)?')  # with the number of a round
IN_STEP = re.compile(r'_(step|attempt)\.json(\.[0-9a-f]{8}\.half)?|attempt-[0-9a-f]{8}')
STATS, LABELS, KNOWN_STYLES = 'stats.json', 'labels.mrl', 'styles.msf'
FILES = (
    *(RUN_JSON, INPUTS, SOURCES, ARCHIVES, LOCK, TEMPORARY, COPIES, BUNDLES),
    *(STATS, LABELS, KNOWN_STYLES, REPORT),
)
# Names that belong to a run: its files, steps, tables and their exports, also with the
# suffix that they have while they are written.
RUN_NAMES = re.compile(
    r'({}|{}|({})\.({}))(\.[0-9a-f]{{8}})?(\.half)?'.format(
        '|'.join(map(re.escape, FILES)),
        STEP.pattern,
        '|'.join((*TABLES, *EXPORTED)),
        '|'.join((SUFFIX[1:], *EXPORTS)),
    )
)
# Names that stay when a run is replaced by one on other inputs.
KEPT = {LOCK, TEMPORARY, *(t.file for t in TABLES.values() if t.is_append_only)}


class RunDir:
    """The folder of a run. As a context manager, it holds the lock of the run."""

    def __init__(self, path: str, force: bool = False):
        self.path, self._force = path, force
        self._process = processes.describe_process()
        self._in_use = False

    def __enter__(self) -> 'RunDir':
        check_name(self.path)
        storage.make_dir(self.path)
        names = storage.list_names(self.path)
        # A folder of a user may contain names like those of a run. Every run has the
        # lock or the list of inputs, so without them all names count as foreign.
        is_run = any(name.startswith((INPUTS, LOCK)) for name in names)
        foreign = [n for n in names if not (is_run and self._belongs_to_run(n))]
        if foreign and not self._force:
            raise UserError(
                f'{self.path}: holds {foreign[0]!r}, which is not part of a run; '
                'name another folder, or give --force'
            )
        self._lock()
        for name in storage.list_names(self.path):
            # A job on a cluster may outlive its driver and still use temporary files.
            is_stale = name == TEMPORARY and not is_remote(self.path)
            if is_stale or (RUN_NAMES.fullmatch(name) and name.endswith('.half')):
                self._remove(name)
        storage.make_dir(self.join(TEMPORARY))
        self._use_temporary(is_remote(self.path))
        return self

    def _use_temporary(self, is_elsewhere: bool) -> None:
        """Put temporary files into the run, or elsewhere on this machine."""
        self._temporary = (
            tempfile.mkdtemp(prefix='mr_reuse-')
            if is_elsewhere
            else self.join(TEMPORARY)
        )
        self._scratch = storage.set_scratch_folder(self._temporary)

    def __exit__(self, *_: object) -> None:
        with interrupts.defer_interrupts():  # else the lock could stay
            storage.set_scratch_folder(self._scratch)
            storage.remove(self._temporary)
            if self.read_json(LOCK) == self._process:
                if not self._in_use:
                    storage.remove(self.join(TEMPORARY))
                storage.remove(self.join(LOCK))

    def keep_temporary(self) -> None:
        """Keep the temporary files at exit, since a job may still use them."""
        self._in_use = is_remote(self.path)

    def _belongs_to_run(self, name: str) -> bool:
        """Test whether a name in this folder belongs to a run.

        A folder with the name of a step does not if it has other content.
        """
        if not RUN_NAMES.fullmatch(name):
            return False
        names = storage.list_names(self.join(name)) if STEP.fullmatch(name) else []
        return all(map(IN_STEP.fullmatch, names))

    def _remove(self, name: str) -> None:
        """Remove a file or step of the run. Foreign files in a step folder stay."""
        if self._belongs_to_run(name):
            storage.remove(self.join(name))
            return
        for entry in filter(IN_STEP.fullmatch, storage.list_names(self.join(name))):
            storage.remove(self.join(name, entry))

    def _lock(self) -> None:
        """Take the lock; refuse if a living process has it."""
        lock, text = self.join(LOCK), json.dumps(self._process)
        if storage.create(lock, text):
            return
        owner = self._owner()
        is_elsewhere = processes.is_remote(owner)
        if processes.is_alive(owner) and not (self._force and is_elsewhere):
            hint = ', or give --force if it has ended' if is_elsewhere else ''
            raise UserError(
                f'{self.path}: process {owner.get("pid")} on {owner.get("host")} '
                f'uses this folder; wait until it ends{hint}'
            )
        storage.remove(lock)
        if not storage.create(lock, text) or self._owner() != self._process:
            raise UserError(
                f'{self.path}: another process has just locked this folder; wait until '
                'it ends'
            )

    def _owner(self) -> dict[str, Any]:
        """Read the owner of the lock; {} if it was killed while it wrote the lock."""
        time.sleep(SETTLE)  # it may be writing the lock
        return self.read_json(LOCK)

    def claim(self, read_inputs: Callable[[], Iterable[str]]) -> None:
        """Record the inputs of the run; refuse a folder with a run on other inputs.

        `read_inputs` yields a line for each input: a size or another note, a tab, and
        the name. Only the names are compared with those of the earlier run.
        """
        name = self.join(INPUTS)
        exists = storage.exists(name)
        is_same = exists and _are_equal(_sort_names(name), read_inputs())
        if exists and not is_same and not self._force:
            raise UserError(
                f'{self.path}: holds a run on other inputs (see {INPUTS} in it); '
                'name another folder, or give --force to replace it'
            )
        if not is_same:
            self.remove_results()
        with storage.write(name, 'w') as stream:
            stream.writelines(read_inputs())
        # Results of the earlier run that this one does not compute again stay valid.
        if record := self.read_record():
            self.write_record(replace(record, finished=False))
        else:
            storage.remove(self.join(RUN_JSON))  # it is damaged, if it exists

    def join(self, *parts: str) -> str:
        """Return a name in this folder."""
        return naming.join(self.path, *parts)

    def temporary_name(self, name: str) -> str:
        """Return a local name for a temporary file. It is removed when the run ends."""
        return naming.join(self._temporary, name)

    def read_record(self) -> RunRecord | None:
        """Read the record of this run; None if there is none, or it is damaged."""
        return read_record(self.path)

    def write_record(self, record: RunRecord) -> None:
        """Write the record of this run, indented for people; many archives apart."""
        if isinstance(record.paths, MappedColumn):
            digest = record.paths.archives.save(self.join(ARCHIVES))
            record = replace(record, paths={}, sizes={}, inputs=[], archives=digest)
        self.write_json(RUN_JSON, record.to_json(), indent=1)

    def write_json(self, name: str, data: Any, indent: int | None = None) -> None:
        """Write a JSON file atomically. With `indent` it takes ten times as long."""
        with storage.write(self.join(name), 'w') as stream:
            if indent:
                json.dump(data, stream, indent=indent, sort_keys=True)
            else:
                stream.writelines(encode_json(data))
            stream.write('\n')

    def read_json(self, name: str) -> dict[str, Any]:
        """Read a JSON object; {} if the file is missing or damaged."""
        return read_json(self.join(name))

    def prepare_attempt(self, step: str, name: str = '') -> str:
        """Remove a step. Return the name of its output folder, relative to RUN.

        The name is a new one, unless it is given.
        """
        self._remove(step)
        storage.make_dir(self.join(step))
        return name or naming.join(step, f'attempt-{uuid.uuid4().hex[:8]}')

    def reset_step(self, step: str) -> None:
        """Remove a step, finished or not, so that it runs again."""
        self._remove(step)

    def write_attempt(self, step: str, attempt: Attempt) -> None:
        """Record an attempt before its jobs start."""
        self.write_json(naming.join(step, ATTEMPT_JSON), to_state(attempt))

    def read_attempt(self, step: str) -> Attempt | None:
        """Read the last attempt at a step; None if there was none."""
        return read_state(Attempt, self.join(step, ATTEMPT_JSON))

    def write_step(self, step: str, finished: FinishedStep) -> None:
        """Record that a step has finished."""
        self.write_json(naming.join(step, STEP_JSON), to_state(finished))

    def read_step(self, step: str) -> FinishedStep | None:
        """Read the record of a finished step; None if it or its output is missing."""
        finished = read_state(FinishedStep, self.join(step, STEP_JSON))
        exists = finished and storage.is_dir(self.join(finished.output))
        return finished if exists else None

    def delete(self) -> None:
        """Remove all files of the run, and the folder if it is empty then."""
        self.remove_results()
        storage.remove(self.join(TEMPORARY))
        storage.remove(self.join(LOCK))
        if not storage.list_names(self.path):
            storage.remove(self.path)

    def remove_results(self) -> None:
        """Remove the steps and results of the run.

        Judgements are kept: people made them, and each names the sample it is about.
        """
        for name in storage.list_names(self.path):
            if RUN_NAMES.fullmatch(name) and name not in KEPT:
                self._remove(name)


def check_name(folder: str) -> None:
    """Refuse the name of a folder for output that mrjob or Hadoop cannot use."""
    special = SPECIAL_REMOTE if is_remote(folder) else SPECIAL
    if match := special.search(folder):
        raise UserError(
            f'{folder}: {match[0]!r} cannot be in the name of this folder; name another'
        )


def _sort_names(name: str) -> Iterator[bytes]:
    """Yield the names in a list of inputs, sorted."""
    storage.refuse_special_files(name)
    with storage.open_read(name) as stream:
        yield from sorting.sort_lines(map(_name_of, stream))


def _are_equal(before: Iterable[bytes], lines: Iterable[str]) -> bool:
    """Test whether the names in lines, in any order, are those of before."""
    now = sorting.sort_lines(_name_of(to_bytes(line)) for line in lines)
    pairs = itertools.zip_longest(before, now)
    return all(old == new for old, new in pairs)


def _name_of(line: bytes) -> bytes:
    return line.rstrip(b'\n').partition(b'\t')[2]
