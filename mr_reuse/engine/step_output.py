"""Checksums of the part files of a step, which show whether they are as written.

The driver computes them if the run is on a local disk. HDFS and S3 verify what they
send themselves.
"""

import zlib

from mr_reuse import storage
from mr_reuse.engine.step_record import STEP_JSON, FinishedStep, read_state
from mr_reuse.errors import UserError
from mr_reuse.storage import naming

MAX_BYTES = 1 << 30  # of an output: reading more of it once again takes too long
BLOCK = 1 << 20


def compute_checksums(folder: str) -> dict[str, int] | None:
    """Compute the CRC-32 of each part file; None if the output is large or remote."""
    parts = storage.list_parts(folder)
    if naming.is_remote(folder) or sum(part.size for part in parts) > MAX_BYTES:
        return None
    return {naming.last_component(part.name): _checksum(part.name) for part in parts}


def _checksum(name: str) -> int:
    checksum = 0
    with storage.open_read(name) as stream:
        while data := stream.read(BLOCK):
            checksum = zlib.crc32(data, checksum)
    return checksum


def is_unchanged(folder: str, finished: FinishedStep) -> bool:
    """Test whether an output has the recorded size, and the recorded checksums."""
    if finished.bytes != sum(part.size for part in storage.list_parts(folder)):
        return False
    if finished.checksums is None:
        return True
    # A run may have been copied to another store.
    return compute_checksums(folder) in (None, finished.checksums)


def list_sound_parts(folder: str) -> list[str]:
    """Return the part files of a finished step; refuse them if they have changed."""
    run, _, output = folder.rpartition('/')
    finished = read_state(FinishedStep, naming.join(run, STEP_JSON))
    is_current = finished and finished.output.endswith(f'/{output}')
    if is_current and not is_unchanged(folder, finished):
        raise UserError(
            f'{folder}: changed since it was written; type the command that made the '
            'run again'
        )
    return storage.list_part_names(folder)
