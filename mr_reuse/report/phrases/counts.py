"""The counts and options of `phrases` in a run, checked before the report uses them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mr_reuse.errors import UserError
from mr_reuse.phrases.phrase_options import WordRecipe
from mr_reuse.phrases.summary import COUNTS
from mr_reuse.report.run import Run
from mr_reuse.storage import naming

NAMES = (*COUNTS, 'passed_over')
TEXTS = ('captures', *WordRecipe._fields)


class Facts(NamedTuple):
    """The counts and options."""

    counts: dict[str, int]
    options: dict[str, Any]


def read_facts(run: Run) -> Facts:
    """Read both. Raises UserError for a missing or wrong value."""
    return Facts(read_counts(run), read_options(run))


def read_counts(run: Run) -> dict[str, int]:
    """Return the counts of phrases in `stats.json`."""
    counts = run.all_stats.get('phrases')
    counts = counts if isinstance(counts, dict) else {}
    found = {name: counts.get(name) for name in NAMES}
    if any(type(number) is not int or number < 0 for number in found.values()):
        name = naming.join(run.path, 'stats.json')
        raise UserError(f'{name}: has no valid counts of phrases; run phrases again')
    return found


def read_options(run: Run) -> dict[str, Any]:
    """Return the options of phrases in the record of the run."""
    options = run.record.systems['phrases'].get('options')
    if not (isinstance(options, dict) and are_valid(options)):
        why = 'its record has no valid options of phrases; run phrases again'
        raise UserError(f'{run.path}: {why}')
    return {'covers_of': None} | options


def are_valid(options: Mapping[str, Any]) -> bool:
    """Test the types of the options that the report shows.

    >>> options = {'popular': 5, 'top': 9, 'covers': 9, 'captures': 'first'}
    >>> options |= WordRecipe()._asdict()
    >>> are_valid(options), are_valid(options | {'popular': '5'}), are_valid({})
    (True, False, False)
    """
    numbers = (options.get(name) for name in ('popular', 'top', 'covers'))
    host = options.get('covers_of')
    return (
        all(type(number) is int for number in numbers)
        and all(isinstance(options.get(name), str) for name in TEXTS)
        and (host is None or isinstance(host, str))
    )
