"""Copies of finished runs: the results, without the output of steps.

The record of a copy names the output of the original run, so `show` works with it.
"""

from collections.abc import Iterator

from mr_reuse import storage
from mr_reuse.engine.record import ARCHIVES, RUN_JSON, RunRecord
from mr_reuse.engine.rundir import RUN_NAMES, SOURCES, RunDir
from mr_reuse.errors import UserError
from mr_reuse.storage import naming
from mr_reuse.tables.schema import EXPORTS, SUFFIX

ENDINGS = (
    *(SUFFIX, '.mrl', '.msf', '.txt', '.json', '.html'),
    *(f'.{form}' for form in EXPORTS),
)
# Not copied: the copy has a record of its own, and no step runs in it.
NOT_COPIED = (RUN_JSON, ARCHIVES, SOURCES)


def check_folder(folder: str, run: str, force: bool) -> None:
    """Refuse a folder for the copy that is the run itself, or not empty."""
    if storage.exists(folder) and storage.canonical_name(
        folder
    ) == storage.canonical_name(run):
        raise UserError(f'{folder}: is the run itself; name another folder with -o')
    if storage.list_names(folder) and not force:
        raise UserError(f'{folder}: exists; name another folder, or give --force')


def copy_run(run: str, folder: str, record: RunRecord) -> Iterator[str]:
    """Copy the results of a run, and yield the name of each copy.

    `record` has absolute paths, so the copy can refer to output that is not copied. It
    is written last, since it marks the copy as a finished run.
    """
    storage.make_dir(folder)
    for name in list_results(run):
        copy_result(naming.join(run, name), naming.join(folder, name))
        yield naming.join(folder, name)
    RunDir(folder).write_record(record)


def list_results(run: str) -> list[str]:
    """List the results of a run, without its record and its steps."""
    names = (name for name in storage.list_names(run) if RUN_NAMES.fullmatch(name))
    return [n for n in names if n.endswith(ENDINGS) and n not in NOT_COPIED]


def copy_result(source: str, target: str) -> None:
    """Copy a file, or a table that is a folder. Replace the target."""
    storage.remove(target)
    if not storage.is_dir(source):
        storage.get(source, target)
        return
    storage.make_dir(target)
    for part in storage.list_names(source):
        storage.get(naming.join(source, part), naming.join(target, part))
