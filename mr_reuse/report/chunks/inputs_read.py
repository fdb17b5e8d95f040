"""What was read, and what was lost, by cause and by archive."""

from typing import Any

from mr_reuse.report.run import Run

ARCHIVES = 10  # in the page
TYPES = 8
NONE = {'pages': 0, 'files': 0, 'chunks': 0, 'bytes': 0}


def section(run: Run) -> dict[str, Any]:
    """The account of a run."""
    read, damaged = run.record.read, run.record.damaged or []
    archives = [
        (one['archive'], causes, sum(r for r, _ in causes.values()), size)
        for one in damaged
        if (causes := one.get('damage', {}))
        for size in [sum(size for _, size in causes.values())]
    ]
    archives.sort(key=lambda row: (-row[2], -row[3], row[0]))
    damage = sorted(read.get('damage', {}).items(), key=lambda c: (*_down(c[1]), c[0]))
    types = sorted(read.get('types', {}).items(), key=lambda t: (-t[1], t[0]))
    return {
        'counts': NONE | read.get('counts', {}),
        'inputs': len(run.record.paths),
        'types': types[:TYPES],
        'more_types': sum(number for _, number in types[TYPES:]),
        'skipped': sorted(read.get('skipped', {}).items()),
        'notes': sorted(read.get('notes', {}).items()),
        'damage': damage,
        'lost': sum(records for _, (records, _) in damage),
        'lost_bytes': sum(size for _, (_, size) in damage),
        'archives': archives[:ARCHIVES],
        'damaged': len(archives),
    }


def _down(numbers: list[int]) -> list[int]:
    return [-number for number in numbers]
