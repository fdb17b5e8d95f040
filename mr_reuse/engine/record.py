"""The record of a run, `run.json`: inputs, options, steps, and results of each system.

Paths in the file are relative to the run, so that a run can be moved. `load_record`
makes them absolute. Options and statistics are dictionaries, since other modules define
their keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mr_reuse import storage
from mr_reuse.engine import record_shapes
from mr_reuse.engine.record_shapes import (
    Options,
    PageOptions,
    Pairs,
    RevisitsRecord,
    Rule,
    Statistics,
    System,
)
from mr_reuse.engine.step_record import Steps, locate_steps, locate_systems
from mr_reuse.engine.typed_json import DamagedError, Json, JsonRecord, key_of
from mr_reuse.errors import UserError
from mr_reuse.shuffle import mapped_paths
from mr_reuse.storage import mapped, naming
from mr_reuse.storage.text_files import read_json

RUN_JSON, INPUTS = 'run.json', 'inputs.txt'
ARCHIVES = '_archives.txt'  # the paths and sizes of many archives


@dataclass(frozen=True, kw_only=True)
class DiscoverRecord(JsonRecord):
    """The results of `discover`."""

    counts: str  # the output of its step
    threshold: int
    reason: str  # for the threshold
    labels: dict[str, dict[str, int]]  # counts by unit (chunk, file) and by outcome


@dataclass(frozen=True, kw_only=True)
class DetectRecord(JsonRecord):
    """The results of `detect`. Until it finishes, only its first fields are known."""

    labels: str | None = None  # the label file
    sources: list[str] | None = None  # hosts that the user named as true sources
    families: list[list[str]] | None = None  # hosts of one owner, as the user stated
    labels_digest: str | None = None
    matches: str | None = None  # the output of its step
    neighborhoods: str | None = None  # the output of its step
    levels: str | None = None  # of neighborhoods: the value of --levels
    level: int | None = None  # the level that counts as site
    rule: Json | None = None
    options: Json | None = None
    steps: Steps | None = None

    def has_results_of(self, before: 'DetectRecord') -> bool:
        """Test whether the tables of two records have the same content."""
        ignored = {'labels': None, 'options': None, 'steps': None, 'unknown': {}}
        return replace(self, **ignored) == replace(before, **ignored)

    def has_matches_of(self, before: 'DetectRecord') -> bool:
        """Test whether two records are of the same labels and pages."""
        return self.labels_digest == before.labels_digest and (
            self.matches == before.matches
        )

    def locate(self, top: str) -> 'DetectRecord':
        """Make all paths absolute; `top` is the run."""
        names = {name: getattr(self, name) for name in _DETECT_PATHS}
        paths = {k: naming.join(top, v) for k, v in names.items() if v is not None}
        return replace(
            self, **paths, steps=self.steps and locate_steps(self.steps, top)
        )


_DETECT_PATHS = ('labels', 'matches', 'neighborhoods')
_CHOICE = (
    'kept_captures',
    'captures',
    'urls',
    'passed_over',
    'passed_pages',
    'revisits',
)
_DISCOVER_KEYS = [key_of(f) for f in DiscoverRecord.json_fields()]


@dataclass(frozen=True, kw_only=True)
class RunRecord(JsonRecord):
    """The record of a run: of its pages, and of each system that used them."""

    NO_KEYS = {'unknown', 'discover'}  # the keys of discover are on the top level

    # Options that decide the pages: the recipe, filters, recursion.
    page_options: Json = field(metadata={'key': 'made_of'})
    paths: Mapping[str, str]  # of archives, by their names in rids
    pages: list[str]  # folders of page lines
    steps: Steps
    run: str  # the name of the run, as typed
    finished: bool = False
    version: str = ''
    options: Json | None = None  # None if the pages are those of another run
    preset: str | None = None  # of the options that made the pages
    inputs: list[str] = field(default_factory=list)
    sizes: Mapping[str, int] = field(default_factory=dict)  # of archives, if known
    archives: str | None = None  # digest of the file that has both, if they are many
    rows: int = 0  # chunks of all pages
    read: dict[str, Json] = field(default_factory=dict)  # sums of statistics
    damaged: list[Json] | None = None  # statistics of damaged archives
    # Of all damaged archives, if `damaged` lacks some.
    damage_counts: dict[str, int] | None = None
    # The value of --captures, and counts. Older versions kept all, without a record.
    kept_captures: str | None = None
    captures: int | None = None
    urls: int | None = None
    passed_over: int | None = None  # captures that are not kept
    passed_pages: int | None = None  # of these, the pages
    skipped: str | None = None  # output of the step that chose; None if all are kept
    revisits: RevisitsRecord | None = None  # None if the crawl has none
    discover: DiscoverRecord | None = None
    # Of the table of pairs: the command that wrote it, the unit, and counts.
    pairs: Json | None = None
    detect: DetectRecord = DetectRecord()
    # The results of other systems, by their names. Each has `steps`.
    systems: dict[str, Json] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> 'RunRecord':
        """Check a record; DamagedError names the first key that is wrong."""
        discovered = {key: data[key] for key in _DISCOVER_KEYS if key in data}
        record = super().from_json(
            {k: v for k, v in data.items() if k not in discovered}
        )
        discover = DiscoverRecord.from_json(discovered) if discovered else None
        for kind, key, value in (
            (Statistics, 'read', record.read),
            *((Statistics, 'damaged', stats) for stats in record.damaged or ()),
            (Options, 'options', record.options),
            (PageOptions, 'made_of', record.page_options),
            (Pairs, 'pairs', record.pairs),
            (Rule, 'detect.rule', record.detect.rule),
            *((System, f'systems.{n}', s) for n, s in record.systems.items()),
        ):
            record_shapes.check(kind, key, value)
        preset = record.preset or (record.options or {}).get('preset')
        return replace(record, discover=discover, preset=preset)

    def to_json(self) -> Json:
        """Return the JSON object of the file."""
        data = super().to_json()
        for name in ('detect', 'sizes', 'systems'):
            if not data[name]:
                del data[name]
        return data | (self.discover.to_json() if self.discover else {})

    def locate(self, folder: str) -> 'RunRecord':
        """Make all paths absolute; the run is in this folder."""
        top, discover = naming.absolute(folder), self.discover
        if discover:
            discover = replace(discover, counts=naming.join(top, discover.counts))
        return replace(
            self,
            pages=[naming.join(top, name) for name in self.pages],
            skipped=self.skipped and naming.join(top, self.skipped),
            revisits=self.revisits and self.revisits.locate(top),
            steps=locate_steps(self.steps, top),
            discover=discover,
            detect=self.detect.locate(top),
            systems=locate_systems(self.systems, top),
        )

    @property
    def pages_kept(self) -> int:
        """The number of pages that were searched: those of captures that are kept."""
        revisits = self.revisits.pages if self.revisits else 0
        pages = self.read.get('counts', {}).get('pages', 0) + revisits
        return pages - (self.passed_pages or 0)

    @property
    def pages_as_read(self) -> list[str]:
        """The folders of page lines without those of resolved revisits."""
        filled = self.revisits.filled if self.revisits else None
        return [folder for folder in self.pages if folder != filled]

    def has_steps_of(self, before: 'RunRecord | None') -> bool:
        """Test whether no step of `before` has run again since it was written.

        A step that runs again has a new output folder.
        """
        if before is None or self.skipped != before.skipped:
            return False
        outputs = {step.output for step in self.steps.values()}
        return all(step.output in outputs for step in before.steps.values())

    def keep_detect(self, before: 'RunRecord | None') -> 'RunRecord':
        """Add the results of `detect` from an older record with the same steps."""
        is_same = self.has_steps_of(before)
        return replace(self, detect=before.detect) if is_same else self

    def keep_systems(self, before: 'RunRecord | None') -> 'RunRecord':
        """Add the results of other systems from an older record."""
        return replace(self, systems=before.systems) if before else self

    def keep_results(self, before: 'RunRecord | None') -> 'RunRecord':
        """Return the older record as finished; this one if its pages are others."""
        if before and (before.pages, before.skipped) == (self.pages, self.skipped):
            kept = {name: getattr(self, name) for name in _CHOICE}
            return replace(before, finished=True, **kept)
        return self

    def share_pages(self, run: str, detect: DetectRecord) -> 'RunRecord':
        """Return the record of another run that uses these pages.

        `run` is its name, and `detect` its results.
        """
        empty = {'options', 'damaged', 'damage_counts', 'discover'}
        dropped = {'systems': {}, 'unknown': {}, **dict.fromkeys(empty)}
        return replace(self, run=run, detect=detect, **dropped)


def read_record(run: str) -> RunRecord | None:
    """Read a record as it was written; None if there is none, or it is damaged."""
    try:
        return _parse(run, _read(run))
    except DamagedError:
        return None


def _parse(run: str, data: Json) -> RunRecord:
    """Check a record. If its archives are many, open the file of their paths."""
    record = RunRecord.from_json(data)
    if record.archives is None:
        return record
    try:
        paths, sizes = mapped_paths.map_archives(
            mapped.map_bytes(naming.join(run, ARCHIVES))
        )
    except FileNotFoundError:
        raise DamagedError('archives') from None
    if paths.archives.digest != record.archives:
        raise DamagedError('archives')
    return replace(record, paths=paths, sizes=sizes)


def load_record(run: str) -> RunRecord:
    """Load the record of a finished run, with absolute paths."""
    data = _read(run)
    if not data.get('finished'):
        why = _why_unfinished(run, bool(data))
        raise UserError(f'{run}: no finished run of discover or detect{why}')
    try:
        return _parse(run, data).locate(run)
    except DamagedError as error:
        raise UserError(
            f'{run}: {RUN_JSON} in it has no valid {str(error)!r}; type the command '
            'that made the run again'
        ) from None


def load_complete(run: str) -> RunRecord:
    """Load the record of a finished run; refuse it if pages or counts are missing."""
    record = load_record(run)
    counts = [record.discover.counts] if record.discover else []
    skipped = [record.skipped] if record.skipped else []
    targets = [record.revisits.targets] if record.revisits else []
    for folder in [*record.pages, *targets, *skipped, *counts]:
        if not storage.is_dir(folder):
            raise UserError(
                f'{folder}: missing, but {run} needs it; put it back, or type the '
                f'command that made {run} again'
            )
    return record


def is_run(folder: str) -> bool:
    """Test whether a folder holds a record, sound or damaged."""
    return bool(_read(folder).get('made_of'))


def is_finished(run: str) -> bool:
    """Test whether a run has finished; its record may be damaged."""
    return bool(_read(run).get('finished'))


def _read(run: str) -> Json:
    return read_json(naming.join(run, RUN_JSON))


def _why_unfinished(run: str, has_record: bool) -> str:
    """Return the reason why a name is not that of a finished run, and the remedy."""
    if has_record or storage.exists(naming.join(run, INPUTS)):
        return '; type the command that began it again to resume'
    if storage.is_dir(run):
        return '; name the folder of a run'
    return '; it is a file' if storage.exists(run) else '; there is no such folder'
