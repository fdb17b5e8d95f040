"""What a run records of a system that compares documents."""

import hashlib
from dataclasses import replace
from typing import Any

from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_options import drop_unset
from mr_reuse.messages import command_line, to_bytes
from mr_reuse.pages.documents.choosing import Documents
from mr_reuse.text import characters


def digest_inputs(record: RunRecord) -> str:
    """Return a digest of the sizes of the inputs that a system has read.

    It does not depend on their order.
    """
    digests = (
        hashlib.blake2b(to_bytes(f'{name}\n{size}'), digest_size=8).digest()
        for name, size in record.sizes.items()
    )
    total = sum(int.from_bytes(digest, 'big') for digest in digests)
    return f'{total % (1 << 64):016x}'


def describe_age(run: str, record: RunRecord, system: str) -> str:
    """Say that the results of a system and others are not of the same files.

    An archive may have grown, or have been replaced, between two commands. Returns an
    empty text if none has.
    """
    digest = record.systems[system].get('inputs')
    if digest in (None, digest_inputs(record)):
        return ''
    commands = (command_line(name, '-o', run) for name in (system, 'discover'))
    return (
        f'the inputs have changed between the commands {system} and discover, so their '
        f'results do not fit; run again: {"; ".join(commands)}'
    )


def count_all(documents: Documents, accounts: list[dict[str, Any]]) -> dict[str, int]:
    """Return the counts of documents and of pages for `stats.json`."""
    pages = sum(account.get('counts', {}).get('pages', 0) for account in accounts)
    return {'pages': pages, 'passed_over': documents.passed_over}


def join_record(
    before: RunRecord | None, own: RunRecord, system: str, options: dict[str, Any]
) -> RunRecord:
    """Return the record of a run with the results of a system, and its options.

    `own` is the record of the reading alone. The results of other systems stay.
    """
    results = {
        'version': own.version,
        'options': drop_unset(options),
        'steps': {name: step.to_json() for name, step in own.steps.items()},
        'read': own.read,
        'damaged': own.damaged,
        'inputs': digest_inputs(own),
    }
    if 'words' in options:
        results['unicode'] = characters.VERSION
    if own.damage_counts:
        results['damage_counts'] = own.damage_counts
    if before is None:
        selection = {k: own.page_options[k] for k in ('filter', 'recursion')}
        reset = {'pages': [], 'steps': {}, 'damaged': None, 'damage_counts': None}
        before = replace(own, page_options=selection, **reset)
    systems = before.systems | {system: results}
    return replace(before, finished=True, systems=systems)


def has_results_of(before: RunRecord | None, own: RunRecord, system: str) -> bool:
    """Test whether no step of a system has run again since an older record."""
    results = before.systems.get(system) if before else None
    if not results:
        return False
    outputs = {name: step.output for name, step in own.steps.items()}
    old = {name: step['output'] for name, step in results['steps'].items()}
    return outputs == old
