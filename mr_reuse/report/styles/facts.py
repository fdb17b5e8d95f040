"""The counts and options of `styles` in a run, checked before the report uses them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mr_reuse.errors import UserError
from mr_reuse.report.run import Run
from mr_reuse.storage import naming
from mr_reuse.tables.schema import Table

COUNTS = ('documents', 'without_style', 'passed_over', 'styles', 'members')
COUNTS += ('largest', 'left_out', 'unread')


class Facts(NamedTuple):
    """The counts and options."""

    counts: dict[str, int]
    options: dict[str, Any]


def read_facts(run: Run) -> Facts:
    """Read both. Raises UserError for a missing or wrong value."""
    counts = run.all_stats.get('styles')
    counts = counts if isinstance(counts, dict) else {}
    found = {name: counts.get(name) for name in COUNTS}
    if any(type(number) is not int or number < 0 for number in found.values()):
        name = naming.join(run.path, 'stats.json')
        raise UserError(f'{name}: has no valid counts of styles; run styles again')
    options = run.record.systems['styles'].get('options')
    if not (isinstance(options, dict) and are_valid(options)):
        why = 'its record has no valid options of styles; run styles again'
        raise UserError(f'{run.path}: {why}')
    return Facts(found, {'ignore': None, 'normalize_empty': False} | options)


def are_valid(options: Mapping[str, Any]) -> bool:
    """Test the types of the options that the report shows.

    >>> options = {'n': 32, 'm': 128, 't': 35, 'preprocessor': 'noise'}
    >>> are_valid(options), are_valid(options | {'m': 0}), are_valid({})
    (True, False, False)
    """
    numbers = [options.get(name) for name in ('n', 'm', 't')]
    ignored = options.get('ignore')
    return (
        all(type(number) is int and number > 0 for number in numbers)
        and isinstance(options.get('preprocessor'), str)
        and (ignored is None or isinstance(ignored, str))
    )


def damaged(run: Run, table: Table) -> UserError:
    """Return the error for a table with a value that cannot be."""
    name = naming.join(run.path, table.file)
    return UserError(f'{name}: damaged; run styles again')
