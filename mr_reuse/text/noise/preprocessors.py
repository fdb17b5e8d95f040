"""Noise: what a preprocessor leaves of the bytes of a page. No charset is applied."""

import string
from typing import Protocol

from mr_reuse.text.page_tags import TagReader

DROPPED = (string.ascii_letters + string.digits).encode() + bytes(range(0x80, 0x100))


class Preprocessor(Protocol):
    """Makes noise of a body that may come in parts."""

    def read(self, data: bytes, is_last: bool) -> tuple[bytes, int]:
        """Return more noise, and how many bytes of it are sure.

        The others are those of a tag that goes on. They count unless the body ends in
        it: then none of its bytes do, nor do those of earlier parts.
        """


class NoiseReader:
    """Drops letters and digits of ASCII, and all bytes from 0x80 on."""

    def read(self, data: bytes, is_last: bool) -> tuple[bytes, int]:
        """Return the noise of a part of a body.

        >>> NoiseReader().read(b'<a href="x1">Hi</a>\\n', True)
        (b'< =""></>\\n', 10)
        """
        del is_last
        noise = data.translate(None, DROPPED)
        return noise, len(noise)


class FullReader:
    """Keeps all bytes."""

    def read(self, data: bytes, is_last: bool) -> tuple[bytes, int]:
        """Return a part of a body."""
        del is_last
        return data, len(data)


READERS = {'noise': NoiseReader, 'tags': TagReader, 'full': FullReader}


def make_preprocessor(name: str) -> Preprocessor:
    """Return the preprocessor of one of PREPROCESSORS."""
    return READERS[name]()
