"""The check of a configuration file of mrjob, before a run starts."""

from collections.abc import Iterable
from typing import Any

import yaml
from mrjob.conf import load_opts_from_mrjob_conf

from mr_reuse import storage
from mr_reuse.engine import runners
from mr_reuse.errors import UserError
from mr_reuse.messages import suggest_name

# Options whose values are mappings.
MAPPINGS = ('jobconf', 'cmdenv', 'tags', 'extra_cluster_params')
# Required fields of instance groups and fleets of EMR. mrjob would only find out that
# one is missing when it requests the cluster.
GROUP_FIELDS = {'InstanceRole': str, 'InstanceType': str, 'InstanceCount': int}
FLEET_FIELDS = {'InstanceFleetType': str, 'InstanceTypeConfigs': list}
TYPE_NAMES = {dict: 'a mapping', list: 'a list', str: 'a word', int: 'a whole number'}
TOP = 'the top level'


class _Loader(yaml.SafeLoader):
    """A YAML loader that accepts the tag `!clear`, by which mrjob resets an option."""


_Loader.add_constructor('!clear', lambda *_: None)


def check_config(name: str, runner: str) -> None:
    """Refuse a configuration file with errors, as far as they concern a runner.

    mrjob would ignore some of these errors, and fail at others in the middle of a run.
    """
    if not storage.is_file(name):
        problem = 'a folder, not a file' if storage.is_dir(name) else 'no such file'
        raise UserError(f'{name}: {problem}; name a mrjob.conf with -c')
    try:
        with storage.open_read(name) as stream:
            settings = yaml.load(stream, _Loader)
        if settings is None:  # an empty file, which is valid
            return
        _check_type(dict, settings, name, TOP)
        _check_keys(settings, ('runners', 'include'), name, TOP)
        by_runner = settings.get('runners') or {}
        _check_type(dict, by_runner, name, 'runners')
        # dataproc is a runner of mrjob that this program does not have. A file may be
        # shared with other programs.
        _check_keys(by_runner, (*runners.CLASSES, 'dataproc'), name, 'runners')
        for path, options in load_opts_from_mrjob_conf(runner, name):
            if options:
                _check_options(path or name, runner, options)
    except yaml.YAMLError as error:
        why = ' '.join(str(error).split())
        raise UserError(f'{name}: not a mrjob.conf (-c): {why}') from None
    except OSError as error:
        raise UserError(f'{name}: includes {error.filename}: no such file') from None


def _check_options(name: str, runner: str, options: Any) -> None:
    place = f'runners.{runner}'
    _check_type(dict, options, name, place)
    _check_keys(options, runners.runner_class(runner).OPT_NAMES, name, place)
    for option in MAPPINGS:
        if options.get(option) is not None:
            _check_type(dict, options[option], name, f'{place}.{option}')
    for option, fields in (
        ('instance_groups', GROUP_FIELDS),
        ('instance_fleets', FLEET_FIELDS),
    ):
        entries = options.get(option) or []
        _check_type(list, entries, name, f'{place}.{option}')
        for number, entry in enumerate(entries, 1):
            entry_place = f'{place}.{option}, number {number}'
            _check_type(dict, entry, name, entry_place)
            for key, kind in fields.items():
                _check_type(kind, entry.get(key), name, f'{entry_place}: {key}')


def _check_type(kind: type, value: Any, name: str, place: str) -> None:
    if not isinstance(value, kind):
        problem = 'it is missing' if value is None else f'not {value!r}'
        raise UserError(
            f'{name}: not a mrjob.conf (-c): {place} should be {TYPE_NAMES[kind]}, '
            f'{problem}'
        )


def _check_keys(entry: dict, known: Iterable[str], name: str, place: str) -> None:
    for key in entry:
        if key not in known:
            hint = suggest_name(str(key), known)
            raise UserError(
                f'{name}: not a mrjob.conf (-c): {place} has no setting {key!r}{hint}'
            )
