"""The types of values in `run.json`. Of most of them, other modules define the keys.

Those stay dictionaries in a record. Only their types are checked when it is read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mr_reuse.engine.step_record import Steps
from mr_reuse.engine.typed_json import DamagedError, Json, JsonRecord
from mr_reuse.storage import naming


@dataclass(frozen=True, kw_only=True)
class Statistics(JsonRecord):
    """The statistics of archives."""

    archive: str = ''
    counts: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    damage: dict[str, list[int]] = field(default_factory=dict)  # records and bytes


@dataclass(frozen=True, kw_only=True)
class Options(JsonRecord):
    """The options of `discover` that other commands use."""

    inputs: list[str] | None = None
    base_url: str | None = None
    limit: int | None = None
    runner: str | None = None
    preset: str | None = None
    min_len: int | None = None
    file_threshold: int | None = None
    stop_bloom: float | None = None


@dataclass(frozen=True, kw_only=True)
class PageOptions(JsonRecord):
    """The options that decide the pages."""

    filter: list[str] | None = None
    recursion: str | None = None


@dataclass(frozen=True, kw_only=True)
class Pairs(JsonRecord):
    """The results of the step that finds pairs of sites."""

    output: str
    unit: str
    rows: int
    common: int


@dataclass(frozen=True, kw_only=True)
class Rule(JsonRecord):
    """The rule for bad pages and neighborhoods; fractions are texts."""

    levels: str | None = None
    ratio: str | None = None
    page_threshold: str | None = None
    neighborhood_threshold: str | None = None
    sigmas: str | None = None
    per_level: bool | None = None
    rank: str | None = None
    top: int | None = None
    min_bad: int = 0
    min_chunks: int = 1


@dataclass(frozen=True, kw_only=True)
class RevisitsRecord(JsonRecord):
    """The revisits of a run: captures whose content is in another record."""

    resolved: int  # those that count
    pages: int  # of these, the pages
    unresolved: dict[str, int]  # the others, by reason
    targets: str  # output of the step that found the other records
    filled: str  # folder of page lines, the last one in `pages` of the run

    def locate(self, top: str) -> 'RevisitsRecord':
        """Make all paths absolute; `top` is the run."""
        targets, filled = (
            naming.join(top, name) for name in (self.targets, self.filled)
        )
        return replace(self, targets=targets, filled=filled)


@dataclass(frozen=True, kw_only=True)
class System(JsonRecord):
    """The results of a system other than `chunks`."""

    options: Json
    steps: Steps


def check(kind: type[JsonRecord], key: str, data: Mapping[str, Any] | None) -> None:
    """Check the value of a key. Raises DamagedError with the key inside it."""
    try:
        record = kind.from_json(data or {}) if data is not None else None
    except DamagedError as error:
        raise DamagedError(f'{key}.{error}') from None
    damage = record.damage if isinstance(record, Statistics) else {}
    if any(len(lost) != 2 for lost in damage.values()):
        raise DamagedError(f'{key}.damage')
