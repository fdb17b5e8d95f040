"""The parts of `stats.json` that a report needs, and their types."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mr_reuse.engine.typed_json import DamagedError, JsonRecord
from mr_reuse.errors import UserError

PERCENTS = 101  # entries of a histogram


@dataclass(frozen=True, kw_only=True)
class Highest(JsonRecord):
    """A page or a neighborhood that is not bad."""

    name: str
    ratio: float
    bad: int
    total: int


@dataclass(frozen=True, kw_only=True)
class Judged(JsonRecord):
    """What was judged together: pages, or the neighborhoods of a level."""

    bad: int
    threshold: float | None = None
    count: int | None = None
    mean: float | None = None
    deviation: float | None = None
    neighborhoods: int | None = None
    highest: list[Highest] | None = None


@dataclass(frozen=True, kw_only=True)
class Moments(JsonRecord):
    """Count, mean and deviation of the ratios of all levels."""

    count: int
    mean: float
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Pages(Judged):
    """The statistics of pages."""

    pages: int
    histogram: list[int]
    mean: float
    deviation: float


@dataclass(frozen=True, kw_only=True)
class Neighborhoods(JsonRecord):
    """The statistics of neighborhoods."""

    neighborhoods: int
    histogram: list[int]
    bad: int
    ratio: str
    by_level: dict[str, Judged]
    threshold: float | None = None
    pooled: Moments | None = None
    mean: Moments | None = None


@dataclass(frozen=True, kw_only=True)
class Statistics(JsonRecord):
    """The content of the file."""

    pages: Pages
    neighborhoods: Neighborhoods
    label_threshold: int | None = None


def check(name: str, stats: Mapping[str, Any]) -> None:
    """Check the content of a file. Raise UserError for a missing or wrong value."""
    try:
        found = Statistics.from_json(stats)
    except DamagedError as error:
        raise UserError(
            f'{name}: missing, or without a valid {str(error)!r}; run detect again'
        ) from None
    histograms = found.pages.histogram, found.neighborhoods.histogram
    are_whole = all(len(histogram) == PERCENTS for histogram in histograms)
    if not (are_whole and all(map(str.isdecimal, found.neighborhoods.by_level))):
        raise UserError(f'{name}: damaged; run detect again')
