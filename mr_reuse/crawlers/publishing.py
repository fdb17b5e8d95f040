"""Print the events of `watch`, so that no event is lost if the process is killed.

Events are collected for a moment. Then the state file is written with their lines, the
lines are printed, and the file is written again without them. If the process is killed
in between, the next one prints the same lines once more. An event never changes its
number (`seq`), so a reader recognizes a repeated line by it.
"""

import json
import sys
import time
from datetime import datetime, timezone
from typing import Any

from mr_reuse.crawlers.watch_state import State
from mr_reuse.engine import interrupts

DELAY = 0.5  # seconds for which events are collected
MAX_BYTES = 1 << 20  # of their lines


class Publisher:
    """Prints the events of a watch in the order of their numbers."""

    def __init__(self, state: State):
        self._state = state
        self._began = 0.0  # when the first of the collected events was added
        self._bytes = 0

    def add(self, kind: str, **fields: Any) -> None:
        """Add an event with the next number and the current time."""
        if not self._state.unprinted:
            self._began, self._bytes = time.monotonic(), 0
        line = json.dumps(make_event(self._state.last_number + 1, kind, fields))
        self._state.note_event(line)
        self._bytes += len(line)

    def publish_if_due(self) -> None:
        """Print the events after a moment, or if there are many of them.

        The state has to be complete: the positions of the archives after these events.
        """
        is_due = self._bytes > MAX_BYTES or time.monotonic() > self._began + DELAY
        if self._state.unprinted and is_due:
            self.publish()
        else:
            self._state.save_if_old()

    def publish(self) -> None:
        """Print the events, and save the state before and after.

        At the start, these are the events that a killed process may not have printed.
        """
        # An interrupt in the meantime would let the next process repeat the events.
        with interrupts.defer_interrupts():
            self._state.save()
            for line in self._state.unprinted:
                sys.stdout.write(line + '\n')
                sys.stdout.flush()
            if self._state.unprinted:
                self._state.unprinted.clear()
                self._state.save()


def make_event(number: int, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Make an event with the current time."""
    now = datetime.now(timezone.utc).isoformat(timespec='seconds')
    return {'event': kind, 'seq': number, 'time': now, **fields}
