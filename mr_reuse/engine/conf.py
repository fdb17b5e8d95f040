"""The files that tell mrjob what a cluster wants."""

import os
from collections.abc import Iterable
from typing import Any

import yaml
from mrjob.conf import load_opts_from_mrjob_conf

from mr_reuse import storage
from mr_reuse.engine import runners
from mr_reuse.errors import UserError
from mr_reuse.messages import did_you_mean

OURS = os.path.join(os.path.dirname(os.path.dirname(__file__)), 'mrjob.conf')
MAPPINGS = ('jobconf', 'cmdenv', 'tags', 'extra_cluster_params')
# What the groups and fleets of machines of EMR cannot do without.
GROUP = {'InstanceRole': str, 'InstanceType': str, 'InstanceCount': int}
FLEET = {'InstanceFleetType': str, 'InstanceTypeConfigs': list}


class _Loader(yaml.SafeLoader):
    """Reads what mrjob reads: it has a tag of its own, for what is to be forgotten."""


_Loader.add_constructor('!clear', lambda *_: None)


def paths(name: str | None) -> list[str]:
    """All configurations; what a later one says wins."""
    return [OURS, *([name] if name else [])]


def check(name: str, runner: str) -> None:
    """Refuse what mrjob would stumble over in the middle of a run, or not notice."""
    if not storage.is_file(name):
        what = 'a folder, not a file' if storage.is_dir(name) else 'no such file'
        raise UserError(f'{name}: {what}; -c wants a mrjob.conf')
    try:
        with storage.open_read(name) as stream:
            whole = yaml.load(stream, _Loader)
        if whole is None:
            return
        _must_be(dict, whole, name, 'it')
        _known(whole, ('runners', 'include'), name, 'it')
        of_all = whole.get('runners') or {}
        _must_be(dict, of_all, name, 'runners')
        _known(of_all, (*runners.CLASSES, 'dataproc'), name, 'runners')
        for where, options in load_opts_from_mrjob_conf(runner, name):
            if options:
                _check_options(where or name, runner, options)
    except yaml.YAMLError as error:
        why = ' '.join(str(error).split())
        raise UserError(f'{name}: no mrjob.conf (-c): {why}') from None
    except OSError as error:
        raise UserError(f'{name}: includes {error.filename}: no such file') from None


def _check_options(name: str, runner: str, options: Any) -> None:
    place = f'runners.{runner}'
    _must_be(dict, options, name, place)
    _known(options, runners.runner(runner).OPT_NAMES, name, place)
    for option in MAPPINGS:
        if options.get(option) is not None:
            _must_be(dict, options[option], name, f'{place}.{option}')
    for option, needed in (('instance_groups', GROUP), ('instance_fleets', FLEET)):
        whole = options.get(option) or []
        _must_be(list, whole, name, f'{place}.{option}')
        for number, one in enumerate(whole, 1):
            there = f'{place}.{option}, number {number}'
            _must_be(dict, one, name, there)
            for key, kind in needed.items():
                _must_be(kind, one.get(key), name, f'{there}: {key}')


KINDS = {dict: 'a mapping', list: 'a list', str: 'a word', int: 'a whole number'}


def _must_be(kind: type, value: Any, name: str, place: str) -> None:
    if not isinstance(value, kind):
        found = 'missing' if value is None else f'{value!r}'
        raise UserError(
            f'{name}: no mrjob.conf (-c): {place} should be {KINDS[kind]}, and is '
            f'{found}'
        )


def _known(found: dict, known: Iterable[str], name: str, place: str) -> None:
    for key in found:
        if key not in known:
            hint = did_you_mean(str(key), known)
            raise UserError(
                f'{name}: no mrjob.conf (-c): {place} has nothing called {key!r}{hint}'
            )
