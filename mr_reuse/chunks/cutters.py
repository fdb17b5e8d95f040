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

DIGEST_BYTES = {'sha1': 20, 'sha256': 32}  # bytes of a digest
MAX_CACHED = 128  # bytes; digests of longer chunks are not cached
# Bytes. The kernel hashes messages side by side; a longer message would be alone in
# the end, and the other lanes of the vector idle.
MAX_SIDE_BY_SIDE = 256 << 10
CACHE_SIZE = 100_000  # chunks: about 30 MB

Pair = tuple[bytes | None, bytes | None]  # body to hash, and text to cut
Page = tuple[bytes, bytes, bytes]  # digest of the body; digests, lengths (32 bits)


class Cutter(Protocol):
    """The methods of both cutters; `PureCutter` documents them."""

    def pages(self, pairs: list[Pair], /) -> Sequence[Page]: ...

    def lengths(self, text: bytes, /) -> bytes: ...


def make_cutter(delimiters: str, hash_: str) -> Cutter:
    """Make a cutter: of the kernel if it is installed, else in Python."""
    kind = PureCutter if kernel.load() is None else KernelCutter
    return kind(delimiters, hash_)


class KernelCutter:
    """Cuts and hashes in C, all messages side by side, but long messages in hashlib."""

    def __init__(self, delimiters: str, hash_: str):
        self._new = getattr(hashlib, hash_)
        self._pattern = chunking.compile_delimiter(delimiters)
        tags, after = chunking.parse_delimiters(delimiters)
        names = tuple(map(str.encode, tags))
        self._kernel = kernel.load().Cutter(names, after, DIGEST_BYTES[hash_])

    def pages(self, pairs: list[Pair]) -> Sequence[Page]:
        """Hash the body of each pair, and the chunks of its text."""
        if all(
            len(b or b'') <= MAX_SIDE_BY_SIDE and len(t or b'') <= MAX_SIDE_BY_SIDE
            for b, t in pairs
        ):
            return self._kernel.pages(pairs)
        bodies = [self._is_long(body, 0) for body, _ in pairs]
        texts = [self._is_long(text, 1) for _, text in pairs]
        rest = [
            (None if long_body else body, None if long_text else text)
            for (body, text), long_body, long_text in zip(
                pairs, bodies, texts, strict=True
            )
        ]
        pages = self._kernel.pages(rest)
        for number, (body, text) in enumerate(pairs):
            if bodies[number]:
                pages[number] = (self._new(body).digest(), *pages[number][1:])
            if texts[number]:
                length = array('I', [len(text)]).tobytes()
                pages[number] = (pages[number][0], self._new(text).digest(), length)
        return pages

    def lengths(self, text: bytes) -> bytes:
        """Return the lengths of the chunks of a text."""
        return self._kernel.lengths(text)

    def _is_long(self, message: bytes | None, is_text: int) -> bool:
        """Test whether a body or a text of one chunk is too long for the kernel."""
        if not message or len(message) <= MAX_SIDE_BY_SIDE:
            return False
        return not (is_text and self._pattern.search(message, 1))


class PureCutter:
    """Cuts and hashes in Python, with a cache of the digests of short chunks."""

    def __init__(self, delimiters: str, hash_: str):
        self._new = getattr(hashlib, hash_)
        self._pattern = chunking.compile_delimiter(delimiters)
        self._cache: dict[bytes, bytes] = {}  # digests by chunk

    def pages(self, pairs: list[Pair]) -> Sequence[Page]:
        """Hash the body of each pair, and the chunks of its text.

        A part that is None is not hashed.

        >>> [(whole, digests, lengths)] = PureCutter('p', 'sha1').pages([
        ...     (None, b'H<p>one')])
        >>> whole, digests.hex()[:8], lengths
        (b'', '7cf184f4', b'\\x01\\x00\\x00\\x00\\x06\\x00\\x00\\x00')
        """
        return [self._page(body, text or b'') for body, text in pairs]

    def lengths(self, text: bytes) -> bytes:
        """Return the lengths of the chunks of a text, 32 bits each, without hashing.

        >>> PureCutter('p', 'sha1').lengths(b'H<p>one')
        b'\\x01\\x00\\x00\\x00\\x06\\x00\\x00\\x00'
        """
        bounds = chunking.chunk_bounds(text, self._pattern)
        sizes = (end - start for start, end in itertools.pairwise(bounds))
        return array('I', sizes).tobytes()

    def _page(self, body: bytes | None, text: bytes) -> Page:
        whole = b'' if body is None else self._new(body).digest()
        digests, lengths = self._digests(
            text, chunking.chunk_bounds(text, self._pattern)
        )
        return whole, digests, lengths

    def _digests(self, text: bytes, bounds: list[int]) -> tuple[bytes, bytes]:
        """Hash the chunks between bounds; return the digests and lengths, concatenated.

        Nearly all of the time of `discover` is spent in this loop.
        """
        new, cache = self._new, self._cache
        if len(cache) > CACHE_SIZE:
            cache.clear()
        digests, lengths = [], array('I')
        start = bounds[0]
        for end in bounds[1:]:
            chunk = text[start:end]
            length = end - start
            if length > MAX_CACHED:
                digests.append(new(chunk).digest())
            else:
                digest = cache.get(chunk)
                if digest is None:
                    digest = cache[chunk] = new(chunk).digest()
                digests.append(digest)
            lengths.append(length)
            start = end
        return b''.join(digests), lengths.tobytes()
