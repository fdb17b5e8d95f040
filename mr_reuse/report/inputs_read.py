"""The section of the input: documents, types, and damage by cause and archive."""

from typing import Any

from mr_reuse.archives.causes import TRUNCATED_NOTE
from mr_reuse.pages.damage import of_record
from mr_reuse.pages.revisits import describe_revisits
from mr_reuse.report.run import Run

MAX_ARCHIVES = 10  # rows of the table of damaged archives
MAX_TYPES = 8
NO_COUNTS = {'pages': 0, 'files': 0, 'chunks': 0, 'bytes': 0}


def section(run: Run) -> dict[str, Any]:
    """Return the counts of documents and the damage, the worst first."""
    read, damaged = run.record.read, run.record.damaged or []
    counts = of_record(run.record).counts
    notes = dict(read.get('notes', {}))
    truncated, revisits = notes.pop(TRUNCATED_NOTE, 0), run.record.revisits
    archives = [
        (archive['archive'], causes, sum(r for r, _ in causes.values()), size)
        for archive in damaged
        if (causes := archive.get('damage', {}))
        for size in [sum(size for _, size in causes.values())]
    ]
    archives.sort(key=lambda row: (-row[2], -row[3], row[0]))
    damage = sorted(read.get('damage', {}).items(), key=lambda c: (*_down(c[1]), c[0]))
    types = sorted(read.get('types', {}).items(), key=lambda t: (-t[1], t[0]))
    return {
        'counts': NO_COUNTS | read.get('counts', {}),
        'inputs': len(run.record.paths),
        'types': types[:MAX_TYPES],
        'more_types': sum(number for _, number in types[MAX_TYPES:]),
        'skipped': sorted(read.get('skipped', {}).items()),
        'notes': sorted(notes.items()),
        'truncated': truncated,
        'revisits': list(describe_revisits(revisits)) if revisits else [],
        'damage': damage,
        'lost': sum(records for _, (records, _) in damage),
        'lost_bytes': sum(size for _, (_, size) in damage),
        'archives': archives[:MAX_ARCHIVES],
        'damaged': counts.archives,
        'recorded': len(archives),
        'unread': counts.unread,
    }


def _down(numbers: list[int]) -> list[int]:
    return [-number for number in numbers]
