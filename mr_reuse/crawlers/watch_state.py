"""The state file of `watch`: positions in archives, sums of sites, events to print."""

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

# The offset at which to resume, and the place of the next item, '' for the first one.
Position = tuple[int, str]
Sums = tuple[int, int, int]  # pages, labeled chunks and all chunks of a site


class State:
    """The state of a watch, in memory and in a file."""

    def __init__(self, name: str, made_of: dict[str, Any]):
        """Load the file if it exists. Refuse one that was written for other labels."""
        self._name, self._made_of = name, made_of
        self._load()

    def _load(self) -> None:
        state = load(self._name, self._made_of)
        self._read: dict[str, Position] = state.get('read', {})
        self._sites: OrderedDict[str, Sums] = OrderedDict(state.get('sites', {}))
        self.last_number = state.get('last_number', 0)  # of all events
        self.unprinted = list(state.get('unprinted', []))  # lines of the last ones
        self._saved, self.is_new = time.monotonic(), False

    def position(self, archive: str) -> Position:
        """Return the position up to which an archive was read."""
        return self._read.get(archive, (0, ''))

    def sums(self, prefix: str) -> Sums:
        """Return the sums of a site."""
        return self._sites.get(prefix, (0, 0, 0))

    def note_position(self, archive: str, position: Position) -> None:
        """Set the position of an archive."""
        self._read[archive] = position
        self.is_new = True

    def note_sums(self, prefix: str, sums: Sums) -> None:
        """Set the sums of a site, and make it the most recently seen one."""
        self._sites.pop(prefix, None)
        self._sites[prefix] = sums
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)

    def note_event(self, line: str) -> None:
        """Add the line of the next event."""
        self.last_number += 1
        self.unprinted.append(line)
        self.is_new = True

    def save(self) -> None:
        """Write the file."""
        state = {
            'made_of': self._made_of,
            'read': self._read,
            'sites': self._sites,
            'last_number': self.last_number,
            'unprinted': self.unprinted,
        }
        with storage.write(self._name, 'w') as stream:
            stream.write(json.dumps(state) + '\n')
        self._saved, self.is_new = time.monotonic(), False

    def save_if_old(self) -> None:
        """Write the file if the last save is old and the state has changed since."""
        if self.is_new and time.monotonic() > self._saved + SAVE_EVERY:
            self.save()

    def lock(self) -> None:
        """Lock the file, or refuse it if another process has locked it."""
        name, owner = f'{self._name}.lock', json.dumps(processes.describe_process())
        if not storage.create(name, owner):
            if processes.is_alive(other := read_json(name)):
                why = f'process {other.get("pid")} uses it'
                raise UserError(f'{self._name}: {why}; {REMEDY}')
            # The process that locked it was killed.
            storage.remove(name)
            if not storage.create(name, owner):
                raise UserError(f'{self._name}: another process uses it; {REMEDY}')
        self._load()  # another process may have written the file before it unlocked it

    def unlock(self) -> None:
        """Remove the lock."""
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
        state.get('last_number', 0) + 1
        ''.join(state.get('unprinted', []))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f'{name}: not a state file of watch; {REMEDY}') from None
    if known != made_of:
        raise UserError(f'{name}: written for other labels; {REMEDY}')
    return state
