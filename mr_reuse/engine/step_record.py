"""The records of a step: its files in RUN, and its entry in `run.json`.

    RUN/01-pages/_attempt.json   an `Attempt`, written before its jobs start
    RUN/01-pages/_step.json      a `FinishedStep`, written after them

The paths in a record are relative to RUN, so that a run can be moved.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from mr_reuse.engine.typed_json import Json, JsonRecord
from mr_reuse.storage import naming

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

    def to_step_record(self) -> StepRecord:
        """Make the entry for `run.json`."""
        return StepRecord(
            output=self.output,
            seconds=self.seconds,
            bytes=self.bytes,
            counters=self.counters,
            jobs=self.jobs,
        )
