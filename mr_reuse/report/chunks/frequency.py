"""How often chunks and files occur: `frequency.tsv`, all of it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from mr_reuse.report import figures
from mr_reuse.report.run import Run
from mr_reuse.tables.run_tables import FREQUENCY

Frequency = FREQUENCY.row


class Class(NamedTuple):
    """Objects that occur about equally often."""

    least: int
    most: int
    objects: int
    copies: int  # of all of them


class Spectrum(NamedTuple):
    """All chunks, or all files."""

    points: list[tuple[int, int]]  # copies of an object, objects with so many

    @property
    def objects(self) -> int:
        """Different ones."""
        return sum(objects for _, objects in self.points)

    @property
    def copies(self) -> int:
        """All of them, copies counted."""
        return sum(copies * objects for copies, objects in self.points)

    def classes(self) -> list[Class]:
        """Objects that occur once, up to ten times, up to a hundred times, …

        >>> for one in Spectrum([(1, 5), (2, 3), (10, 1), (70, 1)]).classes():
        ...     print(*one)
        1 1 5 5
        2 10 4 16
        11 100 1 70
        """
        found: dict[int, tuple[int, int]] = {}
        for copies, objects in self.points:
            power = len(str(copies - 1)) if copies > 1 else 0
            before = found.get(power, (0, 0))
            found[power] = (before[0] + objects, before[1] + copies * objects)
        return [
            Class(10 ** (power - 1) + 1 if power else 1, 10**power, *numbers)
            for power, numbers in sorted(found.items())
        ]


def spectra(rows: Iterable[Frequency]) -> dict[str, Spectrum]:
    """What `frequency.tsv` says of chunks and of files."""
    found = {'chunk': Spectrum([]), 'file': Spectrum([])}
    for unit, copies, objects in rows:
        found[unit].points.append((copies, objects))
    return found


def section(run: Run) -> dict[str, Any] | None:
    """The spectra of chunks and files, drawn."""
    if not (run.is_discovered and run.has(FREQUENCY)):
        return None
    threshold = run.record.discover.threshold
    of_files = run.record.options.get('file_threshold')
    thresholds = {'chunk': threshold, 'file': threshold}
    if of_files is not None:
        thresholds['file'] = of_files
    found = spectra(run.rows(FREQUENCY))
    return {
        'units': [
            {
                'name': unit,
                'spectrum': found[unit],
                'threshold': thresholds[unit],
                'figure': figures.frequency(unit, found[unit].points, thresholds[unit]),
            }
            for unit in ('chunk', 'file')
        ]
    }
