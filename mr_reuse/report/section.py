"""A section of the report, and the sections of all systems."""

import importlib
import importlib.util
from collections.abc import Iterator
from typing import Any, NamedTuple

from mr_reuse.report.run import Run
from mr_reuse.systems import SYSTEMS


class Section(NamedTuple):
    """A part of the page."""

    id: str  # also names its template
    title: str
    data: dict[str, Any] | None  # for the template; None to leave the section out


def system_sections(run: Run, top: int) -> Iterator[Section]:
    """Yield the sections of all systems, in the order of the page."""
    for system in SYSTEMS:
        name = f'{__package__}.{system}'
        if importlib.util.find_spec(name):
            yield from importlib.import_module(name).sections(run, top)
