"""Matching of pages that arrive in pieces, for crawlers and servers.

    matcher = Matcher('known.mrl')
    page = matcher.page()
    for block in response:
        page.feed(block)
    verdict = page.close()

The verdict is the one that `detect` gives, whatever the blocks; memory does not grow
with the page. A matcher may be shared by threads, a page may not.
"""

import hashlib
from os import PathLike
from typing import NamedTuple

import numpy as np

from mr_reuse.archives import sniff
from mr_reuse.chunks import chunking
from mr_reuse.chunks.detect.matching import SCOPES, Stops
from mr_reuse.chunks.labels import label_files
from mr_reuse.chunks.labels.label_format import Labels
from mr_reuse.chunks.normalize import NORMALIZERS, Smoother
from mr_reuse.shuffle.digest_index import DigestIndex
from mr_reuse.shuffle.packing import Rows

TOGETHER = 1000  # chunks that are looked up at a time


class Verdict(NamedTuple):
    """What is known of a page."""

    bad: int  # chunks that are labels
    total: int  # chunks without stop chunks
    file: bool  # whether the whole file is labeled
    examples: tuple[str, ...]  # hashes of the first labels found
    is_page: bool = True  # else it is no text, or nothing at all

    @property
    def contains(self) -> float | None:
        """The share of its chunks that are labels, None if it has no chunks.

        >>> Verdict(1, 4, False, ()).contains
        0.25
        """
        return self.bad / self.total if self.total else None


class Matcher:
    """Labels, ready to be found in pages."""

    def __init__(
        self,
        labels: str | PathLike | Labels,
        scope: str = 'both',
        examples: int = 10,
    ):
        if scope not in SCOPES:
            raise ValueError(f'scope {scope!r}: one of {", ".join(SCOPES)}')
        known = isinstance(labels, Labels)
        self.labels = labels if known else label_files.load(str(labels))
        self.examples = examples
        self.pattern = chunking.delimiter(self.labels.recipe.delimiters)
        self.chunks = DigestIndex(self.labels.chunks)
        self.files = DigestIndex(self.labels.files)
        self.stops = Stops(self.labels, scope)

    def page(self) -> 'Page':
        """A page that is about to arrive."""
        return Page(self)

    def check(self, body: bytes) -> Verdict:
        """The verdict on a page that is all there."""
        page = self.page()
        page.feed(body)
        return page.close()


class Page:
    """A page on its way: `feed` takes its body in any pieces, `close` judges it."""

    def __init__(self, matcher: Matcher):
        self._matcher = matcher
        recipe = matcher.labels.recipe
        self._hash = recipe.hash
        self._tail = recipe.tail
        self._file = hashlib.new(recipe.hash)
        self._chunk, self._length = hashlib.new(recipe.hash), 0
        normalize = NORMALIZERS[recipe.normalize]
        self._smoother = Smoother(normalize) if normalize else None
        self._cutter = chunking.Cutter(matcher.pattern)
        self._head: bytes | None = b''  # None once it is known what the body is
        self._is_text = False
        self._digests: list[bytes] = []
        self._lengths: list[int] = []
        self._bad = self._total = 0
        self._examples: list[str] = []

    def feed(self, block: bytes) -> None:
        """Take some more of the body, its transfer and content encodings undone."""
        self._file.update(block)
        if self._head is not None:
            self._head += block
            if len(self._head) < sniff.HEAD:
                return
            block = self._begin()
        self._text(block)

    def _begin(self) -> bytes:
        """Decide what the body is, by what has come so far."""
        head, self._head = self._head, None
        self._is_text = sniff.is_text(sniff.media_type(head))
        return head

    def _text(self, block: bytes) -> None:
        if self._is_text:
            smoothed = self._smoother.feed(block) if self._smoother else block
            self._take(self._cutter.feed(smoothed))

    def _take(self, pieces) -> None:
        """Hash the bytes that are settled; chunks that are over are looked up."""
        for piece, begins in pieces:
            if begins:
                self._end_chunk()
            self._chunk.update(piece)
            self._length += len(piece)

    def _end_chunk(self) -> None:
        if self._length:
            self._digests.append(self._chunk.digest())
            self._lengths.append(self._length)
            self._chunk, self._length = hashlib.new(self._hash), 0
            if len(self._digests) >= TOGETHER:
                self._look_up()

    def _look_up(self) -> None:
        """Count the chunks that are over."""
        matcher, lengths = self._matcher, np.array(self._lengths, np.uint64)
        width = matcher.labels.recipe.width
        keys = np.frombuffer(b''.join(self._digests), np.uint8).reshape(-1, width)
        self._digests, self._lengths = [], []
        counted, may = matcher.stops.masks(Rows(keys, (lengths,)))
        found = (matcher.chunks.find(keys) >= 0) & may
        self._total += int(counted.sum())
        self._bad += int(found.sum())
        more = matcher.examples - len(self._examples)
        for row in np.flatnonzero(found)[: max(0, more)]:
            self._examples.append(keys[row].tobytes().hex())

    def close(self, cut: bool = False) -> Verdict:
        """The body has ended, or was cut off: then its last chunk does not count."""
        self.feed(self._tail)
        if self._head is not None:
            self._text(self._begin())
        if self._is_text:
            if self._smoother:
                self._take(self._cutter.feed(self._smoother.close()))
            self._take(self._cutter.close())
        if not cut:
            self._end_chunk()
        if self._digests:
            self._look_up()
        file = np.frombuffer(self._file.digest(), np.uint8).reshape(1, -1)
        labeled = not cut and bool(self._matcher.files.find(file)[0] >= 0)
        found = self._bad, self._total, labeled, tuple(self._examples)
        return Verdict(*found, self._is_text)
