"""What the formats have in common in which archives are compressed.

An archive is a sequence of members. Zstandard calls them frames.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from mr_reuse.archives import causes
from mr_reuse.archives.window import BLOCK, LOOKAHEAD, Window

SMALL = 16 << 20  # bytes; a member that inflates to more is streamed
NO_LIMIT = 1 << 63  # above any offset


class End(Enum):
    """The end of a member; the values are causes of damage."""

    SOUND = 'sound'
    CRC = causes.CRC
    BROKEN = causes.BROKEN
    CUT = causes.CUT


class Stream(ABC):
    """The inflated bytes of a member as a stream, from byte `skip` on.

    `end` is None until the end is reached; then `stop` is the offset of the end in the
    archive.
    """

    def __init__(self, start: int, skip: int):
        self.end: End | None = None
        self.stop = start
        self._rest = b''
        while skip and (block := self.read(min(skip, BLOCK))):
            self._rest = block[skip:]
            skip -= min(skip, len(block))

    def read(self, size: int) -> bytes:
        """Read about `size` bytes; b'' only at the end."""
        data, self._rest = self._rest, b''
        return data or (b'' if self.end else self._read(size))

    @abstractmethod
    def _read(self, size: int) -> bytes:
        """Inflate about `size` bytes; set `end` and `stop` at the end."""


class Codec(NamedTuple):
    """A format in which archives are compressed.

    `inflate` inflates the member at the window's offset and moves behind it. It returns
    None without moving if the member is large or broken. `stream` opens the member at
    an offset as a stream, from byte `skip` on. The member ends at the offset `limit` at
    the latest.
    """

    magic: bytes
    first: bytes  # what the first byte of a member may be
    start: re.Pattern[bytes]  # the beginning of a member
    inflate: Callable[[Window], bytes | bytearray | None]
    stream: Callable[..., Stream]

    def peek(self, window: Window, start: int, size: int) -> bytes:
        """Inflate the first bytes of a member, up to `size`; fewer if it breaks before.

        Little more than `size` compressed bytes are read. A header may precede them,
        with a file name in it.
        """
        limit = start + size + LOOKAHEAD
        return Window(lambda at: self.stream(window, start, at, limit)).peek(size)
