"""Check that the disk of a run has enough free space, before the run begins.

A run on this machine writes its results and its scratch files to the disk of RUN, or if
RUN is elsewhere, its scratch files to TMPDIR. The space on a cluster is not checked.
"""

import os
import tempfile
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from mr_reuse import storage
from mr_reuse.engine.run_options import RunOptions
from mr_reuse.errors import UserError
from mr_reuse.messages import warn
from mr_reuse.storage import naming

ON_CLUSTERS = ('hadoop', 'emr')  # runners whose tasks are elsewhere
ROOMY = 4  # a run needs less than so many times the bytes of its input
# An estimate may be too high, so a run is refused only if a part of it has no space.
CERTAIN_SHARE = 0.5
# Bytes that a run needs for each byte of archives, about, if no sample is read.
RESULT_SHARE, SHUFFLE_SHARE = 0.75, 0.25


class Needs(Protocol):
    """The bytes that a run needs on disk: for its shuffle, and for its results."""

    @property
    def shuffle(self) -> int: ...

    @property
    def disk(self) -> int: ...


class Guess(NamedTuple):
    """The bytes that a run needs, about."""

    shuffle: int
    disk: int


def is_ample(run: RunOptions, size: int) -> bool:
    """Test whether a run has space in any case. `size` are the bytes of its input."""
    if run.runner in ON_CLUSTERS:
        return True
    place, _ = find_place(run.output)
    return storage.free_bytes(place) >= ROOMY * size


def check_space(
    run: RunOptions, size: int, estimate: Callable[[], Needs | None]
) -> None:
    """Refuse a run that certainly needs more space than is free; warn if it may.

    `estimate` is called only if space may be short.
    """
    if is_ample(run, size) or not (expected := estimate()):
        return
    place, is_tmpdir = find_place(run.output)
    free = storage.free_bytes(place)
    needed = max(0, expected.disk - count_bytes(run.output)) + expected.shuffle
    if needed <= free:
        return
    remedy = 'set TMPDIR to' if is_tmpdir else 'name'
    lack = f'{place}: {_megabytes(free)} MB free, and about {_megabytes(needed)} MB'
    remedy = f'make room, or {remedy} a folder on another disk'
    if CERTAIN_SHARE * needed > free:
        raise UserError(f'{lack} are needed; {remedy}')
    warn(f'{lack} may be needed; {remedy}')


def find_place(output: str) -> tuple[str, bool]:
    """Return the folder whose disk a run fills, and whether it is TMPDIR."""
    if naming.is_remote(output):
        return tempfile.gettempdir(), True
    place = naming.absolute(output)
    while not storage.is_dir(place):
        place = os.path.dirname(place)
    return place, False


def count_bytes(output: str) -> int:
    """Count the bytes that an earlier attempt has left in RUN."""
    is_there = not naming.is_remote(output) and storage.is_dir(output)
    files: Iterable = storage.walk_files(output, '') if is_there else ()
    return sum(max(0, entry.size) for entry in files)


def guess(size: int) -> Guess:
    """Estimate the space of a run from the bytes of its archives alone.

    >>> guess(1000)
    Guess(shuffle=250, disk=750)
    """
    return Guess(int(SHUFFLE_SHARE * size), int(RESULT_SHARE * size))


def _megabytes(size: float) -> str:
    return f'{size / 1e6:,.0f}' if size >= 10e6 else f'{size / 1e6:.1f}'
