"""A run directory: what belongs in it, who works in it, what is finished there.

    RUN/run.json  RUN/inputs.txt  RUN/*.tsv  RUN/labels.mrl     what people read
    RUN/01-pages/_step.json  RUN/01-pages/ATTEMPT/part-00000    a step and its output

A step's `_step.json` is written last and in one piece; nothing else proves that the
step is finished.
"""

import hashlib
import json
import re
import uuid
from typing import Any

from mr_reuse import storage
from mr_reuse.errors import UserError

LOCK, TEMPORARY = '_lock', '_tmp'
OURS = re.compile(
    r'run\.json|inputs\.txt|_lock|_tmp|\d\d-[a-z]+|report\.html|\w+\.tsv|[\w.-]+\.mrl'
    r'|stats\.json|.*\.half'
)
STEPS = re.compile(r'\d\d-[a-z]+')


class RunDir:
    """The folder of one run, locked as long as it is open."""

    def __init__(self, path: str, force: bool = False):
        self.path, self._force = path, force

    def __enter__(self) -> 'RunDir':
        storage.make_dir(self.path)
        foreign = [n for n in storage.listing(self.path) if not OURS.fullmatch(n)]
        if foreign and not self._force:
            raise UserError(
                f'{self.path}: holds {foreign[0]!r}, which is not of a run; '
                'name another folder, or give --force'
            )
        self._lock()
        storage.remove(self.join(TEMPORARY))
        storage.make_dir(self.join(TEMPORARY))
        return self

    def __exit__(self, *_: object) -> None:
        storage.remove(self.join(TEMPORARY))
        storage.remove(self.join(LOCK))

    def _lock(self) -> None:
        text = json.dumps(storage.process())
        for _ in range(2):
            if storage.create(self.join(LOCK), text):
                return
            try:
                owner = json.loads(storage.read_text(self.join(LOCK)))
            except (FileNotFoundError, ValueError):
                owner = {'host': storage.process()['host']}  # killed while it wrote
            if storage.is_alive(owner) and not self._force:
                raise UserError(
                    f'{self.path}: process {owner.get("pid")} on {owner.get("host")} '
                    'works in it; wait for it, or give --force if it is gone'
                )
            storage.remove(self.join(LOCK))
        raise UserError(f'{self.path}: another process has just begun to work in it')

    def join(self, *parts: str) -> str:
        """A name in this folder."""
        return storage.join(self.path, *parts)

    def temporary(self, name: str) -> str:
        """A name for something that is gone when the run ends."""
        return self.join(TEMPORARY, name)

    def write_json(self, name: str, told: dict[str, Any]) -> None:
        """Write a JSON file in one piece."""
        with storage.write(self.join(name), 'w') as stream:
            json.dump(told, stream, indent=1, sort_keys=True)
            stream.write('\n')

    def read_json(self, name: str) -> dict[str, Any]:
        """A JSON file, empty if it is not there or damaged."""
        return read_json(self.join(name))

    def new_attempt(self, step: str) -> str:
        """A fresh folder name for a step's output; what was there before is removed."""
        storage.remove(self.join(step))
        storage.make_dir(self.join(step))
        return self.join(step, f'attempt-{uuid.uuid4().hex[:8]}')

    def finished(self, step: str, digest: str) -> dict[str, Any]:
        """What a step told when it finished with this digest; {} if it has not."""
        told = self.read_json(storage.join(step, '_step.json'))
        done = told.get('digest') == digest and storage.is_dir(told.get('output', ''))
        return told if done else {}

    def forget(self) -> None:
        """Remove the steps and results of a run on other inputs."""
        for name in storage.listing(self.path):
            if OURS.fullmatch(name) and name not in (LOCK, TEMPORARY):
                storage.remove(self.join(name))


def read_json(name: str) -> dict[str, Any]:
    """A JSON file, empty if it is not there or damaged."""
    try:
        return json.loads(storage.read_text(name))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}


def digest_of(told: Any) -> str:
    """A short digest of anything that JSON can hold.

    >>> digest_of({'a': 1}) == digest_of({'a': 1}) != digest_of({'a': 2})
    True
    """
    text = json.dumps(told, sort_keys=True)
    return hashlib.sha256(text.encode('utf-8', 'surrogateescape')).hexdigest()[:16]
