"""Match pages that arrive in pieces, for crawlers and servers.

    matcher = Matcher('known.mrl')
    page = matcher.page()
    for block in response:
        page.feed(block)
    verdict = page.close()

The verdict equals that of `detect` and does not depend on the division into blocks.
Memory does not grow with the page. Threads may share a matcher, but not a page.
"""

import hashlib
from collections.abc import Iterable
from os import PathLike
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import sniff
from mr_reuse.chunks import chunking
from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_files import Labels
from mr_reuse.chunks.labels.stop_chunks import StopChunks
from mr_reuse.chunks.normalize import NORMALIZERS, BlockNormalizer
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows

LOOKUP_BATCH = 1000  # chunks to look up at a time


class Verdict(NamedTuple):
    """The result of matching a page."""

    bad: int  # chunks that are labels
    total: int  # chunks without stop chunks
    file: bool  # True if the file as a whole is a label
    examples: tuple[str, ...]  # hashes of the first labels found
    is_page: bool = True  # False if the body is empty or not text

    @property
    def contains(self) -> float | None:
        """The share of the chunks that are labels, None without chunks.

        >>> Verdict(1, 4, False, ()).contains
        0.25
        """
        return self.bad / self.total if self.total else None


class Matcher:
    """The labels to look for, loaded once for any number of pages."""

    def __init__(
        self,
        labels: str | PathLike | Labels,
        scope: str = 'both',
        examples: int = 10,
    ):
        if scope not in SCOPES:
            raise ValueError(f'scope {scope!r}: not one of {", ".join(SCOPES)}')
        is_loaded = isinstance(labels, Labels)
        self.labels = labels if is_loaded else label_files.load(str(labels))
        self.examples = examples
        self.pattern = chunking.compile_delimiter(self.labels.recipe.delimiters)
        self.chunks = DigestIndex(self.labels.chunks)
        self.files = DigestIndex(self.labels.files)
        self.stops = StopChunks(self.labels, scope)

    def page(self) -> 'Page':
        """Begin a page."""
        return Page(self)

    def check(self, body: bytes) -> Verdict:
        """Match a page that is in memory."""
        page = self.page()
        page.feed(body)
        return page.close()


class Page:
    """A page that is arriving: `feed` takes pieces of its body, `close` matches it."""

    def __init__(self, matcher: Matcher):
        self._matcher = matcher
        recipe = matcher.labels.recipe
        self._hash = recipe.hash
        self._tail = recipe.tail
        self._file = hashlib.new(recipe.hash)
        self._chunk, self._length = hashlib.new(recipe.hash), 0
        normalize = NORMALIZERS[recipe.normalize]
        self._normalizer = BlockNormalizer(normalize) if normalize else None
        self._cutter = chunking.BlockCutter(matcher.pattern)
        self._head: bytes | None = b''  # None when the type is known
        self._is_text = False
        self._digests: list[bytes] = []
        self._lengths: list[int] = []
        self._bad = self._total = 0
        self._examples: list[str] = []

    def feed(self, block: bytes) -> None:
        """Add a piece of the body, after transfer and content encodings are decoded."""
        self._file.update(block)
        if self._head is not None:
            self._head += block
            if len(self._head) < sniff.HEAD:
                return
            block = self._detect_type()
        self._feed_text(block)

    def _detect_type(self) -> bytes:
        """Detect the type of the body by its first bytes, and return these."""
        head, self._head = self._head, None
        self._is_text = sniff.is_text(sniff.media_type(head))
        return head

    def _feed_text(self, block: bytes) -> None:
        if self._is_text:
            text = self._normalizer.feed(block) if self._normalizer else block
            self._hash_pieces(self._cutter.feed(text))

    def _hash_pieces(self, pieces: Iterable[tuple[bytes, bool]]) -> None:
        """Hash the pieces of chunks, and look complete chunks up."""
        for piece, begins_chunk in pieces:
            if begins_chunk:
                self._end_chunk()
            self._chunk.update(piece)
            self._length += len(piece)

    def _end_chunk(self) -> None:
        if self._length:
            self._digests.append(self._chunk.digest())
            self._lengths.append(self._length)
            self._chunk, self._length = hashlib.new(self._hash), 0
            if len(self._digests) >= LOOKUP_BATCH:
                self._look_up()

    def _look_up(self) -> None:
        """Count the chunks and labels among the buffered digests."""
        matcher, lengths = self._matcher, np.array(self._lengths, np.uint64)
        width = matcher.labels.recipe.width
        keys = np.frombuffer(b''.join(self._digests), np.uint8).reshape(-1, width)
        self._digests, self._lengths = [], []
        in_total, may_be_label = matcher.stops.masks(Rows(keys, (lengths,)))
        is_label = (matcher.chunks.find(keys) >= 0) & may_be_label
        self._total += int(in_total.sum())
        self._bad += int(is_label.sum())
        missing = matcher.examples - len(self._examples)
        for row in np.flatnonzero(is_label)[: max(0, missing)]:
            self._examples.append(keys[row].tobytes().hex())

    def close(self, cut: bool = False) -> Verdict:
        """End the body, and return the verdict.

        With `cut` the body was truncated. Its last chunk is then omitted, and it is not
        looked up as a file.
        """
        self.feed(self._tail)
        if self._head is not None:  # the body is shorter than the head
            self._feed_text(self._detect_type())
        if self._is_text:
            if self._normalizer:
                self._hash_pieces(self._cutter.feed(self._normalizer.close()))
            self._hash_pieces(self._cutter.close())
        if not cut:
            self._end_chunk()
        if self._digests:
            self._look_up()
        file = np.frombuffer(self._file.digest(), np.uint8).reshape(1, -1)
        is_file = not cut and bool(self._matcher.files.find(file)[0] >= 0)
        examples = tuple(self._examples)
        return Verdict(self._bad, self._total, is_file, examples, self._is_text)
