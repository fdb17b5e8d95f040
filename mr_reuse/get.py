"""Copy the results of a run from a cluster to this machine.

The copy knows where the rest of the run is, so `show` works with it as well.
"""

import argparse
import sys
from typing import Any

from mr_reuse import storage
from mr_reuse.cli.command import command
from mr_reuse.cli.parser import Parser
from mr_reuse.engine.rundir import OURS, RUN_JSON, RunDir, finished
from mr_reuse.errors import UserError
from mr_reuse.messages import put
from mr_reuse.storage import naming

ENDINGS = tuple('.tsv .mrl .txt .json .html .parquet .jsonl .csv'.split())


def parser() -> argparse.ArgumentParser:
    """The command line of get."""
    found = Parser(description=__doc__, example='get hdfs:///user/me/RUN')
    found.add_argument(
        'run', metavar='RUN', help='a run directory, on hdfs:// or s3://'
    )
    found.add_argument(
        '-o',
        '--output',
        metavar='FOLDER',
        help='where the copy goes. Default: a folder here with the name of RUN',
    )
    found.add_argument('--force', action='store_true', help='replace what is in FOLDER')
    found.add_argument(
        '-q', '--quiet', action='store_true', help='do not list the files'
    )
    return found


@command
def main(args: list[str] | None = None) -> None:
    """The command: tables and label files, but not what jobs hand to each other."""
    given = parser().parse_args(args)
    told = finished(given.run)
    folder = given.output or naming.last_of(given.run)
    if storage.exists(folder) and storage.real(folder) == storage.real(given.run):
        raise UserError(
            f'{folder}: this is the run itself; name another folder with -o'
        )
    if storage.listing(folder) and not given.force:
        raise UserError(f'{folder}: exists; name another folder, or give --force')
    storage.make_dir(folder)
    for name in results(given.run):
        copy(naming.join(given.run, name), naming.join(folder, name))
        if not given.quiet:
            put(f'{naming.join(folder, name)}\n')
    # Last, as it says that this is a finished run.
    RunDir(folder).write_json(RUN_JSON, with_places(given.run, told))


def results(run: str) -> list[str]:
    """What people and programs read of a run."""
    known = (name for name in storage.listing(run) if OURS.fullmatch(name))
    return [name for name in known if name.endswith(ENDINGS) and name != RUN_JSON]


def copy(name: str, to: str) -> None:
    """Copy a file, or a table that is a folder."""
    if not storage.is_dir(name):
        storage.remove(to)
        storage.get(name, to)
        return
    storage.remove(to)
    storage.make_dir(to)
    for part in storage.listing(name):
        storage.get(naming.join(name, part), naming.join(to, part))


def with_places(run: str, told: dict[str, Any]) -> dict[str, Any]:
    """What a run says of itself, with the places of what is not copied."""
    detect = told.get('detect', {})
    places = {
        name: naming.join(run, detect[name])
        for name in ('matches', 'neighborhoods')
        if name in detect
    }
    return told | ({'detect': detect | places} if detect else {})


if __name__ == '__main__':
    sys.exit(main())
