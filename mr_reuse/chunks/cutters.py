"""Cut texts and hash their chunks, many pages at a time.

`KernelCutter` uses the kernel, `PureCutter` is in Python. Both return the same bytes.
"""

import hashlib
import itertools
from array import array
from collections.abc import Sequence
from typing import Protocol

from mr_reuse import kernel
from mr_reuse.chunks import chunking
from mr_reuse.chunks.recipe import DIGEST_BYTES

MAX_CACHED = 128  # bytes; digests of longer chunks are not cached
CACHE_SIZE = 100_000  # chunks: about 30 MB
# Bytes. The kernel hashes messages side by side; a longer message would be alone in
# the end, and the other lanes of the vector idle.
MAX_SIDE_BY_SIDE = 256 << 10
LENGTH_BYTES = 4  # of the length of a chunk, as in `array('I')`

BodyAndText = tuple[bytes | None, bytes | None]  # body to hash, and text to cut
# Digest of the body; digests and lengths of the chunks, each concatenated.
PageDigests = tuple[bytes, bytes, bytes]

Member = tuple[str, bytes | bytearray, str]  # offset, the record, media type
RawLine = tuple[bytes, bytes, int]  # key, value, number of chunks


class Cutter(Protocol):
    """The methods of both cutters; `PureCutter` documents them."""

    def hash_pages(self, pages: list[BodyAndText], /) -> Sequence[PageDigests]: ...

    def measure_chunks(self, text: bytes, /) -> bytes: ...


def make_cutter(delimiters: str, hash_name: str) -> Cutter:
    """Make a cutter: of the kernel if it is installed, else in Python."""
    cutter_class = PureCutter if kernel.load() is None else KernelCutter
    return cutter_class(delimiters, hash_name)


class KernelCutter:
    """Cuts and hashes in C, all messages side by side, but long messages in hashlib."""

    def __init__(self, delimiters: str, hash_name: str):
        self._new_digest = getattr(hashlib, hash_name)
        self._pattern = chunking.compile_delimiter(delimiters)
        tags, bytes_after = chunking.parse_delimiters(delimiters)
        names = tuple(map(str.encode, tags))
        self._kernel = kernel.load().Cutter(names, bytes_after, DIGEST_BYTES[hash_name])

    def hash_pages(self, pages: list[BodyAndText]) -> Sequence[PageDigests]:
        """Hash the body of each page, and the chunks of its text."""
        are_long = [(_is_long(body), self._is_one_long(text)) for body, text in pages]
        if not any(map(any, are_long)):
            return self._kernel.pages(pages)
        short = [
            (None if long_body else body, None if long_text else text)
            for (body, text), (long_body, long_text) in zip(
                pages, are_long, strict=True
            )
        ]
        results = self._kernel.pages(short)
        for number, (body, text) in enumerate(pages):
            long_body, long_text = are_long[number]
            body_digest, digests, lengths = results[number]
            if long_body:
                body_digest = self._new_digest(body).digest()
            if long_text:
                digests = self._new_digest(text).digest()
                lengths = array('I', [len(text)]).tobytes()
            results[number] = body_digest, digests, lengths
        return results

    def measure_chunks(self, text: bytes) -> bytes:
        """Return the lengths of the chunks of a text."""
        return self._kernel.lengths(text)

    def finish_lines(
        self, archive: bytes, members: list[Member]
    ) -> list[RawLine | None]:
        """Hash the records of raw items; return the lines of their pages.

        They are the lines that `Hasher` makes of other items. Instead of the line of a
        page with too many chunks there is a None.
        """
        return self._kernel.lines(archive, members)

    def _is_one_long(self, text: bytes | None) -> bool:
        """Test whether a text is one chunk, and too long for the kernel."""
        return _is_long(text) and not self._pattern.search(text, 1)


def _is_long(message: bytes | None) -> bool:
    """Test whether a message is too long to be hashed beside others."""
    return message is not None and len(message) > MAX_SIDE_BY_SIDE


class PureCutter:
    """Cuts and hashes in Python, with a cache of the digests of short chunks."""

    def __init__(self, delimiters: str, hash_name: str):
        self._new_digest = getattr(hashlib, hash_name)
        self._pattern = chunking.compile_delimiter(delimiters)
        self._cache: dict[bytes, bytes] = {}  # digests by chunk

    def hash_pages(self, pages: list[BodyAndText]) -> Sequence[PageDigests]:
        """Hash the body of each page, and the chunks of its text.

        The digest of a body that is None is empty. A text that is None has no chunks.

        >>> [(body_digest, digests, lengths)] = PureCutter('p', 'sha1').hash_pages([
        ...     (None, b'H<p>one')])
        >>> body_digest, digests.hex()[:8], lengths
        (b'', '7cf184f4', b'\\x01\\x00\\x00\\x00\\x06\\x00\\x00\\x00')
        """
        return [self._hash_page(body, text or b'') for body, text in pages]

    def measure_chunks(self, text: bytes) -> bytes:
        """Return the lengths of the chunks of a text, 32 bits each, without hashing.

        >>> PureCutter('p', 'sha1').measure_chunks(b'H<p>one')
        b'\\x01\\x00\\x00\\x00\\x06\\x00\\x00\\x00'
        """
        bounds = chunking.chunk_bounds(text, self._pattern)
        sizes = (end - start for start, end in itertools.pairwise(bounds))
        return array('I', sizes).tobytes()

    def _hash_page(self, body: bytes | None, text: bytes) -> PageDigests:
        body_digest = b'' if body is None else self._new_digest(body).digest()
        bounds = chunking.chunk_bounds(text, self._pattern)
        return body_digest, *self._hash_chunks(text, bounds)

    def _hash_chunks(self, text: bytes, bounds: list[int]) -> tuple[bytes, bytes]:
        """Hash the chunks between bounds; return the digests and lengths, concatenated.

        Nearly all of the time of `discover` is spent in this loop.
        """
        new_digest, cache = self._new_digest, self._cache
        if len(cache) > CACHE_SIZE:
            cache.clear()
        digests, lengths = [], array('I')
        start = bounds[0]
        for end in bounds[1:]:
            chunk = text[start:end]
            length = end - start
            if length > MAX_CACHED:
                digests.append(new_digest(chunk).digest())
            else:
                digest = cache.get(chunk)
                if digest is None:
                    digest = cache[chunk] = new_digest(chunk).digest()
                digests.append(digest)
            lengths.append(length)
            start = end
        return b''.join(digests), lengths.tobytes()
