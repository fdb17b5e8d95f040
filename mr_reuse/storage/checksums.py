"""Checksums of files as texts such as `sha256:…`, and their comparison with bytes."""

import hashlib
import zlib

HASHES = ('sha256', 'md5')
CRC = 'crc32'


class Checksum:
    """A known checksum, to compare with bytes that come in pieces.

    >>> checksum = Checksum('crc32:7a6c86f1')
    >>> checksum.update(b'one'); checksum.matches()
    True
    """

    def __init__(self, text: str):
        """Take a text for which `is_known` is true."""
        algorithm, self._expected = _split(text)
        self._hash = _new_hash(algorithm) if algorithm != CRC else None
        self._crc = 0

    def update(self, data: bytes | memoryview) -> None:
        if self._hash:
            self._hash.update(data)
        else:
            self._crc = zlib.crc32(data, self._crc)

    def matches(self) -> bool:
        """Return whether the bytes up to now have the checksum."""
        actual = self._hash.hexdigest() if self._hash else f'{self._crc:08x}'
        return actual == self._expected


def is_known(text: object) -> bool:
    """Return whether a text is a checksum of an algorithm that is known here.

    >>> is_known('sha256:00'), is_known('blake3:00'), is_known(None)
    (True, False, False)
    """
    return isinstance(text, str) and _split(text)[0] in (*HASHES, CRC)


def _new_hash(algorithm: str) -> 'hashlib._Hash':
    return hashlib.new(algorithm, usedforsecurity=False)


def _split(text: str) -> tuple[str, str]:
    algorithm, _, value = text.partition(':')
    return algorithm.lower(), value.lower()
