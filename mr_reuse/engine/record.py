"""The record of a run, `run.json`: inputs, options, steps, and results of each system.

The file holds the names of folders relative to the run, so that a run can be moved.
`load_record` turns them into whole paths. Keys that this version does not know are
kept when the record is written again.

Options and statistics are dictionaries, since their keys belong to other modules.
"""

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import UnionType
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from mr_reuse import storage
from mr_reuse.errors import UserError
from mr_reuse.storage import naming
from mr_reuse.storage.text_files import read_json

RUN_JSON, INPUTS = 'run.json', 'inputs.txt'
Json = dict[str, Any]


class DamagedError(ValueError):
    """A record that lacks a key, or has a value of another type; names the key."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a record. A field that is None is not in the JSON."""

    NO_KEYS: ClassVar[Collection[str]] = {'unknown'}  # fields that are no keys
    unknown: Json = field(default_factory=dict)  # keys that other versions wrote

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Any:
        """Check the types of all known keys; DamagedError names the first wrong one."""
        hints, values, unknown = get_type_hints(cls), {}, dict(data)
        for field_ in cls.json_fields():
            key = key_of(field_)
            if key in data:
                try:
                    values[field_.name] = parse(hints[field_.name], unknown.pop(key))
                except ValueError:
                    raise DamagedError(key) from None
            elif field_.default is field_.default_factory is dataclasses.MISSING:
                raise DamagedError(key)
        return cls(**values, unknown=unknown)

    @classmethod
    def json_fields(cls) -> list[dataclasses.Field]:
        """The fields that are keys of the JSON."""
        return [f for f in dataclasses.fields(cls) if f.name not in cls.NO_KEYS]

    def to_json(self) -> Json:
        """The JSON of this part, with the keys that other versions wrote."""
        values = {key_of(f): getattr(self, f.name) for f in self.json_fields()}
        known = {key: plain(v) for key, v in values.items() if v is not None}
        return self.unknown | known


def key_of(field_: dataclasses.Field) -> str:
    """Return the JSON key of a field: its name, unless its metadata has another."""
    return field_.metadata.get('key', field_.name)


def parse(hint: Any, value: Any) -> Any:
    """A value of JSON as a field of a type holds it; ValueError if it is of another.

    >>> parse(list[str] | None, ['a']), parse(dict[str, int], {'b': 2})
    (['a'], {'b': 2})
    """
    if hint is Any:
        return value
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind is UnionType:
        return None if value is None else parse(args[0], value)
    is_part = issubclass(kind, Part)
    if type(value) is not (dict if is_part else kind):
        raise ValueError(value)
    if is_part:
        return kind.from_json(value)
    if kind is list:
        return [parse(args[0], v) for v in value]
    if kind is dict:
        return {k: parse(args[1], v) for k, v in value.items()}
    return value


def plain(value: Any) -> Any:
    """A value as JSON holds it."""
    if isinstance(value, Part):
        return value.to_json()
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


@dataclass(frozen=True, kw_only=True)
class StepRecord(Part):
    """A finished step: the folder of its output, its time and size."""

    output: str
    seconds: Any = None  # float
    bytes: int | None = None
    counters: Json | None = None
    jobs: list[Any] | None = None  # as the cluster names them

    def locate(self, top: str) -> 'StepRecord':
        """Make the path whole."""
        return replace(self, output=naming.join(top, self.output))


Steps = dict[str, StepRecord]  # by their folders


@dataclass(frozen=True, kw_only=True)
class DiscoverRecord(Part):
    """The results of `discover`."""

    counts: str  # the output of its step
    threshold: int
    reason: str  # for the threshold
    labels: dict[str, Json]  # counts of chunks and of files, by what became of them


@dataclass(frozen=True, kw_only=True)
class DetectRecord(Part):
    """The results of `detect`. Until it finishes, only the labels are known."""

    labels: str | None = None  # the label file
    labels_digest: str | None = None
    matches: str | None = None  # the output of its step
    neighborhoods: str | None = None  # the output of its step
    levels: str | None = None  # of neighborhoods, as the option has it
    level: int | None = None  # of sites
    rule: Json | None = None
    options: Json | None = None
    steps: Steps | None = None

    def has_results_of(self, before: 'DetectRecord') -> bool:
        """Test whether the tables of both have the same content."""
        others = {'labels': None, 'options': None, 'steps': None, 'unknown': {}}
        return replace(self, **others) == replace(before, **others)

    def locate(self, top: str) -> 'DetectRecord':
        """Make all paths whole."""
        names = {name: getattr(self, name) for name in _DETECT_PATHS}
        paths = {k: naming.join(top, v) for k, v in names.items() if v is not None}
        return replace(self, **paths, steps=self.steps and locate(self.steps, top))


_DETECT_PATHS = ('labels', 'matches', 'neighborhoods')
_DISCOVER_KEYS = [key_of(f) for f in DiscoverRecord.json_fields()]


@dataclass(frozen=True, kw_only=True)
class RunRecord(Part):
    """The record of a run: of its pages, and of each system that used them."""

    NO_KEYS = {'unknown', 'discover'}  # the keys of discover are on the top level

    # Options that decide the pages: the recipe, filters, recursion.
    page_options: Json = field(metadata={'key': 'made_of'})
    paths: dict[str, str]  # of archives, by the names in rids
    pages: list[str]  # folders of page lines
    steps: Steps
    run: str  # as it was typed
    finished: bool = False
    version: str = ''
    options: Json | None = None  # None if the pages are those of another run
    inputs: list[str] = field(default_factory=list)
    rows: int = 0  # chunks of all pages
    read: dict[str, Json] = field(default_factory=dict)  # sums of statistics
    damaged: list[Json] | None = None  # statistics of damaged archives
    discover: DiscoverRecord | None = None
    detect: DetectRecord = DetectRecord()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> 'RunRecord':
        """Check a record; DamagedError names the first key that is wrong."""
        ours = {key: data[key] for key in _DISCOVER_KEYS if key in data}
        record = super().from_json({k: v for k, v in data.items() if k not in ours})
        discover = DiscoverRecord.from_json(ours) if ours else None
        return replace(record, discover=discover)

    def to_json(self) -> Json:
        """The JSON of the file."""
        data = super().to_json()
        if not data['detect']:
            del data['detect']
        return data | (self.discover.to_json() if self.discover else {})

    def locate(self, folder: str) -> 'RunRecord':
        """Make all paths whole: the run is in this folder."""
        top, discover = naming.absolute(folder), self.discover
        if discover:
            discover = replace(discover, counts=naming.join(top, discover.counts))
        return replace(
            self,
            pages=[naming.join(top, name) for name in self.pages],
            steps=locate(self.steps, top),
            discover=discover,
            detect=self.detect.locate(top),
        )

    def has_steps_of(self, before: 'RunRecord | None') -> bool:
        """Test whether no step has run again since `before` was written."""
        return before is not None and self.outputs == before.outputs

    @property
    def outputs(self) -> list[str]:
        """The output folders of all steps; a step that runs again has a new one."""
        return [step.output for step in self.steps.values()]

    def keep_detect(self, before: 'RunRecord | None') -> 'RunRecord':
        """Take the results of `detect` over, unless a step has run again since."""
        is_same = self.has_steps_of(before)
        return replace(self, detect=before.detect) if is_same else self

    def keep_results(self, before: 'RunRecord | None') -> 'RunRecord':
        """Take the results of all systems over, unless the pages are new."""
        if before and before.pages == self.pages:
            return replace(before, finished=True)
        return self

    def share_pages(self, run: str, detect: DetectRecord) -> 'RunRecord':
        """The record of another run on the same pages, with results of its own."""
        others = {'options': None, 'damaged': None, 'discover': None, 'unknown': {}}
        return replace(self, run=run, detect=detect, **others)


def locate(steps: Steps, top: str) -> Steps:
    """Make the paths of steps whole."""
    return {name: step.locate(top) for name, step in steps.items()}


def read_record(run: str) -> RunRecord | None:
    """Read a record as it was written; None if there is none, or it is damaged."""
    try:
        return RunRecord.from_json(_read(run))
    except DamagedError:
        return None


def load_record(run: str) -> RunRecord:
    """Load the record of a finished run, with whole paths wherever it was started."""
    data = _read(run)
    if not data.get('finished'):
        why = f'no finished run of discover or detect{_why_not(run, bool(data))}'
        raise UserError(f'{run}: {why}')
    try:
        return RunRecord.from_json(data).locate(run)
    except DamagedError as error:
        raise UserError(f'{run}: its {RUN_JSON} is damaged: no {error}') from None


def load_complete(run: str) -> RunRecord:
    """Load the record of a finished run; refuse it if pages or counts are gone."""
    record = load_record(run)
    counts = [record.discover.counts] if record.discover else []
    for folder in [*record.pages, *counts]:
        if not storage.is_dir(folder):
            raise UserError(f'{folder}: gone, but {run} is made of it')
    return record


def is_run(folder: str) -> bool:
    """Test whether a folder holds a record, sound or damaged."""
    return bool(_read(folder).get('made_of'))


def is_finished(run: str) -> bool:
    """Test whether a run has finished; its record may be damaged."""
    return bool(_read(run).get('finished'))


def _read(run: str) -> Json:
    return read_json(naming.join(run, RUN_JSON))


def _why_not(run: str, has_record: bool) -> str:
    """Say why a name is not that of a finished run."""
    if has_record or storage.exists(naming.join(run, INPUTS)):
        return '; the command that has begun it goes on with it'
    if storage.is_dir(run):
        return '; name the folder of one'
    return '; it is a file' if storage.exists(run) else '; there is no such folder'
