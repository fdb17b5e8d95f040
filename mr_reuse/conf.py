"""The files that tell mrjob what a cluster wants."""

import os

import yaml
from mrjob.conf import load_opts_from_mrjob_conf

from mr_reuse import storage
from mr_reuse.errors import UserError

OURS = os.path.join(os.path.dirname(__file__), 'mrjob.conf')


def paths(name: str | None) -> list[str]:
    """All configurations; what a later one says wins."""
    return [OURS, *([name] if name else [])]


def check(name: str, runner: str) -> None:
    """Refuse what mrjob would stumble over in the middle of a run."""
    if not storage.is_file(name):
        raise UserError(f'{name}: no such file (-c)')
    try:
        for _, options in load_opts_from_mrjob_conf(runner, name):
            dict(options or {})
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, KeyError) as error:
        why = ' '.join(str(error).split())
        raise UserError(f'{name}: no mrjob.conf (-c): {why}') from None
