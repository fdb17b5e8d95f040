"""The state file of `watch`: reading positions of archives, and the sums of sites."""

import json
import time
from collections import OrderedDict
from typing import Any

from mr_reuse import storage
from mr_reuse.archives import rids
from mr_reuse.engine import processes
from mr_reuse.errors import UserError
from mr_reuse.storage.text_files import read_json

REMEDY = 'name another with --state'
SAVE_EVERY = 2.0  # seconds
MAX_SITES = 10_000  # sites with sums; the least recently seen one is dropped first

Position = tuple[int, str]  # offset at which to resume, and the place of the last page
Sums = tuple[int, int, int]  # pages, labeled chunks and all chunks of a site


class State:
    """The state of a watch, in memory and in a file."""

    def __init__(self, name: str, made_of: dict[str, Any]):
        """Load the file if it exists. Refuse one that was written for other labels."""
        self._name, self._made_of = name, made_of
        state = load(name, made_of)
        self._read: dict[str, Position] = state.get('read', {})
        self._sites: OrderedDict[str, Sums] = OrderedDict(state.get('sites', {}))
        self._saved, self._is_new = time.monotonic(), False

    def position(self, archive: str) -> Position:
        """Return the position up to which an archive was read."""
        return self._read.get(archive, (0, ''))

    def sums(self, prefix: str) -> Sums:
        """Return the sums of a site."""
        return self._sites.get(prefix, (0, 0, 0))

    def note_position(self, archive: str, position: Position) -> None:
        """Set the position of an archive. Save the state if the last save is old."""
        self._read[archive] = position
        self._is_new = True
        if time.monotonic() > self._saved + SAVE_EVERY:
            self.save()

    def note_sums(self, prefix: str, sums: Sums) -> None:
        """Set the sums of a site, and make it the most recently seen one."""
        self._sites.pop(prefix, None)
        self._sites[prefix] = sums
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)

    def save(self) -> None:
        """Write the file."""
        state = {'made_of': self._made_of, 'read': self._read, 'sites': self._sites}
        with storage.write(self._name, 'w') as stream:
            stream.write(json.dumps(state) + '\n')
        self._saved, self._is_new = time.monotonic(), False

    def save_if_new(self) -> None:
        """Write the file if the state has changed since the last save."""
        if self._is_new:
            self.save()

    def lock(self) -> None:
        """Lock the file, or refuse it if another process has locked it."""
        name, owner = f'{self._name}.lock', json.dumps(processes.describe_process())
        if storage.create(name, owner):
            return
        if processes.is_alive(other := read_json(name)):
            why = f'process {other.get("pid")} uses it'
            raise UserError(f'{self._name}: {why}; {REMEDY}')
        # The process that locked it was killed.
        storage.remove(name)
        storage.create(name, owner)

    def close(self) -> None:
        """Write the file and unlock it."""
        self.save()
        storage.remove(f'{self._name}.lock')


def load(name: str, made_of: dict[str, Any]) -> dict[str, Any]:
    """Read a state file; return {} if there is none.

    The file may be damaged or another program's, so every value is checked.
    """
    if not storage.exists(name):
        return {}
    try:
        state = json.loads(storage.read_text(name))
        known = state['made_of']
        for offset, place in state['read'].values():
            rids.offsets_of(place or '0')
            if offset < 0:
                raise ValueError
        for pages, bad, total in state['sites'].values():
            pages + bad + total  # noqa: B018 (fails unless they are numbers)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f'{name}: not a state file of watch; {REMEDY}') from None
    if known != made_of:
        raise UserError(f'{name}: written for other labels; {REMEDY}')
    return state
