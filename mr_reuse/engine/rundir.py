"""A run directory: what belongs in it, who works in it, what is finished there.

    RUN/run.json  RUN/inputs.txt  RUN/*.tsv  RUN/labels.mrl     what people read
    RUN/_sources.json                                           inputs, for programs
    RUN/01-pages/_step.json  RUN/01-pages/ATTEMPT/part-00000    a step and its output

A step's `_step.json` is written last and in one piece; nothing else proves that the
step is finished.
"""

import hashlib
import json
import re
import tempfile
import time
import uuid
from dataclasses import replace
from typing import Any

from mr_reuse import storage
from mr_reuse.engine import interrupts, locks
from mr_reuse.engine.record import INPUTS, RUN_JSON, RunRecord, read_record
from mr_reuse.errors import UserError
from mr_reuse.messages import to_bytes
from mr_reuse.storage import naming
from mr_reuse.storage.naming import is_remote
from mr_reuse.storage.text_files import read_json
from mr_reuse.tables.derived import REPORT
from mr_reuse.tables.run_tables import JUDGEMENTS, TABLES
from mr_reuse.tables.schema import EXPORTS, SUFFIX

LOCK, TEMPORARY = '_lock', '_tmp'
SOURCES = '_sources.json'
COPIES, BUNDLES = '_inputs', '_bundle'  # what a cluster needs from this machine
SPECIAL = re.compile(r'[][#$*?]')  # mrjob gives these a meaning in paths
SPECIAL_REMOTE = re.compile(r'[][#$*?,{}\\ %]')  # and Hadoop these
SETTLE = 0.1  # seconds in which another process may be writing its lock
STEP = re.compile(r'\d\d-[a-z]+')
IN_STEP = re.compile(r'_(step|attempt)\.json(\.[0-9a-f]{8}\.half)?|attempt-[0-9a-f]{8}')
TOLD = {'output': str, 'digest': str, 'bytes': int, 'told': list}  # by a step
STATS, LABELS = 'stats.json', 'labels.mrl'
FILES = (
    *(RUN_JSON, INPUTS, SOURCES, LOCK, TEMPORARY, COPIES, BUNDLES),
    *(STATS, LABELS, REPORT),
)
# Names that belong to a run: its files, its steps, its tables and their exports, also
# while they are being written.
RUN_NAMES = re.compile(
    r'({}|\d\d-[a-z]+|({})\.({}))(\.[0-9a-f]{{8}})?(\.half)?'.format(
        '|'.join(map(re.escape, FILES)),
        '|'.join(TABLES),
        '|'.join((SUFFIX[1:], *EXPORTS)),
    )
)


class RunDir:
    """The folder of one run, locked as long as it is open."""

    def __init__(self, path: str, force: bool = False):
        self.path, self._force = path, force
        self._process = locks.describe_process()
        self._in_use = False

    def __enter__(self) -> 'RunDir':
        odd = (SPECIAL_REMOTE if is_remote(self.path) else SPECIAL).search(self.path)
        if odd:
            raise UserError(
                f'{self.path}: {odd[0]!r} cannot be in the name of this folder; '
                'name another'
            )
        storage.make_dir(self.path)
        names = storage.list_names(self.path)
        # Names alone prove nothing: a run has one of these from its first moment on.
        proof = any(name.startswith((INPUTS, LOCK)) for name in names)
        foreign = [n for n in names if not (proof and self._belongs_to_run(n))]
        if foreign and not self._force:
            raise UserError(
                f'{self.path}: holds {foreign[0]!r}, which is not of a run; '
                'name another folder, or give --force'
            )
        self._lock()
        for name in storage.list_names(self.path):
            # What a dead driver has left on a cluster may be at work with its files.
            old = name == TEMPORARY and not is_remote(self.path)
            if old or (RUN_NAMES.fullmatch(name) and name.endswith('.half')):
                self._remove(name)
        storage.make_dir(self.join(TEMPORARY))
        self._temporary = self.join(TEMPORARY)
        if is_remote(self.path):
            self._temporary = tempfile.mkdtemp(prefix='mr_reuse-')
        self._scratch = storage.set_scratch_folder(self._temporary)
        return self

    def __exit__(self, *_: object) -> None:
        with interrupts.defer_interrupts():  # half of this would leave a lock behind
            storage.set_scratch_folder(self._scratch)
            storage.remove(self._temporary)
            if self.read_json(LOCK) == self._process:
                if not self._in_use:
                    storage.remove(self.join(TEMPORARY))
                storage.remove(self.join(LOCK))

    def keep_temporary(self) -> None:
        """Leave what a job may still be at work with, when this driver ends."""
        self._in_use = is_remote(self.path)

    def _belongs_to_run(self, name: str) -> bool:
        """Whether something here is of a run, by its name and what it holds."""
        if not RUN_NAMES.fullmatch(name):
            return False
        held = storage.list_names(self.join(name)) if STEP.fullmatch(name) else []
        return all(map(IN_STEP.fullmatch, held))

    def _remove(self, name: str) -> None:
        """Remove what is of a run; what else lies in a step's folder stays."""
        if self._belongs_to_run(name):
            storage.remove(self.join(name))
            return
        for held in filter(IN_STEP.fullmatch, storage.list_names(self.join(name))):
            storage.remove(self.join(name, held))

    def _lock(self) -> None:
        lock, text = self.join(LOCK), json.dumps(self._process)
        if storage.create(lock, text):
            return
        owner = self._owner()
        if locks.is_alive(owner) and not (self._force and locks.is_remote(owner)):
            hint = ', or give --force if it is gone' if locks.is_remote(owner) else ''
            raise UserError(
                f'{self.path}: process {owner.get("pid")} on {owner.get("host")} '
                f'works in it; wait for it{hint}'
            )
        storage.remove(lock)
        if not storage.create(lock, text) or self._owner() != self._process:
            raise UserError(f'{self.path}: another process has just begun; wait for it')

    def _owner(self) -> dict[str, Any]:
        """Who holds the lock, once it is certain; {} if it was killed as it wrote."""
        time.sleep(SETTLE)
        return self.read_json(LOCK)

    def claim(self, inputs: str) -> None:
        """Make this folder a run's on these inputs, a line each, or refuse.

        What stands before the tab of a line, such as a size, may have changed.
        """
        name = self.join(INPUTS)
        before = storage.read_text(name) if storage.exists(name) else None
        same = before is not None and _names(before) == _names(inputs)
        if before is not None and not same and not self._force:
            raise UserError(
                f'{self.path}: holds a run on other inputs (see {INPUTS} there); '
                'name another folder, or give --force to replace it'
            )
        if not same:
            self.remove_results()
        with storage.write(name, 'w') as stream:
            stream.write(inputs)
        # What it says may still be true of what the new run does not make anew.
        if record := self.read_record():
            self.write_record(replace(record, finished=False))
        else:
            storage.remove(self.join(RUN_JSON))  # a damaged one

    def join(self, *parts: str) -> str:
        """A name in this folder."""
        return naming.join(self.path, *parts)

    def temporary_name(self, name: str) -> str:
        """A name on this machine for something that is gone when the run ends."""
        return naming.join(self._temporary, name)

    def read_record(self) -> RunRecord | None:
        """Read the record of this run; None if there is none, or it is damaged."""
        return read_record(self.path)

    def write_record(self, record: RunRecord) -> None:
        """Write the record of this run, for people to read."""
        self.write_json(RUN_JSON, record.to_json(), indent=1)

    def write_json(self, name: str, data: Any, indent: int | None = None) -> None:
        """Write a JSON file in one piece; without `indent` it is ten times as fast."""
        with storage.write(self.join(name), 'w') as stream:
            stream.write(json.dumps(data, indent=indent, sort_keys=True) + '\n')

    def read_json(self, name: str) -> dict[str, Any]:
        """A JSON file, empty if it is not there or damaged."""
        return read_json(self.join(name))

    def new_attempt(self, step: str) -> str:
        """A fresh folder name for a step's output; what was there before is removed."""
        self._remove(step)
        storage.make_dir(self.join(step))
        return naming.join(step, f'attempt-{uuid.uuid4().hex[:8]}')

    def reset_step(self, step: str) -> None:
        """Let a step be made anew, finished or not."""
        self._remove(step)

    def record_attempt(self, step: str, output: str, digest: str) -> None:
        """Note what is begun, so that another driver finds it if this one dies."""
        told = {'output': output, 'digest': digest}
        self.write_json(naming.join(step, '_attempt.json'), told)

    def read_attempt(self, step: str) -> dict[str, Any]:
        """What a driver had begun that did not finish it; {} if there is nothing."""
        told = self.read_json(naming.join(step, '_attempt.json'))
        return (
            told if all(type(told.get(n)) is str for n in ('output', 'digest')) else {}
        )

    def read_step(self, step: str) -> dict[str, Any]:
        """What a step told when it finished; {} if there is no whole output."""
        told = self.read_json(naming.join(step, '_step.json'))
        whole = all(type(told.get(name)) is kind for name, kind in TOLD.items())
        return told if whole and storage.is_dir(self.join(told['output'])) else {}

    def delete(self) -> None:
        """Remove all that is of the run, and the folder if that leaves it empty."""
        self.remove_results()
        storage.remove(self.join(TEMPORARY))
        storage.remove(self.join(LOCK))
        if not storage.list_names(self.path):
            storage.remove(self.path)

    def remove_results(self) -> None:
        """Remove the steps and results of a run on other inputs.

        What people have judged stays: it is their work, and says of which run it is.
        """
        for name in storage.list_names(self.path):
            if RUN_NAMES.fullmatch(name) and name not in (
                LOCK,
                TEMPORARY,
                JUDGEMENTS.file,
            ):
                self._remove(name)


def _names(inputs: str) -> list[str]:
    return sorted(line.partition('\t')[2] for line in inputs.split('\n'))


def digest_of(told: Any) -> str:
    """A short digest of anything that JSON can hold.

    >>> digest_of({'a': 1}) == digest_of({'a': 1}) != digest_of({'a': 2})
    True
    """
    text = json.dumps(told, sort_keys=True)
    return hashlib.sha256(to_bytes(text)).hexdigest()[:16]
