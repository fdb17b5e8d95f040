"""The records of a step: its files in RUN, and its entry in `run.json`.

    RUN/01-pages/_attempt.json   an `Attempt`, written before its jobs start
    RUN/01-pages/_step.json      a `FinishedStep`, written after them

The paths in a record are relative to RUN, so that a run can be moved. Each file has a
digest of its other keys. If it does not fit, the step counts as not finished.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mr_reuse.engine.typed_json import DamagedError, Json, JsonRecord
from mr_reuse.messages import to_bytes
from mr_reuse.storage import naming
from mr_reuse.storage.text_files import read_json

ATTEMPT_JSON, STEP_JSON = '_attempt.json', '_step.json'


@dataclass(frozen=True, kw_only=True)
class StepRecord(JsonRecord):
    """The entry of a finished step in `run.json`."""

    output: str  # the folder of its output
    seconds: Any = None  # float
    bytes: int | None = None  # of its output
    counters: Json | None = None  # of its jobs
    jobs: list[Any] | None = None  # ids of its jobs on the cluster

    def locate(self, top: str) -> 'StepRecord':
        """Make the path absolute; `top` is the run."""
        return replace(self, output=naming.join(top, self.output))


Steps = dict[str, StepRecord]  # by their folders


def locate_steps(steps: Steps, top: str) -> Steps:
    """Make the paths of steps absolute; `top` is the run."""
    return {name: step.locate(top) for name, step in steps.items()}


def locate_systems(systems: Mapping[str, Json], top: str) -> dict[str, Json]:
    """Make the paths of the steps of systems absolute.

    >>> found = locate_systems({'x': {'steps': {'11-a': {'output': '11-a/1'}}}}, '/run')
    >>> found['x']['steps']['11-a']['output']
    '/run/11-a/1'
    """
    return {
        name: results | {'steps': _locate_outputs(results['steps'], top)}
        for name, results in systems.items()
    }


def _locate_outputs(steps: Mapping[str, Json], top: str) -> Json:
    return {
        folder: step | {'output': naming.join(top, step['output'])}
        for folder, step in steps.items()
    }


@dataclass(frozen=True, kw_only=True)
class Attempt(JsonRecord):
    """An attempt at a step. If its driver dies, another driver finds its jobs by it."""

    output: str  # the folder of its output; no other attempt has this name
    digest: str  # of all that decides the output


@dataclass(frozen=True, kw_only=True)
class FinishedStep(Attempt):
    """A finished step."""

    bytes: int  # of its output
    stats: list[Json] = field(metadata={'key': 'told'})  # of each task
    seconds: Any = None  # float
    counters: Json | None = None  # of its jobs
    jobs: list[Any] | None = None  # ids of its jobs on the cluster
    checksums: dict[str, int] | None = None  # of its part files (`step_output.py`)

    def to_step_record(self) -> StepRecord:
        """Make the entry for `run.json`."""
        return StepRecord(
            output=self.output,
            seconds=self.seconds,
            bytes=self.bytes,
            counters=self.counters,
            jobs=self.jobs,
        )


State = TypeVar('State', Attempt, FinishedStep)
CHECK = 'check'  # the key of the digest


def to_state(record: Attempt) -> Json:
    """Make the JSON object of a file, with its digest."""
    data = record.to_json()
    return data | {CHECK: digest_of(data)}


def read_state(kind: type[State], name: str) -> State | None:
    """Read a file; None if it is missing or damaged. Older ones have no digest."""
    data = read_json(name)
    check = data.pop(CHECK, None)
    try:
        return kind.from_json(data) if check in (None, digest_of(data)) else None
    except DamagedError:
        return None


class JsonList:
    """A list of values of JSON that may be too long for the memory.

    `read` returns an iterator over the values.
    """

    def __init__(self, read: Callable[[], Iterator[Any]]):
        self._read = read

    def encode(self) -> Iterator[str]:
        """Yield the JSON of the list, in pieces."""
        yield '['
        for number, value in enumerate(self._read()):
            yield (', ' if number else '') + json.dumps(value, sort_keys=True)
        yield ']'


def encode_json(value: Any) -> Iterator[str]:
    """Yield the JSON of a value, in pieces, with sorted keys.

    The value may be a list or a dictionary that has a JsonList.

    >>> names, none = (JsonList(lambda of=text: iter(of)) for text in ('ab', ''))
    >>> ''.join(encode_json({'names': names, 'empty': none}))
    '{"empty": [], "names": ["a", "b"]}'
    >>> ''.join(encode_json([{2: 1}, names]))
    '[{"2": 1}, ["a", "b"]]'
    """
    if isinstance(value, JsonList):
        yield from value.encode()
    elif isinstance(value, dict) and _has_list(value.values()):
        for number, key in enumerate(sorted(value)):
            yield f'{", " if number else "{"}{json.dumps(key)}: '
            yield from encode_json(value[key])
        yield '}'
    elif isinstance(value, list) and _has_list(value):
        for number, item in enumerate(value):
            yield ', ' if number else '['
            yield from encode_json(item)
        yield ']'
    else:
        yield json.dumps(value, sort_keys=True)


def _has_list(values: Iterable[Any]) -> bool:
    return any(isinstance(value, JsonList) for value in values)


def digest_of(value: Any) -> str:
    """Compute a short digest of a value of JSON.

    >>> digest_of({'a': 1}) == digest_of({'a': 1}) != digest_of({'a': 2})
    True
    """
    digest = hashlib.sha256()
    for text in encode_json(value):
        digest.update(to_bytes(text))
    return digest.hexdigest()[:16]
