"""The base of jobs that read pages.

A page job has mappers only. A line of its input names the archives of a task, and the
mapper opens them itself (`task_lines.py`).
"""

import os
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any, Protocol

from mrjob.protocol import BytesValueProtocol

from mr_reuse.archives import archive_stats, reader
from mr_reuse.archives.archive_stats import ArchiveStats, sum_stats
from mr_reuse.archives.items import ITEM_TYPES, REVISIT, Item
from mr_reuse.archives.rids import offsets_of
from mr_reuse.archives.sources import Source
from mr_reuse.engine.job import LineJob
from mr_reuse.engine.progress import Meter
from mr_reuse.errors import DAMAGED, DONE
from mr_reuse.messages import say
from mr_reuse.pages import damage, task_lines
from mr_reuse.pages.filters import FILTERED, Filter
from mr_reuse.shuffle import protocol

REVISITS = 'revisits'  # in the counts of an archive
MAX_ACCOUNTS = 256  # archives of a task whose statistics are not summed
BATCH = 1000  # pages that are counted at a time, which is faster than one by one


class Line(Protocol):
    """A line about a page."""

    def to_line(self) -> tuple[bytes, bytes]: ...


class PageJob(LineJob):
    """Writes lines about the pages of archives; a subclass overrides `lines_of`."""

    INPUT_PROTOCOL = BytesValueProtocol
    UNIT = ''  # an attribute of lines; its sum is counted under this name
    TYPES = ITEM_TYPES  # of the records that are items

    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg(
            '--recursion',
            default='length',
            help='Rule for URLs of crawler loops, as of discover. Default: %(default)s',
        )
        self.add_passthru_arg(
            '--filter',
            action='append',
            default=[],
            help='Rule for the records to read, as of discover (may be repeated)',
        )
        self.add_passthru_arg(
            '--folder',
            default='',
            help='Folder to which names in a list are relative. Default: this one',
        )

    def lines_of(
        self, archive: str, items: Iterable[Item]
    ) -> Iterator[tuple[Item, Iterable[Line]]]:
        """Yield the items of an archive in their order, each with its lines.

        An override sets `type` and `size` of each item that it yields. Items that it
        leaves out are not counted. The caller reads the lines of an item before it asks
        for the next item.
        """
        raise NotImplementedError

    def check_input(self, name):
        task_lines.check_list(name, self.options.folder)

    def prepare(self, folder):
        Filter(self.options.filter, self.options.recursion)  # refuses bad rules
        # A task works in a folder of its own.
        return {'folder': os.path.abspath(self.options.folder)}

    def report(self, parts):
        """Print the damage of all archives."""
        found = damage.collect(damage.read_accounts(parts))
        if found.archives:
            sums = archive_stats.sum_stats(damage.read_accounts(parts), 'damage')
            say(damage.format_damage(found, sums))
        return DAMAGED if found.archives else DONE

    @staticmethod
    def shorten_stats(tasks):
        """Sum the statistics of archives; `damage` reads those of each."""
        sums, refused, others = [], 0, []
        for task in tasks:
            accounts = task.pop('accounts', [])
            refused += sum(map(archive_stats.is_refused, accounts))
            if sums or accounts:
                sums = [archive_stats.sum_all([*sums, *accounts], archive_stats.OF_ALL)]
            if task:
                others.append(task)
        first, *rest = others or [{}]
        return [{'accounts': sums, 'refused': refused, **first}, *rest]

    def mapper_init(self):
        self.filter = Filter(self.options.filter, self.options.recursion)
        self.meter = Meter()
        self.stats = []
        self.page_files = ArchiveStats(archive_stats.PAGE_FILES)
        self.further = ArchiveStats(archive_stats.FURTHER)

    def hadoop_input_format(self):
        """Make each line a task."""
        return 'org.apache.hadoop.mapred.lib.NLineInputFormat'

    def mapper(self, _, line):
        """In: the sources of a task. Out: the lines of their pages."""
        for source in task_lines.parse_line(line, self.options.folder):
            yield from self.pages_of(source)

    def pages_of(self, source: Source) -> Iterator[tuple[bytes, bytes]]:
        """Yield the lines of a source's pages; collect its statistics at the end."""
        stats = ArchiveStats(source.name)
        wanted = self.filter.item_test(stats)
        items = reader.read_source(source, stats, wanted, self.TYPES)
        pages: list[tuple[str, str, int]] = []
        for item, lines in self.lines_of(source.name, items):
            if item.kind == REVISIT:
                stats.counts[REVISITS] += 1
                stats.count_depths([item.url])
                yield from (line.to_line() for line in lines)
                continue
            if self.filter.types and not self.filter.admits_type(item.type):
                stats.skipped[FILTERED] += 1
                continue
            pages.append((item.url, item.type, item.size))
            for line in lines:
                if self.UNIT:
                    stats.counts[self.UNIT] += getattr(line, self.UNIT)
                yield line.to_line()
            if len(pages) == BATCH or monotonic() > self.meter.due:
                # Of a slice, the offset says nothing of the bytes that were read.
                self._count(pages, stats, '0' if source.rows else item.offset)
                pages = []
        self._count(pages, stats)
        self.meter.finish(source.size)
        # A corpus may have millions of files, so the statistics of most are summed.
        if source.kind != 'archive' and not stats.damaged:
            self.page_files.add(stats)
        elif len(self.stats) >= MAX_ACCOUNTS and not stats.damaged:
            self.further.add(stats)
        else:
            self.stats.append(stats.as_dict())

    def _count(self, pages, stats, offset='0'):
        """Add pages to the statistics of an archive and to the progress of the task."""
        stats.count_pages(pages)
        size = sum(size for _, _, size in pages)
        self.meter.add(len(pages), size, offsets_of(offset)[0])

    def mapper_final(self):
        """Out: the statistics of the task's archives, as its last line."""
        for sums in (self.page_files, self.further):
            if len(stats := sums.as_dict()) > 1:
                self.stats.append(stats)
        self.count(sum_stats(self.stats, 'counts'))
        yield protocol.last_line({'accounts': self.stats, **self.task_stats()})

    def task_stats(self) -> dict[str, Any]:
        """Return further statistics of the task, for its last line."""
        return {}
