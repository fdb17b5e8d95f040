"""What cuts texts and hashes their chunks, many pages at a time.

The kernel where there is one, else Python: both give the same bytes.
"""

import hashlib
import itertools
from array import array
from collections.abc import Sequence
from typing import Protocol

from mr_reuse import kernel
from mr_reuse.chunks import chunking

SIZES = {'sha1': 20, 'sha256': 32}  # bytes of a digest
KEPT = 128  # chunks up to this length are looked up before they are hashed
LONE = 256 << 10  # bytes of a message that others could not keep up with
MEMORY = 100_000  # such chunks to remember: about 30 MB

Pair = tuple[bytes | None, bytes | None]  # what is hashed whole, and what is cut
Page = tuple[bytes, bytes, bytes]  # hash of the whole, digests, lengths (32 bits each)


class Cutter(Protocol):
    def pages(self, pairs: list[Pair], /) -> Sequence[Page]: ...

    def lengths(self, text: bytes, /) -> bytes: ...


def cutter(delimiters: str, hash_: str) -> Cutter:
    """The fastest cutter there is."""
    kind = PureCutter if kernel.load() is None else KernelCutter
    return kind(delimiters, hash_)


class KernelCutter:
    """Cuts and hashes in C, all messages side by side.

    One that is so long that it would be alone in the end is left to hashlib.
    """

    def __init__(self, delimiters: str, hash_: str):
        self._new = getattr(hashlib, hash_)
        self._pattern = chunking.delimiter(delimiters)
        tags, after = chunking.parse(delimiters)
        names = tuple(map(str.encode, tags))
        self._kernel = kernel.load().Cutter(names, after, SIZES[hash_])

    def pages(self, pairs: list[Pair]) -> Sequence[Page]:
        """What `PureCutter` gives."""
        if all(len(b or b'') <= LONE and len(t or b'') <= LONE for b, t in pairs):
            return self._kernel.pages(pairs)
        bodies = [self._lone(body, 0) for body, _ in pairs]
        texts = [self._lone(text, 1) for _, text in pairs]
        left = [
            (None if lone_body else body, None if lone_text else text)
            for (body, text), lone_body, lone_text in zip(
                pairs, bodies, texts, strict=True
            )
        ]
        found = self._kernel.pages(left)
        for number, (body, text) in enumerate(pairs):
            if bodies[number]:
                found[number] = (self._new(body).digest(), *found[number][1:])
            if texts[number]:
                length = array('I', [len(text)]).tobytes()
                found[number] = (found[number][0], self._new(text).digest(), length)
        return found

    def lengths(self, text: bytes) -> bytes:
        """What `PureCutter` gives."""
        return self._kernel.lengths(text)

    def _lone(self, message: bytes | None, is_text: int) -> bool:
        """Whether a body, or a text of one chunk, is too long for the kernel."""
        if not message or len(message) <= LONE:
            return False
        return not (is_text and self._pattern.search(message, 1))


class PureCutter:
    """Cuts and hashes in Python; remembers the digests of short chunks."""

    def __init__(self, delimiters: str, hash_: str):
        self._new = getattr(hashlib, hash_)
        self._pattern = chunking.delimiter(delimiters)
        self._known: dict[bytes, bytes] = {}

    def pages(self, pairs: list[Pair]) -> Sequence[Page]:
        """Hash the first of each pair, and the chunks of the second.

        >>> [(whole, digests, lengths)] = PureCutter('p', 'sha1').pages([
        ...     (None, b'H<p>one')])
        >>> whole, digests.hex()[:8], lengths
        (b'', '7cf184f4', b'\\x01\\x00\\x00\\x00\\x06\\x00\\x00\\x00')
        """
        return [self._page(body, text or b'') for body, text in pairs]

    def lengths(self, text: bytes) -> bytes:
        """How long the chunks of a text are, without hashing them.

        >>> PureCutter('p', 'sha1').lengths(b'H<p>one')
        b'\\x01\\x00\\x00\\x00\\x06\\x00\\x00\\x00'
        """
        bounds = chunking.bounds(text, self._pattern)
        sizes = (end - start for start, end in itertools.pairwise(bounds))
        return array('I', sizes).tobytes()

    def _page(self, body: bytes | None, text: bytes) -> Page:
        whole = b'' if body is None else self._new(body).digest()
        digests, lengths = self._digests(text, chunking.bounds(text, self._pattern))
        return whole, digests, lengths

    def _digests(self, text: bytes, bounds: list[int]) -> tuple[bytes, bytes]:
        """The digests of the chunks between bounds, joined, and their lengths.

        This is where nearly all the time goes.
        """
        new, known = self._new, self._known
        if len(known) > MEMORY:
            known.clear()
        found, lengths = [], array('I')
        start = bounds[0]
        for end in bounds[1:]:
            chunk = text[start:end]
            length = end - start
            if length > KEPT:
                found.append(new(chunk).digest())
            else:
                digest = known.get(chunk)
                if digest is None:
                    digest = known[chunk] = new(chunk).digest()
                found.append(digest)
            lengths.append(length)
            start = end
        return b''.join(found), lengths.tobytes()
