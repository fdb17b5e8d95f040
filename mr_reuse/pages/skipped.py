"""The captures that a run passes over, for jobs that read page lines."""

import zlib
from hashlib import blake2b

from mr_reuse.archives import rids
from mr_reuse.shuffle import mapped_digests
from mr_reuse.shuffle.mapped_digests import MappedDigests

ARCHIVE_BYTES = 4  # of a digest; the digests of an archive are adjacent


def rid_digest(rid: bytes) -> bytes:
    """Return the digest of a rid. It begins with the checksum of the archive.

    A task reads one archive after another, so it searches one place of the file.

    >>> one, other, third = map(rid_digest, (b'a:0', b'a:7', b'b:0'))
    >>> one[:4] == other[:4] != third[:4], one == other
    (True, False)
    """
    archive, _ = rids.split_rid(rid)
    rest = blake2b(rid, digest_size=mapped_digests.WIDTH - ARCHIVE_BYTES)
    return zlib.crc32(archive).to_bytes(ARCHIVE_BYTES, 'big') + rest.digest()


class SkippedCaptures:
    """The captures that are not kept, by the keys of their page lines."""

    def __init__(self, data: memoryview | None = None):
        """Take the file of their digests, mapped; without it, all captures are kept."""
        self._digests = MappedDigests(data) if data else None

    def is_skipped(self, key: bytes) -> bool:
        """Test by the key of a page line whether its capture is not kept.

        All lines of a long page have the same answer.
        """
        digests = self._digests
        return digests is not None and rid_digest(rids.rid_of(key)) in digests
