"""Follow the archives that a running crawler writes, and report pages with labels.

The state file records an event after it was printed, so each event is printed once.
"""

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from fractions import Fraction
from typing import Any, NamedTuple

from mr_reuse import storage
from mr_reuse.archives import rids, tailing, urls
from mr_reuse.archives.archive_stats import ArchiveStats
from mr_reuse.archives.framing import Lost
from mr_reuse.archives.items import REVISIT, Item
from mr_reuse.chunks import ratios
from mr_reuse.chunks.detect import steps
from mr_reuse.chunks.detect.matcher import Matcher, Verdict
from mr_reuse.chunks.detect.matching import SCOPES
from mr_reuse.chunks.ratios import Threshold
from mr_reuse.crawlers.watch_state import Position, State, Sums
from mr_reuse.engine import interrupts
from mr_reuse.messages import format_count
from mr_reuse.pages.filters import Filter
from mr_reuse.storage import naming

STATE = 'mr_reuse-watch.json'
HEAD = 256  # bytes that identify an archive, together with its inode: it may be renamed

Event = dict[str, Any]


class WatchOptions(NamedTuple):
    """The options of `watch`."""

    folder: str
    labels: str
    state: str | None = None
    above: Fraction = Fraction(0)
    min_bad: int = 0
    stop_scope: str = SCOPES[0]
    once: bool = False  # all archives are complete


def follow(watch: 'Watch', interval: float | None) -> None:
    """Print events, a line each, until interrupted. Without interval, scan once."""
    watch.state.save()  # fails before the first event is printed if it cannot be saved
    while True:
        for event in watch.look():
            with interrupts.defer_interrupts():
                sys.stdout.write(json.dumps(event) + '\n')
                sys.stdout.flush()
                watch.note()
        if interval is None:
            return
        time.sleep(interval)


class Watch:
    """Reads new records in the archives of a folder, and matches their pages."""

    def __init__(self, options: WatchOptions):
        self._options = options
        known = steps.load_known(options.labels)
        self._matcher = Matcher(known.labels, options.stop_scope)
        self.state = State(
            options.state or naming.join(options.folder, STATE),
            {'labels': known.digest, 'stop_scope': options.stop_scope},
        )
        self._filter = Filter([], 'length')
        self._above = Threshold(options.above, Fraction(0), ratios.Sums())
        # Position and sums after the current event; `note` moves them to the state.
        self._position: tuple[str, Position] = '', (0, '')
        self._site: tuple[str, Sums] | None = None
        self.pages = self.reported = self.files = self.revisits = 0

    def summary(self) -> str:
        """Return a line with the numbers of pages that were read and printed.

        Revisits are not judged: their content may be in an archive that was removed.
        """
        pages = format_count(self.pages, 'page')
        documents = format_count(self.reported, 'document')
        files = format_count(self.files, 'known file')
        text = f'{pages} read; {documents} printed, {files} among them'
        if not self.revisits:
            return text
        revisits = format_count(self.revisits, 'revisit was', 'revisits were')
        return f'{text}; {revisits} not judged, as the content is in another record'

    def note(self) -> None:
        """Record in the state that the event of the last page was printed."""
        if self._site:
            self.state.note_sums(*self._site)
            self._site = None
        self.state.note_position(*self._position)

    def look(self) -> Iterator[Event]:
        """Yield the events of new records in all archives.

        The caller calls `note` for each event before it asks for the next one.
        """
        # A file that the crawler renames or removes meanwhile is left to the next scan.
        with contextlib.suppress(FileNotFoundError):
            for entry in storage.walk_files(self._options.folder):
                name = entry.name
                if tailing.is_archive(name) and storage.is_file(name):
                    with contextlib.suppress(FileNotFoundError):
                        yield from self._look_at(name)
        self.state.save_if_new()

    def _look_at(self, name: str) -> Iterator[Event]:
        is_final = self._options.once
        if storage.size(name) < HEAD and not is_final:
            return
        archive = tailing.file_identity(name, HEAD)
        start, last = self.state.position(archive)
        if storage.size(name) < start:
            start, last = 0, ''
            self._position = archive, (start, last)
            yield event('damage', archive=name, cause='shorter than before, read again')
        end = tailing.complete_end(name, start, is_final)
        if end == start:
            return
        stats = ArchiveStats(name)
        for item in tailing.items_between(name, start, end, stats):
            if last and rids.offsets_of(item.offset) <= rids.offsets_of(last):
                continue
            self._position = archive, (rids.offsets_of(item.offset)[0], item.offset)
            if match := self._judge(name, item, stats):
                yield match
            self.note()
        self._position = archive, (end, '')
        self.revisits += stats.skipped[REVISIT]
        for cause, (records, size) in stats.damage.items():
            yield event(
                'damage', archive=name, cause=cause, records=records, bytes=size
            )
        self.note()

    def _judge(self, archive: str, item: Item, stats: ArchiveStats) -> Event | None:
        """Return the event of a page; None if it is not to be reported."""
        verdict = self._verdict(item, stats)
        if not (verdict and (verdict.is_page or verdict.file)):
            return None
        self.pages += verdict.is_page
        site = self._add(item.url, verdict) if verdict.is_page else None
        if verdict.bad < self._options.min_bad or not self._is_above(verdict):
            return None
        self.reported += 1
        self.files += verdict.file
        return event(
            'match',
            rid=f'{archive}:{item.offset}',
            url=item.url,
            date=item.date,
            bad=verdict.bad,
            total=verdict.total,
            contains=None if not verdict.total else round(verdict.contains, 9),
            file=verdict.file,
            labels=list(verdict.examples),
            site=site,
        )

    def _verdict(self, item: Item, stats: ArchiveStats) -> Verdict | None:
        """Return the verdict on an item; None if it is filtered out or unreadable."""
        if not self._filter.item_test(stats)(item):
            return None
        page = self._matcher.page()
        try:
            for block in item.blocks:
                page.feed(block)
        except Lost:
            return None
        return page.close(item.cut)

    def _is_above(self, verdict: Verdict) -> bool:
        """Return whether `contains` of a page is above the limit. Known files are."""
        if verdict.file or not verdict.bad:
            return verdict.file
        return self._above.is_above(ratios.divide(verdict.bad, verdict.total))

    def _add(self, url: str, verdict: Verdict) -> dict[str, Any] | None:
        """Return the sums of the site of a page, including this page."""
        host, slash, _ = urls.neighborhood_of(url).partition('/')
        if not slash:
            return None
        prefix = host + slash
        pages, bad, total = self.state.sums(prefix)
        sums = pages + 1, bad + verdict.bad, total + verdict.total
        self._site = prefix, sums
        return {'prefix': prefix} | dict(
            zip(('pages', 'bad', 'total'), sums, strict=True)
        )


def event(kind: str, **fields: Any) -> Event:
    """Return an event with the current time."""
    now = datetime.now(timezone.utc).isoformat(timespec='seconds')
    return {'event': kind, 'time': now, **fields}
