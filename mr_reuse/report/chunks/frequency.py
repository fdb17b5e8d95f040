"""The section of frequencies: the numbers of copies of chunks and files."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from mr_reuse.chunks.chunk_tables import FREQUENCY
from mr_reuse.report import figures
from mr_reuse.report.run import Run

Frequency = FREQUENCY.row


class Class(NamedTuple):
    """Objects with numbers of copies of the same order of magnitude."""

    least: int
    most: int
    objects: int
    copies: int  # of all objects of the class


class Spectrum(NamedTuple):
    """The numbers of copies of all chunks or of all files."""

    points: list[tuple[int, int]]  # number of copies, objects with this number

    @property
    def objects(self) -> int:
        """The number of distinct objects."""
        return sum(objects for _, objects in self.points)

    @property
    def copies(self) -> int:
        """The number of occurrences of all objects."""
        return sum(copies * objects for copies, objects in self.points)

    def classes(self) -> list[Class]:
        """Group the objects: with 1 copy, up to 10 copies, up to 100 copies, …

        >>> for group in Spectrum([(1, 5), (2, 3), (10, 1), (70, 1)]).classes():
        ...     print(*group)
        1 1 5 5
        2 10 4 16
        11 100 1 70
        """
        sums: dict[int, tuple[int, int]] = {}
        for copies, objects in self.points:
            # The number of digits is exact, and a logarithm is not.
            power = len(str(copies - 1)) if copies > 1 else 0
            before = sums.get(power, (0, 0))
            sums[power] = (before[0] + objects, before[1] + copies * objects)
        return [
            Class(10 ** (power - 1) + 1 if power else 1, 10**power, *numbers)
            for power, numbers in sorted(sums.items())
        ]


def spectra(rows: Iterable[Frequency]) -> dict[str, Spectrum]:
    """Divide the rows of `frequency.tsv` into those of chunks and of files."""
    by_unit = {'chunk': Spectrum([]), 'file': Spectrum([])}
    for unit, copies, objects in rows:
        by_unit[unit].points.append((copies, objects))
    return by_unit


def section(run: Run) -> dict[str, Any] | None:
    """Return the plots of chunks and files, with their data."""
    if not (run.is_discovered and run.has(FREQUENCY)):
        return None
    threshold = run.record.discover.threshold
    file_threshold = run.record.options.get('file_threshold')
    thresholds = {'chunk': threshold, 'file': threshold}
    if file_threshold is not None:
        thresholds['file'] = file_threshold
    by_unit = spectra(run.rows(FREQUENCY))
    return {
        'units': [
            {
                'name': unit,
                'spectrum': spectrum,
                'threshold': thresholds[unit],
                'figure': figures.frequency(unit, spectrum.points, thresholds[unit]),
            }
            for unit, spectrum in by_unit.items()
        ]
    }
