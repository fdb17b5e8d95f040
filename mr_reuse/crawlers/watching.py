"""Follow the archives that a running crawler writes, and report pages with labels.

The state changes in memory, page by page. It is saved only between two pages, so what
an interrupt or a kill discards is read again, and was not printed (`publishing`).
"""

import contextlib
import time
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
from mr_reuse.crawlers.publishing import Publisher
from mr_reuse.crawlers.watch_state import Position, State
from mr_reuse.messages import format_count
from mr_reuse.pages.filters import Filter
from mr_reuse.storage import naming

STATE = 'mr_reuse-watch.json'
Damage = dict[str, tuple[int, int]]  # records and bytes, by cause
HEAD = 256  # bytes that identify an archive, together with its inode: it may be renamed


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
    watch.publisher.publish()  # fails before the first event if it cannot be saved
    while True:
        watch.scan()
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
        self.publisher = Publisher(self.state)
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

    def scan(self) -> None:
        """Read the new records of all archives, and print their events."""
        # A file that the crawler renames or removes meanwhile is left to the next scan.
        with contextlib.suppress(FileNotFoundError):
            for entry in storage.walk_files(self._options.folder):
                name = entry.name
                if tailing.is_archive(name) and storage.is_file(name):
                    with contextlib.suppress(FileNotFoundError):
                        self._read_on(name)
        if self.state.is_new:
            self.publisher.publish()

    def _read_on(self, name: str) -> None:
        """Read the new records of an archive."""
        is_final = self._options.once
        if storage.size(name) < HEAD and not is_final:
            return
        archive = tailing.file_identity(name, HEAD)
        start, place = self.state.position(archive)
        if storage.size(name) < start:
            start, place = 0, ''
            self.publisher.add(
                'damage', archive=name, cause='shorter than before, read again'
            )
            self._note(archive, (start, place))
        end = tailing.complete_end(name, start, is_final)
        if end == start:
            return
        stats = ArchiveStats(name)
        first = rids.offsets_of(place or '0')
        is_resumed = bool(place)
        damage: Damage = {}  # of which there are events
        for item in tailing.items_between(name, start, end, stats):
            if (offsets := rids.offsets_of(item.offset)) < first:
                continue
            if is_resumed:  # the damage before the place was found before
                is_resumed, damage = False, copy_damage(stats)
            self._add_damage(name, stats, damage)
            self._note(archive, (offsets[0], item.offset))
            self._judge(name, item, stats)
        self._add_damage(name, stats, damage)
        self.revisits += stats.skipped[REVISIT]
        self._note(archive, (end, ''))

    def _add_damage(self, archive: str, stats: ArchiveStats, known: Damage) -> None:
        """Add events of the damage that is not known yet, which is known then."""
        for cause, (records, size) in stats.damage.items():
            records_before, size_before = known.get(cause, (0, 0))
            if (records, size) != (records_before, size_before):
                self.publisher.add(
                    'damage',
                    archive=archive,
                    cause=cause,
                    records=records - records_before,
                    bytes=size - size_before,
                )
        known.update(copy_damage(stats))

    def _note(self, archive: str, position: Position) -> None:
        """Record that an archive was read up to a position; print events when due."""
        self.state.note_position(archive, position)
        self.publisher.publish_if_due()

    def _judge(self, archive: str, item: Item, stats: ArchiveStats) -> None:
        """Add the event of a page, if it is to be reported."""
        verdict = self._verdict(item, stats)
        if not (verdict and (verdict.is_page or verdict.file)):
            return
        self.pages += verdict.is_page
        site = self._add(item.url, verdict) if verdict.is_page else None
        if verdict.bad < self._options.min_bad or not self._is_above(verdict):
            return
        self.reported += 1
        self.files += verdict.file
        self.publisher.add(
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
        self.state.note_sums(prefix, sums)
        return {'prefix': prefix} | dict(
            zip(('pages', 'bad', 'total'), sums, strict=True)
        )


def copy_damage(stats: ArchiveStats) -> Damage:
    """Copy the damage of an archive so far."""
    return {cause: (count, size) for cause, (count, size) in stats.damage.items()}
