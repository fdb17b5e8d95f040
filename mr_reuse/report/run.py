"""A run as the report reads it: its record, its statistics, the rows of its tables."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.engine import rundir
from mr_reuse.errors import UserError
from mr_reuse.storage import naming, text_files
from mr_reuse.tables import table_files

UNITS = ('chunk', 'file')
# What the statistics say at the least.
OF_STATS = {
    'pages': {'pages', 'histogram', 'bad', 'threshold', 'mean', 'deviation'},
    'neighborhoods': {
        'neighborhoods',
        'histogram',
        'bad',
        'threshold',
        'ratio',
        'by_level',
    },
}


def ratio(cell: str) -> float | None:
    """A share between 0 and 1, None where there was nothing to divide by."""
    if cell and not 0 <= float(cell) <= 1:
        raise ValueError(cell)
    return float(cell) if cell else None


def number(cell: str) -> int:
    """A whole number, not negative."""
    if not cell.isdecimal():
        raise ValueError(cell)
    return int(cell)


def positive(cell: str) -> int:
    """A whole number from 1 on."""
    if not number(cell):
        raise ValueError(cell)
    return int(cell)


def digest(cell: str) -> str:
    """A hash in hexadecimal digits."""
    bytes.fromhex(cell)
    return cell


def unit(cell: str) -> str:
    """What is counted."""
    if cell not in UNITS:
        raise ValueError(cell)
    return cell


class Frequency(NamedTuple):
    """A row of `frequency.tsv`."""

    unit: unit
    copies: positive
    objects: positive


class Label(NamedTuple):
    """A row of `labels.tsv`."""

    hash: digest
    length: number
    copies: number
    pages: number
    hosts: number
    example_url: str
    preview: str


class FileLabel(NamedTuple):
    """A row of `file_labels.tsv`."""

    hash: digest
    length: number
    copies: number
    hosts: number
    example_url: str


class Neighborhood(NamedTuple):
    """A row of `bad_neighborhoods.tsv`."""

    prefix: str
    level: number
    pages: number
    bad: number
    total: number
    pooled: ratio
    mean: ratio


class Origin(NamedTuple):
    """A row of `origins.tsv`."""

    here: str
    there: str
    shared: number
    share: ratio
    first_here: str
    first_there: str
    earlier_here: number
    earlier_there: number


class Link(NamedTuple):
    """A row of `links.tsv`."""

    source: str
    target: str
    links: number
    pages: number


class Ring(NamedTuple):
    """A row of `rings.tsv`."""

    ring: number
    sites: number
    site: str


TABLES = {
    'frequency.tsv': Frequency,
    'labels.tsv': Label,
    'file_labels.tsv': FileLabel,
    'bad_neighborhoods.tsv': Neighborhood,
    'origins.tsv': Origin,
    'links.tsv': Link,
    'rings.tsv': Ring,
}


class Run:
    """A finished run of discover, of detect, or of both."""

    def __init__(self, path: str):
        self.path = path
        self.told: dict[str, Any] = rundir.record(path)
        self.is_discovered = 'threshold' in self.told
        self.is_detected = 'matches' in self.told.get('detect', {})
        self.stats = self._stats() if self.is_detected else {}
        if self.is_detected and not self.has('origins.tsv'):
            name = naming.join(self.path, 'origins.tsv')
            raise UserError(f'{name}: gone; run detect again')

    def _stats(self) -> dict[str, Any]:
        name = naming.join(self.path, 'stats.json')
        told = text_files.read_json(name)
        for part, names in OF_STATS.items():
            found = told.get(part)
            if not (isinstance(found, dict) and names <= found.keys()):
                raise UserError(f'{name}: gone or damaged; run detect again')
        return told

    @property
    def level(self) -> int:
        """The level of neighborhoods that are sites."""
        return self.told['detect']['level']

    @property
    def site(self) -> str:
        """What neighborhoods of that level are called."""
        return {0: 'domain', 1: 'site'}.get(self.level, 'folder')

    def has(self, name: str) -> bool:
        """Whether there is a table of this name."""
        return storage.exists(naming.join(self.path, name))

    def rows(self, name: str) -> Iterator[Any]:
        """The rows of a table; it may be a folder."""
        kind, path = TABLES[name], naming.join(self.path, name)
        casts = list(kind.__annotations__.values())
        for line, row in enumerate(table_files.read(path), 2):
            try:
                cells = zip(casts, row, strict=True)
                found = kind(*(cast(cell) for cast, cell in cells))
            except ValueError:
                why = f'line {line:,} is damaged; run discover or detect again'
                raise UserError(f'{path}: {why}') from None
            yield found
